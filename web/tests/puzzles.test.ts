// Puzzles: a wrong turn on a phone and its answer, one by keyboard, and the way in.
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe';
import { file } from './engine';
import { test } from './kept';
import { visit } from './table';
import { texts } from './texts';

test.use({ serviceWorkers: 'block', locale: 'en-GB', contextOptions: { reducedMotion: 'reduce' } });

const en: Record<string, string> = {
  ...texts.en,
  ...JSON.parse(`${file('text/learn/en.json')}`),
};
const LINES = `${file('web/src/learn/puzzles.txt')}`.trimEnd().split('\n');
const main = (page: Page) => page.locator('.go .main');
const verdict = (page: Page) => page.locator('.pverdict');
const win = LINES.findIndex((line) => line[1] === 'w');

test('a puzzle on a phone: a wrong turn is answered, and the answer shown @main', async ({
  page,
}) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page);
  await page.goto(`./#/puzzles/${win + 1}`);
  await expect(page.getByRole('heading', { name: en['puzzles.goal-win'], level: 2 })).toBeVisible();
  await expect(page.locator('.phow')).toContainText(en['puzzles.how']);
  await page.locator('.hand .card.lit').first().click();
  await main(page).click();
  await main(page).click();
  await expect(verdict(page)).toContainText(en['puzzles.wrong']);
  await expectAccessible(page);
  await expect(main(page)).toHaveText(en['puzzles.again']);
  await page.getByRole('button', { name: en['puzzles.show'] }).click();
  await expect(verdict(page)).toContainText(en['puzzles.why']);
  await expect(verdict(page)).toContainText('Wins at once');
  await expect(page.locator('.psteps li').first()).toBeVisible();
  await main(page).click();
  await expect(main(page)).not.toHaveText(en['puzzles.next']);
});

test('the puzzle of the day by keyboard, and shown', async ({ page }) => {
  // A day whose puzzle is solved by a long turn, and where every card may be played.
  const lineOf = (day: number) => LINES[(day * 223) % LINES.length];
  let day = Date.parse('2026-11-18') / 86_400_000;
  while (lineOf(day).split(', ').length < 5 || / e\d/.test(lineOf(day))) day++;
  await page.clock.setFixedTime((day + 0.5) * 86_400_000);
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page);
  await page.getByRole('link', { name: en['home.puzzles'] }).click();
  await expect(page.locator('.lwhich').first()).toHaveText(en['puzzles.day']);
  await page.goto(`./#/puzzles/${LINES.indexOf(lineOf(day)) + 1}`);
  await expect(page.locator('.lwhich').first()).not.toHaveText(en['puzzles.day']);
  await expect(page.locator('.hand .card.lit').first()).toBeVisible();
  await page.keyboard.press('1');
  await page.keyboard.press('Enter');
  await expect(page.locator('.psteps li:not(.none)')).toHaveCount(1);
  await page.keyboard.press('u');
  await expect(page.locator('.psteps .none')).toBeVisible();
  await page.getByRole('button', { name: en['puzzles.show'] }).focus();
  await page.keyboard.press('Enter');
  await expect(verdict(page)).toContainText(en['puzzles.shown']);
  await expectAccessible(page);
  // All of it can be read, and nobody is called a player with a number.
  const steps = page.locator('.rail .psteps');
  expect(await steps.evaluate((list) => list.scrollHeight - list.clientHeight)).toBeLessThan(2);
  await expect(page.locator('body')).not.toContainText('Player 1');
  await page.locator('.rail .disc').scrollIntoViewIfNeeded();
  await expect(page.locator('.rail .disc')).toBeInViewport({ ratio: 0.9 });
});

test('the puzzle of the day is counted once when it is solved', async ({ page }) => {
  // A day whose puzzle is solved by one card.
  const cardOf = (day: number) =>
    /[^,] play (\w\d), end$/.exec(LINES[(day * 223) % LINES.length])?.[1];
  let day = Date.parse('2026-11-24') / 86_400_000;
  while (!cardOf(day)) day++;
  const card = cardOf(day);
  await page.clock.setFixedTime((day + 0.5) * 86_400_000);
  const errors: string[] = [];
  page.on('pageerror', ({ message }) => errors.push(message));
  page.on('console', (said) => said.text().includes('svelte') && errors.push(said.text()));
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page);
  await page.goto('./#/puzzles');
  await expect(page.locator('.lwhich').first()).toHaveText(en['puzzles.day']);
  await page.locator(`.hand [data-card="${card}"]`).first().click();
  await main(page).click();
  await expect(page.locator('.psteps li:not(.none)')).toHaveCount(1);
  await main(page).click();
  await expect(verdict(page)).toContainText(en['puzzles.solved']);
  await expect(page.locator('.prow').first()).toContainText('1 in a row');
  expect(errors).toEqual([]);
});
