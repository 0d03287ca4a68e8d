// What is there at once, what comes later, and what happens when it does not come.
import { expect, type Page, type Route } from '@playwright/test';
import { READY } from '../src/start';
import { deal } from './games';
import { resize } from './inplace';
import { test } from './kept';
import { put, visit } from './table';
import { texts } from './texts';

test.use({
  viewport: { width: 390, height: 844 },
  serviceWorkers: 'block',
  locale: 'en-GB',
  own: true,
});

const en = texts.en;
const PAGE = /\/assets\/index-[\w-]+\.js$/; // the page itself
const ENGINE = /\/assets\/civ-[\w-]+\.wasm$/;
const LIMIT = 110_000; // bytes until the load event

const play = (page: Page) => page.getByRole('button', { name: en['home.play'] });
const failed = (page: Page) => page.getByRole('alert').filter({ hasText: en['page.not-loaded'] });
const retry = (page: Page) => page.getByRole('button', { name: en['page.retry'] });

// Lets what is asked for wait until it is told to go on.
async function hold(page: Page, what: RegExp): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(what, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}

// Notes when the page itself is there, for what waits for that.
const noteReady = (page: Page) =>
  page.addInitScript((ready) => {
    document.addEventListener(ready, () => Object.assign(window, { ready: true }));
  }, READY);
const isReady = (page: Page) =>
  expect.poll(() => page.evaluate(() => 'ready' in window)).toBe(true);

const refuse = (route: Route) => route.abort('internetdisconnected');

async function expectOneGame(page: Page): Promise<void> {
  await expect(page.locator('.hand .card').first()).toBeVisible();
  await page.goto('./#/');
  await expect(page.locator('.rs')).toHaveCount(1);
  await expect(page.locator('.rmore')).toHaveCount(0);
}

test('the start page comes without the engine, and is small', { tag: '@main' }, async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto('./', { waitUntil: 'load' });
  const addresses = [...asked];
  expect(addresses.filter((one) => one.endsWith('.wasm'))).toEqual([]);
  let bytes = 0;
  for (const address of addresses) {
    const answer = await page.request.get(address, { headers: { 'Accept-Encoding': 'gzip' } });
    bytes += Number(answer.headers()['content-length']);
  }
  expect(bytes).toBeGreaterThan(0);
  expect(bytes).toBeLessThan(LIMIT);
});

test('what the start page does without is there before it is asked for, changing nothing', async ({
  page,
}) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  // Making one takes a phone longer than all else on this page.
  await page.addInitScript(() => {
    const counted = window as { lists?: number };
    counted.lists = 0;
    class ListFormat extends Intl.ListFormat {
      constructor(...given: ConstructorParameters<typeof Intl.ListFormat>) {
        super(...given);
        counted.lists!++;
      }
    }
    Object.assign(Intl, { ListFormat });
  });
  // The last thing of all: what makes the page an app, which these tests do without.
  const done = page.waitForEvent('console', (said) => /Service Worker reg/.test(said.text()));
  await page.goto('./');
  for (const one of [/Table-[\w-]+\.js$/, /sprite-[\w-]+\.js$/, /Frame-[\w-]+\.css$/, ENGINE])
    await expect.poll(() => asked.filter((address) => one.test(address)).length).toBe(1);
  await done;
  expect(await page.locator('link[rel=stylesheet]').count()).toBe(0);
  expect(await page.locator('symbol#deck').count()).toBe(0);
  expect(await page.evaluate(() => (window as { lists?: number }).lists)).toBe(0);
  const before = asked.length;
  await play(page).click();
  await expect(page.locator('.hand .card').first()).toBeVisible();
  expect(await page.locator('symbol#deck').count()).toBe(1);
  const again = asked.slice(before).filter((one) => /(Table|Frame|sprite)-[\w-]+\.js$/.test(one));
  expect(again).toEqual([]);
});

for (const locale of ['en-GB', 'fr-FR', 'ro-RO']) {
  test.describe(locale, () => {
    test.use({ locale });

    test('the start page is seen before the page is there, and does not move', async ({ page }) => {
      const words = texts[locale.slice(0, 2) as 'fr'];
      const release = await hold(page, PAGE);
      await noteReady(page);
      await page.addInitScript(() => {
        const window = globalThis as { shifts?: number };
        window.shifts = 0;
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            window.shifts! += (entry as PerformanceEntry & { value: number }).value;
        }).observe({ type: 'layout-shift', buffered: true });
      });
      await page.goto('./', { waitUntil: 'commit' });
      const title = page.getByRole('heading', { level: 1 });
      await expect(title).toHaveText(words['home.title']);
      await page.evaluate(() => document.fonts.ready.then(() => undefined));
      const before = await title.elementHandle();
      const shifts = await page.evaluate(() => (globalThis as { shifts?: number }).shifts);
      release();
      await page.locator('.hbar select').focus();
      await isReady(page);
      expect(await before!.evaluate((node) => node.isConnected)).toBe(true);
      await expect(title).toHaveText(words['home.title']);
      expect(await page.evaluate(() => (globalThis as { shifts?: number }).shifts)).toBe(shifts);
    });
  });
}

const SIZES = [
  [320, 640],
  [390, 844],
  [820, 1180],
  [1024, 768],
  [1280, 720],
  [1440, 900],
  [2560, 1440],
] as const;
test('the start page in every size: whole cards, no gap in a row', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.goto('./');
  await page.evaluate(() => document.fonts.ready.then(() => undefined));
  const boxes = (selector: string) =>
    page.locator(selector).evaluateAll((all) =>
      all.map((one) => {
        const { left, right, top, bottom } = one.getBoundingClientRect();
        return { left, right, top, bottom };
      }),
    );
  for (const size of SIZES) {
    await resize(page, size);
    const [fan] = await boxes('.fan');
    for (const card of await boxes('.fanned .card')) {
      expect(card.left, `${size}`).toBeGreaterThanOrEqual(fan.left);
      expect(card.right, `${size}`).toBeLessThanOrEqual(fan.right);
      expect(card.top, `${size}`).toBeGreaterThanOrEqual(fan.top);
      expect(card.bottom, `${size}`).toBeLessThanOrEqual(fan.bottom);
    }
    const [tiles] = await boxes('.tiles');
    const rows = (await boxes('.tiles li')).reduce(
      (rows, tile) => rows.set(Math.round(tile.top), tile.right),
      new Map<number, number>(),
    );
    for (const right of rows.values())
      expect(Math.abs(right - tiles.right), `${size}`).toBeLessThan(2);
  }
});

test('what is pressed before the page is there is not lost', async ({ page }) => {
  const release = await hold(page, PAGE);
  await page.goto('./', { waitUntil: 'commit' });
  await play(page).click();
  await play(page).click();
  release();
  await expectOneGame(page);
});

test('of all that is pressed or chosen before the page is there nothing is lost', async ({
  page,
}) => {
  const release = await hold(page, PAGE);
  await page.goto('./', { waitUntil: 'commit' });
  const four = page.locator('.segm').first().locator('label', { hasText: '4' });
  await page.locator('.hbar select').selectOption('fr');
  await page.locator('.hbar .ib').click();
  await four.click();
  await play(page).click();
  release();
  await expect(page.locator('.hand .card').first()).toBeVisible();
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const stored = await page.evaluate(() => localStorage.getItem('civ.settings'));
  expect(JSON.parse(stored!).table.players).toBe(4);
});

test('what is pressed while the page is taken over is done once', async ({ page }) => {
  await noteReady(page);
  // A press before each task of the page, as long as it is not there; the last one is kept.
  await page.addInitScript(() => {
    const themes: (string | null)[] = [];
    const note = () => {
      const theme = document.documentElement.getAttribute('data-theme');
      if (theme !== (themes.at(-1) ?? null)) themes.push(theme);
    };
    new MutationObserver(note).observe(document, {
      attributes: true,
      attributeFilter: ['data-theme'],
      subtree: true,
    });
    Object.assign(window, { themes });
    const later = window.setTimeout.bind(window);
    const press = (then: () => void) => {
      if (!('ready' in window)) document.querySelector<HTMLElement>('.hbar .ib')?.click();
      then();
    };
    Object.assign(window, {
      setTimeout: (then: () => void, after?: number) => later(() => press(then), after),
    });
  });
  await page.goto('./');
  await isReady(page);
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  expect(await page.evaluate(() => (globalThis as { themes?: string[] }).themes)).toEqual(['dark']);
});

test('two presses make one game, and the wait is told', async ({ page }) => {
  const release = await hold(page, ENGINE);
  await page.goto('./');
  await play(page).dblclick();
  await expect(page.getByRole('status').filter({ hasText: en['page.loading'] })).toBeVisible();
  release();
  await expectOneGame(page);
});

test('a game that cannot begin says so, and begins at another try', async ({ page }) => {
  await page.route(ENGINE, refuse);
  await page.goto('./');
  await play(page).click();
  await expect(failed(page)).toBeVisible();
  await page.unroute(ENGINE, refuse);
  await retry(page).click();
  await expectOneGame(page);
});

test('a game that cannot begin is left for the start page', async ({ page }) => {
  await page.route(ENGINE, refuse);
  await page.goto('./#/');
  await play(page).click();
  await failed(page).getByRole('link', { name: en['table.leave'] }).click();
  await expect(play(page)).toBeVisible();
  await expect(failed(page)).toHaveCount(0);
});

const SCREENS: [string, RegExp][] = [
  ['rules', /\/assets\/Rules-[\w-]+\.js$/],
  ['games', ENGINE],
  ['lobby', /\/assets\/Lobby-[\w-]+\.js$/],
];
for (const [screen, needed] of SCREENS) {
  test(`a screen that cannot be loaded says so, and comes at another try: ${screen}`, async ({
    page,
  }) => {
    await page.route(needed, refuse);
    await page.goto(`./#/${screen}`);
    await expect(failed(page)).toBeVisible();
    await page.unroute(needed, refuse);
    await retry(page).click();
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expect(failed(page)).toHaveCount(0);
  });
}

test('styles that did not come are asked for again at another try', async ({ page }) => {
  const styles = /\/assets\/Rules-[\w-]+\.css$/;
  await page.route(styles, refuse);
  await page.goto('./#/rules');
  await expect(failed(page)).toBeVisible();
  await page.unroute(styles, refuse);
  const again = page.waitForResponse(styles);
  await retry(page).click();
  expect((await again).ok()).toBe(true);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('a style that does not come keeps only its own screen away, and comes in its place', async ({
  page,
}) => {
  const go = (screen: string) =>
    page.evaluate((screen) => {
      location.hash = `#/${screen}`;
    }, screen);
  const title = page.getByRole('heading', { level: 1 });
  const styles = /\/assets\/Rules-[\w-]+\.css$/;
  await page.route(styles, refuse);
  await page.goto('./#/rules');
  await expect(failed(page)).toBeVisible();
  await go('learn');
  await expect(title).toBeVisible();
  await go('rules');
  await expect(failed(page)).toBeVisible();
  const links = () =>
    page
      .locator('link[rel=stylesheet]')
      .evaluateAll((all) => all.map((one) => (one as HTMLLinkElement).href));
  const before = await links();
  expect(before.findIndex((one) => styles.test(one))).toBeLessThan(before.length - 1);
  await page.unroute(styles, refuse);
  await retry(page).click();
  await expect(title).toBeVisible();
  expect(await links()).toEqual(before);
});

test('what a dialog needs and does not come says so, and comes at another try', async ({
  page,
}) => {
  await visit(page, {});
  const { id } = await put(page, deal({ players: 2 }, 1), [0]);
  const branch = /\/assets\/Branch-[\w-]+\.js$/;
  await page.route(branch, refuse);
  await page.goto(`./#/replay/${id}`);
  await page.getByRole('button', { name: en['replay.branch'] }).click();
  await expect(failed(page)).toBeVisible();
  await page.unroute(branch, refuse);
  await retry(page).click();
  await expect(page.locator('dialog[open] button.main')).toBeVisible();
  await expect(failed(page)).toHaveCount(0);
});

test('whoever leaves the rules is at the top of the next page at once', async ({ page }) => {
  await page.goto('./#/rules');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  const place = await page.evaluate(
    () =>
      new Promise<number>((resolve) => {
        scrollTo({ top: 2000, behavior: 'instant' });
        if (scrollY < 1000) resolve(-1);
        addEventListener('hashchange', () =>
          requestAnimationFrame(() => requestAnimationFrame(() => resolve(scrollY))),
        );
        location.hash = '#/';
      }),
  );
  expect(place).toBe(0);
});

test.describe('as an app', () => {
  test.use({ serviceWorkers: 'allow' });

  async function controlled(page: Page): Promise<void> {
    await page.goto('./');
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await page.reload();
    await expect
      .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null))
      .toBe(true);
  }

  test('the server answers what is the server’s', async ({ page }) => {
    await controlled(page);
    const answer = await page.goto('./api/v1/server');
    expect(answer!.headers()['content-type']).toContain('application/json');
    expect(await page.locator('body').textContent()).toContain('{');
  });

  test('a tab that stays open looks for a new version, also when one comes back to it', async ({
    page,
  }) => {
    await page.clock.install();
    await page.addInitScript(() => {
      const window = globalThis as { looked?: number };
      window.looked = 0;
      ServiceWorkerRegistration.prototype.update = async function () {
        window.looked!++;
        return this;
      };
    });
    await page.goto('./');
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    const looked = () => page.evaluate(() => (globalThis as { looked?: number }).looked!);
    await expect
      .poll(async () => {
        await page.clock.fastForward('01:00:01');
        return looked();
      })
      .toBeGreaterThan(0);
    const before = await looked();
    await page.evaluate(() => void document.dispatchEvent(new Event('visibilitychange')));
    expect(await looked()).toBeGreaterThan(before);
  });
});
