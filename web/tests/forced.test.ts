// Where the reader's system chooses the colours, edges say what shadows and colours say elsewhere.
import { expect, type Locator, test } from '@playwright/test';
import { find } from './games';
import { POSITIONS } from './positions';
import { open, put, visit } from './table';

test.use({ contextOptions: { forcedColors: 'active' } });

// How an element is set off: its line, and what it is filled with.
const look = (what: Locator) =>
  what.first().evaluate((element) => {
    const { outlineStyle, outlineWidth, backgroundColor } = getComputedStyle(element);
    return { line: `${outlineStyle} ${outlineWidth}`, fill: backgroundColor };
  });

for (const [name, viewport] of [
  ['phone', { width: 390, height: 844 }],
  ['desktop', { width: 1440, height: 900 }],
] as const)
  test.describe(`on a ${name}`, () => {
    test.use({ viewport });

    test('what can be chosen, and what is chosen, can be told apart', async ({ page }) => {
      await visit(page, { autoEnd: false });
      await open(page, await put(page, find(POSITIONS.play), [0]));
      const cards = page.locator('.hand .card.lit');
      expect((await look(cards)).line).toBe('solid 4px');
      await cards.first().click();
      await expect(page.locator('.hand .card.sel')).toHaveCount(1);
      await page.locator('.go .main').hover(); // and no longer the card
      expect((await look(page.locator('.hand .card.sel:not(:focus-visible)'))).line).toBe(
        'double 7px',
      );
      expect((await look(page.locator('.card:not(.lit, .sel, .ghost)'))).line).toMatch(/^none/);
    });

    test('effects that are ready, and the focus, can be told apart', async ({ page }) => {
      await visit(page, { autoEnd: false });
      await open(page, await put(page, find(POSITIONS.effects), [0]));
      const main = page.locator('.go .main');
      const { fill } = await look(main);
      await main.focus();
      await page.keyboard.press('Shift+Tab');
      await page.keyboard.press('Tab');
      expect((await look(main)).line).toBe('dashed 3px');
      const badge = (state: string) => look(page.locator(`.${state} > .bd:not(.cost)`));
      expect((await badge('ready')).fill).toBe(fill);
      expect((await badge('notyet')).fill).not.toBe(fill);
      expect((await look(page.locator('.fx:is(.ready, .chip)'))).line).toBe('solid 4px');
      if (name === 'desktop')
        expect((await look(page.locator('.fx.notyet'))).line).toMatch(/^none/);
    });
  });
