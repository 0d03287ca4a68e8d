// The page in the other engines, in short: a game against bots to its end with a reload in it, and
// a table together with Chromium. Everything else is looked at in Chromium.
import { expect, test } from '@playwright/test';
import { type Browser, firefox, inPage, webkit } from './engines';

const CARD = '.hand button.card.lit';
const FREE_CHAIR = '.chairs .chair.empty .do';
const START = '.starting .main[aria-disabled="false"]';

// These run in the page.

// Presses what comes next: a card of the hand, then the large button; or tells why nothing does.
function press(): 'over' | 'pressed' | 'waiting' {
  if (document.querySelector('dialog[open] .ending')) return 'over';
  const main = document.querySelector<HTMLElement>('.go .main:not([aria-disabled]):not(:disabled)');
  const next = main ?? document.querySelector<HTMLElement>('.hand button.card.lit');
  next?.click();
  return next ? 'pressed' : 'waiting';
}

const asked = () =>
  document.querySelector('.hand button.card.lit') !== null &&
  document.querySelector('.hand button.card.sel') === null;
const has = (selector: string) => document.querySelector(selector) !== null;
const click = (selector: string) => document.querySelector<HTMLElement>(selector)!.click();
const instant = () =>
  localStorage.setItem('civ.settings', JSON.stringify({ version: 1, pace: 'instant' }));

// What lies where.
const seen = () =>
  [...document.querySelectorAll<HTMLElement>('[data-zone]')]
    .map(({ dataset }) => `${dataset.zone} ${dataset.card}`)
    .sort();
// How high everybody's columns are.
const columns = () =>
  [...document.querySelectorAll<HTMLElement>('[data-column]')]
    .map(({ dataset }) => `${dataset.column} ${dataset.count}`)
    .sort();

async function post(path: string, body: object): Promise<Record<string, string>> {
  const answer = await fetch(`/api/v1/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return answer.json();
}

const appears = (browser: Browser, selector: string) =>
  expect.poll(() => inPage(browser, has, selector), { intervals: [50] }).toBe(true);

// Plays until the game is over, or until cards have been asked for so often.
async function play(browser: Browser, most = Infinity): Promise<void> {
  for (let times = 0; ; ) {
    if (await inPage(browser, asked)) times++;
    if (times > most) return;
    const done = await inPage(browser, press);
    if (done === 'over') return;
    if (done === 'waiting') await new Promise((passed) => setTimeout(passed, 20));
  }
}

async function againstBots(browser: Browser, origin: string): Promise<void> {
  await browser.goto(`${origin}/favicon.svg`);
  await inPage(browser, instant);
  await browser.goto(`${origin}/`);
  await appears(browser, '.home .start .main');
  await inPage(browser, click, '.home .start .main');
  await appears(browser, CARD);
  await play(browser, 4);
  const before = await inPage(browser, seen);
  expect(before.length).toBeGreaterThan(20);
  await browser.reload();
  await appears(browser, CARD);
  expect(await inPage(browser, seen)).toEqual(before);
  await play(browser);
}

// Two people at a server's table, each in a browser of their own, until it is over.
async function together(host: Browser, guest: Browser, origin: string): Promise<void> {
  for (const [one, name] of [
    [host, 'Ada'],
    [guest, 'Bran'],
  ] as const) {
    await one.goto(`${origin}/favicon.svg`);
    await inPage(one, instant);
    await inPage(one, post, 'session', { name });
  }
  const { table } = await inPage(host, post, 'tables', { players: 2 });
  for (const one of [host, guest]) {
    await one.goto(`${origin}/#/table/${table}`);
    await appears(one, '.chairs .chair');
  }
  await appears(guest, FREE_CHAIR);
  await inPage(guest, click, FREE_CHAIR);
  await appears(host, START);
  await inPage(host, click, START);
  await Promise.all([play(host), play(guest)]);
  const [one, other] = await Promise.all([inPage(host, columns), inPage(guest, columns)]);
  expect(one.length).toBe(12);
  expect(one).toEqual(other);
}

for (const [name, open] of [
  ['Firefox', firefox],
  ['WebKit', webkit],
] as const)
  test.describe(name, () => {
    test.describe.configure({ mode: 'default' }); // in one browser, one after the other
    let browser: Browser;
    test.beforeAll(async () => {
      browser = await open();
    });
    test.afterAll(() => browser?.close());

    test('a game against bots to its end, with a reload in it', ({ baseURL }) =>
      againstBots(browser, new URL(baseURL!).origin));

    test('a table together with Chromium', async ({ page, baseURL }) => {
      const chromium: Browser = {
        goto: async (address) => void (await page.goto(address)),
        reload: async () => void (await page.reload()),
        run: (script) => page.evaluate(script),
        close: () => page.close(),
      };
      await together(browser, chromium, new URL(baseURL!).origin);
    });
  });
