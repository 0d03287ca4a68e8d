// After a game at a table of the server: its record by a link, the check of its deal, and that it is kept where it was played.
import AxeBuilder from '@axe-core/playwright';
import { type Browser, expect, type Page, test } from '@playwright/test';
import type { GameRecord, View } from '../src/engine/types';
import { engine, file } from './engine';

const texts: Record<string, string> = { ...JSON.parse(`${file('text/online/en.json')}`), ...JSON.parse(`${file('text/page/en.json')}`) };
const SIZES = [
  [1440, 900],
  [390, 844],
];

test.use({ serviceWorkers: 'block', contextOptions: { reducedMotion: 'reduce' } });

const legal = (view: View): string[] => engine.look({ view }).guide.legal;

// From within the page, because a server listens to no other.
async function makeTable(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const ask = async (path: string, body: object) => {
      const headers = { 'Content-Type': 'application/json' };
      return (await fetch(`api/v1/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })).json();
    };
    await ask('session', { name: 'Ada' });
    return (await ask('tables', { players: 2 })).table;
  });
}

// Plays a game against a bot of the server, for so many decisions, then gives up. The number for the deal is remembered as the page does it.
async function play(page: Page, decisions: number): Promise<string> {
  await page.goto('./');
  await page.exposeFunction('choose', (view: View) => legal(view)[0]);
  const table = await makeTable(page);
  await page.evaluate(
    async ([table, most]) => {
      const address = new URL(`api/v1/tables/${table}/live`, document.baseURI);
      address.protocol = 'ws:';
      const line = new WebSocket(address);
      const send = (command: object) => line.send(JSON.stringify(command));
      let left = most;
      await new Promise<void>((over) => {
        line.onmessage = async ({ data }) => {
          const message = JSON.parse(data);
          if (message.type === 'hello') {
            send({ type: 'seat-bot', seat: 1, bot: 'random' });
            send({ type: 'start' });
          } else if (message.type === 'commit') {
            const random = Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');
            localStorage.setItem('civ.deals', JSON.stringify({ [table]: { hash: message.hash, random } }));
            send({ type: 'contribute', random });
          } else if (message.table?.status === 'over') {
            over();
          } else if (message.game?.view.seat === 0) {
            if (left-- <= 0) send({ type: 'resign' });
            else {
              const action = await (window as unknown as { choose: (view: View) => Promise<string> }).choose(message.game.view);
              send({ type: 'act', builds: message.n, actions: [action] });
            }
          }
        };
      });
      line.close();
    },
    [table, decisions] as const,
  );
  return table;
}

async function stranger(browser: Browser): Promise<Page> {
  const context = await browser.newContext({ serviceWorkers: 'block', reducedMotion: 'reduce' });
  return context.newPage();
}

const checkDeal = async (page: Page) => {
  await page.getByRole('button', { name: texts['replay.deal'] }).click();
  return page.getByRole('dialog');
};

async function expectAccessible(page: Page) {
  for (const theme of ['light', 'dark']) {
    await page.evaluate((to) => {
      document.documentElement.dataset.theme = to;
    }, theme);
    await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)));
    const { violations } = await new AxeBuilder({ page }).analyze();
    expect(violations.map(({ id, nodes }) => [id, nodes[0].html])).toEqual([]);
  }
}

for (const [width, height] of SIZES)
  test(`a game can be looked back at, checked, and is kept ${width}x${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    const table = await play(page, 6);
    await page.goto(`./#/record/${table}`);
    await expect(page.getByRole('slider')).toHaveAttribute('max', /^[1-9]/);
    await expect(page.getByRole('option', { name: 'Ada' })).toBeAttached();
    await expectAccessible(page);

    const dialog = await checkDeal(page);
    await expect(dialog.getByText(texts['deal.proven'])).toBeVisible();
    await expect(dialog.locator('li[data-mark=yes]')).toHaveCount(4);
    await dialog.locator('summary').click();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);

    // Without the server, too.
    await page.route('**/api/**', (route) => route.abort());
    await page.goto('./#/games');
    await page.reload();
    await expect(page.locator('.game')).toHaveCount(1);
    await expect(page.locator('.game')).toContainText(texts['games.online']);
    await page.locator('.game').getByRole('button', { name: texts['games.replay'] }).click();
    await expect((await checkDeal(page)).getByText(texts['deal.proven'])).toBeVisible();
    await page.goto(`./#/record/${table}`);
    await page.reload();
    await expect(page.getByRole('slider')).toBeVisible();
  });

test('a game that was deleted does not come back when it is looked at again', async ({ page }) => {
  const table = await play(page, 0);
  const games = page.locator('.game');
  await page.goto(`./#/record/${table}`);
  await expect(page.getByRole('slider')).toBeVisible();
  await page.goto('./#/games');
  await games.getByRole('button', { name: texts['games.delete'] }).click();
  await page.getByRole('dialog').getByRole('button', { name: texts['games.delete'] }).click();
  await expect(games).toHaveCount(0);
  // It can still be looked at.
  await page.goto(`./#/record/${table}`);
  await expect(page.getByRole('slider')).toBeVisible();
  await expect((await checkDeal(page)).getByText(texts['deal.proven'])).toBeVisible();
  await page.goto('./#/games');
  await page.reload();
  await expect(page.getByRole('heading', { name: texts['games.none'] })).toBeVisible();
  await expect(games).toHaveCount(0);
});

test('a stranger with the link sees the game, and what can be known of its deal', async ({ page, browser }) => {
  const table = await play(page, 0);
  const other = await stranger(browser);
  await other.goto(`${page.url().split('#')[0]}#/record/${table}`);
  await expect(other.getByRole('option', { name: 'Ada' })).toBeAttached();
  const dialog = await checkDeal(other);
  await expect(dialog.getByText(texts['deal.fits'])).toBeVisible();
  await expect(dialog.locator('li[data-mark=open]')).toHaveCount(2);
  await other.goto(`${page.url().split('#')[0]}#/games`);
  await expect(other.getByRole('heading', { name: texts['games.none'] })).toBeVisible(); // it is not theirs
  await other.context().close();
});

test('a deck that was changed is found out', async ({ page }) => {
  const table = await play(page, 0);
  await page.route('**/record', async (route) => {
    const answer = await route.fetch();
    const record: GameRecord = await answer.json();
    const at = record.deck.findLastIndex((card) => card !== record.deck.at(-1));
    const last = record.deck.length - 1;
    [record.deck[at], record.deck[last]] = [record.deck[last], record.deck[at]];
    await route.fulfill({ response: answer, json: record });
  });
  await page.goto(`./#/record/${table}`);
  const dialog = await checkDeal(page);
  await expect(dialog.getByText(texts['deal.wrong'])).toBeVisible();
  await expect(dialog.locator('li[data-mark=no]')).toContainText(texts['deal.mix-no-deck']);
  await expectAccessible(page);
});

test('where there is nothing to see there is a way on', async ({ page }) => {
  await page.goto('./#/record/nothing');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: texts['table.leave'] }).last().click();
  await expect(page).toHaveURL(/#\/$/);

  const table = await makeTable(page);
  await page.goto(`./#/record/${table}`);
  await expect(page.getByRole('link', { name: texts['deal.to-table'] })).toHaveAttribute('href', `#/table/${table}`);

  await page.route('**/api/**', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('alert')).toHaveText(texts['online.unreachable']);
  await page.unroute('**/api/**');
  await page.getByRole('button', { name: texts['page.retry'] }).click();
  await expect(page.getByRole('link', { name: texts['deal.to-table'] })).toBeVisible();
});
