// The game at the end of the lessons: two gentle bots, whatever the start page remembers, and the
// coach.
import { hasCoach } from '../game/settings';
import { settings } from '../game/settings.svelte';
import { againstBots, type Table } from '../game/setup';

export function firstGame(): Table {
  if (!hasCoach(settings)) settings.coach = true;
  return againstBots({
    ...$state.snapshot(settings.table),
    players: 3,
    levels: [1, 1, 1],
    setup: 'basic',
    teams: false,
    pacts: false, // which they would never answer
  });
}
