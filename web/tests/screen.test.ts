// What is on the screen is what the engine sees, what is lit is what is legal, and what is pressed
// is what is played.
import { expect, type Page } from '@playwright/test';
import { EFFECTS, type Effect, type GameRecord } from '../src/engine/types';
import { parse } from '../src/game/actions';
import { type Moment, pick, type Rules, random, search } from './games';
import { test } from './kept';
import { mouse, open, Player, put, visit } from './table';

// In a language of its own, so that its pages are not those of tests without bots.
test.use({
  loaded: true,
  serviceWorkers: 'block',
  contextOptions: { reducedMotion: 'reduce' },
  locale: 'en-GB',
});

const VARIETY: Rules[] = [
  { players: 2 },
  { players: 3, edition: 'pt' },
  { players: 4 },
  { players: 4, teams: true },
  { players: 3, setup: 'draft', edition: 'es' },
];

const uses = (effect: Effect) => (moment: Moment) =>
  moment.state.step === 'effects' && moment.legal.some((action) => parse(action).effect === effect);

// A moment of a game, and who decides in it.
function find(
  rules: Rules,
  seed: number,
  fits: (moment: Moment) => boolean,
): { record: GameRecord; seat: number } {
  let seat = -1;
  const record = search(rules, seed, (moment) => {
    seat = moment.state.seat;
    return fits(moment);
  });
  return { record, seat };
}

// Does one of the wanted actions, then some more, comparing all the way.
async function play(
  page: Page,
  rules: Rules,
  seed: number,
  compact: boolean,
  fits: (moment: Moment) => boolean,
  wants: (action: string) => boolean,
) {
  await visit(page, { autoEnd: false });
  const { record, seat } = find(rules, seed, fits);
  const game = await put(page, record, [seat]);
  const player = new Player(page, game, seat, mouse, { check: true, compact });
  await open(page, game);
  const chance = random(seed);
  let now = await player.now();
  await player.act(pick(now!.guide.legal.filter(wants), chance), chance);
  for (let n = 0; n < 3; n++) {
    now = await player.now();
    if (!now) break;
    await player.act(pick(now.guide.legal, chance), chance);
  }
  await player.now();
  return player;
}

const choosing = (verb: string) => (moment: Moment) =>
  moment.state.choice?.verb === verb && moment.legal.length > 1;
const deciding = (step: string) => (moment: Moment) =>
  moment.state.step === step && moment.legal.length > 1;

for (const compact of [false, true]) {
  test.describe(compact ? 'on a phone' : 'on a wide screen', () => {
    test.use({ viewport: compact ? { width: 390, height: 844 } : { width: 1440, height: 900 } });

    for (const [i, effect] of EFFECTS.entries()) {
      test(effect, async ({ page }) => {
        const rules = VARIETY[(i + Number(compact)) % VARIETY.length];
        const player = await play(
          page,
          rules,
          1000 + i,
          compact,
          uses(effect),
          (action) => parse(action).effect === effect,
        );
        expect(player.reached).toContain(effect);
      });
    }

    for (const [i, verb] of ['discard', 'take', 'recover', 'give', 'play'].entries()) {
      test(`a choice under way: ${verb}`, async ({ page }) => {
        const player = await play(page, VARIETY[i], 2000 + i, compact, choosing(verb), () => true);
        expect(player.reached).toContain(`choose ${verb}`);
      });
    }

    for (const step of ['draft', 'claim']) {
      test(`a draft: ${step}`, async ({ page }) => {
        const player = await play(
          page,
          { players: 3, setup: 'draft' },
          3000,
          compact,
          deciding(step),
          () => true,
        );
        expect(player.reached).toContain(step === 'draft' ? 'keep' : 'claim');
      });
    }

    test('embargoes, Democracy and the coin', async ({ page }) => {
      await play(
        page,
        { players: 3 },
        4000,
        compact,
        ({ state, legal }) => {
          const own = state.embargoes.some((one) => one.seat === state.seat);
          return (
            state.step === 'play' &&
            own &&
            legal.length > 1 &&
            legal.length < new Set(state.hands[state.seat]).size
          );
        },
        () => true,
      );
      await play(
        page,
        { players: 3 },
        4100,
        compact,
        ({ state, legal }) => {
          const others = state.democracies.some((one) => one.seat !== state.seat);
          return (
            state.step === 'play' &&
            others &&
            state.democracies.some((one) => one.seat === state.seat) &&
            legal.length > 1
          );
        },
        () => true,
      );
      await play(
        page,
        { players: 4 },
        4200,
        compact,
        ({ state, legal }) =>
          state.coin !== null &&
          state.coin.owner !== state.seat &&
          state.step === 'play' &&
          legal.length > 1,
        () => true,
      );
    });
  });
}

test('the cards of a lane stand side by side, and all of them can be told apart', async ({
  page,
}) => {
  await visit(page);
  const high = (letters: string[]) =>
    Math.max(...'MRESCU'.split('').map((one) => letters.filter((letter) => letter === one).length));
  for (const least of [2, 5, 7]) {
    const { record, seat } = find({ players: 4 }, 5000, ({ state }) => {
      const mine = state.tables[state.seat].map((card) => card[0]);
      return state.step === (least === 5 ? 'effects' : 'play') && high(mine) >= least;
    });
    const game = await put(page, record, [seat]);
    for (const [width, height] of [
      [390, 844],
      [390, 664],
      [375, 667],
      [844, 390],
      [360, 640],
      [320, 568],
    ]) {
      await page.setViewportSize({ width, height });
      await open(page, game);
      // Again until cards that are on their way have come to rest.
      await expect(async () => {
        const lanes = await page.locator('.lane').evaluateAll((all) =>
          all.map((lane) => {
            const { right } = lane.querySelector('.track')!.getBoundingClientRect();
            const cards = [...lane.querySelectorAll('.mc')].map((card) =>
              card.getBoundingClientRect(),
            );
            return { right, cards: cards.map((one) => [one.left, one.right]) };
          }),
        );
        expect(Math.max(...lanes.map(({ cards }) => cards.length))).toBeGreaterThanOrEqual(least);
        for (const { right, cards } of lanes)
          for (const [i, card] of cards.entries()) {
            expect(card[1] - card[0], `${width}x${height}`).toBeGreaterThanOrEqual(12);
            expect(card[0]).toBeGreaterThan(i ? cards[i - 1][1] : 0);
            expect(card[1]).toBeLessThanOrEqual(right + 1);
          }
      }).toPass();
    }
  }
});

// An Economy card of Age I lies there: its back says so.
test('an embargo shows the back of its own Age', async ({ page }) => {
  await visit(page);
  const { record, seat } = find({ players: 3 }, 6000, ({ state }) =>
    state.embargoes.some((one) => one.seat === state.seat && one.card === 'E1'),
  );
  const game = await put(page, record, [seat]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, game);
  await expect(page.locator('.embargo .card.side').first()).toHaveAttribute('data-age', '1');
});

test('a card that an embargo closes stays marked when another one is chosen', async ({ page }) => {
  await visit(page);
  const { record, seat } = find(
    { players: 3 },
    7000,
    ({ state, legal }) =>
      state.step === 'play' &&
      state.hands[state.seat].length === 3 &&
      legal.length === 2 &&
      state.embargoes.some(
        (one) =>
          one.seat === state.seat &&
          state.hands[state.seat].filter((card) => card[0] === one.domain).length === 1,
      ),
  );
  const game = await put(page, record, [seat]);
  for (const [width, height] of [
    [1440, 900],
    [390, 844],
  ]) {
    await page.setViewportSize({ width, height });
    await open(page, game);
    const shut = page.locator('.hand .card:has(.c-why)');
    const lit = page.locator('.hand .card.lit');
    await expect(shut).toHaveCount(1);
    await lit.first().click();
    await expect(shut).toHaveCount(1);
    await expect(shut).toHaveClass(/off/);
    // The tag lies on its card.
    const inside = await shut.evaluate((card) => {
      const [outer, tag] = [card, card.querySelector('.c-why')!].map((one) =>
        one.getBoundingClientRect(),
      );
      return tag.left >= outer.left && tag.right <= outer.right && tag.bottom <= outer.bottom;
    });
    expect(inside).toBe(true);
    // Choosing another one switches to it.
    const other = await lit.first().getAttribute('data-card');
    await lit.first().click();
    await expect(page.locator('.hand .card.sel')).toHaveAttribute('data-card', other!);
  }
});
