// People at a server's table: browsers with the page in them that play by what they see, and the
// server that they share.

import { writeFileSync } from 'node:fs';
import {
  type Browser,
  type BrowserContext,
  expect,
  type Locator,
  type Page,
  type TestInfo,
} from '@playwright/test';
import type { GameRecord, Holding } from '../src/engine/types';
import type { Summary, TableOptions } from '../src/net/types';
import { forget } from './device';
import { random } from './games';
import { wish } from './inplace';
import { test as base } from './kept';
import { Cable, Server } from './online-server';
import { Wire } from './online-wire';
import { Puppet } from './puppet';
import { withoutBots } from './states';
import { keyboard, main } from './table';
import { type Language, texts } from './texts';

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

export interface Wishes {
  size?: { width: number; height: number };
  language?: Language;
  settings?: object;
  worker?: boolean;
  own?: boolean; // a browser context of its own, for what cannot be taken back
  keys?: boolean; // plays by keyboard
}

async function entered(context: BrowserContext, origin: string, name: string): Promise<string> {
  const answer = await context.request.post(`${origin}/api/v1/session`, {
    data: { name },
    headers: { Origin: origin },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()).person.id;
}

async function made(
  context: BrowserContext,
  origin: string,
  options: Partial<TableOptions>,
): Promise<string> {
  const answer = await context.request.post(`${origin}/api/v1/tables`, {
    data: options,
    headers: { Origin: origin },
  });
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()).table;
}

// Everything that a page is told by the server.
function tapped(page: Page): Wire {
  const wire = new Wire();
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => wire.frames.push({ text: `${payload}` }));
    socket.on('framesent', ({ payload }) => wire.sent.push(JSON.parse(`${payload}`)));
  });
  page.on('response', async (response) => {
    const { pathname, search } = new URL(response.url());
    if (!pathname.startsWith('/api/')) return;
    const text = await response.text().catch(() => '');
    wire.bodies.push({ path: pathname + search, text });
  });
  return wire;
}

const everybody = new Set<Person | Puppet>();

// After each test: if it has failed, what everybody saw; then they go.
async function away(info: TestInfo): Promise<void> {
  for (const one of everybody) {
    if (info.status !== info.expectedStatus && one instanceof Person) {
      for (const [i, page] of one.context.pages().entries()) {
        const path = info.outputPath(`${one.name}${i || ''}`);
        await page.screenshot({ path: `${path}.png`, timeout: 5000 }).catch(() => {});
      }
      writeFileSync(
        info.outputPath(`${one.name}.txt`),
        [
          ...one.errors,
          ...one.wire.sent.slice(-20).map((sent) => JSON.stringify(sent)),
          ...one.wire.frames.slice(-20).map(({ text }) => text),
        ].join('\n'),
      );
    }
    await one.stop();
  }
  everybody.clear();
}

// A browser and its wire to a server, at which one person sits after the other: a new one costs
// more than most tests do.
class Place {
  static #free = new Map<string, Place[]>();

  private constructor(
    readonly context: BrowserContext,
    readonly cable: Cable,
    readonly page: Page,
    readonly kind: string | null, // null: for one person only
  ) {}

  static async of(browser: Browser, server: Server, wishes: Wishes): Promise<Place> {
    const { size = DESKTOP, worker = false, own = worker } = wishes;
    const phone = size.width < 700;
    const kind = `${server.origin} ${phone}`;
    const free = own ? undefined : Place.#free.get(kind)?.pop();
    if (free) return free;
    const cable = await Cable.to(server);
    const context = await browser.newContext({
      viewport: size,
      hasTouch: phone,
      reducedMotion: 'reduce',
      serviceWorkers: worker ? 'allow' : 'block',
      baseURL: `${cable.origin}/`,
    });
    if (!worker) await context.addInitScript(withoutBots); // nobody asks them here
    const page = await context.newPage();
    await page.goto('./favicon.svg');
    return new Place(context, cable, page, own ? null : kind);
  }

  // For the next one.
  async leave(): Promise<void> {
    const { context, page, cable, kind } = this;
    for (const one of context.pages()) if (one !== page) await one.close();
    cable.reset();
    page.removeAllListeners();
    const kept = kind !== null && !page.isClosed();
    if (kept) await page.unrouteAll({ behavior: 'ignoreErrors' });
    // One whose server has just been killed is not kept either.
    if (!kept || !(await page.goto('./favicon.svg').catch(() => null))) {
      await context.close();
      return cable.stop();
    }
    await forget(page);
    await context.clearCookies();
    const free = Place.#free.get(kind) ?? [];
    Place.#free.set(kind, [...free, this]);
  }
}

// Somebody with a browser of their own and a wire of their own.
export class Person {
  readonly errors: string[] = [];
  id = '';

  private constructor(
    readonly name: string,
    readonly language: Language,
    readonly place: Place,
    public page: Page,
    public wire: Wire,
    readonly keys: boolean,
  ) {}

  static async with(
    browser: Browser,
    server: Server,
    name: string,
    wishes: Wishes = {},
  ): Promise<Person> {
    const { size = DESKTOP, language = 'en', settings = {}, keys = false } = wishes;
    const place = await Place.of(browser, server, wishes);
    const { page } = place;
    await page.setViewportSize(size);
    const wanted = { version: 1, pace: 'instant', remind: false, ...settings };
    await wish(page, JSON.stringify(wanted), language);
    const person = new Person(name, language, place, page, tapped(page), keys);
    person.#watch(page);
    everybody.add(person);
    return person;
  }

  get context(): BrowserContext {
    return this.place.context;
  }

  get cable(): Cable {
    return this.place.cable;
  }

  get words(): Record<string, string> {
    return texts[this.language];
  }

  get phone(): boolean {
    return this.page.viewportSize()!.width < 700;
  }

  #watch(page: Page): void {
    page.on('pageerror', (error) => this.errors.push(`${error.stack ?? error}`));
  }

  // Another tab of the same browser.
  async tab(): Promise<Page> {
    const page = await this.context.newPage();
    this.#watch(page);
    return page;
  }

  // Gets a session without the page.
  async enter(): Promise<void> {
    this.id = await entered(this.context, this.cable.origin, this.name);
  }

  // Goes on as somebody who has a session already.
  async become({ id, cookie }: Puppet): Promise<void> {
    await this.context.addCookies([cookie]);
    this.id = id;
  }

  // The same person without the page. A table that it opens is taken from the page.
  async puppet(): Promise<Puppet> {
    const [{ name, value }] = await this.context.cookies();
    const puppet = Puppet.of(this.cable.server, this.name, this.id, `${name}=${value}`);
    everybody.add(puppet);
    return puppet;
  }

  make(options: Partial<TableOptions>): Promise<string> {
    return made(this.context, this.cable.origin, options);
  }

  async open(table: string): Promise<void> {
    await this.page.goto(`./#/table/${table}`);
  }

  async summary(table: string): Promise<Summary> {
    return (await this.context.request.get(`${this.cable.origin}/api/v1/tables/${table}`)).json();
  }

  button(key: string, values: Record<string, string> = {}): Locator {
    return this.page.getByRole('button', { name: this.text(key, values), exact: true });
  }

  // A text without plurals.
  text(key: string, values: Record<string, string | number> = {}): string {
    return this.words[key].replace(/\{(\w+)\}/g, (_, name) => `${values[name]}`);
  }

  press(
    target: Locator,
    options: { timeout?: number; position?: { x: number; y: number } } = {},
  ): Promise<void> {
    if (this.keys) return keyboard.press(target);
    return this.phone ? target.tap(options) : target.click(options);
  }

  stop(): Promise<void> {
    return this.place.leave();
  }
}

// These people, in this order, and bots on the chairs after them, at a table of the first; the game
// has begun.
export async function seated(
  people: Person[],
  options: Partial<TableOptions>,
  bots = 0,
): Promise<string> {
  const [host, ...guests] = people;
  for (const one of people) if (!one.id) await one.enter();
  const table = await host.make({ players: people.length + bots, ...options });
  await host.open(table);
  for (const [i, guest] of guests.entries()) {
    await guest.open(table);
    await guest.press(
      guest.page
        .locator('.chairs .chair')
        .nth(i + 1)
        .locator('.do')
        .first(),
    );
    await expect(guest.page.locator('.chairs .chair').nth(i + 1)).toHaveClass(/mine/);
  }
  for (let seat = people.length; seat < people.length + bots; seat++) {
    const chair = host.page.locator('.chairs .chair').nth(seat);
    await host.press(chair.locator('.do:has(use[href="#bot"])'));
    await expect(chair).not.toHaveClass(/empty/);
  }
  await begin(host, people);
  return table;
}

export async function begin(host: Person, people: Person[]): Promise<void> {
  await expect(host.page.locator('.starting .main')).toHaveAttribute('aria-disabled', 'false');
  await host.press(host.page.locator('.starting .main'));
  for (const one of people) await one.page.locator('.go').waitFor();
}

const choosable = (hand: Holding) =>
  'cards' in hand && hand.cards.every((_, i) => new Set(hand.cards.toSpliced(i, 1)).size > 1);

// The same without bots, and without their pages, which are opened when the game has begun. Deals
// are random, and of cards of one kind the page chooses by itself: tables are made until there is
// one at which every seat has a choice, also of what is left of a pack that is passed on.
export async function dealt(people: Person[], options: Partial<TableOptions>): Promise<string> {
  for (const one of people) if (!one.id) await one.enter();
  const puppets = await Promise.all(people.map((one) => one.puppet()));
  for (;;) {
    const table = await puppets[0].make({ players: people.length, ...options });
    for (const [seat, one] of puppets.entries()) {
      await one.open(table);
      if (seat > 0) await one.done({ type: 'sit', seat });
    }
    await puppets[0].done({ type: 'start' });
    const known = await Promise.all(puppets.map((one) => one.until((now) => now.game !== null)));
    const own = known.map(({ game }, seat) => (game!.view.packs ?? game!.view.hands)[seat]);
    if (!own.every(choosable)) {
      await puppets[0].done({ type: 'resign' });
      continue;
    }
    for (const one of puppets) one.stop();
    for (const one of people) await one.open(table);
    for (const one of people) await one.page.locator('.go').waitFor();
    return table;
  }
}

export async function recordOf(server: Server, table: string): Promise<GameRecord> {
  const answer = await fetch(`${server.origin}/api/v1/tables/${table}/record`);
  expect(answer.status).toBe(200);
  return answer.json();
}

export const card = (page: Page, nth = 0) => page.locator('.hand button.card.lit').nth(nth);

// It is one's turn. Of three cards of a kind the page has played one by itself: then there is only
// the end of the turn.
export const decidable = (page: Page) =>
  page.locator('.hand button.card.lit, .go .main:not([aria-disabled])').first();

async function puppetOf(server: Server, name: string): Promise<Puppet> {
  const puppet = await Puppet.with(server, name);
  everybody.add(puppet);
  return puppet;
}

// Somebody with the page against a puppet; it is the person's turn, there is a card to choose, and
// nothing has been decided.
async function duel(
  browser: Browser,
  server: Server,
  wishes: Wishes = {},
  options: Partial<TableOptions> = {},
  before?: (ada: Person) => Promise<void>,
) {
  const settings = { autoEnd: false };
  const own = before !== undefined;
  const ada = await Person.with(browser, server, 'Ada', { settings, own, ...wishes });
  const ben = await puppetOf(server, 'Ben');
  await ada.enter();
  await before?.(ada);
  const table = await ada.make({ players: 2, ...options });
  await ben.open(table);
  await ben.done({ type: 'sit', seat: 1 });
  await ada.open(table);
  await ada.press(ada.page.locator('.starting .main'));
  await ada.page.locator('.go').waitFor();
  const chance = random(1);
  for (;;) {
    await ben.play(chance, (now) => now.game !== null && now.game.view.seat === 0);
    await decidable(ada.page).waitFor();
    if ((await card(ada.page).count()) > 0) return { ada, ben, table, chance };
    await ada.press(main(ada.page));
    await ben.until((now) => now.game!.view.seat === 1);
  }
}

type Rest<F> = F extends (browser: Browser, server: Server, ...rest: infer Rest) => infer Made
  ? (...rest: Rest) => Made
  : never;

export type Invite = Rest<typeof Person.with>;

interface Meeting {
  person: Invite;
  puppet: (name: string) => Promise<Puppet>;
  duel: Rest<typeof duel>;
  leaving: undefined;
}

// A server that the tests of a worker share, those who come to it, and that they go again.
export const test = base.extend<Meeting, { server: Server }>({
  server: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants it
    async ({}, use) => {
      const server = await Server.start();
      await use(server);
      await server.stop();
    },
    { scope: 'worker' },
  ],
  person: ({ browser, server }, use) => use((...rest) => Person.with(browser, server, ...rest)),
  puppet: ({ server }, use) => use((name) => puppetOf(server, name)),
  duel: ({ browser, server }, use) => use((...rest) => duel(browser, server, ...rest)),
  leaving: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants it
    async ({}, use, info) => {
      await use(undefined);
      await away(info);
    },
    { auto: true },
  ],
});
