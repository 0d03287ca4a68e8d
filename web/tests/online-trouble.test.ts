// What can go wrong on the way between browsers and a server, and what players notice of it: as
// little as possible.
import { expect, type Page } from '@playwright/test';
import { Driver, playOn } from './driver';
import { card, Person, PHONE, recordOf, seated, test, type Wishes } from './online';
import { Server, verify } from './online-server';
import type { Puppet } from './puppet';
import { main } from './table';

const lost = ({ page, words }: Person) => page.locator('.notices').getByText(words['live.lost']);
const actionsOf = (ben: Puppet) => ben.known!.game!.actions;
const own = (page: Page) => page.locator('[data-zone=table0]'); // cards on one's table
const stays = (page: Page) => page.evaluate(() => ((window as { stayed?: boolean }).stayed = true));
const stayed = (page: Page) =>
  page.evaluate(() => (window as { stayed?: boolean }).stayed === true);

test('a server killed again and again: nobody reloads, no move is lost or done twice', async ({
  browser,
}) => {
  // A server of its own: others would be killed with it.
  const mortal = await Server.start();
  try {
    const people = await Promise.all([
      Person.with(browser, mortal, 'Ada', {}),
      Person.with(browser, mortal, 'Ben', { size: PHONE, language: 'fr' }),
    ]);
    const table = await seated(people, {}, 1);
    for (const one of people) await stays(one.page);
    const drivers = people.map((one, seat) => new Driver(one, 20 + seat));
    let decisions = 0;
    let goal = { decisions: 0, reached: () => {} };
    for (const one of drivers)
      one.decided = () => {
        if (++decisions >= goal.decisions) goal.reached();
      };
    const games = Promise.all(drivers.map((one) => one.play()));
    const over = games.then(() => true);
    over.catch(() => {});
    let kills = 0;
    for (const pause of [4, 5, 7, 9, 12]) {
      const reached = new Promise<false>((done) => {
        goal = { decisions: decisions + pause, reached: () => done(false) };
      });
      if (await Promise.race([over, reached])) break;
      await mortal.kill();
      kills++;
      await mortal.restart();
    }
    await games;
    expect(kills).toBeGreaterThan(2);
    const record = await recordOf(mortal, table);
    expect(verify(record)).toBe('');
    for (const [seat, one] of people.entries()) {
      expect(await stayed(one.page)).toBe(true);
      one.wire.check(record, one.id);
      one.wire.once(record, seat);
      expect(one.errors).toEqual([]);
    }
  } finally {
    await mortal.stop();
  }
});

for (const [title, wishes] of [
  ['wide', {}],
  ['a phone', { size: PHONE }],
] as [string, Wishes][])
  test(`a cut wire, ${title}: a quiet notice, and a choice that was begun is still there`, async ({
    duel,
  }) => {
    const { ada, ben } = await duel(wishes);
    await stays(ada.page);
    await ada.press(card(ada.page));
    await expect(ada.page.locator('.hand .card.sel')).toHaveCount(1);
    ada.cable.cut();
    await expect(lost(ada)).toBeVisible();
    await expect(ada.page.locator('.hand .card.sel')).toHaveCount(1);
    ada.cable.restore();
    await expect(lost(ada)).toBeHidden();
    await expect(ada.page.locator('.hand .card.sel')).toHaveCount(1);
    const before = actionsOf(ben);
    await ada.press(main(ada.page));
    await ben.until((now) => now.game!.actions === before + 1);
    expect(await stayed(ada.page)).toBe(true);
    expect(ada.errors).toEqual([]);
  });

test('a move while the wire is cut shows at once, and reaches the others once it is back', async ({
  duel,
}) => {
  const { ada, ben } = await duel();
  const before = actionsOf(ben);
  const cards = await own(ada.page).count();
  ada.cable.cut();
  await expect(lost(ada)).toBeVisible();
  await card(ada.page).click();
  await main(ada.page).click();
  await expect(own(ada.page)).toHaveCount(cards + 1);
  expect(actionsOf(ben)).toBe(before);
  ada.cable.restore();
  await ben.until((now) => now.game!.actions > before);
  await expect(lost(ada)).toBeHidden();
  await main(ada.page).click();
  const after = await ben.until((now) => now.game!.actions > before + 1);
  expect(after.game!.actions).toBe(before + 2); // the card, and the end of the turn
});

test('what others do while the wire is cut is caught up', async ({ duel }) => {
  const { ada, ben, chance } = await duel();
  await card(ada.page).click();
  await main(ada.page).click();
  await main(ada.page).click();
  await ben.until((now) => now.game!.view.seat === 1);
  ada.cable.cut();
  await expect(lost(ada)).toBeVisible();
  const table1 = ada.page.locator('[data-zone=table1]');
  const before = await table1.count();
  await ben.play(chance, (now) => now.game!.view.seat === 0);
  expect(await table1.count()).toBe(before);
  ada.cable.restore();
  const { game } = ben.known!;
  await expect(table1).toHaveCount(game!.view.tables[1].length);
  await expect(lost(ada)).toBeHidden();
});

test('one’s own card is on the table before the server could know of it', async ({ duel }) => {
  const { ada, ben } = await duel();
  const before = actionsOf(ben);
  const cards = await own(ada.page).count();
  ada.cable.hold();
  await card(ada.page).click();
  await main(ada.page).click();
  await expect(own(ada.page)).toHaveCount(cards + 1);
  expect(actionsOf(ben)).toBe(before);
  // And the turn can be ended after it.
  await main(ada.page).click();
  expect(actionsOf(ben)).toBe(before);
  ada.cable.release();
  await ben.until((now) => now.game!.view.seat === 1);
  await expect(ada.page.locator('.go .main.sending')).toHaveCount(0);
  await expect(own(ada.page)).toHaveCount(cards + 1);
});

test('a slow and bad line: the game comes to its end', async ({ person, server }) => {
  const people = await Promise.all([person('Ada'), person('Ben', { size: PHONE, language: 'pt' })]);
  const table = await seated(people, {});
  for (const one of people) one.cable.slow({ delay: 200, jitter: 80, stall: 900, often: 8 });
  const drivers = people.map((one, seat) => new Driver(one, 30 + seat));
  await playOn(drivers, process.env.CIV_LONG === '1' ? undefined : 25);
  if (process.env.CIV_LONG === '1') expect(verify(await recordOf(server, table))).toBe('');
  for (const one of people) {
    await expect(one.page.locator('.notices .notice')).toHaveCount(0); // slow is not lost
    expect(one.errors).toEqual([]);
  }
});

test('two tabs: the newer one plays, the older one says so and can take it back', async ({
  duel,
}) => {
  const { ada, table } = await duel();
  const old = ada.page;
  const other = await ada.tab();
  await other.goto(`./#/table/${table}`);
  await expect(card(other)).toBeVisible();
  const curtain = (page: Page) => page.getByText(ada.words['table.elsewhere'], { exact: true });
  await expect(curtain(old)).toBeVisible();
  await old.getByRole('button', { name: ada.words['table.here'] }).click();
  await expect(card(old)).toBeVisible();
  await expect(curtain(other)).toBeVisible();
  // They do not take it from each other by themselves.
  await card(old).click();
  await main(old).click();
  await expect(curtain(other)).toBeVisible();
  await expect(curtain(old)).toBeHidden();
});

test('a move that the server refuses is undone, with the reason', async ({ duel }) => {
  // A page that knows less than it thinks.
  let stale = false;
  const { ada, ben } = await duel({}, {}, ({ page }) =>
    page.routeWebSocket(/\/live/, (socket) => {
      const far = socket.connectToServer();
      socket.onMessage((text) => {
        const sent = JSON.parse(`${text}`);
        far.send(sent.type === 'act' && stale ? JSON.stringify({ ...sent, builds: 0 }) : text);
      });
    }),
  );
  stale = true;
  const before = actionsOf(ben);
  const cards = await own(ada.page).count();
  await card(ada.page).click();
  await main(ada.page).click();
  await expect(ada.page.locator('.notices').getByText(ada.words['error.stale'])).toBeVisible();
  await expect(own(ada.page)).toHaveCount(cards);
  expect(actionsOf(ben)).toBe(before);
  stale = false;
  await card(ada.page).click();
  await main(ada.page).click();
  await expect(own(ada.page)).toHaveCount(cards + 1);
  await ben.until((now) => now.game!.actions === before + 1);
  await expect(ada.page.locator('.notices .notice')).toHaveCount(0);
});

test('back, forward, reload, closing and coming again: the game is where it was', async ({
  duel,
}) => {
  const { ada, ben, table, chance } = await duel();
  const before = actionsOf(ben);
  await card(ada.page).click();
  await main(ada.page).click();
  await ben.until((now) => now.game!.actions > before);
  const cards = await own(ada.page).count();
  await ada.page.reload();
  await expect(own(ada.page)).toHaveCount(cards);
  // By the menu home, and by the browser's button back.
  await ada.page.locator('.bar .ib').first().click();
  await ada.page.getByRole('link', { name: ada.words['table.leave'] }).click();
  await expect(ada.page).toHaveURL(/#\/$/);
  await ada.page.goBack();
  await expect(own(ada.page)).toHaveCount(cards);
  // The start page has it, one tap away.
  await ada.page.goto('./');
  await ada.page
    .locator(`a[href="#/table/${table}"], button`)
    .filter({ hasText: 'Ben' })
    .first()
    .click();
  await expect(own(ada.page)).toHaveCount(cards);
  await main(ada.page).click();
  await ben.until((now) => now.game!.view.seat === 1);
  await ben.play(chance, (now) => now.game!.view.seat === 0);
  await ada.page.close();
  const again = await ada.tab();
  await again.goto(`./#/table/${table}`);
  await expect(again.locator('[data-zone=table1]')).toHaveCount(
    ben.known!.game!.view.tables[1].length,
  );
  expect(ada.errors).toEqual([]);
});

test('links: without a name, to no table, to a closed one, to a full one', async ({
  person,
  duel,
  server,
}) => {
  const { ben, table } = await duel();
  const eve = await person('Eve', { size: PHONE, language: 'ro' });
  await eve.open(table);
  const before = await eve.page.evaluate(() => history.length);
  await eve.page.locator('form input[type=text]').fill('Eve');
  await eve.press(eve.page.locator('form button.main'));
  await expect(eve.page.getByText(eve.words['live.watching']).first()).toBeVisible();
  expect(await eve.page.evaluate(() => history.length)).toBe(before);
  await eve.open('nothing1234567890');
  await expect(
    eve.page.getByRole('heading', { name: eve.words['error.table.unknown'].replace(/\.$/, '') }),
  ).toBeVisible();

  // A table that is full, and has not begun.
  const full = await ben.make({ players: 2 });
  await ben.open(full);
  await ben.done({ type: 'seat-bot', seat: 1, bot: 'level1' });
  await eve.open(full);
  await expect(eve.page.getByText(eve.words['room.full'])).toBeVisible();
  await ben.done({ type: 'start' });
  await expect(eve.page.getByText(eve.words['live.watching']).first()).toBeVisible();

  // One that the owner of the server closes.
  const closed = await ben.make({ players: 2 });
  await eve.open(closed);
  await expect(eve.page.locator('.chairs')).toBeVisible();
  server.run('admin', 'close', closed, '--data', server.folder);
  await expect(eve.page.getByText(eve.words['closing.admin'])).toBeVisible();
  await eve.page.reload();
  await expect(eve.page.getByText(eve.words['closing.admin'])).toBeVisible();
  expect(eve.errors).toEqual([]);
});
