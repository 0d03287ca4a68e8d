// No state of the page breaks a rule that axe can check, in either theme. CIV_LONG=1 also looks at the table on a phone on its side and on a tablet.
import AxeBuilder from '@axe-core/playwright';
import { expect, type Page, test } from '@playwright/test';
import type { AxeResults } from 'axe-core';
import { isFor, STATES, type State, visit } from './states';

const TAGS = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
const SIZES = [
  [1440, 900],
  [390, 844],
  ...(process.env.CIV_LONG
    ? [
        [844, 390],
        [768, 1024],
      ]
    : []),
];

// What is broken, where, and how.
function told({ violations }: AxeResults): string[] {
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`));
}

// Colours halfway are nobody's.
const still = (page: Page) =>
  page.evaluate(() =>
    Promise.all(
      document.getAnimations().flatMap((one) => (one.effect?.getTiming().iterations === Number.POSITIVE_INFINITY ? [] : [one.finished])),
    ),
  );

test.use({ serviceWorkers: 'block', contextOptions: { reducedMotion: 'reduce' } });

// Without CIV_LONG every state is looked at in one size, by turns.
const isDue = (state: State, i: number, width: number) => process.env.CIV_LONG || state.only || (i % 2 === 0) === width < 800;

for (const [width, height] of SIZES)
  for (const state of STATES.filter((one, i) => isFor(one, width, height) && isDue(one, i, width)))
    test(`${state.name} ${width}x${height}`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      await visit(page, state);
      await still(page);
      expect(told(await new AxeBuilder({ page }).withTags(TAGS).analyze())).toEqual([]);
      // In the other theme only the colours are others.
      await page.evaluate(() => (document.documentElement.dataset.theme = 'dark'));
      await still(page);
      expect(told(await new AxeBuilder({ page }).withRules('color-contrast').analyze())).toEqual([]);
    });
