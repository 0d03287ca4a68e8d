// The lessons: one by touch on a phone, one by keyboard, the way in, and the game at their end.
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe';
import { storedGames } from './device';
import { file } from './engine';
import { test } from './kept';
import { visit } from './table';
import { texts } from './texts';

test.use({ serviceWorkers: 'block', locale: 'en-GB', contextOptions: { reducedMotion: 'reduce' } });

const en: Record<string, string> = {
  ...texts.en,
  ...JSON.parse(`${file('text/learn/en.json')}`),
};
const said = (page: Page) => page.locator('.said');
const main = (page: Page) => page.locator('.go .main');
const meant = (page: Page) => page.locator('[data-meant]');

test('a lesson is learnt by touch on a phone @main', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page);
  await page.goto('./#/learn/4');
  await page.locator('.hand .card[data-meant]').click();
  await expect(said(page)).toHaveText(en['learn.confirm']);
  await main(page).click();
  await page.locator('.lane[data-meant]').click();
  await page.locator('.use[data-meant]').click();

  // Culture would cost nobody else anything: compared, and put back.
  await page.locator('.lane[data-column="0C"]').click();
  await expect(page.locator('.evid li')).toHaveCount(2);
  await expect(page.locator('.evid')).toContainText('Bran, Religion: 3, then 2');
  await meant(page).click();
  await expect(meant(page)).toHaveAttribute('data-column', '0R');

  // And where it was done all the same, it can be done again.
  await page.locator('.lane[data-column="0C"]').click();
  await main(page).click();
  await expect(main(page)).toHaveText(en['learn.retry']);
  await main(page).click();
  await page.getByRole('button', { name: en['learn.show'] }).click();
  await main(page).click();
  await expect(page.getByRole('heading', { name: en['lesson.attack.end'] })).toBeVisible();
  await page.getByRole('link', { name: /Embargo/ }).click();
  await expect(said(page)).toContainText('Ada has four');
  await page.goto('./#/learn');
  await expect(page.locator('.lage .done')).toHaveCount(1);
});

test('a lesson is learnt by keyboard, and told to those who do not see it', async ({ page }) => {
  await visit(page);
  await page.goto('./#/learn/2');
  const told = page.getByRole('status').filter({ hasText: 'Religion' });
  await expect(told).toContainText('Play the third');
  await page.keyboard.press('1'); // another card: nothing is lost
  await expect(told).toContainText('just one more');
  await page.keyboard.press('Escape');
  await page.keyboard.press('2');
  await page.keyboard.press('Enter');
  await expect(told).toContainText('level 1 is awake');
  await page.keyboard.press('d');
  await page.keyboard.press('Enter');
  await page.keyboard.press('u'); // back to the step before
  await expect(told).toContainText('level 1 is awake');
  await page.keyboard.press('d');
  await page.keyboard.press('Enter');
  await page.keyboard.press('e');
  const end = page.getByRole('dialog', { name: en['lesson.levels.end'] });
  await expect(end).toBeVisible();
  await expectAccessible(page);
  await end.getByRole('link', { name: en['learn.all'] }).focus();
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { level: 1 })).toHaveText(en['home.learn-title']);
});

test('newcomers are led to the lessons, and from there to a game', async ({ page }) => {
  await visit(page, { newcomer: true });
  await page.locator('.hero').getByRole('link', { name: en['home.learn-title'] }).click();
  await expect(page.locator('.lage li')).toHaveCount(14);
  await page.getByRole('button', { name: en['learn.game'] }).click();
  await expect(main(page)).toBeVisible();
  const [game] = await storedGames(page);
  expect(game.seats).toEqual(['human', 'level1', 'level1']);
});

test('the last lesson ends with that game, not with the list', async ({ page }) => {
  await visit(page, { newcomer: true });
  await page.goto('./#/learn/12');
  for (const step of [1, 2, 3, 4]) {
    await expect(page.getByLabel(`Step ${step} of 4`).first()).toBeVisible();
    await page.getByRole('button', { name: en['learn.skip'] }).click();
  }
  const end = page.getByRole('dialog', { name: en['lesson.draft.end'] });
  await end.getByRole('button', { name: en['learn.game'] }).click();
  await expect(page).toHaveURL(/#\/play\//);
  await expect(main(page)).toBeVisible();
  const [game] = await storedGames(page);
  expect(game.seats).toEqual(['human', 'level1', 'level1']);
});
