// What a newcomer asks at the table, and what it answers.
import { expect, test } from '@playwright/test';
import { find } from './games';
import { POSITIONS } from './positions';
import { open, put, visit } from './table';

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
      await expect(page.locator('.go .main')).toContainText('Confirm');
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

test('free effects are mentioned once before the turn ends', async ({ page }) => {
  await visit(page, { autoEnd: false });
  await page.evaluate(() =>
    localStorage.setItem('civ.settings', '{"version":1,"pace":"instant","autoEnd":false}'),
  );
  await page.reload();
  await open(page, await put(page, find(POSITIONS.development), [0]));
  await page.keyboard.press('e');
  const reminder = page.locator('.reminder');
  await expect(reminder).toContainText('Development');
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
