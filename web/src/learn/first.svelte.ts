// The game at the end of the lessons: two gentle bots, whatever the start page remembers, and the
// coach.
import { COACHED } from '../game/settings';
import { settings } from '../game/settings.svelte';
import { againstBots, type Table } from '../game/setup';

export function firstGame(): Table {
  // It comes once more to those whom it has left, and not to those who sent it away.
  if (settings.coach === null) settings.coached = Math.min(settings.coached, COACHED - 1);
  return againstBots({
    ...$state.snapshot(settings.table),
    players: 3,
    levels: [1, 1, 1],
    setup: 'basic',
    teams: false,
    pacts: false, // which they would never answer
  });
}
