// A turn that comes while nobody looks: the notification, the tab's title and its icon, as a real
// browser shows them.
import { expect, type Page } from '@playwright/test';
import { Driver } from './driver';
import type { Random } from './games';
import { decidable, type Person, test } from './online';
import type { Puppet } from './puppet';

// What is on the player's screen, as far as the browser says so: the real notifications, from shown
// to closed.
function collect() {
  const shown: Notification[] = [];
  window.Notification = class extends Notification {
    constructor(title: string, options?: NotificationOptions) {
      super(title, options);
      this.addEventListener('show', () => shown.push(this));
      this.addEventListener('close', () => shown.splice(shown.indexOf(this), 1));
    }
  };
  Object.assign(window, { shown });
}

// As on Android, where only the worker may do it.
function forbid() {
  window.Notification = class extends Notification {
    constructor(title: string) {
      if (title) throw new TypeError('Illegal constructor');
      super(title);
    }
  };
}

type Shown = { title: string; body: string }[];
const shown = (page: Page): Promise<Shown> =>
  page.evaluate(() =>
    (window as unknown as { shown: Notification[] }).shown.map(({ title, body }) => ({
      title,
      body,
    })),
  );
const shownByWorker = (page: Page): Promise<Shown> =>
  page.evaluate(async () =>
    (await (await navigator.serviceWorker.ready).getNotifications()).map(({ title, body }) => ({
      title,
      body,
    })),
  );

// No tab of these tests is ever behind another: the page is made to believe it.
const turnTo = (page: Page, state: 'visible' | 'hidden') =>
  page.evaluate((state) => {
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: state });
    Object.defineProperty(document, 'hidden', { configurable: true, value: state === 'hidden' });
    document.dispatchEvent(new Event('visibilitychange'));
  }, state);

// The address of the tab's icon, once it can be drawn.
const icon = (page: Page) =>
  page.evaluate(async () => {
    const image = new Image();
    image.src = document.querySelector<HTMLLinkElement>('link[rel=icon]')!.href;
    await image.decode();
    return image.src;
  });
const HIDDEN = 31_000; // milliseconds; a hidden page asks every 30 seconds
const HOME = 'CIV: Carta Impera Victoria';
const PLAIN = /\/favicon\.svg$/;
const DOT = /^data:image\/svg\+xml,.*circle/;

async function switchOn({ page, words }: Person): Promise<void> {
  await page.locator('.bar .ib').first().click();
  await page.getByRole('checkbox', { name: words['settings.notify'] }).check();
}

// Until it is Ben's turn, and until it is Ada's.
async function playTurn(ada: Person, ben: Puppet): Promise<void> {
  const done = new AbortController();
  const over = ben.until((now) => now.game!.view.seat === 1).then(() => done.abort());
  await Promise.all([over, new Driver(ada, 1).play(done.signal)]);
}

const playTurnOf = (ben: Puppet, chance: Random) =>
  ben.play(chance, (now) => now.game!.view.seat === 0);

test('at the table that is open in a hidden tab', async ({ duel }) => {
  const { ada, ben, chance } = await duel({}, {}, async ({ context }) => {
    await context.grantPermissions(['notifications']);
    await context.addInitScript(collect);
  });
  const { page, words } = ada;
  await switchOn(ada);
  await expect(page.getByText(words['settings.notify-denied'])).toHaveCount(0);
  await page.keyboard.press('Escape');
  await playTurn(ada, ben);
  await expect(page).toHaveTitle(words['live.title']);

  await turnTo(page, 'hidden');
  expect(await icon(page)).toMatch(PLAIN);
  await playTurnOf(ben, chance);
  await expect.poll(() => shown(page)).toEqual([{ title: words['table.title-turn'], body: 'Ben' }]);
  await expect(page).toHaveTitle(words['table.title-turn']);
  await expect.poll(() => icon(page)).toMatch(DOT);

  // Who is back has seen it.
  await turnTo(page, 'visible');
  await expect.poll(() => icon(page)).toMatch(PLAIN);
  await expect.poll(() => shown(page)).toEqual([]);
  await playTurn(ada, ben);
  await expect(page).toHaveTitle(words['live.title']);
  // And who looks is told nothing.
  await playTurnOf(ben, chance);
  await expect(page).toHaveTitle(words['table.title-turn']);
  expect(await icon(page)).toMatch(PLAIN);
  expect(await shown(page)).toEqual([]);
  expect(ada.errors).toEqual([]);
});

test('at a table that is not open: the notification leads to it', async ({ duel }) => {
  const { ada, ben, table, chance } = await duel(
    { settings: { autoEnd: false, notify: true } },
    {},
    async ({ context }) => {
      await context.grantPermissions(['notifications']);
      await context.addInitScript(collect);
      await context.clock.install();
    },
  );
  const { page, words } = ada;
  await playTurn(ada, ben);
  const asked = page.waitForRequest(/tables\?mine/);
  await page.goto('./#/');
  await (await asked).response();
  await expect(page).toHaveTitle(HOME);
  await turnTo(page, 'hidden');
  await playTurnOf(ben, chance);
  // It asks now and then, and one question may still be on its way.
  await expect
    .poll(async () => {
      await page.clock.fastForward(HIDDEN);
      return shown(page);
    })
    .toEqual([{ title: words['table.title-turn'], body: 'Ben' }]);
  await expect(page).toHaveTitle(`(1) ${HOME}`);
  await expect.poll(() => icon(page)).toMatch(DOT);

  await page.evaluate(() =>
    (window as unknown as { shown: Notification[] }).shown[0].dispatchEvent(new Event('click')),
  );
  await turnTo(page, 'visible');
  await expect(page).toHaveURL(new RegExp(`#/table/${table}$`));
  await expect(page).toHaveTitle(words['table.title-turn']);
  await expect.poll(() => icon(page)).toMatch(PLAIN);
  await expect.poll(() => shown(page)).toEqual([]);
  await expect(decidable(page)).toBeVisible();
  expect(ada.errors).toEqual([]);
});

test('where only the worker may notify, it does', async ({ duel }) => {
  const { ada, ben, chance } = await duel(
    { worker: true, settings: { autoEnd: false, notify: true } },
    {},
    async ({ context }) => {
      await context.grantPermissions(['notifications']);
      await context.addInitScript(forbid);
    },
  );
  const { page, words } = ada;
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await playTurn(ada, ben);
  await turnTo(page, 'hidden');
  await playTurnOf(ben, chance);
  await expect
    .poll(() => shownByWorker(page))
    .toEqual([{ title: words['table.title-turn'], body: 'Ben' }]);
  await turnTo(page, 'visible');
  await expect.poll(() => shownByWorker(page)).toEqual([]);
  expect(ada.errors).toEqual([]);
});

test('without notifications: the settings say so, and the tab tells of the turn', async ({
  duel,
}) => {
  const { ada, ben, chance } = await duel(
    {},
    {},
    async ({ context }) => void (await context.addInitScript(collect)),
  );
  const { page, words } = ada;
  const denied = page.getByText(words['settings.notify-denied']);
  await switchOn(ada);
  await expect(denied).toBeVisible();
  await page.keyboard.press('Escape');
  await page.locator('.bar .ib').first().click();
  await expect(denied).toBeVisible();
  await page.getByRole('checkbox', { name: words['settings.notify'] }).uncheck();
  await expect(denied).toHaveCount(0);
  await page.getByRole('checkbox', { name: words['settings.notify'] }).check();
  await page.keyboard.press('Escape');
  await playTurn(ada, ben);
  await turnTo(page, 'hidden');
  await playTurnOf(ben, chance);
  await expect(page).toHaveTitle(words['table.title-turn']);
  await expect.poll(() => icon(page)).toMatch(DOT);
  expect(await shown(page)).toEqual([]);
  expect(ada.errors).toEqual([]);
});
