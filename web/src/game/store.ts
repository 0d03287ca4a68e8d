// The games on this device, one entry of localStorage each. There is no index beside them: two tabs
// could write it at the same time, and what it says could contradict the entries.
import type { Card, GameRecord, Guide, Letter, Message, Result } from '../engine/types';
import { LETTERS } from '../engine/types';
import { type Deal, dealIn } from './deal';
import {
  cleanName,
  EDITIONS,
  isOneOf,
  LEVELS,
  type Level,
  levelOf,
  PLAYERS,
  type Players,
  SEATS,
  SETUPS,
  type Seat,
} from './setup';

export interface Game {
  id: string;
  record: GameRecord;
  seats: Seat[];
  names: string[]; // empty where somebody gave none
  created: number; // milliseconds, as Date.now()
  updated: number;
  finished: boolean;
  // The only person at the table, or the one of this device at a server's; null for several or
  // none.
  viewer: number | null;
  stands: Stands | null; // how it stood when it was saved, for lists
  table: string | null; // of a server, at which it was played
  deal: Deal | null; // how a server shuffled it
}

// How a running game stands: whose turn it is, and the longest column of those who may be told
// about it.
export interface Stands {
  turnOf: number | null; // null during the draft
  round: number;
  best: { seat: number; domain: Letter; count: number; need: number } | null;
}

const PREFIX = 'civ.game.';
const VERSION = 1;
export const LARGEST_FILE = 1_000_000; // a game has about 5,000 characters
const USUAL_LEVEL: Seat = 'level3'; // as in the terminal

type Fields = Record<string, unknown>;
const isObject = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isWhole = (value: unknown, below: number): value is number =>
  Number.isInteger(value) && (value as number) >= 0 && (value as number) < below;
const isList = (value: unknown, fits: (entry: unknown) => boolean): value is unknown[] =>
  Array.isArray(value) && value.every(fits);
const isCard = (value: unknown): value is Card =>
  typeof value === 'string' && /^[MRESCU][123]$/.test(value);
const isAction = (value: unknown) =>
  typeof value === 'string' && /^[a-z-]{3,20}( [\w-]{1,20}){0,2}$/.test(value);
const isTime = (value: unknown): value is number => isWhole(value, 8.64e15);

function readResult(value: unknown, players: number): Result | null {
  if (!isObject(value) || !isList(value.winners, (seat) => isWhole(seat, players))) return null;
  const winners = value.winners as number[];
  if (value.by === 'hegemony' && isOneOf(LETTERS, value.domain))
    return { winners, by: 'hegemony', domain: value.domain };
  if (value.by === 'majority' && isList(value.points, (points) => isWhole(points, 7)))
    return { winners, by: 'majority', points: value.points as number[] };
  return value.by === 'forfeit' ? { winners, by: 'forfeit' } : null;
}

// The known fields of a record, or the name of one that is missing or wrong. Whether it is a game
// by the rules is for the engine to say.
function readRecord(json: Fields): GameRecord | string {
  const { players, setup, edition, teams, first, deck, actions } = json;
  if (!isOneOf(PLAYERS, players)) return 'players';
  if (!isOneOf(SETUPS, setup)) return 'setup';
  if (!isOneOf(EDITIONS, edition)) return 'edition';
  if (typeof teams !== 'boolean') return 'teams';
  if (!isWhole(first, players)) return 'first';
  if (!isList(deck, isCard)) return 'deck';
  if (!isList(actions, isAction)) return 'actions';
  const result = readResult(json.result, players);
  if (!result && json.result != null) return 'result';
  return {
    format: 'civ-game/1',
    rules: 1,
    edition,
    players,
    setup,
    teams,
    first,
    deck: deck as Card[],
    actions: actions as string[],
    result,
  };
}

function readStands(value: unknown, players: number): Stands | null {
  if (!isObject(value) || !isWhole(value.round, 100_000)) return null;
  const best = value.best;
  const known =
    isObject(best) &&
    isWhole(best.seat, players) &&
    isOneOf(LETTERS, best.domain) &&
    isWhole(best.count, 105) &&
    isWhole(best.need, 105);
  return {
    turnOf: isWhole(value.turnOf, players) ? value.turnOf : null,
    round: value.round,
    best: known
      ? ({
          seat: best.seat,
          domain: best.domain,
          count: best.count,
          need: best.need,
        } as Stands['best'])
      : null,
  };
}

const namesIn = (value: unknown, players: number) =>
  Array.from({ length: players }, (_, seat) => cleanName(Array.isArray(value) ? value[seat] : ''));

function readEntry(id: string, text: string | null): Game | null {
  try {
    const json = JSON.parse(text ?? 'null');
    if (!isObject(json) || json.version !== VERSION || !isObject(json.record)) return null;
    const record = readRecord(json.record);
    if (typeof record === 'string' || !isTime(json.created) || !isTime(json.updated)) return null;
    if (!isList(json.seats, (seat) => isOneOf(SEATS, seat)) || json.seats.length !== record.players)
      return null;
    return {
      id,
      record,
      seats: json.seats as Seat[],
      names: namesIn(json.names, record.players),
      created: json.created,
      updated: json.updated,
      finished: json.finished === true,
      viewer: isWhole(json.viewer, record.players) ? json.viewer : null,
      stands: readStands(json.stands, record.players),
      table: typeof json.table === 'string' ? json.table : null,
      deal: dealIn(json, record.players),
    };
  } catch {
    return null;
  }
}

// crypto.randomUUID would want https.
function newId(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(9)), (byte) =>
    byte.toString(36).padStart(2, '0'),
  ).join('');
}

function onlyPerson(seats: Seat[]): number | null {
  const people = seats.flatMap((seat, i) => (seat === 'human' ? [i] : []));
  return people.length === 1 ? people[0] : null;
}

export function newGame(
  record: GameRecord,
  table: { seats: Seat[]; names: string[] },
  now = Date.now(),
): Game {
  const { seats, names } = table;
  return {
    id: newId(),
    record,
    seats,
    names,
    created: now,
    updated: now,
    finished: record.result !== null,
    viewer: onlyPerson(seats),
    stands: null,
    table: null,
    deal: null,
  };
}

// Of the viewer, or of everybody where several people play: the column that is nearest to Hegemony.
export function standsOf(
  guide: Pick<Guide, 'turnOf' | 'round' | 'columns'>,
  viewer: number | null,
): Stands {
  const columns = guide.columns.flatMap((seat, i) =>
    seat.map((column, d) => ({
      seat: i,
      domain: LETTERS[d],
      count: column.count,
      need: column.need,
    })),
  );
  const shown = columns.filter(
    (column) => column.count > 0 && (viewer === null || column.seat === viewer),
  );
  const best = shown.sort((a, b) => a.need - a.count - (b.need - b.count))[0] ?? null;
  return { turnOf: guide.turnOf, round: guide.round, best };
}

type Watcher = (id: string | null) => void;

export function createStore(storage: Storage | null, tabs: EventTarget | null) {
  const message = (key: string): Message => ({ key, args: {} });
  const unsaved = new Map<string, Game>(); // what could not be stored lasts as long as the page

  function load(id: string): Game | null {
    return unsaved.get(id) ?? readEntry(id, storage?.getItem(PREFIX + id) ?? null);
  }

  // Latest first.
  function list(): Game[] {
    const games = [...unsaved.values()];
    for (let i = 0; i < (storage?.length ?? 0); i++) {
      const key = storage!.key(i)!;
      const game = key.startsWith(PREFIX) ? load(key.slice(PREFIX.length)) : null;
      if (game && !unsaved.has(game.id)) games.push(game);
    }
    return games.sort((a, b) => b.updated - a.updated);
  }

  function remove(id: string): void {
    unsaved.delete(id);
    storage?.removeItem(PREFIX + id);
  }

  // Null when the game is stored. Where there is no room, finished games make some, the oldest
  // first.
  function save(game: Game): Message | null {
    game.updated = Date.now();
    unsaved.set(game.id, game);
    if (!storage) return message('games.error-storage');
    const { id, ...entry } = game;
    const text = JSON.stringify({ version: VERSION, ...entry });
    let old: string[] | null = null;
    for (;;) {
      try {
        storage.setItem(PREFIX + id, text);
        unsaved.delete(id);
        return null;
      } catch {
        old ??= list().flatMap((other) =>
          other.finished && !unsaved.has(other.id) ? [other.id] : [],
        );
        const oldest = old.pop();
        if (oldest === undefined) return message('games.error-full');
        remove(oldest);
      }
    }
  }

  // Told when another tab has stored or removed a game; with null when it has removed everything.
  // Gives back what ends it.
  function watch(watcher: Watcher): () => void {
    const hear = (event: Event) => {
      const { key } = event as StorageEvent;
      if (key === null) watcher(null);
      else if (key.startsWith(PREFIX)) watcher(key.slice(PREFIX.length));
    };
    tabs?.addEventListener('storage', hear);
    return () => tabs?.removeEventListener('storage', hear);
  }

  return { list, load, save, remove, watch };
}

// A browser may forbid storage; even to ask for it throws then.
function deviceStorage(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

export const { list, load, save, remove, watch } = createStore(
  deviceStorage(),
  typeof window === 'undefined' ? null : window,
);

// ---- files

// For file names: letters without their accents.
const plain = (name: string) =>
  name
    .normalize('NFD')
    .replace(/[^A-Za-z0-9]+/g, '')
    .toLowerCase();

// Days are those of the player's calendar, as in the terminal: "2026-01-31".
function dateOf(time: number): string {
  const day = new Date(time);
  const two = (part: number) => String(part).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

// The whole record. Names are as they are shown, and bots are noted as the terminal game notes
// them, so that it can go on with the game.
export function recordOf(game: Game, names: string[]): GameRecord {
  const levels = game.seats.map((seat) => levelOf(seat) ?? 0);
  const bots = levels.flatMap((level, seat) => (level > 0 ? [seat] : []));
  const deal = game.deal ? { deal: game.deal } : {};
  return { ...game.record, names, date: dateOf(game.created), comments: { bots, levels, ...deal } };
}

export function exportGame(game: Game, names: string[]): { filename: string; text: string } {
  const record = recordOf(game, names);
  const who = names.map(plain).filter((name) => name !== '');
  return {
    filename: `${['civ', record.date, ...who].join('-').slice(0, 80)}.json`,
    text: `${JSON.stringify(record)}\n`,
  };
}

// Who played, where the file says so; else bots play against seat 0, as in the terminal.
function seatsIn(comments: unknown, players: Players): Seat[] {
  const noted = isObject(comments) ? comments : {};
  const bots = Array.isArray(noted.bots) ? noted.bots : null;
  const levels = Array.isArray(noted.levels) ? noted.levels : [];
  return Array.from({ length: players }, (_, seat): Seat => {
    if (bots ? !bots.includes(seat) : seat === 0) return 'human';
    return isOneOf(LEVELS, levels[seat]) ? `level${levels[seat] as Level}` : USUAL_LEVEL;
  });
}

function dateIn(value: unknown, now: number): number {
  const time =
    typeof value === 'string' && /^\d{4}-\d\d-\d\d/.test(value)
      ? Date.parse(`${value.slice(0, 10)}T00:00`)
      : Number.NaN;
  return time >= 0 && time <= now ? time : now;
}

// The same game among others: no two decks are the same.
export function sameGame(game: Game, games: Game[]): Game | null {
  const text = JSON.stringify(game.record);
  return games.find(({ record }) => JSON.stringify(record) === text) ?? null;
}

export type Imported = { ok: true; game: Game } | { ok: false; error: Message };
// The engine's word on a record that has the right shape: null if it is a game by the rules.
type Check = (record: GameRecord) => Message | null;

const refuse = (key: string, args: Message['args'] = {}): { ok: false; error: Message } => ({
  ok: false,
  error: { key, args },
});

function checkedRecord(
  json: unknown,
  check: Check,
): { ok: true; json: Fields; record: GameRecord } | { ok: false; error: Message } {
  if (!isObject(json) || json.format !== 'civ-game/1') return refuse('games.error-format');
  if (json.rules !== 1) return refuse('error.record.rules');
  const record = readRecord(json);
  if (typeof record === 'string') return refuse('games.error-field', { field: record });
  const error = check(record);
  return error ? { ok: false, error } : { ok: true, json, record };
}

// A game from a file, not stored yet.
export function importGame(text: string, check: Check, now = Date.now()): Imported {
  if (text.trim() === '') return refuse('games.error-empty');
  if (text.length > LARGEST_FILE) return refuse('games.error-size');
  let parsed: unknown;
  try {
    parsed = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    return refuse('games.error-json');
  }
  const answer = checkedRecord(parsed, check);
  if (!answer.ok) return answer;
  const { json, record } = answer;
  const seats = seatsIn(json.comments, record.players as Players);
  const game = newGame(record, { seats, names: namesIn(json.names, record.players) }, now);
  return {
    ok: true,
    game: { ...game, created: dateIn(json.date, now), deal: dealIn(json.comments, record.players) },
  };
}

// A game that was played at a table of a server, not stored yet. It has the table's id, so that it
// is stored once.
export function tableGame(
  table: string,
  json: unknown,
  sat: { seats: string[]; names: string[]; viewer: number | null },
  check: Check,
  now = Date.now(),
): Imported {
  const answer = checkedRecord(json, check);
  if (!answer.ok) return answer;
  const { record } = answer;
  // Servers have other bots, too, which nobody can choose here.
  const seats = Array.from(
    { length: record.players },
    (_, i): Seat => (isOneOf(SEATS, sat.seats[i]) ? sat.seats[i] : USUAL_LEVEL),
  );
  const game = newGame(record, { seats, names: namesIn(sat.names, record.players) }, now);
  return {
    ok: true,
    game: {
      ...game,
      id: table,
      table,
      viewer: sat.viewer,
      deal: dealIn(answer.json.comments, record.players),
    },
  };
}
