// What can happen to a game besides being played: reloads, other tabs, no network, other languages,
// files, full storage.

import { readFileSync } from 'node:fs';
import { expect, type Page } from '@playwright/test';
import type { Card, GameRecord } from '../src/engine/types';
import { forgetGames, storedGames } from './device';
import { deal, finished, look, pick, random, search, think } from './games';
import { test } from './kept';
import { main, mouse, open, Player, put, screen, settled, stored, visit } from './table';
import { texts } from './texts';

test.use({ viewport: { width: 1440, height: 900 }, serviceWorkers: 'block', locale: 'en-GB' });

const en = texts.en;
const button = (page: Page, key: string, exact = true) =>
  page.getByRole('button', { name: en[key], exact });

// A moment at which its seat may use that effect and some other.
function ready(effect: string, seed = 1, players = 3): { record: GameRecord; seat: number } {
  let seat = -1;
  const record = search({ players }, seed, ({ state, legal }) => {
    seat = state.seat;
    return (
      state.step === 'effects' &&
      legal.filter((action) => action.startsWith(effect)).length > 0 &&
      state.hands[seat].length > 2
    );
  });
  return { record, seat };
}

const effectButton = (page: Page, effect: string) => page.locator(`.fx[data-effect="${effect}"]`);
const handCard = (page: Page, nth = 0) => page.locator('.hand button.card.lit').nth(nth);

// A game with a choice begun: the effect is pressed, nothing is confirmed.
async function choosing(page: Page, effect: string) {
  const { record, seat } = ready(effect);
  await visit(page, { autoEnd: false });
  const game = await put(page, record, [seat]);
  await open(page, game);
  await effectButton(page, effect).click();
  await expect(effectButton(page, effect)).toHaveAttribute('data-state', 'active');
  return { game, record, seat };
}

test('a reload in the middle of a choice loses nothing and does nothing', async ({ page }) => {
  const { game, record, seat } = await choosing(page, 'assassination');
  await page.reload();
  await settled(page);
  expect((await stored(page, game)).actions).toEqual(record.actions);
  await expect(effectButton(page, 'assassination')).toHaveAttribute('data-state', 'ready');
  await new Player(page, game, seat, mouse, { check: true }).now();
});

test('a tab that is closed in the middle of a choice comes back to the same decision', async ({
  page,
}) => {
  const context = page.context();
  const { game, record, seat } = await choosing(page, 'assassination');
  await page.close();
  const again = await context.newPage();
  await again.goto(`/#/play/${game.id}`);
  await settled(again);
  expect((await stored(again, game)).actions).toEqual(record.actions);
  await new Player(again, game, seat, mouse, { check: true }).now();
});

test('a reload in the middle of a bot’s turn goes on with it', async ({ page }) => {
  await visit(page, { pace: 'slow' });
  const record = deal({ players: 3 }, 5);
  const game = await put(page, record, [(record.first + 2) % 3]);
  await page.goto(`/#/play/${game.id}`);
  await expect(page.locator('.lines li')).not.toHaveCount(0);
  await expect.poll(async () => (await stored(page, game)).actions.length).toBeGreaterThan(0);
  const before = (await stored(page, game)).actions;
  await page.reload();
  await expect
    .poll(async () => (await stored(page, game)).actions.length)
    .toBeGreaterThan(before.length);
  expect((await stored(page, game)).actions.slice(0, before.length)).toEqual(before);
});

test('back and forward go between the pages', async ({ page }) => {
  await visit(page);
  const game = await put(page, finished({ players: 2 }, 3), [0]);
  const running = await put(page, deal({ players: 2 }, 4), [0]);
  await page.goto('/');
  const seen = {
    home: () => expect(button(page, 'home.play')).toBeVisible(),
    rules: () => expect(page.locator('.rules, main h1').first()).toBeVisible(),
    games: () =>
      expect(page.getByRole('heading', { level: 1, name: en['games.title'] })).toBeVisible(),
    play: () => expect(main(page)).toBeVisible(),
    replay: () => expect(page.getByRole('slider', { name: en['replay.scrubber'] })).toBeVisible(),
  };
  const way: [keyof typeof seen, string][] = [
    ['home', ''],
    ['play', `#/play/${running.id}`],
    ['rules', '#/rules'],
    ['games', '#/games'],
    ['replay', `#/replay/${game.id}`],
  ];
  for (const [name, hash] of way) {
    await page.evaluate((hash) => {
      if (hash) location.hash = hash;
    }, hash);
    await seen[name]();
  }
  for (const [name] of way.slice(0, -1).reverse()) {
    await page.goBack();
    await seen[name]();
  }
  for (const [name] of way.slice(1)) {
    await page.goForward();
    await seen[name]();
  }
});

test('statistics stand with the games, and lead to the next strength', async ({ page }) => {
  await visit(page);
  await page.evaluate(() => {
    const levels = { 1: { played: 3, won: 2 }, 4: { played: 2, won: 0 } };
    const counts = { levels, streak: 1, best: 2, counted: [] };
    localStorage.setItem('civ.statistics', JSON.stringify(counts));
    location.hash = '#/games';
  });
  const counted = page.locator('.statistics');
  await expect(counted.locator('li')).toHaveText([/2 of 3 won/, /0 of 2 won/]);
  await expect(counted).toContainText('1 win in a row; best run: 2');
  await page.getByRole('button', { name: /^Try a stronger one/ }).click();
  await expect(page.locator('.go .main')).toBeVisible();
  const [game] = await storedGames(page);
  expect(new Set(game.seats)).toEqual(new Set(['human', 'level4']));
});

test('of two tabs with one game the older one pauses, and can take it back', async ({ page }) => {
  const { record, seat } = ready('assassination');
  await visit(page, { autoEnd: false });
  const game = await put(page, record, [seat]);
  await open(page, game);
  const other = await page.context().newPage();
  await other.goto(`/#/play/${game.id}`);
  await settled(other);
  await expect(page.getByRole('heading', { name: en['table.elsewhere'] })).toBeVisible();
  await page.keyboard.press('e');
  expect((await stored(page, game)).actions).toEqual(record.actions);
  const player = new Player(other, game, seat, mouse);
  await player.act('assassination', random(1));
  const after = (await stored(other, game)).actions;
  expect(after.length).toBeGreaterThan(record.actions.length);

  await button(page, 'table.here').click();
  await expect(page.getByRole('heading', { name: en['table.elsewhere'] })).toHaveCount(0);
  await settled(page);
  await expect(other.getByRole('heading', { name: en['table.elsewhere'] })).toBeVisible();
  expect((await stored(page, game)).actions).toEqual(after);
  await new Player(page, game, seat, mouse, { check: true }).now();
});

test('own actions can be taken back until something was revealed', async ({ page }) => {
  const { record, seat } = ready('breakthrough');
  await visit(page, { autoEnd: false });
  const game = await put(page, record, [seat]);
  await open(page, game);
  // Back to before the card of step 1, which is this turn's.
  const before = record.actions.lastIndexOf('end') + 1;
  for (
    let back = look(record, seat).back;
    back !== null;
    back = look(await stored(page, game), seat).back
  ) {
    await button(page, 'table.undo').click();
    await expect.poll(async () => (await stored(page, game)).actions.length).toBe(back);
  }
  expect((await stored(page, game)).actions.length).toBeGreaterThanOrEqual(before);
  await expect(button(page, 'table.undo')).toHaveAttribute('aria-disabled', 'true');

  const again = await put(page, record, [seat]);
  await open(page, again);
  await expect(button(page, 'table.undo')).not.toHaveAttribute('aria-disabled');
  const second = new Player(page, again, seat, mouse);
  await second.act('breakthrough', random(2));
  await settled(page);
  await expect(button(page, 'table.undo')).toHaveAttribute('aria-disabled', 'true');
  await page.keyboard.press('u');
  expect((await stored(page, again)).actions.length).toBeGreaterThan(record.actions.length);
});

test('Escape steps back, one choice at a time', async ({ page }) => {
  const { record, seat } = ready('purge', 1, 4);
  await visit(page, { autoEnd: false });
  const game = await put(page, record, [seat]);
  await open(page, game);
  const idle = (await screen(page, seat)).lit;
  await effectButton(page, 'purge').click();
  const none = (await screen(page, seat)).lit;
  await handCard(page).click();
  await handCard(page).click();
  await expect(main(page)).toContainText(en['effect.purge']);
  await page.keyboard.press('Escape');
  await page.keyboard.press('Escape');
  await expect.poll(async () => (await screen(page, seat)).lit).toEqual(idle);
  expect(none).not.toEqual(idle);
  expect((await stored(page, game)).actions).toEqual(record.actions);
});

test('a turn with nothing left ends by itself, if that is wanted, and a hint says so', async ({
  page,
}) => {
  let seat = -1;
  const record = search({ players: 3 }, 1, ({ state, legal }) => {
    seat = state.seat;
    return legal.length === 1 && legal[0] === 'end';
  });
  for (const autoEnd of [true, false]) {
    await visit(page, { autoEnd });
    const game = await put(page, record, [seat]);
    await open(page, game);
    const ended = (await stored(page, game)).actions.length > record.actions.length;
    expect(ended).toBe(autoEnd);
    if (autoEnd) continue;
    await expect(main(page)).toContainText('End turn');
    await button(page, 'table.hint').click();
    await expect(page.getByRole('region', { name: en['table.hint'] })).toContainText(
      en['table.hint-only'],
    );
  }
});

test('a hint shows choices, and does the one that is followed', async ({ page }) => {
  const record = deal({ players: 3 }, 8);
  await visit(page);
  const game = await put(page, record, [record.first]);
  await open(page, game);
  await button(page, 'table.hint').click();
  const choices = page
    .getByRole('region', { name: en['table.hint'] })
    .getByRole('listitem')
    .getByRole('button');
  await expect(choices).not.toHaveCount(0);
  await expect(choices.locator('small').first()).toHaveText(/[a-z].*\.$/); // why
  await choices.first().click();
  const card = await page.locator('.hand button.card.sel').getAttribute('data-card');
  expect((await stored(page, game)).actions).toEqual([]);
  await main(page).click();
  await expect.poll(async () => (await stored(page, game)).actions[0]).toBe(`play ${card}`);
});

for (const setup of ['basic', 'draft'] as const) {
  const tag = setup === 'basic' ? '@main' : [];
  test(`between people a curtain hides everything: ${setup}`, { tag }, async ({ page }) => {
    await visit(page);
    const record = deal({ players: 2, setup }, 11);
    const game = await put(page, record, [0, 1], 1, ['Ana', 'Ben']);
    await open(page, game);
    const chance = random(3);
    for (let n = 0; n < 6; n++) {
      await expect(page.locator('.curtain')).toBeVisible();
      // Nothing of the table is there, neither cards nor the log.
      await expect(page.locator('[data-card], [data-zone], .hand, .chooser, .lines')).toHaveCount(
        0,
      );
      const now = await stored(page, game);
      const seat = look(now, null).view.seat!;
      const shown = await page.locator('body').textContent();
      for (const secret of secrets(now, 1 - seat)) expect(shown).not.toContain(secret);
      await page.locator('.curtain button').click();
      await settled(page);
      // Who has no choice is asked for none, and it is the next one's turn.
      if (await page.locator('.curtain').isVisible()) continue;
      const player = new Player(page, game, seat, mouse, { check: true });
      await page.keyboard.press('h');
      await expect(page.locator('[data-read]')).not.toBeEmpty();
      for (let look = await player.now(); look && !(await page.locator('.curtain').isVisible()); ) {
        await player.act(
          pick(look.guide.legal.includes('end') ? ['end'] : look.guide.legal, chance),
          chance,
        );
        await settled(page);
        if (await page.locator('.curtain').isVisible()) break;
        look = await player.now();
      }
    }
  });
}

// What only that seat may know: the names of the cards in its hand.
function secrets(record: GameRecord, seat: number): string[] {
  const own = look(record, seat).view.hands[seat];
  const known = look(record, 1 - seat).view.hands[seat];
  const cards = 'cards' in own ? own.cards : [];
  const open = 'known' in known ? (known.known ?? []) : [];
  const name = (card: Card) => `${en[`domain.${card[0]}`]} (Age ${'I'.repeat(Number(card[1]))})`;
  return cards.filter((card) => !open.includes(card)).map(name);
}

test('another language in the middle of a choice keeps the game and the choice', async ({
  page,
}) => {
  const { game, record } = await choosing(page, 'assassination');
  await button(page, 'table.menu').click();
  await page
    .getByRole('dialog')
    .getByRole('combobox', { name: en['settings.language'] })
    .selectOption('ro');
  await page.keyboard.press('Escape');
  await expect(page.locator('html')).toHaveAttribute('lang', 'ro');
  await expect(effectButton(page, 'assassination')).toHaveAttribute('data-state', 'active');
  await expect(effectButton(page, 'assassination')).toContainText(texts.ro['effect.assassination']);
  await handCard(page).click();
  await main(page).click();
  await expect
    .poll(async () => (await stored(page, game)).actions.length)
    .toBeGreaterThan(record.actions.length);
  expect((await stored(page, game)).actions.slice(0, record.actions.length)).toEqual(
    record.actions,
  );
});

test('the log ends in every language, is one stop for Tab, and begins with a replay', async ({
  page,
}) => {
  await visit(page, { autoEnd: false });
  const { record, seat } = ready('assassination');
  const game = await put(page, record, [seat]);
  await open(page, game);
  const lines = page.locator('.rail .lines');
  const below = () =>
    lines.evaluate((list) => list.scrollHeight - list.clientHeight - list.scrollTop);
  expect(await lines.evaluate((list) => list.scrollHeight > list.clientHeight)).toBe(true);
  await expect.poll(below).toBeLessThan(2);
  await button(page, 'table.menu').click();
  await page
    .getByRole('dialog')
    .getByRole('combobox', { name: en['settings.language'] })
    .selectOption('fr');
  await page.keyboard.press('Escape');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  await expect.poll(below).toBeLessThan(2);
  await expect(lines.locator('[tabindex="0"]')).toHaveCount(1);
  await lines.locator('[tabindex="0"]').focus();
  await page.keyboard.press('ArrowUp');
  await expect(lines.locator('button:focus')).toHaveAttribute('tabindex', '0');
  await expect(lines.locator('[tabindex="0"]')).toHaveCount(1);

  const done = await put(page, finished({ players: 2 }, 3), [0]);
  await page.goto(`/#/replay/${done.id}`);
  await expect(page.locator('.scrub')).toBeVisible();
  expect(await lines.evaluate((list) => list.scrollTop)).toBe(0);
  await page.goto('/#/games');
  await expect(page).toHaveTitle(`${texts.fr['games.title']} – CIV`);
});

test('keys work with Caps Lock', async ({ page }) => {
  const { record, seat } = ready('assassination');
  await visit(page, { autoEnd: false });
  const game = await put(page, record, [seat]);
  await open(page, game);
  await page.keyboard.press('E');
  await expect
    .poll(async () => (await stored(page, game)).actions[record.actions.length])
    .toBe('end');
});

test('a language that is chosen in another tab is spoken here, too', async ({ page }) => {
  await visit(page);
  await expect(button(page, 'home.play')).toBeVisible();
  const other = await page.context().newPage();
  await other.goto('/#/games');
  await other.locator('.hbar select').selectOption('fr');
  await expect(page.locator('html')).toHaveAttribute('lang', 'fr');
  const name = texts.fr['home.play'];
  await expect(page.getByRole('button', { name, exact: true })).toBeVisible();
});

test('a game that is exported and imported is the same, and can be looked back at', async ({
  page,
}) => {
  await visit(page);
  const record = finished({ players: 3, setup: 'draft' }, 6);
  await put(page, record, [0], 1, ['Ana', 'Ben', 'Çelik']);
  await page.goto('/#/games');
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: new RegExp(`^${en['games.export']}`) }).click();
  const text = readFileSync(await (await download).path(), 'utf8');
  await forgetGames(page);
  await page.reload();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'game.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await expect(page.getByText(en['games.imported'])).toBeVisible();
  const [entry, ...more] = await storedGames(page);
  expect(more).toEqual([]);
  expect(entry.record).toEqual(record);
  expect(entry.names).toEqual(['Ana', 'Ben', 'Çelik']);
  await page.reload();
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'again.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await expect(page.locator('.game.fresh')).toBeVisible();
  await expect(page.locator('.game')).toHaveCount(1);
  await page.getByRole('button', { name: new RegExp(`^${en['games.replay']}`) }).click();
  await page.locator('.scrub').waitFor();
  await page.keyboard.press('End');
  const shown = await screen(page, 0);
  const end = look(record, null);
  expect(shown.columns).toEqual(
    Object.fromEntries(
      end.guide.columns.flatMap((seat, s) =>
        seat.map(({ count }, d) => [`${s}${'MRESCU'[d]}`, count]),
      ),
    ),
  );
});

test('“You” in a game from elsewhere is the reader’s word, and verbs agree with it', async ({
  page,
}) => {
  await visit(page, { language: 'fr' });
  const { id } = await put(page, finished({ players: 2 }, 6), [0], 1, ['You', 'Ada']);
  await page.goto(`/#/replay/${id}`);
  const eyes = page.locator('.scrub select');
  await expect(eyes).toContainText(texts.fr['options.you']);
  await eyes.selectOption({ label: texts.fr['options.you'] });
  await page.locator('.scrub input').press('End');
  await expect(page.locator('.goal')).toContainText('vous ');
  const log = page.locator('.rail .log');
  await expect(log).toContainText(/Vous jouez/);
  await expect(log).toContainText(/Ada joue/);
  await expect(page.locator('.frame')).not.toContainText(/\bYou\b|Vous (joue|gagne|termine) /);
});

test('what is no game is refused in words, and changes nothing', async ({ page }) => {
  await visit(page);
  const good = deal({ players: 2 }, 1);
  await page.goto('/#/games');
  const bad: [string, string][] = [
    ['x'.repeat(2_000_000), 'error-size'],
    ['{"format":"civ-game/1"', 'error-json'],
    ['{"format":"chess"}', 'error-format'],
    [JSON.stringify({ ...good, actions: ['play U3'] }), ''],
    [JSON.stringify({ ...good, deck: good.deck.map(() => 'M1') }), ''],
  ];
  for (const [text, key] of bad) {
    await page.reload();
    await page.locator('input[type=file]').setInputFiles({
      name: 'game.json',
      mimeType: 'application/json',
      buffer: Buffer.from(text),
    });
    const alert = page.locator('.wrong[role=alert]');
    await expect(alert).not.toBeEmpty();
    if (key) await expect(alert).toHaveText(en[`games.${key}`]);
    else await expect(alert).not.toHaveText(/^(error|why)\./);
    expect(await storedGames(page)).toEqual([]);
  }
});

test('a stored game that is none by the rules is told of, and can be exported and deleted', async ({
  page,
}) => {
  const errors: Error[] = [];
  page.on('pageerror', (error) => errors.push(error));
  await visit(page);
  const record = deal({ players: 2 }, 1);
  const done = finished({ players: 2 }, 3);
  const games = {
    play: await put(page, { ...record, actions: ['play U3', 'end', 'end'] }, [0]),
    replay: await put(page, { ...done, actions: done.actions.slice(1) }, [0]),
  };
  for (const [way, game] of Object.entries(games)) {
    const notice = page.getByText(en['games.damaged']);
    const row = page.locator(`#game-${game.id}`);
    await page.goto(`/#/${way}/${game.id}`);
    await expect(notice).toBeVisible();
    const download = page.waitForEvent('download');
    await row.getByRole('button', { name: en['games.export'] }).click();
    expect(JSON.parse(readFileSync(await (await download).path(), 'utf8')).actions).toEqual(
      (await stored(page, game)).actions,
    );
    await row.getByRole('button', { name: en['games.delete'] }).click();
    await page.getByRole('dialog').getByRole('button', { name: en['games.delete'] }).click();
    await expect(row).toHaveCount(0);
    await expect(notice).toHaveCount(0);
  }
  expect(errors).toEqual([]);
});

test('a name is only ever text', async ({ page }) => {
  const name = '<img src=x onerror=alert(1)>';
  page.on('dialog', () => expect(null, 'a script ran').not.toBeNull());
  await visit(page);
  const record = deal({ players: 2 }, 1);
  await page.goto('/#/games');
  const text = JSON.stringify({
    ...record,
    names: ['Ana', name],
    comments: { bots: [1], levels: [0, 1] },
  });
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'game.json', mimeType: 'application/json', buffer: Buffer.from(text) });
  await expect(page.getByRole('heading', { level: 3 })).toContainText(name);
  await page.getByRole('button', { name: new RegExp(`^${en['games.continue']}`) }).click();
  await settled(page);
  await expect(page.locator('.opp .who b')).toHaveText(name);
  await expect(page.locator('img')).toHaveCount(0);
});

// A page on which nothing, or nothing more, can be stored.
async function withoutStorage(page: Page, how: 'full' | 'forbidden'): Promise<void> {
  await page.addInitScript((how) => {
    if (how === 'full') {
      Storage.prototype.setItem = IDBObjectStore.prototype.put = () => {
        throw new DOMException('full', 'QuotaExceededError');
      };
    } else {
      IDBFactory.prototype.open = () => {
        throw new DOMException('forbidden', 'SecurityError');
      };
      Object.defineProperty(window, 'localStorage', {
        get() {
          throw new DOMException('forbidden', 'SecurityError');
        },
      });
    }
  }, how);
}

test.describe('storage', () => {
  test.use({ own: true });

  for (const how of ['full', 'forbidden'] as const) {
    test(`that is ${how} does not stop a game`, async ({ page }) => {
      await withoutStorage(page, how);
      const errors: Error[] = [];
      page.on('pageerror', (error) => errors.push(error));
      await page.goto('/');
      await page.getByRole('button', { name: en['home.play'] }).click();
      await expect(page.locator('.hand')).toBeVisible();
      await expect(page.getByRole('alert').filter({ hasText: /./ })).toBeVisible();
      await expect(handCard(page)).toBeVisible();
      await handCard(page).click();
      await main(page).click();
      expect(errors).toEqual([]);
    });
  }
});

test.describe('without a network', () => {
  test.use({ serviceWorkers: 'allow', own: true });

  const title = 'the page loads, plays with strong bots, speaks and has its rules';
  test(title, { tag: '@main' }, async ({ page }) => {
    const context = page.context();
    await visit(page);
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await expect
      .poll(() => page.evaluate(async () => (await caches.keys()).length))
      .toBeGreaterThan(0);
    await page.reload();
    await expect
      .poll(() => page.evaluate(() => navigator.serviceWorker.controller !== null))
      .toBe(true);
    await context.setOffline(true);
    await page.reload();
    await expect(button(page, 'home.play')).toBeVisible();
    const record = deal({ players: 2 }, 9);
    for (let n = 0; n < 8; n++) record.actions.push(think(record, 'level1', n));
    const seat = look(record, null).view.seat!;
    const game = await put(page, record, [seat], 8);
    await open(page, game);
    const player = new Player(page, game, seat, mouse, { check: true });
    const chance = random(9);
    for (let turn = 0; turn < 2; ) {
      const now = await player.now();
      if (!now) break;
      const action = now.guide.legal.includes('end') ? 'end' : pick(now.guide.legal, chance);
      if (action === 'end') turn++;
      await player.act(action, chance);
    }
    await settled(page);
    for (const language of ['fr', 'es', 'pt', 'ro'] as const) {
      await page.goto('/#/games');
      await page.locator('.hbar select').selectOption(language);
      await expect(page.locator('html')).toHaveAttribute('lang', language);
      await page.goto('/#/rules');
      await expect(page.locator('main')).toContainText(texts[language]['domain.M']);
    }
  });
});
