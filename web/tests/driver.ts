// Plays at a server's table through the page, by what is lit and nothing else.

import type { Locator, Page } from '@playwright/test';
import type { Effect } from '../src/engine/types';
import { DOMAIN_OF } from '../src/text/emblems';
import { pick, type Random, random } from './games';
import type { Person } from './online';
import { main, screen } from './table';

interface Seen {
  over: boolean;
  ready: boolean; // something is to be decided here
  composing: boolean;
  live: boolean; // the large button does something
  bottom: number; // the seat in front: the one whose hand is shown
  mark: string; // changes with what is shown
}

// What the large button and what is around it say: at once, or when there is something to do or the
// game is over. Runs in the page.
async function seen([show, waits]: readonly [show: string, waits: boolean]): Promise<Seen> {
  const all = (selector: string) => [...document.querySelectorAll<HTMLElement>(selector)];
  const targets = '.chooser .option, .chooser button.target, [data-effect][data-state=ready]';
  const look = (): Seen => {
    const main = document.querySelector<HTMLButtonElement>('.go button.main');
    const over = main?.textContent?.trim() === show;
    const live = main !== null && main.ariaDisabled !== 'true';
    const lit = all(`.lit, .aimable, ${targets}`);
    const composing = all('.go .sub .tb').some((one) => one.querySelector('kbd'));
    const kept = all('.chooser .keeps').length > 0 && !composing; // in the draft, for this round
    const marks = lit.map((one) => one.className + one.dataset.card);
    const mark = [main?.textContent, live, kept, ...marks].join();
    const [hand] = all('.hand [data-zone^=hand]');
    const [column] = all('.mine [data-column], .col[data-column], .lane[data-column]');
    const bottom = Number(hand?.dataset.zone?.slice(4) ?? column?.dataset.column?.[0] ?? 0);
    return { over, ready: (live || lit.length > 0) && !kept, composing, live, bottom, mark };
  };
  const now = look();
  if (!waits || now.over || now.ready) return now;
  return new Promise((done) => {
    const watch = new MutationObserver(() => {
      const now = look();
      if (!now.over && !now.ready) return;
      watch.disconnect();
      done(now);
    });
    const all = { childList: true, attributes: true, characterData: true };
    watch.observe(document, { subtree: true, ...all });
  });
}

const TRIES = 20;

// Plays one seat through the page, by what is lit and nothing else.
export class Driver {
  readonly chance: Random;
  decided = () => {}; // told of each decision
  #tries = 0;

  constructor(
    readonly person: Person,
    seed: number,
  ) {
    this.chance = random(seed);
  }

  get page(): Page {
    return this.person.page;
  }

  #seen(waits: boolean): Promise<Seen> {
    const found = this.page.evaluate(seen, [this.person.words['end.show'], waits] as const);
    found.catch(() => {}); // nobody may wait for it any more
    return found;
  }

  // Until the game is over, or it is enough.
  async play(enough = new AbortController().signal): Promise<void> {
    const stopped = new Promise<null>((stop) =>
      enough.addEventListener('abort', () => stop(null), { once: true }),
    );
    while (!enough.aborted) {
      const now = await Promise.race([this.#seen(true), stopped]);
      if (!now || now.over) return;
      await this.#step(now);
    }
  }

  async #step(now: Seen): Promise<void> {
    try {
      const target = now.live && now.composing ? main(this.page) : await this.#choice(now);
      if (!target) return;
      // Of a card in a column one sees what the cards above it leave.
      const isStacked = `${target}`.includes('.col button');
      await this.person.press(target, {
        timeout: 2000,
        ...(isStacked ? { position: { x: 20, y: 8 } } : {}),
      });
      this.#tries = 0;
      this.decided();
    } catch (error) {
      // What cannot be pressed any more is fine if there is something else to see now; and a slow
      // machine may need more time.
      const same = (await this.#seen(false)).mark === now.mark;
      if (same && ++this.#tries === TRIES) throw error;
    }
  }

  // On a phone an effect that costs a card is used from the sheet of its Domain.
  async #effect(effect: Effect, bottom: number): Promise<Locator> {
    const button = this.page
      .locator(`.fx[data-effect="${effect}"][data-state=ready], [data-explained="${effect}"] .use`)
      .first();
    if ((await button.count()) === 0)
      await this.page
        .locator(`.lane[data-column="${bottom}${DOMAIN_OF[effect]}"]`)
        .click({ timeout: 2000 });
    return button;
  }

  async #choice(now: Seen): Promise<Locator | null> {
    const { page, chance } = this;
    const { bottom } = now;
    const shown = await screen(page, bottom);
    const { columns } = shown;
    const { lit } = shown;
    const some = (zone: string) =>
      lit.filter((one) => one.startsWith(`${zone} `)).map((one) => one.slice(zone.length + 1));
    if (lit.includes('end') && (chance(6) > 0 || lit.length === 1)) return main(page);
    const others = lit.filter((one) => one !== 'end');
    if (others.length === 0) return null;
    // Plays on its strongest Domain, so that the game comes to an end.
    const hand = some('hand');
    if (hand.length > 0 && !now.composing) {
      const strong = [...hand].sort(
        (a, b) => columns[`${bottom}${b[0]}`] - columns[`${bottom}${a[0]}`],
      )[0];
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
        return this.#effect(what as Effect, bottom);
      default:
        return what.length === 1
          ? page.locator(
              `[data-column="${bottom}${what}"] .hit, .lane.lit[data-column="${bottom}${what}"]`,
            )
          : page.locator(`.col button.card.lit[data-card="${what}"]`).first();
    }
  }
}

// Everybody, until so many decisions have been made in all, or the game is over.
export async function playOn(
  drivers: Driver[],
  decisions = Number.POSITIVE_INFINITY,
): Promise<void> {
  const enough = new AbortController();
  let left = decisions;
  for (const one of drivers)
    one.decided = () => {
      if (--left <= 0) enough.abort();
    };
  await Promise.all(drivers.map((one) => one.play(enough.signal)));
}
