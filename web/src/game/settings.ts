// What this device remembers of its player's wishes. What is stored may be old, from a newer
// version, or damaged: each field counts only if it makes sense.

import {
  cleanName,
  EDITIONS,
  isOneOf,
  LEVELS,
  type Level,
  PLAYERS,
  SEATS,
  SETUPS,
  type Seat,
  type TableOptions,
} from './setup';
import { readWishes, type Wishes } from './wishes';

export const THEMES = ['auto', 'light', 'dark'] as const;
export const PACES = ['slow', 'normal', 'fast', 'instant'] as const;

export interface Settings {
  theme: (typeof THEMES)[number];
  pace: (typeof PACES)[number];
  autoEnd: boolean;
  coach: boolean | null; // in games against bots; null: in the first of them
  coached: number; // those that have been finished
  newcomer: boolean; // no game has been finished here: then no turn ends by itself
  sounds: boolean;
  hints: boolean;
  remind: boolean; // of free effects before one's turn ends
  botsTalk: boolean; // what bots say is shown and told, not only noted
  shortcuts: boolean; // letters and digits as keys
  notify: boolean; // when it is one's turn at a table that is not looked at
  lessons: string[]; // that have been gone through
  puzzles: Puzzling;
  table: TableOptions;
  online: Wishes;
}

// How the player does with puzzles (docs/puzzles.md).
export interface Puzzling {
  strength: number; // a place among all puzzles from the easiest, 0, to the hardest, 1
  row: number; // solved one after the other at the first try
  best: number;
  days: number[]; // whose puzzle was solved, the last of them
  seen: string[]; // the names of the last puzzles
}

export const COACHED = 3; // games

export const hasCoach = ({ coach, coached }: Settings): boolean => coach ?? coached < COACHED;

export const SETTINGS_KEY = 'civ.settings';
const VERSION = 1;

type Fields = Record<string, unknown>;
const fields = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? (value as Fields) : {};
const choice = <T>(values: readonly T[], value: unknown, usual: T): T =>
  isOneOf(values, value) ? value : usual;
const flag = (value: unknown, usual: boolean): boolean =>
  typeof value === 'boolean' ? value : usual;
const list = <T>(value: unknown, usual: T[], each: (value: unknown, usual: T) => T): T[] =>
  usual.map((entry, i) => each(Array.isArray(value) ? value[i] : undefined, entry));
const words = (value: unknown): string[] =>
  Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];

const number = (value: unknown, usual: number): number =>
  typeof value === 'number' && value >= 0 ? value : usual;

function readPuzzling(value: unknown): Puzzling {
  const stored = fields(value);
  return {
    strength: Math.min(1, number(stored.strength, 0.1)),
    row: number(stored.row, 0),
    best: number(stored.best, 0),
    days: Array.isArray(stored.days) ? stored.days.filter(Number.isInteger) : [],
    seen: words(stored.seen),
  };
}

function readTable(value: unknown): TableOptions {
  const stored = fields(value);
  return {
    players: choice(PLAYERS, stored.players, 3),
    levels: list<Level>(stored.levels, [1, 1, 1], (level, usual) => choice(LEVELS, level, usual)),
    setup: choice(SETUPS, stored.setup, 'basic'),
    teams: flag(stored.teams, false),
    edition: choice(EDITIONS, stored.edition, 'en'),
    pacts: flag(stored.pacts, true),
    name: cleanName(stored.name),
    seats: list<Seat>(stored.seats, ['human', 'human', 'human', 'human'], (seat, usual) =>
      choice(SEATS, seat, usual),
    ),
    names: list(stored.names, ['', '', '', ''], cleanName),
  };
}

export function readSettings(text: string | null): Settings {
  let stored: Fields = {};
  try {
    stored = fields(JSON.parse(text ?? 'null'));
  } catch {
    // as if nothing were stored
  }
  if (stored.version !== VERSION) stored = {};
  const newcomer = flag(stored.newcomer, Object.keys(stored).length === 0);
  return {
    theme: choice(THEMES, stored.theme, 'auto'),
    pace: choice(PACES, stored.pace, 'normal'),
    autoEnd: flag(stored.autoEnd, true),
    coach: choice([true, false, null], stored.coach, newcomer ? null : false),
    coached: number(stored.coached, 0),
    newcomer,
    sounds: flag(stored.sounds, false),
    hints: flag(stored.hints, true),
    remind: flag(stored.remind, true),
    botsTalk: flag(stored.botsTalk, true),
    shortcuts: flag(stored.shortcuts, true),
    notify: flag(stored.notify, false),
    lessons: words(stored.lessons),
    puzzles: readPuzzling(stored.puzzles),
    table: readTable(stored.table),
    online: readWishes(stored.online),
  };
}

export const writeSettings = (settings: Settings): string =>
  JSON.stringify({ version: VERSION, ...settings });
