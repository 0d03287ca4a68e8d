// What can be changed on a page without loading it again.

import type { Page } from '@playwright/test';
import { forget } from './device';

// What a page is taught once, to be asked for by whatever is looked at there.
export interface InPlace {
  settle: () => Promise<void>;
  spoken: (language: string) => Promise<void>;
}

function lesson(): void {
  const inplace: InPlace = {
    // Everything has its place and its colours: halfway they are nobody's. A page that is not drawn
    // has no frames.
    async settle() {
      await new Promise((done) => {
        requestAnimationFrame(done);
        setTimeout(done, 1000);
      });
      await document.fonts.ready;
      for (const one of document.getAnimations())
        if (one.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY) one.finish();
    },
    // Another language, as when another tab has changed it.
    async spoken(language) {
      const { documentElement } = document;
      if (documentElement.lang === language) return;
      const heard = new Promise((done) => {
        new MutationObserver(done).observe(documentElement, { attributeFilter: ['lang'] });
      });
      const key = 'civ.language';
      localStorage.setItem(key, language);
      dispatchEvent(new StorageEvent('storage', { key, newValue: language }));
      await heard;
    },
  };
  Object.assign(window, { inplace });
}

export async function teach(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'inplace' in window))) await page.evaluate(lesson);
}

// So many frames long.
export async function still(page: Page, frames = 1): Promise<void> {
  const settled = () =>
    page.evaluate(async (frames) => {
      const { inplace } = window as unknown as { inplace?: InPlace };
      for (let i = 0; inplace && i < frames; i++) await inplace.settle();
      return inplace !== undefined;
    }, frames);
  if (await settled()) return;
  await teach(page);
  await settled();
}

export async function resize(page: Page, [width, height]: readonly [number, number]) {
  await page.setViewportSize({ width, height });
  await still(page, 2); // what follows from the size is drawn with the next frame
}

export async function speak(page: Page, language: string): Promise<void> {
  await teach(page);
  await page.evaluate(async (language) => {
    const { spoken, settle } = (window as unknown as { inplace: InPlace }).inplace;
    await spoken(language);
    await settle();
  }, language);
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

// The same origin without the page, and what the page will find stored there.
export async function unload(page: Page, settings: string, language: string): Promise<void> {
  await page.goto('./favicon.svg');
  await forget(page);
  await wish(page, settings, language);
}

export async function wish(page: Page, settings: string, language: string): Promise<void> {
  await page.evaluate(
    ([settings, language]) => {
      localStorage.setItem('civ.settings', settings);
      localStorage.setItem('civ.language', language);
    },
    [settings, language],
  );
}

// As a click, wherever something may lie above it: whether things can be hit is for the tests of
// playing to say.
export const press = (page: Page, what: string): Promise<void> =>
  page
    .locator(what)
    .first()
    .evaluate((element: HTMLElement) => element.click());
