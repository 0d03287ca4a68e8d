// What a newcomer asks at the table, and what it answers.
import { expect, type Page } from '@playwright/test';
import { LETTERS, type Letter, type Look, type Value } from '../src/engine/types';
import { hitsOf } from '../src/ui/recap';
import { engine } from './engine';
import { countOf, deal, find, look, mayUse, search, type Wanted } from './games';
import { test } from './kept';
import { POSITIONS } from './positions';
import { open, put, visit } from './table';
import { texts } from './texts';

test.use({ serviceWorkers: 'block', locale: 'en-GB' });

// A threat that only an effect stops which a card of the hand would make possible.
const BY_CARD: Wanted = {
  cheap: ({ seat, step, tables }) =>
    seat === 0 &&
    step === 'play' &&
    tables.slice(1).some((cards) => LETTERS.some((letter) => countOf(cards, letter) > 4)),
  sure: ({ guide }) => {
    const [threat, ...others] = guide.threats.filter((one) => one !== null);
    const stops = others.length === 0 ? (threat?.stops ?? []) : [];
    return stops.length > 0 && stops.every(({ action, then }) => /^play/.test(action) && then[0]);
  },
};

const lettersIn = (value: Value | undefined): Letter[] => {
  if (typeof value !== 'object') return [];
  return 'domain' in value ? [value.domain] : 'domains' in value ? value.domains : [];
};

for (const size of [
  { width: 390, height: 844 },
  { width: 1440, height: 900 },
])
  test.describe(`at ${size.width} × ${size.height}`, () => {
    test.use({ viewport: size });

    test('a threat says how it would win, and what stops it can be used from there', async ({
      page,
    }) => {
      await visit(page, { autoEnd: false });
      await open(page, await put(page, find(POSITIONS.proven), [0]));
      await page.locator('button:has(> span > .how), button.threat').first().click();
      const sheet = page.locator('dialog.explain');
      await expect(sheet.locator('ol li').first()).toBeVisible();
      const use = sheet.locator('.use').first();
      await use.click();
      await expect(sheet).toBeHidden();
      await expect(page.locator('.go .main')).toContainText(/^(Confirm|Lay|Take|Copy) /);
    });

    test('the button says what is to be chosen, and what will be done to whom', async ({
      page,
    }) => {
      await visit(page, { autoEnd: false });
      await open(page, await put(page, find(POSITIONS.embargo), [0]));
      await page.locator('.go .main:not([aria-disabled=true])').waitFor();
      await page.keyboard.press('v');
      const main = page.locator('.go .main');
      await expect(main).toContainText('Embargo: choose a player’s column');
      await page.locator('.chooser .target:not(.none), .mcol .hit').first().click();
      await expect(main).toContainText(/^Lay the Embargo on .+’s [A-Z]\w+/);
    });

    test('both ways to win are always there and explained', async ({ page }) => {
      await visit(page, { autoEnd: false });
      await open(page, await put(page, find(POSITIONS.effects), [0]));
      const tiles = page.locator('.goal button');
      await expect(tiles.first()).toContainText('7 of one Domain wins');
      await tiles.nth(1).click();
      await expect(page.locator('dialog.explain')).toContainText('Majority');
      await page.keyboard.press('Escape');
      await expect(page.locator('dialog.explain')).toBeHidden();
    });
  });

test('what one has laid oneself is called one’s own', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page, { autoEnd: false });
  const record = find({
    cheap: ({ seat, step, embargoes, coin }) =>
      seat === 0 &&
      step === 'effects' &&
      coin?.owner === 0 &&
      embargoes.some((one) => one.by === 0),
  });
  await open(page, await put(page, record, [0]));
  const sheet = page.locator('dialog.explain');
  await page.locator('.mcol:has(.lay) .ask').first().click(); // also through its cards
  await expect(sheet).toContainText('Your Embargo: ');
  await page.keyboard.press('Escape');
  await expect(sheet).toBeHidden();
  await page.locator(':is(.mcol, .col):has(.coin) .ask').click();
  await expect(sheet).toContainText('when you begin a turn');
});

// By how much the hand and what is below it cover lanes.
const hidden = (page: Page) =>
  page.evaluate(() => {
    const { top } = document.querySelector('.foot .within')!.getBoundingClientRect();
    const lanes = [...document.querySelectorAll('.lane')];
    return lanes.map((lane) => lane.getBoundingClientRect().bottom - top).filter((one) => one > 0);
  });

test('a card that only makes possible what stops a threat is said first, and led on from', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page, { autoEnd: false });
  await open(page, await put(page, find(BY_CARD), [0]));
  const strip = page.locator('button:has(> span > .how)');
  await expect(strip).toContainText(/Stop it: \w+ \(Age/);
  await expect(strip).not.toContainText(/Attack|Embargo|Democracy/);
  await strip.click();
  const main = page.locator('.go .main');
  await page.locator('dialog.explain .use').first().click();
  await expect(main).toContainText(/^Play /);
  await main.click();
  await expect(main).toContainText(/^(Confirm|Lay) /); // what the card made possible
});

test('of bots that make no pacts their sheet says so', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page, { autoEnd: false });
  for (const level of [2, 3]) {
    await open(page, await put(page, find(POSITIONS.play), [0], level));
    await page.locator('.opp header .ask').first().click();
    const none = page.getByText('Makes no pacts: bots do from level 3 (Wary) on.');
    await expect(none).toHaveCount(level < 3 ? 1 : 0);
    await page.keyboard.press('Escape');
  }
});

test('what is read is seen, too', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page, { autoEnd: false });
  await open(page, await put(page, find(POSITIONS.play), [0]));
  await page.keyboard.press('p');
  const read = page.getByText('There are no pacts and no offers.');
  expect((await read.boundingBox())!.height).toBeGreaterThan(20);
});

test('of a Domain that the deck has no more of that is said', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page, { autoEnd: false });
  for (const late of [false, true]) {
    const record = find({
      cheap: ({ seat, step, deck }) =>
        seat === 0 &&
        step === 'play' &&
        deck.length > 0 &&
        deck.every((one) => /3/.test(one)) === late,
    });
    await open(page, await put(page, record, [0]));
    const column = page.locator('[data-column="0R"]');
    await expect(page.locator('.col .ladder.dry')).toHaveCount(late ? 1 : 0);
    await expect(column.getByText('None is left in the Age deck.')).toHaveCount(late ? 1 : 0);
    await column.locator('.ask').click();
    await expect(page.locator('dialog.explain')).toContainText('level 1');
    await expect(
      page.getByText('No Religion card is left in the Age deck: Age III is on top'),
    ).toHaveCount(late ? 1 : 0);
    await page.keyboard.press('Escape');
  }
});

test('whose effect is copied is said', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page, { autoEnd: false });
  const record = find(POSITIONS.inspiration);
  await open(page, await put(page, record, [0], 1, ['', 'Ada', 'Bran', 'Chiara']));
  await page.keyboard.press('j');
  const option = page.locator('.option').first();
  await expect(option).toContainText(/from (Ada|Bran|Chiara)/);
  await option.click();
  await expect(page.locator('.say')).toContainText(
    /Inspiration copies it from (Ada|Bran|Chiara)\./,
  );
});

test('the tenth card has a key', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page, { autoEnd: false });
  let own = 0;
  const record = search({ players: 2 }, 1, ({ state: { seat, step, choice, hands } }) => {
    own = seat;
    const asks = step === 'choose' && (choice?.verb === 'give' || choice?.verb === 'discard');
    return asks && hands[seat].length > 9;
  });
  await open(page, await put(page, record, [own]));
  await page.locator('.go .main').waitFor();
  await page.keyboard.press('0');
  await expect(page.locator('.hand .card').nth(9)).toHaveClass(/sel/);
});

test('a hint says what is done with a card, beside the table', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page, { autoEnd: false });
  const record = find(POSITIONS.breakthrough);
  await open(page, await put(page, record, [0]));
  await page.keyboard.press('i');
  const hint = page.locator('.hints');
  await expect(hint.locator('li').first()).toContainText(/^Discard /);
  const own = (await page.locator('.own').boundingBox())!;
  expect((await hint.boundingBox())!.x).toBeGreaterThanOrEqual(own.x + own.width);
});

test('tall dialogs scroll inside their round corners, below their title', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await page.setViewportSize({ width: 1440, height: 700 });
  await visit(page, { autoEnd: false });
  await open(page, await put(page, find(POSITIONS.play), [0]));
  for (const way of ['?', 'sheet']) {
    if (way === '?') await page.keyboard.press('?');
    else await page.locator('[data-column="0M"] .ask').click();
    const dialog = page.locator('dialog[open]');
    const title = dialog.locator('header');
    expect(await dialog.evaluate((one) => one.scrollHeight - one.clientHeight)).toBeLessThan(1);
    const above = await Promise.all([dialog.boundingBox(), title.boundingBox()]);
    expect(above[1]!.y - above[0]!.y).toBeLessThan(1);
    await dialog.locator('.box').evaluate((one) => one.scrollTo(0, 99));
    expect((await title.boundingBox())!.y).toBeCloseTo(above[1]!.y, 0);
    await page.keyboard.press('Escape');
  }
});

test('Enter confirms what was chosen in a sheet', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page, { autoEnd: false });
  await open(page, await put(page, find(BY_CARD), [0]));
  const main = page.locator('.go .main');
  const sheet = page.locator('dialog.explain');
  await page.locator('button.threat').press('Enter');
  await sheet.locator('.use').first().press('Enter');
  await expect(sheet).toBeHidden();
  await expect(main).toContainText(/^Play /);
  await page.keyboard.press('Enter');
  await expect(main).toContainText(/^(Confirm|Lay) /); // what the card made possible
  await page.reload();
  await expect(main).toContainText(/^End turn/);

  const effect = page.locator('.fx[data-state=ready]').first();
  await effect.click({ button: 'right' });
  await sheet.locator('.asked .use').press('Enter');
  await expect(sheet).toBeHidden();
  await expect(main).toBeFocused();
});

test('on a phone every Domain is in sight, whoever threatens to win', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page, { autoEnd: false, language: 'fr' });
  for (const position of ['crowded', 'effects', 'threat', 'proven'] as const) {
    await open(page, await put(page, find(POSITIONS[position]), [0]));
    expect(await hidden(page), position).toEqual([]);
  }
});

test('on a phone coin and level cover nothing in the line of another player', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page, { autoEnd: false });
  const record = find({
    rules: { players: 4 },
    cheap: ({ seat, step, coin, tables }) =>
      seat === 0 &&
      step === 'effects' &&
      !!coin?.seat &&
      tables[coin.seat].filter(([letter]) => letter === coin.domain).length > 1,
  });
  await open(page, await put(page, record, [0]));
  await expect(page.locator('.pc:has(.coin):has(.lvl)')).toHaveCount(1);
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 });
    const wrong = await page.locator('.pc').evaluateAll((all) =>
      all.flatMap((one) => {
        const { left, right } = one.getBoundingClientRect();
        const parts = [...one.querySelectorAll('.pn > *, .pg > *')];
        const boxes = parts.map((part) => part.getBoundingClientRect());
        return boxes.flatMap((a, i) => [
          ...(a.left < left - 1 || a.right > right + 1 ? [parts[i].outerHTML] : []),
          ...boxes.slice(i + 1).flatMap((b) => {
            const [x, y] = [
              Math.min(a.right, b.right) - Math.max(a.left, b.left),
              Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top),
            ];
            return x > 0.5 && y > 3 ? [parts[i].outerHTML] : [];
          }),
        ]);
      }),
    );
    expect(wrong).toEqual([]);
  }
});

test('on a phone every Domain is in sight in a replay, too', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page, { language: 'fr' });
  for (const position of ['full', 'hegemony'] as const) {
    const { id } = await put(page, find(POSITIONS[position]), [0]);
    await page.goto(`/#/replay/${id}`);
    const way = page.locator('.scrub input');
    for (const key of ['Home', 'End']) {
      await way.press(key);
      expect(await hidden(page), position).toEqual([]);
    }
  }
});

test('on the smallest phone every Domain can be reached, and the hand stays', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await visit(page, { language: 'fr', autoEnd: false });
  for (const position of ['proven', 'full'] as const) {
    await open(page, await put(page, find(POSITIONS[position]), [0]));
    await page.locator('.mid').press('End');
    await expect.poll(() => hidden(page)).toEqual([]);
    await expect(page.locator('.hand')).toBeInViewport({ ratio: 1 });
    await expect(page.locator('.go .main')).toBeInViewport({ ratio: 1 });
  }
});

test('whose turn it is is said before anything has happened', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.route(/bots-.*wasm/, () => {}); // they think for ever
  await visit(page);
  let seed = 1;
  while (look(deal({ players: 3 }, seed), 0).view.seat !== 1) seed++;
  const { id } = await put(page, deal({ players: 3 }, seed), [0], 1, ['', 'Ada', 'Bran']);
  await page.goto(`/#/play/${id}`);
  await expect(page.locator('.psay')).toHaveText('Ada’s turn');
});

test('on large screens cards and what explains them grow', async ({ page }) => {
  await visit(page, { autoEnd: false });
  const game = await put(page, find(POSITIONS.effects), [0]);
  const wide = async (what: string) => (await page.locator(what).first().boundingBox())!.width;
  const sizes: number[][] = [];
  for (const [width, height] of [
    [1440, 900],
    [2560, 1440],
  ]) {
    await page.setViewportSize({ width, height });
    await open(page, game);
    await page.locator('.deck').click();
    sizes.push([await wide('.pile .card'), await wide('dialog.explain')]);
    await page.keyboard.press('Escape');
  }
  const [common, large] = sizes;
  expect(large[0] / common[0]).toBeGreaterThan(1.8);
  expect(large[1] / common[1]).toBeGreaterThan(1.3);
});

test('a game that is over warns of nothing', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page, { autoEnd: false });
  await open(page, await put(page, find(POSITIONS.lost), [0]));
  const low = page.locator('.goal button').nth(1);
  await expect(low).toContainText('The game is over');
  await expect(low).not.toContainText('Only');
  await expect(page.locator('.recap.against')).toHaveCount(0);
});

test('both ways to win and what is free are never cut', async ({ page }) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await visit(page, { autoEnd: false, language: 'fr' });
  await open(page, await put(page, find(POSITIONS.proven), [0]));
  for (const [width, height] of [
    [320, 640],
    [667, 375],
    [820, 1180],
    [1280, 720],
  ]) {
    await page.setViewportSize({ width, height });
    const cut = await page
      .locator('.goal button *, .unused .fx')
      .evaluateAll(
        (all) =>
          all.filter((one) => one.scrollWidth > one.clientWidth + 1 && one.clientWidth > 0).length,
      );
    expect(cut).toBe(0);
  }
});

test('free effects are mentioned once before the turn ends', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page, { autoEnd: false });
  await page.evaluate(() =>
    localStorage.setItem('civ.settings', '{"version":1,"pace":"instant","autoEnd":false}'),
  );
  await page.reload();
  await open(page, await put(page, find(POSITIONS.development), [0]));
  await page.keyboard.press('e');
  const reminder = page.locator('.reminder');
  await expect(reminder).toContainText('Development');
  const own = (await page.locator('.own').boundingBox())!;
  expect((await reminder.boundingBox())!.x).toBeGreaterThanOrEqual(own.x + own.width);
  await page.keyboard.press('Escape');
  await expect(reminder).toBeHidden();
  await expect(page).toHaveTitle('Your turn – CIV');
  await page.keyboard.press('e');
  await expect(reminder).toBeHidden();
});

test('an effect has its key, and says why it cannot be used', async ({ page }) => {
  await visit(page, { autoEnd: false });
  await open(page, await put(page, find(POSITIONS.development), [0]));
  await page.keyboard.press('F'); // as with Caps Lock it would be "F" without Shift
  await page.keyboard.press('f');
  await expect(page.locator('.psay, .say').first()).toContainText('Development');
  await page.keyboard.press('Escape');
  await page.keyboard.press('Shift+Y');
  await expect(page.locator('[data-read]')).toContainText('Republic');
});

test('the rules lead back to the game they were opened from', async ({ page }) => {
  await visit(page, { autoEnd: false });
  const game = await put(page, find(POSITIONS.effects), [0]);
  await open(page, game);
  await page.keyboard.press('?');
  await page.getByRole('link', { name: 'All the rules' }).click();
  await page.getByRole('link', { name: 'Back to the game' }).click();
  await expect(page).toHaveURL(new RegExp(`play/${game.id}$`));
});

test('an effect is named once and explained once', async ({ page }) => {
  await visit(page, { autoEnd: false });
  await open(page, await put(page, find(POSITIONS.development), [0]));
  for (const effect of ['development', 'attack', 'oligarchy']) {
    const button = page.locator(`.fx[data-effect="${effect}"]`);
    const name = texts.en[`effect.${effect}`];
    await expect(button).toHaveAccessibleName(new RegExp(`^${name}`));
    await expect(button).toHaveAccessibleDescription(texts.en[`explain.${effect}`]);
    await expect(button).not.toHaveAccessibleName(new RegExp(`${name}.*${name}`));
  }
});

test('digits choose cards, not one more of a card', async ({ page }) => {
  await visit(page, { autoEnd: false });
  const record = find({
    style: 'quiet',
    rules: { players: 4 },
    cheap: ({ seat, step, discard }, legal) =>
      seat === 0 &&
      step === 'effects' &&
      new Set(discard).size > 2 &&
      discard.length > new Set(discard).size &&
      mayUse(legal, 'republic'),
  });
  await open(page, await put(page, record, [0]));
  await page.keyboard.press('Shift+Y');
  const cards = page.locator('.chooser button.card');
  const many = page.locator('.chooser li', { has: page.locator('.many') }).first();
  const nth = await many.evaluate((li) => [...li.parentElement!.children].indexOf(li));
  const other = nth === 0 ? 1 : 0;
  await page.keyboard.press(`${nth + 1}`);
  await expect(page.locator('.chooser .more')).toBeVisible(); // one more of it could be chosen
  await page.keyboard.press(`${Math.max(nth, other) + 1 === nth + 1 ? other + 1 : nth + 2}`);
  await expect(page.locator('.go .main')).toContainText('Confirm');
  await expect(cards).toHaveCount(0); // the choice is complete, of two kinds
  const chosen = page.locator('.hand .card.ghost');
  await expect(chosen).toHaveCount(2);
  const names = await chosen.evaluateAll((all) =>
    all.map((one) => (one as HTMLElement).dataset.card),
  );
  expect(new Set(names).size).toBe(2);
});

test.describe('with a finger', () => {
  test.use({
    viewport: { width: 390, height: 844 },
    hasTouch: true,
    contextOptions: { isMobile: true },
  });

  test('the main button can be read after a tap on it', async ({ page }) => {
    await visit(page, { pace: 'slow', autoEnd: false });
    const record = deal({ players: 3 }, 5);
    const game = await put(page, record, [(record.first + 2) % 3]);
    await page.goto(`/#/play/${game.id}`);
    const main = page.locator('.go .main');
    await expect(main).toHaveText(texts.en['table.wait']);
    await expect(main).not.toHaveAttribute('aria-disabled', 'true');
    const look = () =>
      main.evaluate(async (element) => {
        await Promise.allSettled(element.getAnimations().map(({ finished }) => finished));
        const { color, backgroundColor } = getComputedStyle(element);
        return { color, backgroundColor };
      });
    // Unavailable again, it looks as it does where nobody has tapped.
    await main.tap();
    await expect(page).toHaveTitle('Your turn – CIV');
    await expect(main).toHaveAttribute('aria-disabled', 'true');
    const tapped = await look();
    await page.touchscreen.tap(200, 100);
    await page.reload();
    await expect(main).toHaveAttribute('aria-disabled', 'true');
    expect(tapped).toEqual(await look());
  });
});

test('on a phone nothing on the table moves while something is chosen', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page, { autoEnd: false });
  const places = () =>
    page.evaluate(() =>
      [...document.querySelectorAll('.lane, .ps')].map((one) => {
        const { top, height } = one.getBoundingClientRect();
        return [Math.round(top), Math.round(height)];
      }),
    );
  for (const [position, effect] of [
    ['attack', 'attack'],
    ['development', 'development'],
    ['inquisition', 'inquisition'],
  ] as const) {
    await open(page, await put(page, find(POSITIONS[position]), [0]));
    const before = await places();
    await page.locator(`.lane:has([data-effect=${effect}])`).click();
    await page.locator(`[data-explained=${effect}] .use`).click();
    await expect(page.locator('dialog.explain')).toBeHidden();
    expect(await places(), effect).toEqual(before);
  }
});

test('the first game on a device ends no turn by itself, and the deck tells of its Ages', async ({
  page,
}) => {
  await visit(page, { autoEnd: true, newcomer: true });
  await open(page, await put(page, find(POSITIONS.play), [0]));
  await page.locator('.hand .card.lit').first().click();
  await page.locator('.go .main').click();
  await expect(page.locator('.steps .now')).toContainText('Effects');
  await expect(page.locator('.go .main.ending')).toHaveCount(0);
  await page.locator('[data-spot=deck]').click();
  await expect(page.locator('dialog.explain')).toContainText('Age III');
});

test('what was done to oneself is said in full, and the list of it closes', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page, { autoEnd: false });
  const record = find(POSITIONS.play);
  await open(page, await put(page, record, [0]));
  const now: Look = engine.look({ record, seat: 0, you: true, from: 0 });
  const hits = hitsOf({ me: 0, now, story: now.story, told: now.story.at(-1)! });
  expect(hits.length).toBeGreaterThan(1); // so many that they need more than the bar is high
  const hit = page.locator('.recap.against .happened');
  for (const { brief } of hits)
    for (const letter of [brief.args.domains, brief.args.lost].flatMap(lettersIn))
      await expect(hit).toContainText(texts.en[`domain.${letter}`]);
  const { top, cut } = await hit.evaluate((one) => ({
    top: one.getBoundingClientRect().top,
    cut: one.scrollHeight > one.clientHeight + 1,
  }));
  expect(top).toBeGreaterThanOrEqual(0);
  expect(cut).toBe(false);
  await page.locator('.recap > button').click();
  await expect(page.locator('.recap .all')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(page.locator('.recap .all')).toBeHidden();
});

test('on a wide screen what everybody did since the last turn is there at once', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page, { autoEnd: false });
  await open(page, await put(page, find(POSITIONS.full), [0]));
  const lines = page.locator('.bar .recap .each > span');
  await expect(lines).toHaveCount(3);
  for (const line of await lines.all()) await expect(line).toContainText(/ (plays|uses|picks) /);
  const bar = (await page.locator('.bar').boundingBox())!;
  const last = (await lines.last().boundingBox())!;
  expect(last.y + last.height).toBeLessThanOrEqual(bar.y + bar.height);
  await page.locator('.recap > button').click();
  await expect(page.locator('.recap .all h3')).toHaveCount(3);
  // Whole sentences, as many as there is room for.
  await open(page, await put(page, find(POSITIONS.development), [0]));
  await expect(lines).toHaveCount(2);
  for (const line of await lines.all())
    expect(await line.evaluate((one) => one.scrollWidth - one.clientWidth)).toBeLessThan(2);
});
