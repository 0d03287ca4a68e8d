// The lessons and long choices on a phone: what is ringed can be chosen, what is chosen from can be
// seen, and the way on stays open.
import { expect, type Page } from '@playwright/test';
import { file } from './engine';
import { find } from './games';
import { test } from './kept';
import { POSITIONS } from './positions';
import { open, put, visit } from './table';
import { texts } from './texts';

test.use({
  serviceWorkers: 'block',
  locale: 'en-GB',
  contextOptions: { reducedMotion: 'reduce' },
  viewport: { width: 390, height: 844 },
});

const en: Record<string, string> = {
  ...texts.en,
  ...JSON.parse(`${file('text/learn/en.json')}`),
};
const main = (page: Page) => page.locator('.go .main');

async function lesson(page: Page, number: number, ...skips: number[]): Promise<void> {
  await visit(page);
  await page.goto(`./#/learn/${number}`);
  for (const step of skips) {
    await expect(page.getByLabel(new RegExp(`^Step ${step} of`)).first()).toBeVisible();
    await page.getByRole('button', { name: en['learn.skip'] }).click();
  }
}

test('only what can be chosen is ringed, and a small column of a strip can be, too', async ({
  page,
}) => {
  await lesson(page, 3, 1);
  await page.locator('.lane[data-meant]').click();
  await page.locator('.use[data-meant]').click();
  await expect(page.locator('.chooser .target[data-meant]').first()).toBeVisible();
  await expect(page.locator('.ps [data-meant]')).toHaveCount(0);
  await page.locator('.pc.open[data-column="1M"]').click();
  await expect(main(page)).toHaveText('Lay the Embargo on Ada’s Military');
  await expect(page.locator('dialog[open]')).toHaveCount(0);
});

test('the end of a lesson is not closed by a tap that was meant for what it covers', async ({
  page,
}) => {
  await lesson(page, 1, 1, 2, 3);
  const end = page.getByRole('dialog', { name: en['lesson.turn.end'] });
  await expect(end).toBeVisible();
  await page.mouse.click(195, 806);
  await expect(end).toBeVisible();
  await page.waitForTimeout(700);
  await page.mouse.click(195, 806);
  await expect(end).toBeHidden();
  await main(page).click();
  await expect(end.getByRole('link', { name: /Next/ })).toBeVisible();
});

test('what several cards are chosen for is said, and all of them are compared', async ({
  page,
}) => {
  await lesson(page, 6, 1, 2);
  await expect(main(page)).toHaveText('Choose 3 cards to give back');
  const card = (name: string) => page.locator(`.hand .card[data-card=${name}]`).first();
  await card('M1').click();
  await expect(main(page)).toHaveText('Choose 2 more to give back');
  await card('E1').click();
  await card('S1').click();
  await expect(page.locator('.evid li').first()).toContainText(/Military.+Economy.+Science/);
  await expect(page.locator('.evid li').last()).toContainText(/Military.+Economy.+Culture/);
  await card('S1').click();
  await expect(page.locator('.hand .card.sel')).toHaveCount(2);
});

test('a hand of seven stands in one row', async ({ page }) => {
  await lesson(page, 8, 1, 2);
  const cards = page.locator('.hand .card');
  await expect(cards).toHaveCount(7);
  const tops = await cards.evaluateAll((all) => all.map((one) => (one as HTMLElement).offsetTop));
  expect(new Set(tops).size).toBe(1);
  const [foot, last] = await Promise.all(
    ['.foot .within', '.lane >> nth=-1'].map((one) => page.locator(one).boundingBox()),
  );
  expect(last!.y + last!.height).toBeLessThanOrEqual(foot!.y + 1);
});

test('cards to take back are whole, under a heading, and a lane is as good', async ({ page }) => {
  await visit(page, { autoEnd: false });
  await open(page, await put(page, find(POSITIONS.research), [0]));
  await page.keyboard.press('Shift+G');
  const list = page.getByRole('list', { name: en['table.area'] }).last();
  await expect(page.locator('.chooser .what')).toContainText(en['table.area']);
  const lane = page.locator('.lane.pick').first();
  await lane.click();
  await expect(main(page)).toHaveText('Choose 1 more to take back');
  const chosen = list.locator('.card.sel');
  await expect(chosen).toHaveCount(1);
  const [card, rest] = await Promise.all(
    [chosen, page.locator('.rest')].map((one) => one.boundingBox()),
  );
  expect(card!.y).toBeGreaterThanOrEqual(rest!.y);
});
