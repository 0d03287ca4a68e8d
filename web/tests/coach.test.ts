// The coach: it asks before a win is thrown away, tells of it afterwards, and lets one try again.
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe';
import { openGame } from './device';
import { file } from './engine';
import { find } from './games';
import { test } from './kept';
import { POSITIONS } from './positions';
import { open, put, visit } from './table';
import { type Language, texts } from './texts';

// A page of its own: nobody's patience ends here, however busy the machine is.
test.use({ own: true, serviceWorkers: 'block', contextOptions: { reducedMotion: 'reduce' } });
test.beforeEach(({ page }) =>
  page.addInitScript(() => {
    const set = window.setTimeout;
    const patient = (what: () => void, ms?: number) => (ms === 1500 ? 0 : set(what, ms));
    window.setTimeout = patient as typeof setTimeout;
  }),
);

const said = (language: Language): Record<string, string> => ({
  ...texts[language],
  ...JSON.parse(`${file(`text/learn/${language}.json`)}`),
});

async function sit(page: Page, language: Language = 'en') {
  await visit(page, { coach: true, autoEnd: false, language });
  await open(page, await put(page, find(POSITIONS.win), [0], 1, ['', 'Ben', 'Ada']));
  return find(POSITIONS.win).actions.length;
}

test('the coach speaks, by keyboard @main', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const en = said('en');
  const length = await sit(page);
  const actions = async () => (await openGame(page)).record.actions.length;
  const coach = page.locator('.coach');

  await page.keyboard.press('e');
  await expect(coach.getByRole('heading', { level: 2 })).toBeFocused();
  await expect(coach).toHaveAccessibleName(en['coach.ask-win']);
  await page.keyboard.press('h'); // what lies there can be read meanwhile
  await expect(page.locator('[data-read]')).toContainText('Military');
  await expectAccessible(page);
  await page.keyboard.press('Escape'); // to look
  await expect(coach).toBeHidden();
  expect(await actions()).toBe(length);

  await page.keyboard.press('e'); // asked once is enough
  await expect(coach).toHaveAccessibleName(en['coach.win']);
  await expect(coach.getByRole('heading', { level: 2 })).toBeFocused();
  await expect(coach).toContainText('Wins at once');
  await expect(page.getByText('Ben waits while you read.')).toBeVisible();
  await expectAccessible(page);
  // The table can be looked at meanwhile, also as it was.
  await page.locator('.log li button[title]').nth(-3).click();
  await expect(page.locator('.past')).toBeVisible();
  await expect(page.getByText('waits while you read')).toBeHidden();
  await page.keyboard.press('Escape');
  await expect(page.locator('.past')).toBeHidden();
  await expect(coach).toBeVisible();
  await coach.getByRole('heading', { level: 2 }).focus();
  await page.keyboard.press('Tab');
  await expect(page.getByRole('button', { name: en['coach.back'] })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(coach).toBeHidden();
  await expect(page.locator('.go .main')).toContainText('End turn');
  await expect.poll(() => openGame(page)).toMatchObject({ takenBack: 1 });
  expect(await actions()).toBe(length);
});

test('the coach speaks on a phone, and can be sent away', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  const ro = said('ro');
  const length = await sit(page, 'ro');
  await page.locator('.go .main').click();
  const coach = page.locator('.coach');
  await expect(coach).toHaveAccessibleName(ro['coach.ask-win']);
  await coach.getByRole('button', { name: ro['coach.end'] }).click();
  await expect(coach).toHaveAccessibleName(ro['coach.win']);
  await coach.getByRole('button', { name: ro['coach.off'] }).click();
  await expect(coach).toContainText(ro['coach.is-off']);
  await expectAccessible(page);
  await coach.getByRole('button', { name: ro['coach.on'] }).click();
  await expect
    .poll(async () => (await openGame(page)).record.actions.length)
    .toBeGreaterThan(length + 1);
});

// Where it lies over the table, as large as everything there.
for (const [width, height] of [
  [2560, 1440],
  [1280, 720],
] as const)
  test(`the coach covers neither the log nor the hand at ${width} × ${height}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await sit(page);
    await page.keyboard.press('e');
    const coach = (await page.locator('.coach').boundingBox())!;
    const rail = (await page.locator('.rail').boundingBox())!;
    const hand = (await page.locator('.handbar').boundingBox())!;
    const board = (await page.locator('.board').boundingBox())!;
    expect(coach.x + coach.width).toBeLessThanOrEqual(rail.x);
    expect(coach.y + coach.height).toBeLessThanOrEqual(hand.y);
    expect(coach.y).toBeGreaterThan(board.y);
    expect(coach.width / board.width).toBeGreaterThan(0.3);
  });
