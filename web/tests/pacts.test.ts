// Pacts: offered, answered, given up and broken, by mouse, by keyboard and on a phone.
import { expect, type Page } from '@playwright/test';
import type { GameRecord } from '../src/engine/types';
import { expectAccessible } from './axe';
import { entry, storedGame, storeGames } from './device';
import { find } from './games';
import { test } from './kept';
import { POSITIONS } from './positions';
import { crowded, pacted } from './states';

// Without bots: what they say is told below.
test.use({
  serviceWorkers: 'block',
  contextOptions: { reducedMotion: 'reduce' },
  locale: 'en-GB',
});

const NAMES = ['', 'Ada', 'Bran', 'Chiara'];
const SEATS = ['human', 'level3', 'level4', 'level5'];

// A game in which the player may use Inquisition.
async function sit(
  page: Page,
  record: GameRecord,
  id = 'pacts',
  seats = SEATS,
): Promise<GameRecord> {
  await page.goto('./favicon.svg');
  await storeGames(page, { [id]: entry(record, seats, NAMES) });
  await page.goto(`./#/play/${id}`);
  if (seats !== SEATS) await page.locator('.curtain button').click();
  await page.locator('.go .main').waitFor();
  return record;
}

const said = async (page: Page) => (await storedGame(page, 'pacts')).record.comments?.talk ?? [];

test.describe('on a wide screen', () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  test('an offer takes two presses, and is seen until it is answered', async ({ page }) => {
    const { actions } = await sit(page, find(POSITIONS.inquisition));
    await page.keyboard.press('p');
    await expect(page.locator('[data-read]')).toHaveText('There are no pacts and no offers.');
    const before = page.getByRole('article', { name: 'Chiara' });
    const knot = before.getByRole('button', { name: 'Pacts with Chiara' });
    await expect(knot.locator('.tip')).toBeHidden();
    await knot.hover();
    await expect(knot.locator('.tip')).toBeVisible();
    await knot.click();
    const sheet = page.getByRole('dialog', { name: 'Pacts with Chiara' });
    await expect(sheet).toContainText('fair');
    await expectAccessible(page);
    await sheet.getByRole('button', { name: 'Offer' }).click();
    await expect(sheet).toBeHidden();
    await expect(before.getByRole('button', { name: 'Pacts with Chiara' })).toBeFocused();
    const ties = page.getByRole('list', { name: 'Pacts' });
    await expect(ties).toContainText('You offer Chiara a truce for 2 rounds.');
    await expect(page.locator('.log .pacted')).toHaveText('You offer Chiara a truce for 2 rounds.');
    await expect(page.locator('[data-live]')).toContainText('You offer Chiara a truce');
    const at = actions.length;
    await expect
      .poll(() => said(page))
      .toEqual([{ at, seat: 0, say: 'truce', to: [3], rounds: 2 }]);
    // The same is not offered twice.
    await before.getByRole('button', { name: 'Pacts with Chiara' }).click();
    await expect(sheet.getByRole('radio')).toHaveCount(0);
  });

  test('who breaks a word is asked first, and everybody is told', { tag: '@main' }, async ({
    page,
  }) => {
    const { actions } = await sit(page, pacted(find(POSITIONS.inquisition)));
    await expectAccessible(page);
    const inquire = async () => {
      await page.locator('.fx[data-effect="inquisition"]').click();
      await page.getByRole('button', { name: 'Choose Bran' }).click();
      await page.locator('.go .main').click();
    };
    await inquire();
    const question = page.getByRole('alertdialog', { name: 'Break your word?' });
    await expect(question).toContainText('This breaks your truce with Bran.');
    await expect(question).toContainText('Whoever breaks faith with a bot');
    await expect(question.getByRole('button', { name: 'Keep my word' })).toBeFocused();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(question).toBeHidden();
    expect((await storedGame(page, 'pacts')).record.actions).toHaveLength(actions.length);

    await inquire();
    await question.getByRole('button', { name: 'Break it' }).click();
    await expect(page.locator('.log .pacted').last()).toHaveText(
      /You broke the truce with Bran:\s+Inquisition\./,
    );
    const torn = page.getByRole('img', { name: 'You broke the truce with Bran: Inquisition.' });
    await expect(torn).toBeVisible();
    await expect(page.getByText('Has broken faith with 1 player in this game')).toBeAttached();
    await expectAccessible(page);
  });

  test('that bots do not forget is said only of them', async ({ page }) => {
    const seats = ['human', 'level3', 'human', 'level5'];
    await sit(page, pacted(find(POSITIONS.inquisition)), 'people', seats);
    await page.locator('.fx[data-effect="inquisition"]').click();
    await page.getByRole('button', { name: 'Choose Bran' }).click();
    await page.locator('.go .main').click();
    const question = page.getByRole('alertdialog', { name: 'Break your word?' });
    await expect(question).toContainText('everybody will be told');
    await expect(question).not.toContainText('Whoever breaks faith with a bot');
  });

  test('what holds is explained, and can be given up', async ({ page }) => {
    await sit(page, pacted(find(POSITIONS.inquisition)));
    await page.getByRole('button', { name: 'Truce between you and Bran: 2 rounds left.' }).click();
    const sheet = page.getByRole('dialog', { name: 'Pacts' });
    await sheet.getByRole('button', { name: 'Give up the truce with Bran' }).click();
    await expect(sheet).toBeHidden();
    await expect(page.locator('.log .pacted').last()).toContainText('You give up the truce');
    expect((await said(page)).at(-1)).toMatchObject({ seat: 0, say: 'give-up', pact: 2 });
  });

  test('who looks back answers nothing and gives nothing up', async ({ page }) => {
    await sit(page, pacted(find(POSITIONS.inquisition)));
    const offer = page.getByRole('group', { name: 'Ada offers you a truce for 2 rounds.' });
    await expect(offer.getByRole('button')).toHaveCount(2);
    await page.locator('.log li button').last().click();
    await expect(offer).toBeVisible();
    await expect(offer.getByRole('button')).toHaveCount(0);
    await page.getByRole('button', { name: 'Truce between you and Bran: 2 rounds left.' }).click();
    const sheet = page.getByRole('dialog', { name: 'Pacts' });
    await expect(sheet).toBeVisible();
    await expect(sheet.getByRole('button', { name: 'Give up' })).toHaveCount(0);
  });
});

test('an offer is answered by keyboard', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await sit(page, pacted(find(POSITIONS.inquisition)));
  await expectAccessible(page);
  const offer = page.getByRole('group', { name: 'Ada offers you a truce for 2 rounds.' });
  await page.locator('.lane').last().focus();
  await page.keyboard.press('Tab');
  await expect(offer.getByRole('button', { name: 'Yes' })).toBeFocused();
  await page.keyboard.press('Enter');
  await expect(offer).toBeHidden();
  await expect(page.locator('.go .main')).toBeFocused();
  await expect(
    page.getByRole('button', { name: 'Truce between you and Ada: 2 rounds left.' }),
  ).toBeVisible();
  await page.keyboard.press('p');
  await expect(page.locator('[data-read]')).toContainText('Truce between you and Ada');
  // From the sheet of a player, in two taps.
  await page.locator('.ps').last().click();
  await page.getByRole('radio', { name: '3' }).check();
  await page.getByRole('button', { name: 'Offer' }).click();
  expect((await said(page)).at(-1)).toMatchObject({ say: 'truce', to: [3], rounds: 3 });
});

// Where everything lies that is no pact; on a tablet only one's own stacks give way to an offer.
const layout = (page: Page) =>
  page
    .locator('.opp, .ps, .frame:not(.tablet) .col, .fxs, .lane, .handbar, .foot')
    .evaluateAll((all) => all.map((one) => JSON.stringify(one.getBoundingClientRect())));

for (const [width, height] of [
  [1440, 900],
  [1280, 720],
  [820, 1180],
  [390, 844],
  [844, 390],
] as const)
  test(`nothing moves for a pact at ${width} × ${height}, and none touches a name`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    const record = find(POSITIONS.inquisition);
    await sit(page, record);
    const before = await layout(page);
    const talk = [
      { seat: 0, say: 'truce' as const, to: [2], rounds: 2 },
      { seat: 2, say: 'yes' as const, offer: 1 },
      { seat: 2, say: 'truce' as const, to: [3], rounds: 3 },
      { seat: 3, say: 'yes' as const, offer: 3 },
      { seat: 1, say: 'truce' as const, to: [0], rounds: 2 },
    ].map((said) => ({ at: record.actions.length, ...said }));
    await sit(page, { ...record, comments: { talk } }, 'others');
    await expect(page.locator('.ties .ribbon')).toHaveCount(2);
    expect(await layout(page)).toEqual(before);
    const touched = await page.locator('.ties :is(.rb, .tie)').evaluateAll(
      (ties) =>
        [...document.querySelectorAll('.col h2, .pname, .mhead, .lane')].filter((name) => {
          const a = name.getBoundingClientRect();
          return ties.some((tie) => {
            const b = tie.getBoundingClientRect();
            return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
          });
        }).length,
    );
    expect(touched).toBe(0);
  });

test('on a phone no more lies at a player than there is room for', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await sit(page, crowded());
  await expect(page.locator('.brief')).toHaveCount(3);
  for (const ribbon of await page.locator('.brief .ribbon').all())
    expect((await ribbon.boundingBox())!.x).toBeGreaterThanOrEqual(0);
  await page.locator('.brief').nth(1).getByRole('button').click();
  const sheet = page.getByRole('dialog', { name: 'Pacts' });
  await expectAccessible(page);
  await sheet
    .getByRole('button', { name: 'Truce between Bran and Chiara: 3 rounds left.' })
    .click();
  await expect(sheet).toContainText('No Inquisition');
});

// In rectangles of the screen.
const isCovered = (page: Page, over: string, under: string) =>
  page.evaluate(
    ([over, under]) => {
      const all = (which: string) =>
        [...document.querySelectorAll(which)].map((one) => one.getBoundingClientRect());
      return all(under).some((a) =>
        all(over).some(
          (b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom,
        ),
      );
    },
    [over, under],
  );

for (const [width, height] of [
  [1440, 900],
  [1280, 720],
  [820, 1180],
] as const)
  test(`an offer shows its terms at ${width} × ${height}, and ribbons cover nothing`, async ({
    page,
  }) => {
    await page.setViewportSize({ width, height });
    await sit(page, crowded());
    const offer = page.getByRole('group', { name: 'Ada offers you a truce for 2 rounds.' });
    await expect(offer.getByText('No Inquisition, Embargo or Democracy')).toBeVisible();
    expect(await isCovered(page, '.ties .rb', '.opp, .col')).toBe(false);
    expect(await isCovered(page, '.ties .offer', '.col, .ties .rb')).toBe(false);
    if (width === 1440) expect(await isCovered(page, '.ties .offer', '.opp')).toBe(false);
    await offer.getByRole('button', { name: 'No' }).click();
    expect(await isCovered(page, '.ties .rb', '.opp, .col')).toBe(false);
    await page.getByRole('button', { name: /^\d more pacts?$/ }).click();
    const sheet = page.getByRole('dialog', { name: 'Pacts' });
    await expect(sheet.getByRole('listitem')).toHaveCount(8);
  });
