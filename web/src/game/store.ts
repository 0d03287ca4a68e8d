// The games on this device: each whole, and beside it the little that lists need, which is written
// with it or not at all (shelf.ts). Earlier versions kept them in localStorage, from where they are
// brought over.
import type {
  Card,
  GameRecord,
  Guide,
  Letter,
  Message,
  Result,
  Review,
  Said,
} from '../engine/types';
import { LETTERS } from '../engine/types';
import { type Deal, dealIn } from './deal';
import { type Parent, parentIn } from './parent';
import { readReview } from './review';
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
import { type Change, deviceShelf, type Fits, otherTabs, type Shelf, type Tabs } from './shelf';

export interface Game {
  id: string;
  record: GameRecord;
  seats: Seat[];
  names: string[]; // empty where somebody gave none
  created: number; // milliseconds, as Date.now()
  updated: number;
  finished: boolean;
  pacts: boolean; // players may make some
  // The only person at the table, or the one of this device at a server's; null for several or
  // none.
  viewer: number | null;
  stands: Stands | null; // how it stood when it was saved, for lists
  table: string | null; // of a server, at which it was played
  deal: Deal | null; // how a server shuffled it
  review: Review | null; // once it has been judged
  takenBack: number; // turns, with what was hidden dealt anew
  parent: Parent | null; // the game that it goes on from
}

// Of a game, what lists show.
export type Summary = Omit<Game, 'record' | 'deal' | 'review'> & {
  record: Pick<GameRecord, 'players' | 'setup' | 'edition' | 'teams' | 'result'>;
};

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
    ...talkIn(json.comments),
  };
}

const pactsIn = (value: unknown): boolean => !isObject(value) || value.pacts !== false;

function takenBackIn(value: unknown): number {
  return isObject(value) && isWhole(value.takenBack, 10_000) ? value.takenBack : 0;
}

// What players have said; what it means, and whether it can be, is for the engine to say.
function talkIn(comments: unknown): Pick<GameRecord, 'comments'> {
  const talk = isObject(comments) && isList(comments.talk, isObject) ? comments.talk : [];
  return talk.length > 0 ? { comments: { talk: talk as unknown as Said[] } } : {};
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

function parsed(text: string | null): Fields | null {
  try {
    const json = JSON.parse(text ?? 'null');
    return isObject(json) && json.version === VERSION && isObject(json.record) ? json : null;
  } catch {
    return null;
  }
}

// All but the record, its deal and its review.
function readTable(id: string, json: Fields, players: number) {
  if (!isTime(json.created) || !isTime(json.updated)) return null;
  if (!isList(json.seats, (seat) => isOneOf(SEATS, seat)) || json.seats.length !== players)
    return null;
  return {
    id,
    seats: json.seats as Seat[],
    names: namesIn(json.names, players),
    created: json.created,
    updated: json.updated,
    finished: json.finished === true,
    pacts: pactsIn(json),
    viewer: isWhole(json.viewer, players) ? json.viewer : null,
    stands: readStands(json.stands, players),
    table: typeof json.table === 'string' ? json.table : null,
    takenBack: takenBackIn(json),
    parent: parentIn(json),
  };
}

function readEntry(id: string, text: string | null): Game | null {
  const json = parsed(text);
  const record = json ? readRecord(json.record as Fields) : '';
  if (!json || typeof record === 'string') return null;
  const { players, actions } = record;
  const table = readTable(id, json, players);
  const review = readReview(json.review, players, actions.length);
  return table && { ...table, record, deal: dealIn(json, players), review };
}

function readSummary(id: string, text: string): Summary | null {
  const json = parsed(text);
  // What a whole record has and lists do not need is not there.
  const record =
    json && readRecord({ ...(json.record as Fields), first: 0, deck: [], actions: [] });
  if (!json || !record || typeof record === 'string') return null;
  const table = readTable(id, json, record.players);
  return table && { ...table, record: briefly(record) };
}

const briefly = ({ players, setup, edition, teams, result }: GameRecord): Summary['record'] => ({
  players,
  setup,
  edition,
  teams,
  result,
});

const summaryOf = ({ deal: _, review: __, ...game }: Game): Summary => ({
  ...game,
  record: briefly(game.record),
});

const written = ({ id: _, ...entry }: Game | Summary): string =>
  JSON.stringify({ version: VERSION, ...entry });

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
  table: { seats: Seat[]; names: string[]; pacts?: boolean },
  now = Date.now(),
): Game {
  const { seats, names, pacts = true } = table;
  return {
    id: newId(),
    record,
    seats,
    names,
    created: now,
    updated: now,
    finished: record.result !== null,
    pacts,
    viewer: onlyPerson(seats),
    stands: null,
    table: null,
    deal: null,
    review: null,
    takenBack: 0,
    parent: null,
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

export function createStore(shelf: Shelf | null, old: Storage | null, tabs: Tabs | null) {
  const message = (key: string): Message => ({ key, args: {} });
  const unsaved = new Map<string, Game>(); // what could not be stored lasts as long as the page

  const put = (game: Game, fits?: Fits) =>
    shelf!.write(game.id, written(game), written(summaryOf(game)), fits);

  function oldGames(): { key: string; text: string; game: Game }[] {
    const keys = Array.from({ length: old?.length ?? 0 }, (_, i) => old!.key(i)!);
    return keys.flatMap((key) => {
      const text = key.startsWith(PREFIX) ? old!.getItem(key) : null;
      const game = readEntry(key.slice(PREFIX.length), text);
      return text !== null && game ? [{ key, text, game }] : [];
    });
  }

  // Each is taken out of localStorage only when it is safe in its new place. Wherever this breaks,
  // it goes on from there the next time, and what is still in the old place counts. Another tab
  // may do the same at this moment, and go on with the game: that is newer.
  async function bringOver(): Promise<void> {
    try {
      for (const { key, text, game } of shelf ? oldGames() : []) {
        await put(game, (stored) => {
          const known = readEntry(game.id, stored);
          return old!.getItem(key) === text && (!known || known.updated <= game.updated);
        });
        if (old!.getItem(key) === text) old!.removeItem(key);
      }
    } catch {
      // no room, or forbidden
    }
  }

  async function load(id: string): Promise<Game | null> {
    await bringOver();
    const here = unsaved.get(id) ?? readEntry(id, old?.getItem(PREFIX + id) ?? null);
    if (here) return here;
    return readEntry(id, (await shelf?.read(id).catch(() => null)) ?? null);
  }

  // Latest first.
  async function list(): Promise<Summary[]> {
    await bringOver();
    const stored = (await shelf?.list().catch(() => [])) ?? [];
    const games = stored.flatMap(([id, text]) => readSummary(id, text) ?? []);
    const here = [...oldGames().map(({ game }) => game), ...unsaved.values()].map(summaryOf);
    const latest = new Map([...games, ...here].map((game) => [game.id, game]));
    return [...latest.values()].sort((a, b) => b.updated - a.updated);
  }

  async function remove(id: string): Promise<void> {
    unsaved.delete(id);
    old?.removeItem(PREFIX + id);
    await shelf?.remove(id).catch(() => {});
    tabs?.tell(id);
  }

  // Null when the game is stored. Nothing makes room for it by itself: what is deleted is for the
  // player to say.
  async function save(game: Game): Promise<Message | null> {
    game.updated = Date.now();
    unsaved.set(game.id, game);
    if (!shelf) return message('games.error-storage');
    try {
      await put(game);
    } catch (error) {
      const isFull = (error as DOMException | null)?.name === 'QuotaExceededError';
      return message(isFull ? 'games.error-full' : 'games.error-storage');
    }
    if (unsaved.get(game.id) === game) unsaved.delete(game.id);
    tabs?.tell(game.id);
    return null;
  }

  // With a game that is stored here; others have it as long as it is looked at.
  async function keepReview(id: string, review: Review): Promise<void> {
    const game = await load(id);
    if (game && shelf) await put({ ...game, review }).catch(() => {});
  }

  // The same game among those stored, whatever its names: no two decks are the same.
  async function sameGame({ record }: Game): Promise<Game | null> {
    const text = JSON.stringify(record);
    for (const { id } of await list()) {
      const game = await load(id);
      if (game && JSON.stringify(game.record) === text) return game;
    }
    return null;
  }

  // Told when another tab has stored or removed a game. Gives back what ends it.
  const watch = (watcher: Change): (() => void) => tabs?.hear(watcher) ?? (() => {});

  return { list, load, save, remove, keepReview, sameGame, watch };
}

// A browser may forbid storage; even to ask for it throws then.
function oldStorage(): Storage | null {
  try {
    return globalThis.localStorage ?? null;
  } catch {
    return null;
  }
}

export const { list, load, save, remove, keepReview, sameGame, watch } = createStore(
  deviceShelf(),
  oldStorage(),
  otherTabs(),
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
  const comments = {
    bots,
    levels,
    ...game.record.comments,
    ...(game.deal && { deal: game.deal }),
    ...(game.takenBack > 0 && { takenBack: game.takenBack }),
    ...(game.parent && { parent: game.parent }),
    ...(!game.pacts && { pacts: false }),
  };
  return { ...game.record, names, date: dateOf(game.created), comments };
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
  const names = namesIn(json.names, record.players);
  const game = newGame(record, { seats, names, pacts: pactsIn(json.comments) }, now);
  return {
    ok: true,
    game: {
      ...game,
      created: dateIn(json.date, now),
      deal: dealIn(json.comments, record.players),
      takenBack: takenBackIn(json.comments),
      parent: parentIn(json.comments),
    },
  };
}

// A game that was played at a table of a server, not stored yet. It has the table's id, so that it
// is stored once.
export function tableGame(
  table: string,
  json: unknown,
  sat: { seats: string[]; names: string[]; viewer: number | null; pacts: boolean },
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
  const { pacts } = sat;
  const game = newGame(record, { seats, names: namesIn(sat.names, record.players), pacts }, now);
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
