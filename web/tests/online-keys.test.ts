// Everything around and in a game with others by keyboard alone; and a new version of the page in
// the middle of a game.
import { appendFileSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from '@playwright/test';
import { Driver, playOn } from './driver';
import { begin, Person, seated, test } from './online';
import { Server } from './online-server';
import { tabTo } from './table';

test('make a table, join, play, talk, leave and play again by keyboard', async ({ person }) => {
  const people = await Promise.all(['Ada', 'Ben'].map((name) => person(name, { keys: true })));
  const [ada, ben] = people;
  const write = async (one: Person) => {
    const field = one.page.locator('form input[type=text]').first();
    await tabTo(field);
    await one.page.keyboard.insertText(one.name);
  };
  await ada.page.goto('./');
  await ada.press(ada.page.locator('a[href="#/friends"]').first());
  await write(ada);
  await tabTo(ada.page.getByRole('radio', { name: '3', exact: true }));
  await ada.page.keyboard.press('ArrowLeft');
  await expect(ada.page.getByRole('radio', { name: '2', exact: true })).toBeChecked();
  await ada.press(ada.button('friends.make'));
  await expect(ada.page).toHaveURL(/#\/table\//);
  await ben.page.goto(`./${new URL(ada.page.url()).hash}`);
  await write(ben);
  await ben.page.keyboard.press('Enter');
  await expect(ada.page.locator('.chairs')).toContainText('Ben');
  await begin(ada, people);

  const drivers = people.map((one, seat) => new Driver(one, 40 + seat));
  await playOn(drivers, 12);
  // To the talk by a letter, and away from it.
  await ada.page.locator('.bar .ib').first().focus();
  await ada.page.keyboard.press('m');
  await expect(ada.page.locator('.chat form input')).toBeFocused();
  await ada.page.keyboard.insertText('Hello, Ben!');
  await ada.page.keyboard.press('Enter');
  await expect(ben.page.locator('.chat .words')).toHaveText('Hello, Ben!');
  // What is written is not taken for a command.
  await ada.page.keyboard.type('e1 ?s');
  await expect(ada.page.getByRole('dialog')).toHaveCount(0);
  await expect(ada.page.locator('.chat form input')).toHaveValue('e1 ?s');

  await ada.press(ada.page.locator('.bar .ib').first());
  await ada.press(ada.button('live.leave'));
  await ada.press(ada.page.locator('dialog[open] .ways button').first());
  await expect(ben.page.getByRole('dialog')).toContainText(ben.words['end.you-won']);
  await ben.press(ben.page.locator('dialog[open] .endgo button.main'));
  await expect(ben.page.locator('.chairs')).toContainText('Ada');
  for (const one of people) expect(one.errors).toEqual([]);
});

test('a new version of the page in the middle of a game: it goes on, and can be taken', async ({
  browser,
}) => {
  const built = process.env.CIV_PAGE ?? fileURLToPath(new URL('../dist', import.meta.url));
  const folder = mkdtempSync(join(tmpdir(), 'civ-page-'));
  cpSync(built, folder, { recursive: true });
  const server = await Server.start({ page: folder });
  try {
    const people = await Promise.all([
      Person.with(browser, server, 'Ada', { worker: true, settings: { autoEnd: false } }),
      Person.with(browser, server, 'Ben', { settings: { autoEnd: false } }),
    ]);
    const [ada] = people;
    await ada.page.goto('./');
    await ada.page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
    await ada.page.reload();
    await expect
      .poll(() => ada.page.evaluate(() => navigator.serviceWorker.controller !== null))
      .toBe(true);
    const table = await seated(people, {});
    await ada.page.evaluate(() => ((window as { stayed?: boolean }).stayed = true));

    // The owner puts up the new version, and the server starts again.
    for (const name of ['sw.js.br', 'sw.js.gz']) rmSync(join(folder, name), { force: true });
    appendFileSync(join(folder, 'sw.js'), '\n// a new version\n');
    await server.kill('SIGTERM');
    await server.restart();
    await ada.page.evaluate(
      async () => void (await (await navigator.serviceWorker.getRegistration())!.update()),
    );
    const waiting = () =>
      ada.page.evaluate(
        async () => (await navigator.serviceWorker.getRegistration())!.waiting !== null,
      );
    await expect.poll(waiting).toBe(true);

    const drivers = people.map((one, seat) => new Driver(one, 50 + seat));
    await playOn(drivers, 8);
    expect(await ada.page.evaluate(() => (window as { stayed?: boolean }).stayed)).toBe(true);
    // Taken, as if by another tab: the game goes on, and the page is loaded anew when it is left.
    await ada.page.evaluate(async () =>
      (await navigator.serviceWorker.getRegistration())!.waiting!.postMessage({
        type: 'SKIP_WAITING',
      }),
    );
    await expect.poll(waiting).toBe(false);
    await playOn(drivers, 4);
    expect(await ada.page.evaluate(() => (window as { stayed?: boolean }).stayed)).toBe(true);
    await ada.page.goto('./#/');
    await expect
      .poll(() =>
        ada.page.evaluate(() => (window as { stayed?: boolean }).stayed ?? false).catch(() => true),
      )
      .toBe(false);
    await ada.page.goto(`./#/table/${table}`);
    await ada.page.locator('.go').waitFor();
    await playOn(drivers, 4);
    expect((await ada.summary(table)).status).toBe('running');
    for (const one of people) expect(one.errors).toEqual([]);
  } finally {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
});
