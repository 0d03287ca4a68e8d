// What tests of the table share: the screen as data, three ways to press something, and somebody
// who plays through the page.

import { expect, type Locator, type Page } from '@playwright/test';
import {
  type Card,
  type Effect,
  type GameRecord,
  LETTERS,
  type Letter,
  type Look,
  type View,
} from '../src/engine/types';
import { inCardOrder, less, letterOf, type Named, parse } from '../src/game/actions';
import { DOMAIN_OF } from '../src/text/emblems';
import { entry, storedGame, storeGames, untilStored } from './device';
import { engine } from './engine';
import { look, pick, type Random } from './games';
import { fresh, speak, unload } from './inplace';
import { type Language, texts } from './texts';

// ---- the page

export interface Wishes {
  pace?: string;
  autoEnd?: boolean;
  newcomer?: boolean;
  coach?: boolean;
  language?: Language;
}

let games = 0;

export interface Placed {
  id: string;
  record: GameRecord;
  seats: string[];
}

// Puts a game on the device; people sit in the given seats, bots of a level elsewhere.
export async function put(
  page: Page,
  record: GameRecord,
  people: number[],
  level = 1,
  names: string[] = [],
): Promise<Placed> {
  const id = `test${games++}`;
  const seats = Array.from({ length: record.players }, (_, seat) =>
    people.includes(seat) ? 'human' : `level${level}`,
  );
  await storeGames(page, { [id]: entry(record, seats, names) });
  return { id, record, seats };
}

// The page with these wishes, at its start.
export async function visit(
  page: Page,
  {
    pace = 'instant',
    autoEnd = true,
    newcomer = false,
    coach = false,
    language = 'en',
  }: Wishes = {},
): Promise<void> {
  const settings = JSON.stringify({ version: 1, pace, autoEnd, newcomer, coach, remind: false });
  if (await fresh(page, settings)) return speak(page, language);
  await unload(page, settings, language);
  await page.goto('/');
}

export async function open(page: Page, { id }: { id: string }): Promise<void> {
  await page.evaluate(async (hash) => {
    if (location.hash === hash) return;
    const there = new Promise((done) => addEventListener('hashchange', done, { once: true }));
    location.hash = hash;
    await there;
    await new Promise(requestAnimationFrame);
  }, `#/play/${id}`);
  await settled(page);
}

// Until a person has to decide, the curtain is down, the game is over, or it goes on elsewhere.
export async function settled(page: Page): Promise<void> {
  await page.waitForFunction(() =>
    document.querySelector('.go button.main:not([disabled]), .curtain button'),
  );
}

export async function stored(page: Page, { id }: { id: string }): Promise<GameRecord> {
  return (await storedGame(page, id)).record;
}

export interface Screen {
  columns: Record<string, number>; // '1M'
  tables: Record<string, string>; // by seat: the cards, in order
  hands: Record<string, number>; // by seat
  hand: string; // one's own
  deck: number;
  discard: number[] | null; // by Domain; null where it is not on the screen
  embargoes: string[]; // columns
  democracies: string[];
  coin: string[];
  lit: string[];
}

// The screen as it can be seen. What is lit: 'hand M1', 'own M', 'own M1', 'seat 1', 'column 1M',
// 'choice M1', 'copy …', 'effect …', 'end'.
export async function screen(page: Page, bottom: number): Promise<Screen> {
  return page.evaluate((bottom) => {
    const all = (selector: string) =>
      [...document.querySelectorAll<HTMLElement>(selector)].filter((one) => !one.closest('dialog'));
    const columnOf = (one: HTMLElement) =>
      one.closest<HTMLElement>('[data-column]')!.dataset.column!;
    const marked = (selector: string) => all(selector).map(columnOf).sort();
    const cards = (selector: string) => all(selector).map((one) => one.dataset.card!);
    const seats = [...new Set(all('[data-column]').map((one) => one.dataset.column![0]))].sort();
    const deck = document.querySelector('[data-spot=deck]')!;
    const pile = all('[data-spot=discard] li');
    const isMain = all('.go button.main').some(
      (one) => one.ariaDisabled !== 'true' && !(one as HTMLButtonElement).disabled,
    );
    const composing = all('.sub .tb').some((one) => one.querySelector('kbd'));
    const target = (one: HTMLElement) => one.querySelector('.sr')!.textContent!.trim();
    const lit = [
      ...cards('.hand button.card.lit').map((card) => `hand ${card}`),
      ...cards('.col button.card.lit').map((card) => `own ${card}`),
      ...cards('.chooser button.card.lit').map((card) => `choice ${card}`),
      ...all('.col.lit, .lane.lit').map((one) => `own ${one.dataset.column![1]}`),
      ...all('.opp.aimable').map((one) => `seat ${one.dataset.seat}`),
      ...all('.mcol.lit').map((one) => `column ${one.dataset.column}`),
      ...all('.chooser .option').map((one) => `option ${one.querySelector('b')!.textContent}`),
      ...all('.chooser button.target').map((one) => `target ${target(one)}`),
      // On a phone in the lane, and those that are free once more beside the button.
      ...new Set(
        all('[data-effect][data-state=ready]').map((one) => `effect ${one.dataset.effect}`),
      ),
      ...(isMain && !composing ? ['end'] : []),
    ];
    return {
      columns: Object.fromEntries(
        all('[data-column]').map((one) => [one.dataset.column!, Number(one.dataset.count)]),
      ),
      tables: Object.fromEntries(
        seats.map((seat) => [seat, cards(`[data-zone=table${seat}]`).sort().join(' ')]),
      ),
      hands: Object.fromEntries(seats.map((seat) => [seat, all(`[data-zone=hand${seat}]`).length])),
      hand: cards(`[data-zone=hand${bottom}]`).sort().join(' '),
      deck: Number(/\d+/.exec(deck.querySelector('.n, b')!.textContent!)![0]),
      discard: pile.length > 0 ? pile.map((one) => Number(one.dataset.count)) : null,
      embargoes: marked('.pin'),
      democracies: marked('.mfd, .fdrow, .p1, .pn .of'),
      coin: marked('[data-column] .coin'),
      lit: lit.sort(),
    };
  }, bottom);
}

// What the screen has to show besides what is lit.
export function expected(
  { view, guide }: Look,
  bottom: number,
  compact: boolean,
): Omit<Screen, 'lit'> {
  const columns: [string, number][] = guide.columns.flatMap((seat, s) =>
    seat.map(({ count }, d): [string, number] => [`${s}${LETTERS[d]}`, count]),
  );
  const own = view.hands[bottom];
  const at = (one: { seat: number; domain: Letter }) => `${one.seat}${one.domain}`;
  // In a strip, other players' cards are counts.
  const cards = (seat: number) =>
    compact && seat !== bottom ? '' : [...view.tables[seat]].sort().join(' ');
  return {
    columns: Object.fromEntries(columns),
    tables: Object.fromEntries(view.tables.map((_, seat) => [`${seat}`, cards(seat)])),
    hands: Object.fromEntries(
      view.hands.map((hand, seat) => [
        `${seat}`,
        ('cards' in hand ? hand.cards : hand.backs).length,
      ]),
    ),
    hand: 'cards' in own ? [...own.cards].sort().join(' ') : '',
    deck: view.deck.count,
    discard: compact
      ? null
      : LETTERS.map((letter) => view.discard.filter((card) => letterOf(card) === letter).length),
    embargoes: [...new Set(view.embargoes.map(at))].sort(),
    democracies: [...new Set(view.democracies.map(at))].sort(),
    coin: view.coin ? [at(view.coin)] : [],
  };
}

// ---- pressing

export interface Input {
  press(target: Locator): Promise<void>;
  confirm(page: Page): Promise<void>;
  end(page: Page): Promise<void>;
  card(target: Locator): Promise<void>;
  stacked(target: Locator): Promise<void>; // by what the cards above it leave to see
}

const STRIP = { position: { x: 20, y: 8 } };

export const main = (page: Page) => page.locator('.go button.main');

export const mouse: Input = {
  press: (target) => target.click(),
  card: (target) => target.click(),
  stacked: (target) => target.click(STRIP),
  confirm: (page) => main(page).click(),
  end: (page) => main(page).click(),
};

export const touch: Input = {
  press: (target) => target.tap(),
  card: (target) => target.tap(),
  stacked: (target) => target.tap(STRIP),
  confirm: (page) => main(page).tap(),
  end: (page) => main(page).tap(),
};

// Tab or Shift+Tab, whichever is shorter, until it has the focus; then Enter.
export async function tabTo(target: Locator): Promise<void> {
  const page = target.page();
  const way = await target.evaluate((element) => {
    const here = document.activeElement;
    return here && here.compareDocumentPosition(element) & Node.DOCUMENT_POSITION_PRECEDING
      ? 'Shift+Tab'
      : 'Tab';
  });
  for (let n = 0; n < 200; n++) {
    if (await target.evaluate((element) => element === document.activeElement)) return;
    await page.keyboard.press(way);
  }
  throw new Error(`not to be reached by ${way}: ${target}`);
}

export const keyboard: Input = {
  async press(target) {
    await tabTo(target);
    await target.page().keyboard.press('Enter');
  },
  stacked: (target) => keyboard.press(target),
  // By its number.
  async card(target) {
    const nth = await target.evaluate((element) =>
      [...document.querySelectorAll('.chooser button, .hand button.card')].indexOf(element),
    );
    if (nth < 0 || nth > 8) return keyboard.press(target);
    await target.page().keyboard.press(`${nth + 1}`);
  },
  confirm: (page) => page.keyboard.press('Enter'),
  end: (page) => page.keyboard.press('e'),
};

// ---- playing

// What the deciding seat would see after these actions of its own.
const ahead = (view: View, then: string[]) => engine.look({ view, then });

// What may be named now out of a set, as the screen lights it.
function litCards(
  { view, guide }: Pick<Look, 'view' | 'guide'>,
  picked: Named[],
  compact: boolean,
): string[] {
  const named: Named[] = guide.choose
    ? less(guide.choose.cards, picked)
    : guide.legal.map((action) => parse(action).named!);
  const hand =
    'cards' in view.hands[view.seat!] ? (view.hands[view.seat!] as { cards: Card[] }).cards : [];
  if (view.step === 'draft') return [...new Set(named)].map((card) => `choice ${card}`);
  if (view.step === 'claim')
    return [...new Set(view.centre!)]
      .filter((card) => named.includes(letterOf(card)))
      .map((card) => `choice ${card}`);
  const verb = view.choice?.verb;
  if (verb === 'recover')
    return [...new Set(named)]
      .filter((card) => !picked.includes(card))
      .map((card) => `choice ${card}`);
  if (verb === 'take' && compact)
    return [...new Set(named)]
      .filter((card) => !picked.includes(card))
      .map((card) => `choice ${card}`);
  if (verb === 'take')
    return less(view.tables[view.seat!], picked as Card[])
      .filter((card) => named.includes(card))
      .map((card) => `own ${card}`);
  if (named.every((one) => one.length === 1)) {
    const letters = [...new Set(named)] as Letter[];
    return letters.map((letter) => `own ${letter}`);
  }
  return less(hand, picked as Card[])
    .filter((card) => named.includes(card))
    .map((card) => `hand ${card}`);
}

export class Player {
  reached = new Set<string>();
  compared = 0;

  constructor(
    readonly page: Page,
    readonly game: Placed,
    readonly seat: number,
    readonly input: Input,
    readonly options: { compact?: boolean; language?: Language; check?: boolean } = {},
  ) {}

  get compact(): boolean {
    return this.options.compact ?? false;
  }

  // Where the game is, if this seat has to decide; the screen is compared with the engine's view.
  async now(): Promise<Look | null> {
    await settled(this.page);
    const record = await stored(this.page, this.game);
    const now = look(record, this.seat);
    this.game.record = record;
    if (this.options.check) {
      const { lit, ...shown } = await screen(this.page, this.seat);
      const choosing = now.view.seat === this.seat && this.#chooses(now);
      const { hand, hands, ...rest } = expected(now, this.seat, this.compact);
      // Where the chooser stands in its place, one's own hand is not on the screen.
      const own = choosing ? {} : { hand, hands };
      const { hand: hand1, hands: hands1, ...rest1 } = shown;
      expect({ ...rest1, ...(choosing ? {} : { hand: hand1, hands: hands1 }) }).toEqual({
        ...rest,
        ...own,
      });
      if (now.view.seat === this.seat) expect(lit).toEqual(this.#lit(now));
      this.compared++;
    }
    return now.view.seat === this.seat ? now : null;
  }

  #chooses({ view }: Look): boolean {
    if (view.step === 'draft' || view.step === 'claim') return true;
    const verb = view.choice?.verb;
    return verb === 'recover' || (this.compact && verb === 'take');
  }

  #lit(now: Look): string[] {
    if (now.view.step !== 'effects') return litCards(now, [], this.compact).sort();
    const effects = [...new Set(now.guide.legal.flatMap((action) => parse(action).effect ?? []))];
    const ends = now.guide.legal.includes('end') ? ['end'] : [];
    return [...effects.map((effect) => `effect ${effect}`), ...ends].sort();
  }

  // Does one of the legal actions and all that it asks for, through the page; gives the actions
  // that this made.
  async act(action: string, chance: Random): Promise<string[]> {
    const base = look(this.game.record, this.seat);
    const before = this.game.record.actions;
    const { effect } = parse(action);
    const done: string[] = [];
    if (action === 'end') {
      await this.input.end(this.page);
      done.push('end');
    } else if (effect) {
      this.reached.add(effect);
      await this.#use(effect);
      const ways = base.guide.legal.filter((one) => parse(one).effect === effect);
      if (ways.length > 1) await this.#aim(action, ways);
      done.push(action);
    } else if (base.view.step !== 'choose') {
      this.reached.add(parse(action).verb);
      await this.#name(
        parse(action).named!,
        base.view.step === 'draft' || base.view.step === 'claim' ? 'choice' : 'hand',
      );
      done.push(action);
    }
    if (action !== 'end') {
      await this.#choose(base, done, chance);
      await expect(main(this.page)).not.toHaveAttribute('aria-disabled');
      await this.input.confirm(this.page);
    }
    await untilStored(this.page, this.game.id, before.length + done.length);
    const after = (await stored(this.page, this.game)).actions;
    expect(after.slice(0, before.length + done.length)).toEqual([...before, ...done]);
    return done;
  }

  // The choices that an action asks for, as far as they can be seen before it is confirmed.
  async #choose(base: Look, done: string[], chance: Random): Promise<void> {
    for (;;) {
      const seen = done.length === 0 ? base : ahead(base.view, done);
      if (!seen.ok) throw new Error(JSON.stringify(seen));
      if ('reveals' in seen && seen.reveals) return;
      if (seen.view.seat !== this.seat || seen.view.step !== 'choose') return;
      const { verb } = seen.view.choice!;
      this.reached.add(`choose ${verb}`);
      const set = seen.guide.choose ?? {
        left: 1,
        cards: seen.guide.legal.map((one: string) => parse(one).named!),
      };
      const picked: Named[] = [];
      if (set.cards.length === set.left) picked.push(...set.cards);
      while (picked.length < set.left) {
        if (this.options.check)
          expect((await screen(this.page, this.seat)).lit).toEqual(
            litCards(seen, picked, this.compact).sort(),
          );
        const named = pick(less(set.cards, picked), chance);
        const zone =
          verb === 'recover' ? 'choice' : verb === 'take' || named.length === 1 ? 'own' : 'hand';
        await this.#name(named, zone, picked.filter((one) => one === named).length);
        picked.push(named);
      }
      done.push(...inCardOrder(picked).map((one) => `${verb} ${one}`));
    }
  }

  async #use(effect: Effect): Promise<void> {
    const button = this.page.locator(
      `.fx[data-effect="${effect}"][data-state=ready], [data-explained="${effect}"] .use`,
    );
    if (this.compact && !(await button.isVisible())) {
      await this.input.press(
        this.page.locator(`.lane[data-column="${this.seat}${DOMAIN_OF[effect]}"]`),
      );
    }
    await this.input.press(button);
  }

  async #aim(action: string, ways: string[]): Promise<void> {
    const { effect, seat, named, copied } = parse(action);
    const words = texts[this.options.language ?? 'en'];
    if (copied) {
      const option = (one: string) => `option ${words[`effect.${parse(one).copied}`]}`;
      if (this.options.check)
        expect((await screen(this.page, this.seat)).lit).toEqual(ways.map(option).sort());
      const button = this.page
        .locator('.chooser .option')
        .filter({ has: this.page.locator('b', { hasText: words[`effect.${copied}`] }) });
      return this.input.press(button.first());
    }
    if (this.compact && effect === 'attack')
      return this.input.press(this.page.locator(`.lane.lit[data-column="${this.seat}${named}"]`));
    if (this.compact) {
      const buttons = this.page.locator('.chooser button');
      await expect(buttons).toHaveCount(ways.length);
      return this.input.press(buttons.nth(this.#clockwise(ways).indexOf(action)));
    }
    if (effect === 'inquisition') {
      if (this.options.check)
        expect((await screen(this.page, this.seat)).lit).toEqual(
          ways.map((one) => `seat ${parse(one).seat}`).sort(),
        );
      return this.input.press(this.page.locator(`.opp[data-seat="${seat}"] .aim`));
    }
    if (this.options.check) {
      const targets = ways.map((one) =>
        effect === 'attack'
          ? `own ${parse(one).named}`
          : `column ${parse(one).seat}${parse(one).named}`,
      );
      expect((await screen(this.page, this.seat)).lit).toEqual(targets.sort());
    }
    await this.input.press(this.page.locator(`[data-column="${seat ?? this.seat}${named}"] .hit`));
  }

  // Targets in the order of the chooser: by seat after one's own, then by Domain.
  #clockwise(ways: string[]): string[] {
    const { players } = this.game.record;
    const rank = (one: string) => {
      const { seat, named } = parse(one);
      return (
        (((seat ?? this.seat) - this.seat + players) % players) * 10 +
        (named ? LETTERS.indexOf(letterOf(named)) : 0)
      );
    };
    return [...ways].sort((a, b) => rank(a) - rank(b));
  }

  // Presses a card, or a Domain; `again` if as many of its kind are chosen already.
  async #name(named: Named, zone: 'hand' | 'own' | 'choice', again = 0): Promise<void> {
    const { page } = this;
    if (zone === 'hand')
      return this.input.card(page.locator(`.hand button.card.lit[data-card="${named}"]`).first());
    if (zone === 'own' && this.compact && named.length === 1)
      return this.input.press(page.locator(`.lane[data-column="${this.seat}${named}"]`));
    if (zone === 'choice' || this.compact) {
      const card = named.length === 1 ? `[data-card^="${named}"]` : `[data-card="${named}"]`;
      const entry = page.locator('.chooser li').filter({ has: page.locator(`.card${card}`) });
      const target = again > 0 ? entry.locator('button.more') : entry.locator('button.card');
      return this.input.card(target.first());
    }
    if (named.length === 1)
      return this.input.press(page.locator(`.col[data-column="${this.seat}${named}"] .hit`));
    return this.input.stacked(page.locator(`.col button.card.lit[data-card="${named}"]`).first());
  }
}
