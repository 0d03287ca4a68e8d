// Games of one person against bots that were played to their end on this device: wins by level, and
// how many in a row.
import { LEVELS, type Level, levelOf, type Seat, SHOWN_LEVELS } from './setup';

export interface Statistics {
  levels: Partial<Record<Level, { played: number; won: number }>>;
  streak: number; // wins in a row, up to now
  best: number; // and at most
  counted: string[]; // the latest games, so that none counts twice
}

const KEY = 'civ.statistics';
const REMEMBERED = 50;
const none = (): Statistics => ({ levels: {}, streak: 0, best: 0, counted: [] });

const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && (value as number) >= 0;

// What is stored may be damaged: each field counts only if it makes sense.
export function readStatistics(text: string | null): Statistics {
  const read = none();
  try {
    const { levels, streak, best, counted } = JSON.parse(text ?? 'null');
    for (const level of LEVELS) {
      const { played, won } = levels?.[level] ?? {};
      if (isCount(played) && isCount(won) && won <= played) read.levels[level] = { played, won };
    }
    if (isCount(streak) && isCount(best) && streak <= best) Object.assign(read, { streak, best });
    if (Array.isArray(counted))
      read.counted = counted.filter((id) => typeof id === 'string').slice(-REMEMBERED);
  } catch {
    // as if nothing were stored
  }
  return read;
}

// The strongest bot at the table; null where it is not one person against bots.
export function levelPlayed(seats: readonly Seat[]): Level | null {
  const levels = seats.flatMap((seat) => levelOf(seat) ?? []);
  return levels.length === seats.length - 1 ? (Math.max(...levels) as Level) : null;
}

export function withGame(
  before: Statistics,
  game: { id: string; seats: readonly Seat[]; won: boolean },
): Statistics {
  const level = levelPlayed(game.seats);
  if (level === null || before.counted.includes(game.id)) return before;
  const { played, won } = before.levels[level] ?? { played: 0, won: 0 };
  const streak = game.won ? before.streak + 1 : 0;
  return {
    levels: { ...before.levels, [level]: { played: played + 1, won: won + Number(game.won) } },
    streak,
    best: Math.max(before.best, streak),
    counted: [...before.counted, game.id].slice(-REMEMBERED),
  };
}

// The next one whose name the start page shows, so that nobody is offered what is not known.
const above = (level: Level): Level | null => SHOWN_LEVELS.find((one) => one > level) ?? null;

// The level to try after a win; null after a loss, and at the top.
export function nextLevel(seats: readonly Seat[], won: boolean): Level | null {
  const level = levelPlayed(seats);
  return won && level !== null ? above(level) : null;
}

// The same above the highest that was won against; null before the first win, and at the top.
export function levelToTry({ levels }: Statistics): Level | null {
  const best = LEVELS.findLast((level) => levels[level]?.won);
  return best === undefined ? null : above(best);
}

export const atLevel = (seats: readonly Seat[], level: Level): Seat[] =>
  seats.map((seat) => (seat === 'human' ? seat : (`level${level}` as const)));

export function statistics(): Statistics {
  try {
    return readStatistics(localStorage.getItem(KEY));
  } catch {
    return none();
  }
}

export function countGame(game: Parameters<typeof withGame>[1]): Statistics {
  const after = withGame(statistics(), game);
  try {
    localStorage.setItem(KEY, JSON.stringify(after));
  } catch {
    // full or forbidden
  }
  return after;
}
