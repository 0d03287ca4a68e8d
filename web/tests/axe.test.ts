// No state of the page breaks a rule that axe can check, in either theme. CIV_LONG=1 also looks at the table on a phone on its side and on a tablet.
import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { isFor, STATES, visit } from './states';

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

test.use({ serviceWorkers: 'block', contextOptions: { reducedMotion: 'reduce' } });

for (const [width, height] of SIZES)
  for (const state of STATES.filter((one) => isFor(one, width, height)))
    test(`${state.name} ${width}x${height}`, async ({ page }) => {
      await page.setViewportSize({ width, height });
      for (const theme of ['light', 'dark'] as const) {
        await visit(page, state, { theme });
        await page.evaluate(() => Promise.all(document.getAnimations().map((one) => one.finished)));
        const { violations } = await new AxeBuilder({ page }).withTags(TAGS).analyze();
        const told = violations.flatMap(({ id, nodes }) =>
          nodes.map((node) => `${theme} ${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`),
        );
        expect(told).toEqual([]);
      }
    });
