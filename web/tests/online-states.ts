// All that the page can show of a game with others, for pictures and tests: a page that plays, and
// puppets around it.
import type { Page } from '@playwright/test';
import type { TableOptions } from '../src/net/types';
import { random } from './games';
import { press } from './inplace';
import { Puppet } from './puppet';
import { enter, OTHER, ownTable } from './rooms';
import type { State } from './states';

const THIRD = 'Chiara';
const around = new WeakMap<Page, Puppet[]>(); // those who were there for the state before
const cut = new WeakMap<Page, boolean>();

// The wire of a page, which can be cut.
async function wired(page: Page): Promise<void> {
  if (!cut.has(page))
    await page.routeWebSocket(/\/live/, async (socket) => {
      if (cut.get(page)) return void socket.close({ code: 1011 });
      const far = socket.connectToServer();
      socket.onMessage((text) => {
        if (!cut.get(page)) far.send(text);
        else void socket.close({ code: 1011 });
      });
    });
  cut.set(page, false);
}

interface Sitting {
  table: string;
  others: Puppet[];
}

// A game of three, with clocks, of which the page has the first seat; or a chair of its own is left
// out, and it watches.
async function sitting(
  page: Page,
  options: Partial<TableOptions> = {},
  watches = false,
): Promise<Sitting> {
  for (const one of around.get(page) ?? []) one.stop();
  await wired(page);
  const { origin } = new URL(page.url());
  await enter(page);
  const names = watches ? [OTHER, THIRD, 'Bo'] : [OTHER, THIRD];
  const others = await Promise.all(names.map((name) => Puppet.with({ origin }, name)));
  around.set(page, others);
  const wishes = { players: 3, clock: { turn: 600, bank: 600, increment: 10 }, ...options };
  const table = watches ? await others[2].make(wishes) : await ownTable(page, wishes);
  for (const [i, one] of others.entries()) {
    await one.open(table);
    if (i < 2) await one.done({ type: 'sit', seat: i + 1 });
  }
  await page.goto(`./#/table/${table}`);
  await page.locator('.chairs').waitFor();
  if (watches) await others[2].done({ type: 'start' });
  else await press(page, '.starting .main');
  await page.locator('.go').waitFor();
  await page.evaluate(() => document.fonts.ready);
  return { table, others };
}

// The others, until it is this seat's turn.
async function turnOf(seat: number, { others }: Sitting): Promise<void> {
  const there = (now: { game: { view: { seat: number | null } } | null }) =>
    now.game?.view.seat === seat;
  await Promise.all(others.slice(0, 2).map((one) => one.play(random(1), there)));
}

// Somebody with three cards of a kind has no card to choose, only the end of the turn.
const lit = (page: Page) =>
  page.locator('.hand .card.lit, .go .main:not([aria-disabled])').first().waitFor();

// One decision of the page.
async function decide(page: Page): Promise<void> {
  if (await page.locator('.hand .card.lit').first().isVisible())
    await press(page, '.hand .card.lit');
  await press(page, '.go .main');
}

async function myTurn(page: Page, options?: Partial<TableOptions>): Promise<Sitting> {
  const all = await sitting(page, options);
  await turnOf(0, all);
  await lit(page);
  return all;
}

async function played(page: Page): Promise<Sitting> {
  const all = await myTurn(page);
  if (await page.locator('.hand .card.lit').first().isVisible()) await decide(page);
  await all.others[0].until((now) => now.game!.actions > now.game!.final);
  return all;
}

const menu = async (page: Page) => {
  await press(page, '.bar .ib');
  await page.locator('dialog[open]').waitFor();
};

// The talk has its own place where there is room.
async function talk(page: Page): Promise<void> {
  if (!(await page.locator('.phone, .tablet').isVisible())) return;
  await page.locator('.unread').waitFor();
  await press(page, '.bar .ib:has(.unread)');
  await page.locator('dialog[open] .chat').waitFor();
}

async function said({ others }: Sitting): Promise<void> {
  await others[0].done({ type: 'say', phrase: 'good-luck' });
  await others[0].done({
    type: 'say',
    text: 'Donaudampfschifffahrtsgesellschaftskapitän, wohin fährst du?',
  });
  await others[1].done({ type: 'say', text: 'Hm.' });
}

const over = async (page: Page) => {
  const all = await myTurn(page);
  for (const one of all.others) await one.done({ type: 'resign' });
  await page.locator('dialog[open] .endgo').waitFor();
  return all;
};

const at = (name: string, go: (page: Page) => Promise<unknown>): State => ({
  name,
  table: true,
  go: async (page) => void (await go(page)),
});

// Talk has another place in each layout.
const apart: typeof at = (name, go) => ({ ...at(name, go), apart: true });

export const LIVE: State[] = [
  at('live-turn', myTurn),
  at('live-waiting', async (page) => {
    const all = await myTurn(page);
    if (await page.locator('.hand .card.lit').first().isVisible()) await decide(page);
    await page.locator('.go .main:not([aria-disabled])').waitFor();
    await decide(page);
    await all.others[0].until((now) => now.game!.view.seat === 1);
  }),
  at('live-sending', async (page) => {
    await myTurn(page);
    cut.set(page, true);
    await decide(page);
    await page.locator('.go .main.sending').waitFor();
  }),
  at('live-draft', async (page) => {
    const { others } = await sitting(page, { setup: 'draft' });
    await page.locator('.chooser .card.lit').first().waitFor();
    await others[0].act(random(1));
  }),
  at('live-draft-kept', async (page) => {
    await sitting(page, { setup: 'draft' });
    await page.locator('.chooser .card.lit').first().waitFor();
    await press(page, '.chooser .card.lit');
    await press(page, '.go .main');
    await page.locator('.keeps').waitFor();
  }),
  at('live-question', async (page) => {
    const { others } = await played(page);
    const { n, game } = others[0].known!;
    await others[0].done({ type: 'take-back', builds: n, to: game!.final });
    await page.locator('.question button').first().waitFor();
  }),
  at('live-lost', async (page) => {
    await myTurn(page);
    cut.set(page, true);
    await decide(page);
    await page.locator('.notices .notice').waitFor();
  }),
  at('live-elsewhere', async (page) => {
    const { table } = await myTurn(page);
    const other = await page.context().newPage();
    await other.goto(new URL(`#/table/${table}`, page.url()).href);
    await page.locator('.curtain').waitFor();
    await other.close();
  }),
  apart('live-talk', async (page) => {
    await said(await myTurn(page));
    await talk(page);
    await page.locator('.chat .line').nth(2).waitFor();
  }),
  apart('live-phrases', async (page) => {
    await said(await myTurn(page));
    await talk(page);
    await press(page, '.chat form .ib');
    await page.locator('.phrases button').first().waitFor();
  }),
  apart('live-muted', async (page) => {
    await said(await myTurn(page));
    await talk(page);
    await press(page, '.chat .by');
    await press(page, '.chat .mute');
    await page.locator('.chat .muted').waitFor();
  }),
  at('live-menu', async (page) => {
    await myTurn(page);
    await menu(page);
  }),
  at('live-leave', async (page) => {
    await myTurn(page);
    await menu(page);
    await press(page, 'dialog[open] .menu button:has(use[href="#door"])');
    await page.locator('dialog[open] .ways').waitFor();
  }),
  at('live-left', async (page) => {
    const { others } = await myTurn(page);
    await others[0].done({ type: 'resign' });
    await page.locator('.notices .notice').waitFor();
  }),
  at('live-gone', async (page) => {
    await myTurn(page);
    await menu(page);
    await press(page, 'dialog[open] .menu button:has(use[href="#door"])');
    await press(page, 'dialog[open] .ways button');
    await page.locator('.go.watcher button').waitFor();
  }),
  at('live-watching', (page) => sitting(page, {}, true)),
  at('live-end', over),
  at('live-deal', async (page) => {
    await over(page);
    await press(page, 'dialog[open] .endgo .sub button:has(use[href="#fair"])');
    await page.locator('dialog[open] .pic').first().waitFor();
  }),
  at('live-rematch', async (page) => {
    const { others } = await over(page);
    await others[0].done({ type: 'rematch' });
    await page.locator('dialog[open] .endgo a.main').waitFor();
  }),
];
