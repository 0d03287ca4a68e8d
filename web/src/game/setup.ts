// Who sits at a table and by which rules: what a game begins with.
import type { Edition, Setup } from '../engine/types';

export const PLAYERS = [2, 3, 4] as const;
export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
// Those that the start page shows at first sight.
export const SHOWN_LEVELS = [1, 4, 6, 8] as const satisfies readonly Level[];
export const EDITIONS = ['en', 'fr', 'es', 'pt', 'ro'] as const satisfies readonly Edition[];
export const SETUPS = ['basic', 'draft'] as const satisfies readonly Setup[];

export type Players = (typeof PLAYERS)[number];
export type Level = (typeof LEVELS)[number];
export type Seat = 'human' | `level${Level}`;

export const SEATS: readonly Seat[] = ['human', ...LEVELS.map((level) => `level${level}` as const)];

// A name is empty where somebody gave none: it is then shown in the words of the reader's language
// (setup-names.ts).
export interface Table {
  players: Players;
  setup: Setup;
  teams: boolean;
  edition: Edition;
  pacts: boolean; // players may make some
  seats: Seat[];
  names: string[];
}

// What the start page remembers. Seats and names are there for four, whatever the number of
// players.
export interface TableOptions {
  players: Players;
  levels: Level[]; // of the bots in seats 1 to 3, when playing against bots
  setup: Setup;
  teams: boolean;
  edition: Edition;
  pacts: boolean;
  name: string;
  seats: Seat[]; // on one device
  names: string[];
}

export const NAME_LENGTH = 40;

const BOT_NAMES = [
  'Ada',
  'Bran',
  'Chiara',
  'Ilinca',
  'Kofi',
  'Mei',
  'Noor',
  'Odalys',
  'Remus',
  'Sira',
  'Tomás',
  'Yara',
];

export const isOneOf = <T>(values: readonly T[], value: unknown): value is T =>
  (values as readonly unknown[]).includes(value);

export const levelOf = (seat: Seat): Level | null =>
  seat === 'human' ? null : (Number(seat.slice(5)) as Level);

// Plain text of one line: no control characters, nothing that turns the direction of what follows.
export function cleanName(value: unknown): string {
  if (typeof value !== 'string') return '';
  const plain = value
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu, ' ')
    .replace(/\s+/gu, ' ');
  return [...plain.trim()].slice(0, NAME_LENGTH).join('').trimEnd();
}

function named(seats: Seat[], names: string[], random: () => number): string[] {
  const free = BOT_NAMES.filter(
    (name) => !names.some((taken) => taken.toLowerCase() === name.toLowerCase()),
  );
  const pick = () => free.splice(Math.floor(random() * free.length), 1)[0];
  return seats.map((seat, i) => names[i] || (seat === 'human' ? '' : pick()));
}

// With teams the rules want four players.
const rules = ({ players, setup, teams, edition, pacts }: TableOptions) => ({
  players,
  setup,
  teams: teams && players === 4,
  edition,
  pacts,
});

export function againstBots(options: TableOptions, random = Math.random): Table {
  const seats: Seat[] = [
    'human',
    ...options.levels.slice(0, options.players - 1).map((level) => `level${level}` as const),
  ];
  return { ...rules(options), seats, names: named(seats, [cleanName(options.name)], random) };
}

export function onThisDevice(options: TableOptions, random = Math.random): Table {
  const seats = options.seats.slice(0, options.players);
  const names = seats.map((seat, i) => (seat === 'human' ? cleanName(options.names[i]) : ''));
  return { ...rules(options), seats, names: named(seats, names, random) };
}
