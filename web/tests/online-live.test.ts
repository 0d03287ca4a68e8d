// A game of two people at a table of the server, each with a browser of their own.
import { expect, type Page } from '@playwright/test';
import type { TableOptions } from '../src/net/types';
import { expectAccessible } from './axe';
import { dealt, type Invite, PHONE, recordOf, test } from './online';

// Everything at once, and no turn that ends by itself.
async function table(person: Invite, options: Partial<TableOptions> = {}): Promise<[Page, Page]> {
  const { ada, ben } = await gathered(person, options);
  return [ada.page, ben.page];
}

async function gathered(person: Invite, options: Partial<TableOptions> = {}) {
  const settings = { autoEnd: false };
  const [ada, ben] = [
    await person('Ada', { settings }),
    await person('Ben', { settings, size: PHONE }),
  ];
  return { ada, ben, id: await dealt([ada, ben], options) };
}

const told = (page: Page) => page.locator('.notices');
const lit = (page: Page) => page.locator('.hand button.card.lit').first();

// Who is to play, and who waits.
async function byTurn([one, other]: [Page, Page]): Promise<[Page, Page]> {
  await expect(
    lit(one)
      .or(one.getByRole('button', { name: /’s turn$/ }))
      .first(),
  ).toBeVisible();
  return (await lit(one).count()) > 0 ? [one, other] : [other, one];
}

async function menu(page: Page, entry: string) {
  await page.getByRole('button', { name: 'Menu' }).click();
  await page.getByRole('button', { name: entry }).click();
}

test('a turn is seen by the other, and ends in giving up', async ({ person, server }) => {
  const { ada, ben, id } = await gathered(person);
  const [mover, waiter] = await byTurn([ada.page, ben.page]);
  await lit(mover).click();
  await mover.locator('.go .main').click();
  // Within one's own turn nobody has to be asked. News does not move the table.
  const before = await waiter.locator('main').boundingBox();
  await mover.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect(told(waiter)).toContainText('Moves have been taken back.');
  expect(await waiter.locator('main').boundingBox()).toEqual(before);
  await lit(mover).click();
  await mover.locator('.go .main').click();
  await mover.getByRole('button', { name: 'End turn' }).click();
  await expect(mover.getByRole('button', { name: /’s turn$/ })).toBeVisible();
  await expect(lit(waiter)).toBeVisible();
  await expect(waiter).toHaveTitle('Your turn – CIV');

  await menu(waiter, 'Leave the game');
  const dialog = waiter.getByRole('dialog', { name: 'Leave the game?' });
  await expect(dialog).toContainText('the game ends');
  await dialog.getByRole('button', { name: 'Give up' }).click();
  await expect(mover.getByRole('dialog', { name: 'You have won!' })).toContainText('has given up.');
  await expect(waiter.getByRole('dialog', { name: /^Winner: / })).toBeVisible();
  // Nobody was told more than they could see, even of what was taken back.
  const record = await recordOf(server, id);
  for (const one of [ada, ben]) {
    one.wire.check(record, one.id);
    expect(one.wire.frames.some(({ text }) => text.includes('"type":"back"'))).toBe(true);
    expect(one.wire.checked).toBeGreaterThan(2);
  }
});

test('talk: phrases in the reader’s own language, text as text, unread, muting', async ({
  person,
}) => {
  const [ada, ben] = await table(person);
  const words = '<img src=x onerror=alert(1)> & “hello”';
  await ada.getByPlaceholder('Write a message').fill(words);
  await ada.keyboard.press('Enter');
  await expect(ada.locator('.chat .mine .words')).toHaveText(words);
  // On the phone it is announced, shown at the seat, and counted until it is read.
  await expect(ben.locator('.ps .bubble')).toHaveText(words);
  await expect(ben.getByRole('log').getByText(`Ada: ${words}`)).toBeAttached();
  await ben.getByRole('button', { name: '1 new message' }).click();
  await expect(ben.locator('.chat .words')).toHaveText(words);
  await expect(ben.locator('.unread')).toHaveCount(0);
  await expectAccessible(ben);

  await ben.getByRole('button', { name: 'Quick phrases' }).click();
  await ben.getByRole('button', { name: 'Good luck, have fun!' }).click();
  await expect(ada.locator('.chat .phrase')).toHaveText('Good luck, have fun!');
  await ada.locator('.chat').getByRole('button', { name: 'Ben' }).click();
  const mute = ada.getByRole('button', { name: 'Mute Ben' });
  await expect(mute).toBeFocused();
  await ada.keyboard.press('Escape');
  await expect(mute).toHaveCount(0);
  await expect(ada.locator('.chat').getByRole('button', { name: 'Ben' })).toBeFocused();
  await ada.keyboard.press('Enter');
  await expect(mute).toBeVisible();
  await ada.getByPlaceholder('Write a message').click();
  await expect(mute).toHaveCount(0);
  await ada.locator('.chat').getByRole('button', { name: 'Ben' }).click();
  await mute.click();
  await expect(ada.locator('.chat .phrase')).toHaveCount(0);
  await ada.getByRole('button', { name: 'Unmute Ben' }).click();
  await expect(ada.locator('.chat .phrase')).toBeVisible();
  await expectAccessible(ada);
});

test('in a draft everybody chooses at once, and may choose again', async ({ person }) => {
  const [ada, ben] = await table(person, { setup: 'draft' });
  const cards = ada.locator('.chooser button.card');
  await cards.first().click();
  await ada.keyboard.press('Enter');
  await expect(ada.getByRole('button', { name: 'Waiting for Ben' })).toBeVisible();
  await expect(ada.locator('.bar .say')).toContainText('You keep');
  await expect(ben.locator('.ps')).toContainText('has chosen');
  await expect(ada.locator('.opp')).toContainText('choosing');
  const keeps = ada.locator('.bar .say b');
  const before = (await keeps.textContent())!;
  await cards.nth(1).click();
  await ada.keyboard.press('Enter');
  await expect(keeps).toHaveText(/^You keep /);
  await expect(keeps).not.toHaveText(before);
  await expect(ada.getByRole('button', { name: 'Waiting for Ben' })).toBeVisible();
  await ben.locator('.chooser button.card').first().click();
  await ben.locator('.go .main').click();
  for (const page of [ada, ben])
    await expect(page.locator('.say, .psay')).toContainText('round 2 of 3');
});
