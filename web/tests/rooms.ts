// Tables of the server, made by a test: by the person whose page it is, and by others.
import type { Page } from '@playwright/test';

export const PERSON = 'Maximiliana';
export const OTHER = 'Bartholomäus';
const LONG = {
  players: 4,
  setup: 'draft',
  teams: true,
  edition: 'pt',
  clock: { turn: 60, bank: 600, increment: 10 },
  takebacks: 'turn',
};

// Asked by the page itself, which must be at the server already.
function ask<T>(page: Page, path: string, body: object, token?: string): Promise<T> {
  return page.evaluate(
    async ([path, body, token]) => {
      const headers = {
        'Content-Type': 'application/json',
        ...(token ? { Authorization: `Bearer ${token}` } : {}),
      };
      const asked = {
        method: 'POST',
        headers,
        body,
        credentials: token ? 'omit' : 'same-origin',
      } as const;
      return (await fetch(`/api/v1/${path}`, asked)).json();
    },
    [path, JSON.stringify(body), token ?? ''],
  );
}

export async function enter(page: Page, name = PERSON): Promise<void> {
  await page.context().clearCookies();
  await ask(page, 'session', { name });
  await page.evaluate(() => localStorage.setItem('civ.online', '1'));
}

export const ownTable = async (page: Page, options: object = LONG): Promise<string> =>
  (await ask<{ table: string }>(page, 'tables', options)).table;

// A table at which somebody else waits.
export async function otherTable(page: Page, options: object = { players: 3 }): Promise<string> {
  const { token } = await ask<{ token: string }>(page, 'session', { name: OTHER, bot: true });
  return (await ask<{ table: string }>(page, 'tables', options, token)).table;
}
