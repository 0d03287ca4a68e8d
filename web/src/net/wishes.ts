// What the player wants of a table with others, as the server is asked for it.
import type { ClockName, Wishes } from '../game/wishes';
import type { Clock, TableOptions } from './types';

export const CLOCKS = {
  none: null,
  relaxed: { turn: 120, bank: 1200, increment: 20 },
  normal: { turn: 60, bank: 600, increment: 10 },
  quick: { turn: 20, bank: 180, increment: 5 },
} as const satisfies Record<ClockName, Clock | null>;

export function optionsOf({ bot: _, ...wishes }: Wishes): TableOptions {
  return {
    ...wishes,
    teams: wishes.teams && wishes.players === 4, // the rules want four
    clock: CLOCKS[wishes.clock],
    takeover: `level${wishes.takeover}`,
  };
}
