// After the game: the review is made on the device, kept with the game, and read in every way.
import { expect, type Page } from '@playwright/test';
import type { GameRecord } from '../src/engine/types';
import { expectAccessible } from './axe';
import { entry, storedGame, storeGames } from './device';
import { finished, reviewed } from './games';
import { resize, speak } from './inplace';
import { test } from './kept';
import { visit } from './table';
import { texts } from './texts';

test.use({ serviceWorkers: 'block', locale: 'en-GB', contextOptions: { reducedMotion: 'reduce' } });

const en = texts.en;
const record = finished({ players: 3 }, 3);
const BOTS = ['human', 'level1', 'level1'];
// A game that was given up early is judged soon.
const given = (after: number): GameRecord => ({
  ...record,
  actions: record.actions.slice(0, after),
  result: { winners: [1], by: 'forfeit' },
});

async function put(page: Page, id: string, of: GameRecord, more: object = {}): Promise<void> {
  await storeGames(page, { [id]: entry(of, BOTS, ['', 'Ada', 'Bran'], more) });
}

const section = (page: Page, key: string) =>
  page.locator('section').filter({ has: page.getByRole('heading', { name: en[key] }) });

test('a game is judged in a worker, kept, and read by keyboard @main', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page);
  await put(page, 'judged', given(6));
  await page.goto('./#/review/judged');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Win by forfeit: Ada');
  await expect(page.getByRole('status').filter({ hasText: en['review.ready'] })).toBeAttached();
  await expect(page.getByRole('progressbar')).toHaveCount(0);
  await expect.poll(() => page.workers()).toHaveLength(0);
  await expect.poll(() => storedGame(page, 'judged')).toHaveProperty('review.turns');

  const slider = page.getByRole('slider', { name: en['review.cursor'] });
  await expect(slider).toHaveAttribute('aria-valuetext', /^At the end\. You \d+%, Ada \d+%, Bran/);
  await slider.focus();
  await page.keyboard.press('Home');
  await expect(slider).toHaveAttribute('aria-valuetext', /^Turn 1 · \w+\. You \d+%, Ada/);
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/#\/replay\/judged\/0$/);
  await page.getByRole('link', { name: en['end.review'] }).click();
  await expect(section(page, 'report.turns').getByRole('row')).not.toHaveCount(0);
  expect(page.workers()).toHaveLength(0); // it was there at once
});

test('who goes elsewhere has stopped it', async ({ page }) => {
  await visit(page);
  await put(page, 'left', record);
  await page.goto('./#/review/left');
  await expect(page.getByRole('progressbar')).toBeVisible();
  await expect.poll(() => page.workers().length).toBe(1);
  await page.goto('./#/games');
  await expect.poll(() => page.workers().length).toBe(0);
});

for (const [width, height] of [
  [1440, 900],
  [390, 844],
])
  test(`a review at ${width}×${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await visit(page);
    const review = reviewed(given(24));
    for (const turn of review.turns) turn.remark = null;
    review.turns[3].remark = 'error';
    review.moments = [3, 5];
    await put(page, 'whole', given(24), { review });
    await page.goto('./#/review/whole');
    await expect(page.locator('.rmoment')).toHaveCount(review.moments.length);
    await expect(page.locator('.rseat')).toHaveCount(3);
    const turns = section(page, 'report.turns');
    await expect(turns.locator('tbody tr')).toHaveCount(review.turns.length);
    await turns.getByRole('radio', { name: en['review.marked'] }).check();
    const marked = review.turns.filter(
      ({ remark, joker }, i) => remark || joker || i === review.turningPoint,
    );
    await expect(turns.locator('tbody tr')).toHaveCount(marked.length);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
    await expectAccessible(page);
    const { at } = review.turns[review.moments[0]];
    await page.locator('.rmoment').first().getByRole('link', { name: en['review.board'] }).click();
    await expect(page).toHaveURL(new RegExp(`#/replay/whole/${at}$`));
    const slider = page.locator('.scrub input');
    await expect(slider).toHaveValue(`${at}`);

    // The moments are marked along the slider, and the address names where one is.
    await page.locator('.marks button').last().click();
    const last = review.turns[review.moments[1]].at;
    await expect(slider).toHaveValue(`${last}`);
    await expect(page).toHaveURL(new RegExp(`#/replay/whole/${last}$`));
    await page.getByRole('button', { name: en['replay.turn-before'] }).click();
    expect(Number(await slider.inputValue())).toBeLessThan(last);
    const speed = page.getByRole('button', { name: /^Speed/ });
    await speed.click();
    await expect(speed).toHaveText('2×');
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width);
  });

test('turns and moments say when a pact was made, and how it ended', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page);
  const review = reviewed(given(24));
  const place = review.turns.findIndex(({ begin }) => begin >= 4);
  review.moments = [place];
  const at = review.turns[place].begin;
  const talk = [
    { at, seat: 0, say: 'truce' as const, to: [2], rounds: 1 },
    { at, seat: 2, say: 'yes' as const, offer: 1 },
  ];
  await put(page, 'pacts', { ...given(24), comments: { talk } }, { review });
  await page.goto('./#/review/pacts');
  const made = 'Bran agrees to a truce with you: 1 round.';
  await expect(page.locator('.rmoment .rpact')).toHaveText([made]);
  const turns = section(page, 'report.turns').locator('tbody tr');
  await expect(turns.nth(place).locator('.rpact')).toHaveText([made]);
  const ended = page.locator('.rturns .rpact').nth(1);
  await expect(ended).toHaveText(/The truce between .+ is over\.|broke the truce with/);
  await expectAccessible(page);
});

// Nothing in a moment is wider than what it stands in: text, tables, and what is pressed.
const spilt = (page: Page) =>
  page.evaluate(() => {
    const found: string[] = [];
    for (const box of document.querySelectorAll('.rmoment, .rtwo section')) {
      const { left, right } = box.getBoundingClientRect();
      const pad = Number.parseFloat(getComputedStyle(box).paddingRight);
      for (const one of box.querySelectorAll('*:not(.sr, .sr *)')) {
        for (const rect of one.getClientRects())
          if (rect.width > 0 && (rect.right > right - pad + 1 || rect.left < left))
            found.push(`${one.tagName} ${one.textContent?.trim().slice(0, 40)}`);
        if (one.matches('th[scope=row]') && one.scrollWidth > one.clientWidth + 1)
          found.push(`cut: ${one.textContent}`);
      }
    }
    return [...new Set(found)];
  });

test('moments with long lines fit at every size, and are read one after the other', async ({
  page,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page);
  const review = reviewed(given(90));
  const long = review.turns.map(({ better }, place) => ({ place, length: better.join().length }));
  review.moments = long
    .sort((a, b) => b.length - a.length)
    .slice(0, 4)
    .map(({ place }) => place);
  await storeGames(page, { long: entry(given(90), BOTS, ['', 'Sira', 'Ilinca'], { review }) });
  await page.goto('./#/review/long');
  await expect(page.locator('.rmoment')).toHaveCount(4);
  const found: Record<string, string[]> = {};
  for (const width of [320, 390, 600, 820, 1024, 1280, 1920, 2560, 1440])
    for (const language of ['en', 'fr', 'ro']) {
      await resize(page, [width, 900]);
      await speak(page, language);
      const wrong = await spilt(page);
      if (wrong.length > 0) found[`${width} ${language}`] = wrong;
      const lefts = await page
        .locator('.rmoment')
        .evaluateAll((all) => all.map((one) => Math.round(one.getBoundingClientRect().left)));
      expect(new Set(lefts).size, `columns at ${width}`).toBeLessThanOrEqual(2);
    }
  await page.screenshot({ path: '/tmp/web2-long.png', fullPage: true });
  expect(found).toEqual({});

  // Who reads is "you", marked turns say why, and what is tried comes along.
  await speak(page, 'en');
  await expect(page.locator('.rmoments')).toContainText(/from you|so must you|your hand/);
  await expect(page.locator('.review')).not.toContainText('Player 1');
  await expect(page.locator('.review')).toContainText('A joker is a lucky draw, worth 12 or more');
  const reasoned = review.turns.filter(({ remark, reasons }) => remark && reasons.length > 0);
  await expect(page.locator('.rturns .why')).toHaveCount(reasoned.length);
  await page.getByRole('button', { name: en['review.try'] }).first().click();
  await page.getByRole('button', { name: en['branch.start'], exact: true }).click();
  await expect(page).toHaveURL(/#\/play\//);
  const steps = page.getByRole('group', { name: en['trial.better'] }).getByRole('listitem');
  await expect(steps).toHaveCount(review.turns[review.moments[0]].better.length);
});

test('a replay begins where its log does, and is as high as the window', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page);
  await put(page, 'again', record);
  await page.goto('./#/replay/again');
  await expect(page.locator('.scrub input')).toHaveValue('0');
  const first = page.locator('.rail .log .lt').first();
  await expect(first).toHaveText(/^Turn 1, round 1/);
  await expect(first).toBeInViewport();
  await expect(page.getByRole('button', { name: en['table.log-earlier'] })).toHaveCount(0);
  expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBe(900);
});
