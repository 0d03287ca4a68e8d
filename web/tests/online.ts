// People at a server's table: browsers with the page in them that play by what they see, and puppets that talk to the server without the page.
import { writeFileSync } from 'node:fs';
import { type Browser, type BrowserContext, test as base, expect, type Locator, type Page, type TestInfo } from '@playwright/test';
import type { GameRecord, View } from '../src/engine/types';
import type { Answer, Command, GameState, Hello, Summary, TableOptions, TableState } from '../src/net/types';
import { engine, file } from './engine';
import { Cable, Server } from './online-server';
import { Wire } from './online-wire';
import { keyboard, LANGUAGES, type Language, main, pick, type Random, random, screen, texts } from './table';

export const words = Object.fromEntries(
  LANGUAGES.map((one) => [one, { ...texts[one], ...JSON.parse(`${file(`text/online/${one}.json`)}`) }]),
) as Record<Language, Record<string, string>>;

export const PHONE = { width: 390, height: 844 };
export const DESKTOP = { width: 1440, height: 900 };

export interface Wishes {
  size?: { width: number; height: number };
  language?: Language;
  settings?: object;
  worker?: boolean;
  keys?: boolean; // plays by keyboard
}

async function entered(context: BrowserContext, origin: string, name: string): Promise<string> {
  const answer = await context.request.post(`${origin}/api/v1/session`, { data: { name }, headers: { Origin: origin } });
  expect(answer.ok(), await answer.text()).toBe(true);
  return (await answer.json()).person.id;
}

async function made(context: BrowserContext, origin: string, options: Partial<TableOptions>): Promise<string> {
  const answer = await context.request.post(`${origin}/api/v1/tables`, { data: options, headers: { Origin: origin } });
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

// Somebody with a browser of their own and a wire of their own.
export class Person {
  readonly errors: string[] = [];
  id = '';
  #pages: Page[] = [];

  private constructor(
    readonly name: string,
    readonly language: Language,
    readonly context: BrowserContext,
    readonly cable: Cable,
    public page: Page,
    public wire: Wire,
    readonly keys: boolean,
  ) {}

  static async with(browser: Browser, server: Server, name: string, wishes: Wishes = {}): Promise<Person> {
    const { size = DESKTOP, language = 'en', settings = {}, worker = false, keys = false } = wishes;
    const cable = await Cable.to(server);
    const phone = size.width < 700;
    const context = await browser.newContext({
      viewport: size,
      hasTouch: phone,
      locale: language,
      reducedMotion: 'reduce',
      serviceWorkers: worker ? 'allow' : 'block',
      baseURL: `${cable.origin}/`,
    });
    const stored = JSON.stringify({ version: 1, pace: 'instant', ...settings });
    await context.addInitScript(
      ([settings, language]) => {
        if (localStorage.getItem('civ.language')) return;
        localStorage.setItem('civ.settings', settings);
        localStorage.setItem('civ.language', language);
      },
      [stored, language],
    );
    const page = await context.newPage();
    const person = new Person(name, language, context, cable, page, tapped(page), keys);
    person.#watch(page);
    everybody.add(person);
    return person;
  }

  get words(): Record<string, string> {
    return words[this.language];
  }

  get phone(): boolean {
    return this.page.viewportSize()!.width < 700;
  }

  #watch(page: Page): void {
    this.#pages.push(page);
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
  text(key: string, values: Record<string, string> = {}): string {
    return this.words[key].replace(/\{(\w+)\}/g, (_, name) => values[name]);
  }

  press(target: Locator, options: { timeout?: number; position?: { x: number; y: number } } = {}): Promise<void> {
    if (this.keys) return keyboard.press(target);
    return this.phone ? target.tap(options) : target.click(options);
  }

  async stop(): Promise<void> {
    await this.context.close();
    await this.cable.stop();
  }
}

// These people, in this order, and bots on the chairs after them, at a table of the first; the game has begun.
export async function seated(people: Person[], options: Partial<TableOptions>, bots = 0): Promise<string> {
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

export async function recordOf(server: Server, table: string): Promise<GameRecord> {
  const answer = await fetch(`${server.origin}/api/v1/tables/${table}/record`);
  expect(answer.status).toBe(200);
  return answer.json();
}

// ---- playing by the page

interface Seen {
  over: boolean;
  ready: boolean; // something is to be decided here
  composing: boolean;
  live: boolean; // the large button does something
  mark: string; // changes with what is shown
}

// What the large button and what is around it say. Runs in the page.
function seen(show: string): Seen {
  const main = document.querySelector<HTMLButtonElement>('.go button.main');
  const over = main?.textContent?.trim() === show;
  const live = main !== null && main.ariaDisabled !== 'true';
  const lit = [...document.querySelectorAll('.lit, .aimable, .chooser .option, .chooser button.target, [data-effect][data-state=ready]')];
  const composing = [...document.querySelectorAll('.go .sub .tb')].some((one) => one.querySelector('kbd'));
  const kept = document.querySelector('.chooser .keeps') !== null && !composing; // in the draft, for this round
  const mark = [main?.textContent, live, kept, ...lit.map((one) => one.className + (one as HTMLElement).dataset.card)].join();
  return { over, ready: (live || lit.length > 0) && !kept, composing, live, mark };
}

// Plays one seat through the page, by what is lit and nothing else.
export class Driver {
  readonly chance: Random;
  decisions = 0;

  constructor(
    readonly person: Person,
    seed: number,
  ) {
    this.chance = random(seed);
  }

  get page(): Page {
    return this.person.page;
  }

  #seen(): Promise<Seen> {
    return this.page.evaluate(seen, this.person.words['end.show']);
  }

  // Until the game is over, or `enough`.
  async play(enough: () => boolean = () => false): Promise<void> {
    while (!enough()) {
      const now = await this.#ready(enough);
      if (now.over || enough()) return;
      await this.#step(now);
    }
  }

  async #ready(enough: () => boolean): Promise<Seen> {
    for (;;) {
      const now = await this.#seen();
      if (now.over || now.ready || enough()) return now;
      await this.page.waitForTimeout(30);
    }
  }

  async #step(now: Seen): Promise<void> {
    const target = now.live && now.composing ? main(this.page) : await this.#choice(now);
    if (!target) return;
    try {
      // Of a card in a column one sees what the cards above it leave.
      const isStacked = `${target}`.includes('.col button');
      await this.person.press(target, { timeout: 2000, ...(isStacked ? { position: { x: 20, y: 8 } } : {}) });
      this.decisions++;
    } catch (error) {
      // What cannot be pressed any more is fine if there is something else to see now.
      if ((await this.#seen()).mark === now.mark) throw error;
    }
  }

  async #choice(now: Seen): Promise<Locator | null> {
    const { page, chance } = this;
    const bottom = await this.#bottom();
    const shown = await screen(page, bottom);
    const { columns } = shown;
    // A phone asks for columns of one's own by its chooser.
    const lit = this.person.phone ? shown.lit.filter((one) => !/^own [A-Z]$/.test(one)) : shown.lit;
    const some = (zone: string) => lit.filter((one) => one.startsWith(`${zone} `)).map((one) => one.slice(zone.length + 1));
    if (lit.includes('end') && (chance(6) > 0 || lit.length === 1)) return main(page);
    const others = lit.filter((one) => one !== 'end');
    if (others.length === 0) return null;
    // Plays on its strongest Domain, so that the game comes to an end.
    const hand = some('hand');
    if (hand.length > 0 && !now.composing) {
      const strong = [...hand].sort((a, b) => columns[`${bottom}${b[0]}`] - columns[`${bottom}${a[0]}`])[0];
      return page.locator(`.hand button.card.lit[data-card="${strong}"]`).first();
    }
    const one = pick(others, chance);
    const [zone, what] = [one.slice(0, one.indexOf(' ')), one.slice(one.indexOf(' ') + 1)];
    switch (zone) {
      case 'hand':
        return page.locator(`.hand button.card.lit[data-card="${what}"]`).first();
      case 'choice':
        return page.locator(`.chooser button.card.lit[data-card="${what}"]`).first();
      case 'option':
        return page.locator('.chooser .option').nth(some('option').indexOf(what));
      case 'target':
        return page.locator('.chooser button.target').nth(chance(some('target').length));
      case 'seat':
        return page.locator(`.opp[data-seat="${what}"] .aim`);
      case 'column':
        return page.locator(`.mcol[data-column="${what}"] .hit`);
      case 'effect':
        return page.locator(`.fx[data-effect="${what}"][data-state=ready]`).first();
      default:
        return what.length === 1
          ? page.locator(`[data-column="${bottom}${what}"] .hit`).first()
          : page.locator(`.col button.card.lit[data-card="${what}"]`).first();
    }
  }

  // The seat in front: the one whose hand is shown.
  #bottom(): Promise<number> {
    return this.page.evaluate(() => {
      const card = document.querySelector<HTMLElement>('.hand [data-zone^=hand]');
      const column = document.querySelector<HTMLElement>('.mine [data-column], .col[data-column], .pcol[data-column]');
      return Number(card?.dataset.zone?.slice(4) ?? column?.dataset.column?.[0] ?? 0);
    });
  }
}

// ---- playing without the page

export interface Known {
  n: number;
  you: Hello['you'];
  table: TableState;
  game: GameState | null;
}

// Someone at the table whose browser is not the point: they talk to the server as any program may.
export class Puppet {
  readonly wire: Wire;
  id = '';
  likes: (legal: string[], view: View) => string | undefined = () => undefined;
  #commands = 0;

  private constructor(
    readonly name: string,
    readonly context: BrowserContext,
    readonly page: Page,
    readonly server: Pick<Server, 'origin'>,
  ) {
    this.wire = tapped(page);
  }

  static async with(browser: Browser, server: Pick<Server, 'origin'>, name: string): Promise<Puppet> {
    const context = await browser.newContext({ serviceWorkers: 'block', baseURL: `${server.origin}/` });
    const puppet = new Puppet(name, context, await context.newPage(), server);
    await puppet.page.goto('./favicon.svg');
    puppet.id = await entered(context, server.origin, name);
    everybody.add(puppet);
    return puppet;
  }

  make(options: Partial<TableOptions>): Promise<string> {
    return made(this.context, this.server.origin, options);
  }

  async open(table: string): Promise<void> {
    await this.page.evaluate((table) => {
      interface Live {
        socket: WebSocket;
        known: Record<string, unknown> | null;
        answers: Record<string, unknown>;
      }
      const live: Live = { socket: new WebSocket(`ws://${location.host}/api/v1/tables/${table}/live`), known: null, answers: {} };
      (window as unknown as { live: Live }).live = live;
      live.socket.onmessage = (event) => {
        const message = JSON.parse(event.data);
        if (message.type === 'ack' || message.type === 'refused') live.answers[message.id] = message;
        else if (message.type === 'hello') live.known = message;
        else if (live.known && 'n' in message) {
          live.known = { ...live.known, n: message.n, table: message.table ?? live.known.table, game: message.game ?? live.known.game };
          if (message.type === 'commit') {
            const random = [...crypto.getRandomValues(new Uint8Array(32))].map((byte) => byte.toString(16).padStart(2, '0')).join('');
            live.socket.send(JSON.stringify({ type: 'contribute', id: 'number', random }));
          }
        }
      };
    }, table);
    await this.until(() => true);
  }

  // Until what is known fits.
  async until(fits: (known: Known) => boolean): Promise<Known> {
    for (;;) {
      const known = await this.known();
      if (known && fits(known)) return known;
      await this.page.waitForTimeout(20);
    }
  }

  known(): Promise<Known | null> {
    return this.page.evaluate(() => (window as unknown as { live: { known: Known | null } }).live.known);
  }

  // The server's answer.
  async command(command: Command): Promise<Answer> {
    const id = `c${this.#commands++}`;
    await this.page.evaluate(
      (text) => (window as unknown as { live: { socket: WebSocket } }).live.socket.send(text),
      JSON.stringify({ ...command, id }),
    );
    const answer = await this.page.waitForFunction(
      (id) => (window as unknown as { live: { answers: Record<string, Answer> } }).live.answers[id],
      id,
    );
    return answer.jsonValue();
  }

  async done(command: Command): Promise<void> {
    expect(await this.command(command)).toMatchObject({ type: 'ack' });
  }

  // What it likes, or at random, until the game is over or `enough`.
  async play(chance: Random, enough: (known: Known) => boolean = () => false): Promise<void> {
    for (;;) {
      const known = await this.until((now) => now.table.status === 'over' || enough(now) || this.#decides(now));
      if (known.table.status === 'over' || enough(known)) return;
      await this.act(chance, known);
    }
  }

  // One decision of one's own.
  async act(chance: Random, known?: Known): Promise<string> {
    const { n, table, game } = known ?? (await this.until((now) => this.#decides(now)));
    const { legal } = engine.look({ view: game!.view }).guide as { legal: string[] };
    const liked = this.likes(legal, game!.view);
    // On its strongest Domain, so that the game comes to an end.
    const { tables, seat } = game!.view;
    const height = (action: string) => tables[seat!].filter((card) => card[0] === action.split(' ')[1]?.[0]).length;
    const strong = [...legal].sort((a, b) => height(b) - height(a))[0];
    const action = liked ?? (legal.includes('end') && chance(6) > 0 ? 'end' : strong.startsWith('play ') ? strong : pick(legal, chance));
    const [verb, card] = action.split(' ');
    const command: Command =
      verb === 'keep' ? { type: 'pick', round: table.draft!.round, card: card as never } : { type: 'act', builds: n, actions: [action] };
    const { error } = await this.command(command);
    if (error && error.key !== 'error.stale' && error.key !== 'error.table.round') throw new Error(`${action}: ${JSON.stringify(error)}`);
    return action;
  }

  #decides({ you, table, game }: Known): boolean {
    const seat = table.chairs.findIndex((chair) => chair.person?.id === this.id && !chair.left);
    if (!game || seat < 0 || table.status !== 'running') return false;
    void you;
    return table.draft ? !table.draft.picked[seat] : (game.view as View).seat === seat;
  }

  async stop(): Promise<void> {
    await this.context.close();
  }
}

export const card = (page: Page, nth = 0) => page.locator('.hand button.card.lit').nth(nth);

// Somebody with the page against a puppet; it is the person's turn, there is a card to choose, and nothing has been decided.
async function duel(
  browser: Browser,
  server: Server,
  wishes: Wishes = {},
  options: Partial<TableOptions> = {},
  before: (ada: Person) => Promise<void> = async () => {},
) {
  const ada = await Person.with(browser, server, 'Ada', { settings: { autoEnd: false }, ...wishes });
  const ben = await Puppet.with(browser, server, 'Ben');
  await ada.enter();
  await before(ada);
  const table = await ada.make({ players: 2, ...options });
  await ben.open(table);
  await ben.done({ type: 'sit', seat: 1 });
  await ada.open(table);
  await ada.press(ada.page.locator('.starting .main'));
  await ada.page.locator('.go').waitFor();
  const chance = random(1);
  for (;;) {
    await ben.play(chance, (now) => now.game !== null && now.game.view.seat === 0);
    await ada.page.locator('.hand button.card.lit, .go .main:not([aria-disabled])').first().waitFor();
    if ((await card(ada.page).count()) > 0) return { ada, ben, table, chance };
    await ada.press(main(ada.page)); // three cards of a kind: the page has played one by itself
    await ben.until((now) => now.game!.view.seat === 1);
  }
}

type Rest<F> = F extends (browser: Browser, server: Server, ...rest: infer Rest) => infer Made ? (...rest: Rest) => Made : never;

interface Meeting {
  person: Rest<typeof Person.with>;
  puppet: Rest<typeof Puppet.with>;
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
  puppet: ({ browser, server }, use) => use((...rest) => Puppet.with(browser, server, ...rest)),
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
