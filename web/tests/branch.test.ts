// Another move from any moment: of a game that is over, and while looking back at one that goes on.
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe';
import { entry, openGame, type StoredGame, storeGames } from './device';
import { finished, look } from './games';
import { test } from './kept';
import { open, put, settled, visit } from './table';
import { texts } from './texts';

test.use({ serviceWorkers: 'block', locale: 'en-GB', contextOptions: { reducedMotion: 'reduce' } });

const en = texts.en;
const whole = finished({ players: 2 }, 7);
// Seat 0 decides in the middle of it.
const at = whole.actions.findIndex((_, i) => {
  const { view } = look(whole, null, i);
  return i > 20 && view.seat === 0 && view.step === 'play';
});
const start = (page: Page) => page.getByRole('button', { name: en['branch.start'], exact: true });

// The branch, once its table stands: the address tells it from a table that stood before.
async function branched(page: Page, parent: string): Promise<StoredGame> {
  await expect(page).toHaveURL(new RegExp(`#/play/(?!${parent}$)`));
  await settled(page);
  return openGame(page);
}

test('a finished game is played on, cards as they were or dealt anew @main', async ({ page }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await visit(page);
  await storeGames(page, { old: entry(whole, ['human', 'level1'], ['', 'Ada']) });
  await page.goto(`./#/replay/old/${at}`);
  await page.getByRole('button', { name: en['replay.branch'] }).click();
  const dialog = page.getByRole('dialog', { name: en['replay.branch'] });
  await dialog.getByLabel(en['branch.same'], { exact: false }).check();
  await expectAccessible(page);
  await start(page).click();
  const same = await branched(page, 'old');
  expect(same.record.deck).toEqual(whole.deck);
  expect(same.record.actions).toEqual(whole.actions.slice(0, at));
  expect(same).toMatchObject({ parent: { game: 'old', at, hidden: 'same' } });

  // By keyboard, and dealt anew: the player sees the same.
  await page.goto(`./#/replay/old/${at}`);
  await page.getByRole('button', { name: en['replay.branch'] }).focus();
  await page.keyboard.press('Enter');
  await start(page).focus();
  await page.keyboard.press('Enter');
  const anew = await branched(page, 'old');
  expect(anew.record.deck).not.toEqual(whole.deck);
  expect(look(anew.record, 0, at).view).toEqual(look(whole, 0, at).view);
  expect(anew).toMatchObject({ parent: { game: 'old', at, hidden: 'anew' } });

  await page.goto('./#/games');
  // They go on, so they are not listed among what is over; what is over leads to its review.
  const listed = (key: string) =>
    page.locator('section').filter({ has: page.getByRole('heading', { name: en[key] }) });
  const running = listed('games.running-title').locator('.game');
  await expect(running).toHaveCount(2);
  await expect(running.first()).toContainText(en['games.branch-anew']);
  await expect(running.last()).toContainText(en['games.branch-same']);
  const over = listed('games.finished-title').locator('.game');
  await expect(over).toHaveCount(1);
  await expect(over).toContainText('1 Jan 1970'); // as in Britain
  await over.getByRole('link', { name: en['end.review'] }).click();
  await expect(page).toHaveURL(/#\/review\/old$/);
});

test('a running game is left as it is, and tried from an earlier moment', async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await visit(page);
  const record = { ...whole, actions: whole.actions.slice(0, at), result: null };
  const game = await put(page, record, [0]);
  await open(page, game);
  await page.getByRole('button', { name: en['table.log'], exact: false }).first().click();
  await page.locator('dialog[open] .log button, dialog[open] button[data-at]').first().click();
  await page.getByRole('button', { name: en['replay.branch'] }).click();
  await expect(page.getByRole('radio')).toHaveCount(0); // nothing is left as it was
  await expectAccessible(page);
  await start(page).click();
  const branch = await branched(page, game.id);
  expect(branch.record.actions.length).toBeLessThan(at);
  expect(branch).toMatchObject({ parent: { game: game.id, hidden: 'anew' } });
});

for (const [width, height] of [
  [1440, 900],
  [390, 844],
])
  test(`what was better is shown while it is tried, at ${width}×${height}`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await visit(page);
    const better = whole.actions.slice(at, at + 2);
    const record = { ...whole, actions: whole.actions.slice(0, at), result: null };
    const { turn } = look(whole, null, at).view;
    const parent = { game: 'old', at, turn, hidden: 'anew', better };
    const trial = entry(record, ['human', 'level1'], ['', 'Ada'], { parent });
    await storeGames(page, { trial });
    await page.goto('./#/play/trial');
    await settled(page);
    const mark = page.locator('.bar .trialmark');
    if (width < 1000) {
      await mark.click();
      await expectAccessible(page);
    } else {
      await expect(mark).toHaveText(en['trial.mark']);
    }
    const line = page.getByRole('group', { name: en['trial.better'] });
    await expect(line.getByRole('listitem')).toHaveCount(2);
    await expect(line.locator('[aria-current]')).toContainText('Play');
    if (width < 1000) return;
    await expectAccessible(page);
    expect(await line.evaluate((box) => box.scrollLeft)).toBe(0);
    const last = (await line.getByRole('listitem').last().boundingBox())!;
    const log = (await page.locator('.rail .log h2').boundingBox())!;
    expect(last.y + last.height).toBeLessThanOrEqual(log.y);
    await page.locator('.trial summary').focus();
    await page.keyboard.press('Enter');
    await expect(line).toBeHidden();
    // It is over with the turn.
    await page.locator('.hand .card.lit').first().click();
    await page.locator('.go .main').click();
    await page.locator('.go .main').click();
    await expect(mark).toHaveCount(0);
  });
