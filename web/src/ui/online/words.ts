// A table's options in a few words each.
import { LEVELS } from '../../game/setup';
import { editionName, levelName } from '../../game/setup-names';
import type { Clock, TableOptions } from '../../net/types';
import { minutes } from '../../net/who';
import { t } from '../../text/text.svelte';

const TAKEBACKS = {
  never: 'room.takebacks-never',
  turn: 'room.takebacks-turn',
  ask: 'room.takebacks-ask',
} as const;

// What sets a table apart from others.
export function inShort({
  players,
  setup,
  teams,
  edition,
  clock,
  absence,
}: TableOptions): string[] {
  const words = [
    t('games.players', { count: players }),
    setup === 'draft' ? t('options.draft') : t('options.basic'),
  ];
  if (teams) words.push(t('options.teams'));
  words.push(
    clock
      ? t('room.clock', { turn: clock.turn, bank: Math.round(clock.bank / 60) })
      : t('room.no-clock'),
  );
  if (!clock && absence === 0) words.push(t('room.days'));
  if (edition !== 'en') words.push(t('games.edition', { edition: editionName(edition) }));
  return words;
}

export function inFull(options: TableOptions): string[] {
  const { clock, absence, takebacks, listed, spectators } = options;
  const words = inShort(options);
  if (!clock && absence > 0) words.push(t('room.absence', { minutes: Math.round(absence / 60) }));
  words.push(t(TAKEBACKS[takebacks]), listed ? t('room.listed') : t('room.unlisted'));
  words.push(spectators ? t('room.spectators') : t('room.no-spectators'));
  return words;
}

// What the clocks at the table show.
export const clockAbout = ({ turn, bank, increment }: Clock): string =>
  t('room.clock-about', { shown: `${minutes(turn * 1000)} +${minutes(bank * 1000)}`, increment });

// Programs may have brought other bots than those with a level.
export function strengthOf(bot: string): string {
  const level = LEVELS.find((one) => bot === `level${one}`);
  return level ? levelName(level) : bot;
}
