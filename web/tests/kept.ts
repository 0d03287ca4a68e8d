// Tests whose page is kept from one to the next: a new browser context with the page in it costs
// more than most of them do. What a test has stored, routed or listened to is gone after it.

import {
  type Browser,
  type BrowserContextOptions,
  test as base,
  type Page,
} from '@playwright/test';
import { forget } from './device';

export interface Choice {
  brief: boolean; // in the short set a state is only looked at by axe
  own: boolean; // a context of its own, for what cannot be taken back: clocks, scripts
  loaded: boolean; // the page stays as it is, for tests that begin with visit() in place
}

interface Pages {
  other: Page; // somebody else's
  options: BrowserContextOptions;
}

interface Keeper {
  kept: (kind: string, make: () => Promise<Page>) => Promise<Page>;
}

async function clean(page: Page, loaded: boolean): Promise<void> {
  const context = page.context();
  for (const one of context.pages()) if (one !== page) await one.close();
  if (page.isClosed()) return context.close();
  page.removeAllListeners();
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await context.clearCookies();
  if (loaded) return;
  await page.goto('./favicon.svg');
  await forget(page);
}

const made = async (browser: Browser, options: object) =>
  (await browser.newContext(options)).newPage();

export const test = base.extend<Choice & Pages, Keeper>({
  brief: [false, { option: true }],
  own: [false, { option: true }],
  loaded: [false, { option: true }],
  kept: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright wants it
    async ({}, use) => {
      const pages = new Map<string, Page>();
      await use(async (kind, make) => {
        const known = pages.get(kind);
        if (known && !known.isClosed()) return known;
        const page = await make();
        pages.set(kind, page);
        return page;
      });
      for (const page of pages.values()) await page.context().close();
    },
    { scope: 'worker' },
  ],
  options: ({ viewport, hasTouch, locale, serviceWorkers, contextOptions, baseURL }, use) =>
    use({ viewport, hasTouch, locale, serviceWorkers, ...contextOptions, baseURL }),
  page: async ({ kept, browser, own, loaded, options }, use) => {
    const { viewport } = options;
    if (own) {
      const page = await made(browser, options);
      await use(page);
      return page.context().close();
    }
    const page = await kept(JSON.stringify(options), () => made(browser, options));
    if (viewport) await page.setViewportSize(viewport);
    await use(page);
    await clean(page, loaded);
  },
  other: async ({ kept, browser, locale, baseURL }, use) => {
    const make = () => made(browser, { locale, serviceWorkers: 'block', baseURL });
    const page = await kept(`other ${locale}`, make);
    await use(page);
    await clean(page, false);
  },
});
