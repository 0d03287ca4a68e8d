// What can be changed on a page without loading it again.

import type { Page } from '@playwright/test';
import { forget } from './device';

// Everything has its place and its colours: halfway they are nobody's. A page that is not drawn has
// no frames.
export async function still(page: Page): Promise<void> {
  await page.evaluate(async () => {
    await new Promise((done) => {
      requestAnimationFrame(done);
      setTimeout(done, 1000);
    });
    await document.fonts.ready;
    for (const one of document.getAnimations())
      if (one.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY) one.finish();
  });
}

export async function resize(page: Page, [width, height]: readonly [number, number]) {
  await page.setViewportSize({ width, height });
  await still(page); // what follows from the size is drawn with the next frame
  await still(page);
}

// Another language, as when another tab has changed it.
export async function speak(page: Page, language: string): Promise<void> {
  await page.evaluate(async (language) => {
    const { documentElement } = document;
    if (documentElement.lang === language) return;
    const spoken = new Promise((done) => {
      new MutationObserver(done).observe(documentElement, { attributeFilter: ['lang'] });
    });
    const key = 'civ.language';
    localStorage.setItem(key, language);
    dispatchEvent(new StorageEvent('storage', { key, newValue: language }));
    await spoken;
  }, language);
  await still(page);
}

// Nothing stored but these settings, and the start page or another place; false where the page is
// not loaded.
export async function fresh(page: Page, settings: string, place = '#/'): Promise<boolean> {
  if (!(await page.evaluate(() => !!document.querySelector('#app > *')))) return false;
  await forget(page);
  return page.evaluate(
    async ([settings, place]) => {
      const key = 'civ.settings';
      localStorage.setItem(key, settings);
      dispatchEvent(new StorageEvent('storage', { key, newValue: settings }));
      if ((location.hash || '#/') !== place) {
        const there = new Promise((done) => addEventListener('hashchange', done, { once: true }));
        location.hash = place;
        await there;
        await new Promise(requestAnimationFrame);
      }
      return true;
    },
    [settings, place],
  );
}
