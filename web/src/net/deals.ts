// What this device knows of the shuffling of a game: the server's promise, and its own number.
// Afterwards the record must have both.
export interface Known {
  hash: string;
  random: string | null; // null: this device gave none
  seen?: boolean; // whether the record tells what was seen here; known when the game is over
}

const KEY = 'civ.deals';
const MOST = 200;

function all(): Record<string, Known> {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}');
  } catch {
    return {};
  }
}

export const knownDeal = (table: string): Known | null => all()[table] ?? null;

export function rememberDeal(table: string, known: Known): void {
  const { [table]: _, ...others } = all();
  try {
    localStorage.setItem(
      KEY,
      JSON.stringify(
        Object.fromEntries([...Object.entries(others).slice(1 - MOST), [table, known]]),
      ),
    );
  } catch {
    // No room, or not allowed: the record can still be checked by itself.
  }
}

export const randomNumber = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('');
