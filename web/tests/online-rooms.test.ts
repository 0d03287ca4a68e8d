// Coming together at a table of the server: making one, the link, names, chairs, the list, and what
// may go wrong.
import { expect, type Page } from '@playwright/test';
import { test } from './kept';
import { enter, OTHER, otherTable, ownTable, PERSON } from './rooms';

test.use({ serviceWorkers: 'block', contextOptions: { reducedMotion: 'reduce' }, locale: 'en-GB' });

const AGAIN = 11_000; // milliseconds, after which lists ask again at the latest

const chairs = (page: Page) => page.locator('.chair');
const start = (page: Page) => page.getByRole('button', { name: 'Start the game' });

async function join(page: Page, address: string, name: string): Promise<void> {
  await page.goto(address);
  await page.getByLabel('Your name').fill(name);
  await page.getByRole('button', { name: 'Join the game' }).click();
  await expect(chairs(page).filter({ hasText: name })).toContainText('You');
}

// At the server, as a person with a session.
async function known(page: Page): Promise<void> {
  await page.goto('./favicon.svg');
  await enter(page);
}

test('from the start page to a game with a friend and a bot', async ({ page, other: ben }) => {
  await page.goto('./');
  await page.getByRole('link', { name: /With friends/ }).click();
  await expect(page).toHaveTitle(/With friends/);
  await page.getByLabel('Your name').fill('Ada');
  await page.getByRole('button', { name: 'Make the table' }).click();
  await expect(chairs(page)).toHaveCount(3);
  await expect(chairs(page).first()).toContainText(/Ada.*You.*Host/s);
  await expect(start(page)).toHaveAttribute('aria-disabled', 'true');
  await expect(page.locator('.starting')).toContainText('2 seats are still free');

  const link = await page.getByRole('textbox', { name: 'Invite with this link' }).inputValue();
  expect(link).toContain(new URL(page.url()).hash);
  await join(ben, link, 'Ben');
  await expect(chairs(page).nth(1)).toContainText(/Ben.*Here/s);
  await expect(start(ben)).toHaveCount(0);

  await chairs(page).nth(2).getByRole('button', { name: 'Bot' }).click();
  await expect(chairs(ben).nth(2)).toContainText('Steady');
  await start(page).click();
  for (const one of [page, ben]) await expect(one.locator('.room')).toHaveCount(0);
});

test('by keys alone', async ({ page }) => {
  await page.goto('./#/friends');
  await page.getByLabel('Your name').focus();
  await page.keyboard.type('Ada');
  await page.keyboard.press('Enter');
  await expect(chairs(page)).toHaveCount(3);
  const until = async (name: RegExp) => {
    for (let i = 0; i < 30; i++) {
      await page.keyboard.press('Tab');
      const focused = await page.evaluate(() => document.activeElement?.textContent ?? '');
      if (name.test(focused)) return;
    }
    throw new Error(`not reached: ${name}`);
  };
  await until(/Sit here/);
  await page.keyboard.press('Enter');
  await expect(chairs(page).nth(1)).toContainText('Ada');
  await until(/Fill with bots/);
  await page.keyboard.press('Enter');
  await expect(start(page)).toHaveAttribute('aria-disabled', 'false');
  await until(/Start the game/);
  await page.keyboard.press('Enter');
  await expect(page.locator('.room')).toHaveCount(0);
});

for (const language of ['en', 'fr', 'es', 'pt', 'ro'])
  test(`the waiting room fits a usual window and says what its clocks mean: ${language}`, async ({
    page,
  }) => {
    await page.setViewportSize({ width: 1440, height: 900 });
    await known(page);
    await page.evaluate((one) => localStorage.setItem('civ.language', one), language);
    const clock = { turn: 45, bank: 300, increment: 5 };
    await page.goto(
      `./#/table/${await ownTable(page, { players: 4, teams: true, setup: 'draft', clock })}`,
    );
    await expect(chairs(page)).toHaveCount(4);
    await expect(page.locator('.how')).toContainText('0:45 +5:00');
    await page.evaluate(() => document.fonts.ready);
    expect(await page.evaluate(() => document.scrollingElement!.scrollHeight)).toBe(900);
  });

test('wishes are remembered', async ({ page }) => {
  await page.goto('./#/friends');
  await page.getByLabel('Your name').fill('Ada');
  await page.getByLabel('Quick').check();
  await page.getByRole('group', { name: 'Players' }).getByLabel('2').check();
  await page.getByRole('button', { name: 'Make the table' }).click();
  await expect(page.locator('.how')).toContainText('20 s a turn, 3 min in reserve');
  await expect(chairs(page)).toHaveCount(2);
  await page.goto('./#/friends');
  await page.reload();
  await expect(page.getByLabel('Your name')).toHaveValue('Ada');
  await expect(page.getByLabel('Quick')).toBeChecked();
});

test('what happens when time runs out is said for the number of players', async ({ page }) => {
  await page.goto('./#/friends');
  await page.getByLabel('Normal').check();
  await page.getByRole('group', { name: 'Players' }).getByLabel('2').check();
  await expect(page.getByText('Whoever runs out of time loses.')).toBeVisible();
  await page.getByRole('group', { name: 'Players' }).getByLabel('3').check();
  await expect(page.getByText('Whoever runs out of time is replaced by a bot')).toBeVisible();
});

test('a name that is asked for is not a step to go back to', async ({ page }) => {
  await page.goto('./favicon.svg');
  const table = await otherTable(page);
  await page.goto('./');
  await page.goto(`./#/table/${table}`);
  await page.getByLabel('Your name').fill(PERSON);
  await page.getByRole('button', { name: 'Join the game' }).click();
  await expect(chairs(page).nth(1)).toContainText(PERSON);
  await page.goBack();
  await expect(page.getByRole('button', { name: 'Play now' })).toBeVisible();
});

test('who only watches takes no chair, and may think better of it', async ({ page }) => {
  await page.goto('./favicon.svg');
  const table = await otherTable(page);
  await page.goto(`./#/table/${table}`);
  await page.getByLabel('Your name').fill(PERSON);
  await page.getByRole('button', { name: 'Just watch' }).click();
  await expect(chairs(page).nth(1)).toContainText('Free seat');
  await chairs(page).nth(1).getByRole('button', { name: 'Sit here' }).click();
  await expect(chairs(page).nth(1)).toContainText(PERSON);
  await page.getByRole('button', { name: 'Stand up' }).click();
  await expect(chairs(page).nth(1)).toContainText('Free seat');
});

test('on a phone, what is said below is shown above', async ({ page, other: ben }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await known(page);
  await page.goto(`./#/table/${await ownTable(page, { players: 4 })}`);
  await expect(chairs(page)).toHaveCount(4);
  await join(ben, page.url(), 'Ben');
  await expect(page.locator('.warn')).toBeVisible();
  // Only the host can start the server in another way.
  await expect(ben.locator('.warn')).toHaveCount(0);
  await ben.getByPlaceholder('Write a message').fill('Back in a minute');
  await ben.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Ben: Back in a minute' }).click();
  await expect(page.locator('.chat .words')).toBeInViewport();
  await expect(page.locator('.unheard')).toHaveCount(0);
});

test('the host can free a chair, and hands the table on by leaving it', async ({
  page,
  other: ben,
}) => {
  await known(page);
  await page.goto(`./#/table/${await ownTable(page, { players: 3 })}`);
  await join(ben, page.url(), 'Ben');
  await page.getByRole('button', { name: /Remove.*Ben/ }).click();
  await expect(chairs(ben).nth(1)).toContainText('Free seat');
  const freed = ben.getByText('The host has freed your seat.');
  await expect(freed).toBeVisible();
  await chairs(ben).nth(1).getByRole('button', { name: 'Sit here' }).click();
  await expect(chairs(page).nth(1)).toContainText('Ben');
  await expect(freed).toHaveCount(0);
  await page.getByRole('button', { name: 'Leave the table' }).click();
  await expect(page.getByRole('button', { name: 'Play now' })).toBeVisible();
  await expect(start(ben)).toBeVisible();
});

test('who has never been there asks nothing of the server', async ({ page }) => {
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  await page.goto('./');
  await page.waitForLoadState('networkidle');
  expect(asked.filter((path) => path.includes('/api/'))).toEqual([]);
});

test('a server that has forgotten the session asks for the name again', async ({ page }) => {
  await known(page);
  await page.goto(`./#/table/${await ownTable(page)}`);
  await expect(chairs(page)).toHaveCount(4);
  await page.evaluate(() => fetch('/api/v1/session', { method: 'DELETE' }));
  await expect(page.getByRole('alert').first()).toContainText('does not know you any more');
  await page.getByLabel('Your name').fill(PERSON);
  await page.getByRole('button', { name: 'Join the game' }).click();
  await expect(chairs(page).nth(1)).toContainText('You');
});

test('the same without a table: it is made all the same', async ({ page }) => {
  await known(page);
  await page.goto('./#/friends');
  await page.getByLabel('Your name').fill(PERSON);
  await expect(page.getByLabel('Your name')).toHaveValue(PERSON);
  await page.evaluate(() => fetch('/api/v1/session', { method: 'DELETE' }));
  await page.getByRole('button', { name: 'Make the table' }).click();
  await expect(chairs(page)).toHaveCount(3);
});

test('what cannot be is said, with a way on', async ({ page }) => {
  await known(page);
  await page.goto('./#/table/abcdefghabcdefgh');
  await expect(page.getByRole('alert')).toContainText(/There is no such table(?!\.)/);
  await page.getByRole('link', { name: 'See the tables' }).click();
  await expect(page).toHaveTitle(/Tables/);

  await page.route('**/api/v1/tables', (route) =>
    route.request().method() === 'POST'
      ? route.fulfill({
          status: 429,
          json: { error: { key: 'error.too-many-requests', args: {} } },
        })
      : route.fallback(),
  );
  await page.goto('./#/friends');
  await page.getByLabel('Your name').fill(PERSON);
  await page.getByRole('button', { name: 'Make the table' }).click();
  await expect(page.getByRole('alert')).toContainText('That was too much at once.');
  await page.unrouteAll();
  await page.getByRole('button', { name: 'Make the table' }).click();
  await expect(chairs(page)).toHaveCount(3);
});

test('a table that allows no spectators says so, with a way on', async ({
  page,
  other: stranger,
}) => {
  await known(page);
  const table = await ownTable(page, { players: 2, spectators: false });
  await page.goto(`./#/table/${table}`);
  await page.getByRole('button', { name: 'Fill with bots' }).click();

  await stranger.goto(`./#/table/${table}`);
  await expect(stranger.getByText('All seats are taken.')).toBeVisible();
  await expect(stranger.getByRole('button', { name: 'Watch' })).toHaveCount(0);
  await stranger.getByLabel('Your name').fill('Cleo');
  await stranger.getByRole('button', { name: 'Continue', exact: true }).click();
  await expect(stranger.getByText('All seats are taken.')).toBeVisible();
  await expect(stranger.getByRole('link', { name: 'See the tables' })).toBeVisible();
  await expect(page.locator('.watchers')).toHaveText('1 person without a seat');

  await start(page).click();
  for (const who of ['just there', 'known', 'unknown']) {
    if (who === 'unknown') await stranger.context().clearCookies();
    if (who !== 'just there') await stranger.reload();
    await expect(
      stranger.getByRole('heading', { name: 'This table does not allow spectators', exact: true }),
    ).toBeVisible();
    await expect(stranger.getByText('only those who play may see it')).toBeVisible();
    await expect(stranger.getByRole('button', { name: 'Try again' })).toHaveCount(0);
    await expect(stranger.getByRole('link', { name: 'See the tables' })).toBeVisible();
  }
});

test('a name is needed, and hostile ones are only text', async ({ page }) => {
  await page.goto('./#/friends');
  await page.getByRole('button', { name: 'Make the table' }).click();
  await expect(page.getByRole('alert')).toContainText('Enter a name.');
  await expect(page.getByLabel('Your name')).toBeFocused();
  await expect(page.getByLabel('Your name')).toHaveAccessibleDescription(/Enter a name/);
  await page.getByLabel('Your name').fill('<img src=x onerror=x>');
  await expect(page.getByRole('alert')).toHaveCount(0);
  await page.getByRole('button', { name: 'Make the table' }).click();
  await expect(chairs(page).first()).toContainText('<img src=x onerror=x>');
  await expect(page.locator('img')).toHaveCount(0);
});

test('another device goes on as the same person', async ({ page, other }) => {
  await known(page);
  const table = await ownTable(page);
  await page.goto('./#/lobby');
  await page.getByRole('button', { name: 'Another device' }).click();
  const link = await page.getByLabel('Link for your other device').inputValue();
  await other.goto(link);
  await expect(other).toHaveURL(/#\/lobby$/);
  await expect(other.locator(`a[href="#/table/${table}"]`)).toBeVisible();
  await other.goto(link);
  await other.getByRole('button', { name: 'Continue here' }).click();
  await expect(other.getByRole('alert')).toBeVisible(); // it works once
});

// With a clock that the test sets.
test.describe('in time', () => {
  test.use({ own: true });

  test('tables of others come into the list by themselves, and are one tap away', async ({
    page,
  }) => {
    await page.clock.install();
    await known(page);
    await page.goto('./#/lobby');
    await expect(page.getByRole('heading', { name: 'Tables', exact: true })).toBeVisible();
    const table = await otherTable(page, { players: 2 });
    await page.clock.fastForward(AGAIN);
    await page.locator(`a[href="#/table/${table}"]`).click();
    await expect(chairs(page).first()).toContainText(OTHER);
    await expect(chairs(page).nth(1)).toContainText(PERSON);
  });

  test('the start page and its title say where it is my turn', async ({ page }) => {
    await page.clock.install();
    await known(page);
    const table = await ownTable(page, { players: 2 });
    await page.goto(`./#/table/${table}`);
    await page.getByRole('button', { name: 'Fill with bots' }).click();
    await start(page).click();
    await expect(page.locator('.room')).toHaveCount(0);
    await page.goto('./#/');
    const resume = page.locator(`.rs[href="#/table/${table}"]`);
    await expect(async () => {
      await page.clock.fastForward(AGAIN);
      await expect(resume).toContainText('Your turn', { timeout: 1000 });
    }).toPass();
    await expect(page).toHaveTitle(/^\(1\) CIV/);
    await resume.click();
    await expect(page).not.toHaveTitle(/^\(/);
  });

  test('without a network there is a way back', async ({ page }) => {
    const context = page.context();
    await page.clock.install();
    await page.goto('./#/lobby');
    await expect(page.getByRole('heading', { name: 'Tables', exact: true })).toBeVisible();
    await context.setOffline(true);
    await page.clock.fastForward(AGAIN);
    await expect(page.getByRole('alert')).toContainText('The server cannot be reached');
    await context.setOffline(false);
    await page.clock.fastForward(AGAIN);
    await expect(page.getByRole('alert')).toHaveCount(0);
  });
});
