// No rule is broken on the page that axe can check, in either theme.
import { expect, type Page } from '@playwright/test';
import axe, { type AxeResults, type RunOptions } from 'axe-core';
import { still } from './inplace';

const ALL = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

// What is broken, where, and how. The page has no frames, so that axe can run in it as it is.
function broken(page: Page, runOnly: RunOptions['runOnly']): Promise<string[]> {
  return page.evaluate(async (runOnly) => {
    const { axe } = window as unknown as { axe: { run: (how: RunOptions) => Promise<AxeResults> } };
    const { violations } = await axe.run({ runOnly, resultTypes: ['violations'] });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map((node) => `${id}: ${node.html.slice(0, 160)} ${node.any[0]?.message ?? ''}`),
    );
  }, runOnly);
}

async function inTheme(page: Page, theme: string, runOnly: RunOptions['runOnly']): Promise<void> {
  await page.evaluate((theme) => (document.documentElement.dataset.theme = theme), theme);
  await still(page);
  expect(await broken(page, runOnly), theme).toEqual([]);
}

export async function expectAccessible(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
  // In the other theme only the colours are others.
  await inTheme(page, 'dark', { type: 'rule', values: ['color-contrast'] });
  await inTheme(page, 'light', { type: 'tag', values: ALL });
}
