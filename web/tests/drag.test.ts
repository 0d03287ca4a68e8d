// Dragging a card to one's own play area is as good as a tap, and nothing else changes by it.
import { expect, type Locator, type Page } from '@playwright/test';
import { find } from './games';
import { test } from './kept';
import { POSITIONS } from './positions';
import { open, put, stored, visit } from './table';

test.use({ serviceWorkers: 'block', locale: 'en-GB' });

type Point = [x: number, y: number];
const lit = (page: Page) => page.locator('.hand button.card.lit');
const dragging = (page: Page) => page.locator('.dragging');
const chosen = (page: Page) => page.locator('.hand .card.sel');

async function middle(of: Locator): Promise<Point> {
  const { x, y, width, height } = (await of.boundingBox())!;
  return [x + width / 2, y + height / 2];
}

async function begin(page: Page) {
  await visit(page, { autoEnd: false });
  const game = await put(page, find(POSITIONS.play), [0]);
  await open(page, game);
  return game;
}

test.describe('with a mouse', () => {
  test.use({ viewport: { width: 1440, height: 900 } });

  async function drag(page: Page, card: Locator, to: Point) {
    await card.hover(); // as soon as it lies still
    await page.mouse.down();
    await page.mouse.move(...to, { steps: 5 });
    await expect(dragging(page)).toBeVisible();
  }

  test('a card is dragged to be chosen, and another in its place', async ({ page }) => {
    const game = await begin(page);
    const own = page.locator('.own');
    const area = await middle(own);

    await drag(page, lit(page).first(), area);
    await expect(own).toHaveClass(/drop over/);
    const [x, y] = await middle(dragging(page).locator('.card'));
    // Below the pointer, but for the lift of a card that is pointed at: 8 px, 18 once it is chosen.
    expect(Math.hypot(x - area[0], y - area[1])).toBeLessThan(20);
    await page.keyboard.press('Escape');
    await expect(dragging(page)).toHaveCount(0);
    await page.mouse.up();
    await expect(chosen(page)).toHaveCount(0); // a drag that is broken off is no click either

    await drag(page, lit(page).first(), await middle(page.locator('.opps')));
    await page.mouse.up();
    await expect(dragging(page)).toHaveCount(0);
    await expect(own).not.toHaveClass(/drop/);
    await expect(chosen(page)).toHaveCount(0);

    for (const nth of [0, 1]) {
      const card = page.locator('.hand button.card').nth(nth);
      await drag(page, card, area);
      await page.mouse.up();
      await expect(card).toHaveAttribute('aria-pressed', 'true');
      await expect(chosen(page)).toHaveCount(1);
      await expect(page.locator('.go .main')).toContainText('Play');
    }
    await page.keyboard.press('Escape');
    await expect(chosen(page)).toHaveCount(0); // as after a tap

    await drag(page, lit(page).first(), area);
    await page.mouse.up();
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await stored(page, game)).actions.length)
      .toBe(game.record.actions.length + 1);
    await lit(page).first().isVisible();
  });

  test('a press that hardly moves is a click', async ({ page }) => {
    await begin(page);
    const [x, y] = await middle(lit(page).first());
    await page.mouse.move(x, y);
    await page.mouse.down();
    await page.mouse.move(x + 4, y - 4);
    await page.mouse.up();
    await expect(chosen(page)).toHaveCount(1);
  });
});

test.describe('with a finger', () => {
  test.use({ viewport: { width: 390, height: 844 }, hasTouch: true });

  async function swipe(page: Page, from: Point, to: Point, between?: () => Promise<void>) {
    const wire = await page.context().newCDPSession(page);
    const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', at: Point[]) =>
      wire.send('Input.dispatchTouchEvent', { type, touchPoints: at.map(([x, y]) => ({ x, y })) });
    await send('touchStart', [from]);
    for (let step = 1; step <= 10; step++)
      await send('touchMove', [
        [from[0] + ((to[0] - from[0]) * step) / 10, from[1] + ((to[1] - from[1]) * step) / 10],
      ]);
    await between?.();
    await send('touchEnd', []);
    await wire.detach();
  }

  test('a card is dragged upwards to be chosen', async ({ page }) => {
    await begin(page);
    const card = lit(page).first();
    const from = await middle(card);
    await swipe(page, from, [from[0] + 120, from[1]]); // sideways is no drag
    await expect(chosen(page)).toHaveCount(0);
    await swipe(page, from, await middle(page.locator('.lanes')), () =>
      expect(dragging(page)).toBeVisible(),
    );
    await expect(dragging(page)).toHaveCount(0);
    await expect(chosen(page)).toHaveCount(1);
    await expect(page.locator('dialog.explain')).toBeHidden(); // nor was it held
  });

  test('what can be scrolled is scrolled', async ({ page }) => {
    await begin(page);
    const long = await page.addStyleTag({
      content: 'html,body{overflow:auto!important}body{min-height:300vh}',
    });
    const from = await middle(lit(page).first());
    await swipe(page, from, [from[0], from[1] - 300], () => expect(dragging(page)).toHaveCount(0));
    await expect(chosen(page)).toHaveCount(0);
    await expect.poll(() => page.evaluate(() => scrollY)).toBeGreaterThan(50);
    await long.evaluate((style: HTMLElement) => style.remove());
  });
});
