// After a game at a table of the server: its record by a link, the check of its deal, and that it
// is kept where it was played.
import { expect, type Page } from '@playwright/test';
import type { GameRecord } from '../src/engine/types';
import { expectAccessible } from './axe';
import { random } from './games';
import { DESKTOP, type Invite, type Person, PHONE, test } from './online';
import type { Puppet } from './puppet';
import { texts } from './texts';

const en = texts.en;

interface Played {
  page: Page;
  table: string;
}

// After a game against a bot of the server, of so many decisions, that was given up. The number for
// the deal is remembered as the page does it.
async function played(person: Invite, ada: Puppet, decisions = 0, size = DESKTOP): Promise<Played> {
  const table = await ada.make({ players: 2 });
  await ada.open(table);
  await ada.done({ type: 'seat-bot', seat: 1, bot: 'random' });
  await ada.done({ type: 'start' });
  let left = decisions;
  ada.likes = (legal) => {
    left--;
    return legal[0];
  };
  await ada.play(random(1), (now) => left <= 0 && now.game?.view.seat === 0);
  await ada.done({ type: 'resign' });
  ada.stop();
  const { page } = await guest(person, ada, size);
  await page.goto('./favicon.svg');
  await page.evaluate(
    (numbers) => localStorage.setItem('civ.deals', numbers),
    JSON.stringify(ada.numbers),
  );
  return { page, table };
}

async function guest(person: Invite, puppet: Puppet, size = DESKTOP): Promise<Person> {
  const one = await person(puppet.name, { size });
  await one.become(puppet);
  return one;
}

const checkDeal = async (page: Page) => {
  await page.getByRole('button', { name: en['replay.deal'] }).click();
  return page.getByRole('dialog');
};

for (const size of [DESKTOP, PHONE])
  test(`a game can be looked back at, checked, and is kept ${size.width}x${size.height}`, async ({
    person,
    puppet,
  }) => {
    const { page, table } = await played(person, await puppet('Ada'), 6, size);
    await page.goto(`./#/record/${table}`);
    await expect(page.getByRole('slider')).toHaveAttribute('max', /^[1-9]/);
    await expect(page.getByRole('option', { name: 'Ada' })).toBeAttached();
    await expectAccessible(page);

    const dialog = await checkDeal(page);
    await expect(dialog.getByText(en['deal.proven'])).toBeVisible();
    await expect(dialog.locator('li[data-mark=yes]')).toHaveCount(4);
    await dialog.locator('summary').click();
    await expectAccessible(page);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(size.width);

    // Without the server, too.
    await page.route('**/api/**', (route) => route.abort());
    await page.goto('./#/games');
    await page.reload();
    await expect(page.locator('.game')).toHaveCount(1);
    await expect(page.locator('.game')).toContainText(en['games.online']);
    await page.locator('.game').getByRole('button', { name: en['games.replay'] }).click();
    await expect((await checkDeal(page)).getByText(en['deal.proven'])).toBeVisible();
    await page.goto(`./#/record/${table}`);
    await page.reload();
    await expect(page.getByRole('slider')).toBeVisible();
  });

test('a game that was deleted does not come back when it is looked at again', async ({
  person,
  puppet,
}) => {
  const { page, table } = await played(person, await puppet('Ada'));
  const games = page.locator('.game');
  await page.goto(`./#/record/${table}`);
  await expect(page.getByRole('slider')).toBeVisible();
  await page.goto('./#/games');
  await games.getByRole('button', { name: en['games.delete'] }).click();
  await page.getByRole('dialog').getByRole('button', { name: en['games.delete'] }).click();
  await expect(games).toHaveCount(0);
  // It can still be looked at.
  await page.goto(`./#/record/${table}`);
  await expect(page.getByRole('slider')).toBeVisible();
  await expect((await checkDeal(page)).getByText(en['deal.proven'])).toBeVisible();
  await page.goto('./#/games');
  await page.reload();
  await expect(page.getByRole('heading', { name: en['games.none'] })).toBeVisible();
  await expect(games).toHaveCount(0);
});

test('a stranger with the link sees the game, and what can be known of its deal', async ({
  person,
  puppet,
}) => {
  const { table } = await played(person, await puppet('Ada'));
  const { page: other } = await person('Eve');
  await other.goto(`./#/record/${table}`);
  await expect(other.getByRole('option', { name: 'Ada' })).toBeAttached();
  const dialog = await checkDeal(other);
  await expect(dialog.getByText(en['deal.fits'])).toBeVisible();
  await expect(dialog.locator('li[data-mark=open]')).toHaveCount(2);
  await other.goto('./#/games');
  // It is not theirs.
  await expect(other.getByRole('heading', { name: en['games.none'] })).toBeVisible();
});

test('a deck that was changed is found out', async ({ person, puppet }) => {
  const { page, table } = await played(person, await puppet('Ada'));
  await page.route('**/record', async (route) => {
    const answer = await route.fetch();
    const record: GameRecord = await answer.json();
    const at = record.deck.findLastIndex((card) => card !== record.deck.at(-1));
    const last = record.deck.length - 1;
    [record.deck[at], record.deck[last]] = [record.deck[last], record.deck[at]];
    await route.fulfill({ response: answer, json: record });
  });
  await page.goto(`./#/record/${table}`);
  const dialog = await checkDeal(page);
  await expect(dialog.getByText(en['deal.wrong'])).toBeVisible();
  await expect(dialog.locator('li[data-mark=no]')).toContainText(en['deal.mix-no-deck']);
  await expectAccessible(page);
});

test('where there is nothing to see there is a way on', async ({ person, puppet }) => {
  const ada = await puppet('Ada');
  const { page } = await guest(person, ada);
  await page.goto('./#/record/nothing');
  await expect(page.getByRole('alert')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: en['table.leave'] }).last().click();
  await expect(page).toHaveURL(/#\/$/);

  const table = await ada.make({ players: 2 });
  await page.goto(`./#/record/${table}`);
  await expect(page.getByRole('link', { name: en['deal.to-table'] })).toHaveAttribute(
    'href',
    `#/table/${table}`,
  );

  await page.route('**/api/**', (route) => route.abort());
  await page.reload();
  await expect(page.getByRole('alert')).toHaveText(en['online.unreachable']);
  await page.unroute('**/api/**');
  await page.getByRole('button', { name: en['page.retry'] }).click();
  await expect(page.getByRole('link', { name: en['deal.to-table'] })).toBeVisible();
});
