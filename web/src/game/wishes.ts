// What the player wants of a table with others, as it is remembered. What a server is asked for is
// in net/wishes.ts.
import type { Edition, Setup } from '../engine/types';
import { EDITIONS, isOneOf, LEVELS, type Level, PLAYERS, type Players, SETUPS } from './setup';

export const CLOCK_NAMES = ['none', 'relaxed', 'normal', 'quick'] as const;
export type ClockName = (typeof CLOCK_NAMES)[number];
export const ABSENCES = [120, 600, 1800, 0]; // seconds; 0: never
export const TAKEBACKS = ['never', 'turn', 'ask'] as const;

export interface Wishes {
  players: Players;
  setup: Setup;
  teams: boolean;
  edition: Edition;
  pacts: boolean;
  clock: ClockName;
  absence: number;
  takeover: Level;
  listed: boolean;
  spectators: boolean;
  takebacks: (typeof TAKEBACKS)[number];
  bot: Level; // of bots that are let in
}

// Whatever is stored: each field counts only if it makes sense.
export function readWishes(value: unknown): Wishes {
  const stored: Record<string, unknown> =
    typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
  const choice = <T>(values: readonly T[], one: unknown, usual: T): T =>
    isOneOf(values, one) ? one : usual;
  const flag = (one: unknown, usual: boolean) => choice([true, false], one, usual);
  return {
    players: choice(PLAYERS, stored.players, 3),
    setup: choice(SETUPS, stored.setup, 'basic'),
    teams: flag(stored.teams, false),
    edition: choice(EDITIONS, stored.edition, 'en'),
    pacts: flag(stored.pacts, true),
    clock: choice(CLOCK_NAMES, stored.clock, 'none'),
    absence: choice(ABSENCES, stored.absence, 600),
    takeover: choice(LEVELS, stored.takeover, 4),
    listed: flag(stored.listed, false),
    spectators: flag(stored.spectators, true),
    takebacks: choice(TAKEBACKS, stored.takebacks, 'ask'),
    bot: choice(LEVELS, stored.bot, 4),
  };
}
