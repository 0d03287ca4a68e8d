// Whole games from the accessibility tree alone: roles, names, states and what the live regions
// say.

import { expect, type Page } from '@playwright/test';
import type { GameRecord } from '../src/engine/types';
import { openGame } from './device';
import { file } from './engine';
import { pick, type Random, random } from './games';
import { test } from './kept';
import { texts } from './texts';

test.use({ serviceWorkers: 'block', locale: 'en-GB' });

const words = texts.en;
const { 'coach.on': PLAY_ON, 'coach.end': END_ANYWAY } = JSON.parse(
  `${file('text/learn/en.json')}`,
);
const EFFECTS = Object.keys(words).flatMap((key) =>
  key.startsWith('effect.') ? [words[key]] : [],
);

// Whoever listens: what can be pressed, what the live region tells, and what has been heard so far.
class Listener {
  heard: string[] = [];
  #last: string[] = [];

  constructor(
    readonly page: Page,
    readonly chance: Random,
  ) {}

  // The names of the buttons that are not disabled.
  async buttons(): Promise<string[]> {
    const tree = await this.page.locator('body').ariaSnapshot();
    this.#listen(tree);
    if (tree.includes(`button "${words['end.rematch']}"`)) return []; // only the end offers that
    return [...tree.matchAll(/button "((?:[^"\\]|\\.)*)"(.*)/g)].flatMap(([, name, state]) =>
      state.includes('[disabled]') ? [] : [name],
    );
  }

  #listen(tree: string): void {
    const region = /^( *)- log:\n((?:\1 +.*\n?)*)/m.exec(tree)?.[2] ?? '';
    const told = [...region.matchAll(/- paragraph: (.*)/g)].map(([, text]) =>
      text.replace(/^"(.*)"$/, '$1'),
    );
    // What is new comes after what was heard last.
    let old = Math.min(this.#last.length, told.length);
    while (old > 0 && this.#last.slice(-old).join('\n') !== told.slice(0, old).join('\n')) old--;
    this.heard.push(...told.slice(old));
    this.#last = told;
  }

  // As those do it who do not point: of two cards of one name the first may lie under the other.
  press(name: string): Promise<void> {
    return this.page.getByRole('button', { name, exact: true }).first().dispatchEvent('click');
  }

  // What its name says that it does.
  choice(names: string[]): string | null {
    const some = (fits: (name: string) => boolean) => names.filter(fits);
    const confirms = some(
      (name) =>
        /^(Confirm|Lay|Copy|Play|Keep|Take|Give|Discard) .*Enter$/.test(name) ||
        /^((Confirm|Lay|Copy|Play|Keep|Take(?! back)) [^,]+|(Give|Discard) th(is|ese) .+)$/.test(
          name,
        ),
    );
    if (confirms.length > 0) return confirms[0];
    const heard = some((name) => name === PLAY_ON || name === END_ANYWAY);
    if (heard.length > 0) return heard[0]; // the coach, as in every first game
    const choices = some(
      (name) => /^(Choose|Take back) /.test(name) || /^[A-Z]\w+ of .+, \d+ of \d+$/.test(name),
    );
    if (choices.length > 0) return pick(choices, this.chance);
    const effects = some((name) => EFFECTS.some((effect) => name.startsWith(effect)));
    const end = some((name) => /^End turn/.test(name))[0];
    if (effects.length > 0 && (!end || this.chance(3) === 0)) return pick(effects, this.chance);
    return end ?? null;
  }

  async play(): Promise<void> {
    const over = this.page.getByRole('button', { name: words['end.rematch'] });
    for (;;) {
      const names = await this.buttons();
      if (names.length === 0 && (await over.isVisible())) return;
      const next = this.choice(names);
      if (next) await this.press(next);
    }
  }
}

for (const [way, size, players] of [
  ['on a wide screen', { width: 1440, height: 900 }, 3],
  ['on a phone', { width: 390, height: 844 }, 4],
] as const) {
  test(`a game is heard and played ${way}`, async ({ page }) => {
    await page.setViewportSize(size);
    await page.goto('/');
    await page.getByRole('button', { name: words['settings.title'] }).click();
    await page
      .getByRole('combobox', { name: words['settings.pace'] })
      .selectOption(words['settings.pace-instant']);
    await page.getByRole('button', { name: words['options.close'] }).click();
    await page.getByRole('radio', { name: `${players}`, exact: true }).check();
    await page.getByRole('button', { name: words['home.play'] }).click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(words['table.title']);

    const listener = new Listener(page, random(players));
    await page.keyboard.press('h');
    await expect(page.getByText(/^3 cards in hand: /)).toBeAttached();
    await listener.play();
    await expect.poll(async () => (await openGame(page)).record.result).not.toBeNull();
    const { record, seats, names } = await openGame(page);

    // Everything that others did was told: no turn of theirs is missing.
    const turns = turnsOf(record);
    for (const [seat, name] of names.entries()) {
      if (seats[seat] === 'human') continue;
      const ends = listener.heard.filter((line) => line.includes(`${name} ends the turn`)).length;
      expect(ends, name).toBe(turns[seat]);
    }
  });
}

// How many turns each seat has ended.
function turnsOf({ players, first, actions }: GameRecord): number[] {
  const turns = Array<number>(players).fill(0);
  const ends = actions.filter((action) => action === 'end').length;
  for (let n = 0; n < ends; n++) turns[(first + n) % players]++;
  return turns;
}
