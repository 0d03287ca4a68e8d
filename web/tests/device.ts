// What the page has stored on a device (src/game/shelf.ts).
import type { Page } from '@playwright/test';
import type { GameRecord } from '../src/engine/types';

export interface StoredGame {
  record: GameRecord;
  seats: string[];
  names: string[];
}

// Runs in the page: a game once it has so many actions, else null; without an id, all games; and
// `clear` forgets them. Whoever opens the database first makes it.
async function inBase({ id, least = 0, clear }: { id?: string; least?: number; clear?: boolean }) {
  const base = await new Promise<IDBDatabase>((resolve, reject) => {
    const request = indexedDB.open('civ', 1);
    request.onupgradeneeded = () => {
      for (const store of ['games', 'summaries']) request.result.createObjectStore(store);
    };
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
  const change = base.transaction(['games', 'summaries'], clear ? 'readwrite' : 'readonly');
  const over = new Promise((resolve) => (change.oncomplete = resolve));
  if (clear) for (const store of ['games', 'summaries']) change.objectStore(store).clear();
  const request = change.objectStore('games').getAll(id);
  await over;
  base.close();
  const games = (request.result as string[]).map((text) => JSON.parse(text) as StoredGame);
  return games.filter(({ record }) => record.actions.length >= least);
}

// A game as the page stores it (src/game/store.ts); `more` is what else there is to say of it.
export function entry(record: GameRecord, seats: string[], names: string[], more: object = {}) {
  const people = seats.flatMap((one, seat) => (one === 'human' ? [seat] : []));
  return {
    version: 1,
    record,
    seats,
    names,
    created: 1,
    updated: 1,
    finished: record.result !== null,
    viewer: people.length === 1 ? people[0] : null,
    stands: null,
    ...more,
  };
}

// Where earlier versions had them: the page brings them over.
export async function storeGames(page: Page, games: Record<string, object>): Promise<void> {
  await page.evaluate((all) => {
    for (const [id, game] of Object.entries(all))
      localStorage.setItem(`civ.game.${id}`, JSON.stringify(game));
  }, games);
}

export const storedGames = (page: Page): Promise<StoredGame[]> => page.evaluate(inBase, {});

// A game, once it is stored.
export async function storedGame(page: Page, id: string): Promise<StoredGame> {
  await untilStored(page, id, 0);
  return (await page.evaluate(inBase, { id }))[0];
}

// The one that is played in the page.
export async function openGame(page: Page): Promise<StoredGame> {
  return storedGame(page, new URL(page.url()).hash.split('/')[2]);
}

export async function untilStored(page: Page, id: string, least: number): Promise<void> {
  while ((await page.evaluate(inBase, { id, least })).length === 0)
    await page.evaluate(() => new Promise(requestAnimationFrame));
}

export async function forgetGames(page: Page): Promise<void> {
  await page.evaluate(inBase, { clear: true });
}

// Everything that is stored.
export async function forget(page: Page): Promise<void> {
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
  await forgetGames(page);
}
