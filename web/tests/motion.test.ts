// Motion that never waits for the page: only what the compositor can move alone is animated, and
// thinking happens elsewhere.
import { expect, type Page, test } from '@playwright/test';
import { entry, storeGames } from './device';
import { find } from './games';
import { unload } from './inplace';
import { POSITIONS } from './positions';
import { STATES, visit } from './states';
import { watchMain } from './trace';

const state = (name: string) => STATES.find((one) => one.name === name)!;
const NOT_PROPERTIES = ['offset', 'computedOffset', 'easing', 'composite'];

// Notes every property that a script animates, or a style sheet.
async function noteAnimations(page: Page): Promise<void> {
  await page.addInitScript((words) => {
    const noted = new Set<string>();
    Object.assign(window, { noted });
    const note = (frames: object[]) => {
      for (const frame of frames)
        for (const property of Object.keys(frame))
          if (!words.includes(property)) noted.add(property);
    };
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (frames, options) {
      note(frames as object[]);
      return animate.call(this, frames, options);
    };
    addEventListener('animationstart', (event) => {
      for (const one of (event.target as Element).getAnimations({ subtree: true }))
        if (one instanceof CSSAnimation) note((one.effect as KeyframeEffect).getKeyframes());
    });
  }, NOT_PROPERTIES);
}

const noted = (page: Page) =>
  page.evaluate(() => [...(window as unknown as { noted: Set<string> }).noted].sort());

async function playCard(page: Page): Promise<void> {
  await visit(page, state('play-chosen'), { pace: 'normal' });
  await page.locator('.go .main').click();
  await page.waitForTimeout(600);
}

test.use({ serviceWorkers: 'block' });

test('cards move by transforms and opacity alone', async ({ page }) => {
  await noteAnimations(page);
  await playCard(page);
  await expect.poll(() => noted(page)).toContain('translate');
  const properties = await noted(page);
  expect(
    properties.filter((one) => !['translate', 'scale', 'transform', 'opacity'].includes(one)),
  ).toEqual([]);
});

test('reduced motion: fades alone', async ({ page }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await noteAnimations(page);
  await playCard(page);
  await expect.poll(() => noted(page)).toEqual(['opacity']);
});

test('a change of a full table restyles what has changed', async ({ page }) => {
  await visit(page, state('full'), { pace: 'normal' });
  await page.evaluate(() => {
    location.hash = location.hash.replace('play', 'replay');
  });
  await page.locator('.scrub').waitFor();
  const { restyled } = await watchMain(page, async () => {
    for (let step = 0; step < 6; step++) {
      await page.keyboard.press('ArrowLeft');
      await page.waitForTimeout(400); // until the cards have moved
    }
  });
  expect(restyled).toBeGreaterThan(10); // something was counted
  // A selector that looks into the board from above (:has) restyles some 2,500 at a step.
  expect(restyled).toBeLessThan(1000);
});

test('the strongest bots think without holding up the page', async ({ page }) => {
  const bots = Array<string>(4).fill('level8');
  await unload(page, JSON.stringify({ version: 1, pace: 'fast' }), 'en');
  await storeGames(page, { bots: entry(find(POSITIONS.effects), bots, []) });
  await page.goto('./#/play/bots');
  await page.locator('.dots').first().waitFor();
  const newest = () => page.locator('.log li').last().textContent();
  const { longest } = await watchMain(page, async () => {
    for (let lines = 0; lines < 3; lines++) {
      const before = await newest();
      await expect.poll(newest, { timeout: 300_000 }).not.toBe(before);
    }
  });
  expect(longest).toBeGreaterThan(0); // something was measured
  // 50 ms are asked for, and bench/motion.mjs measures them; a bot that thought in the page would
  // hold it for the 900 ms that it takes, on any machine.
  expect(longest).toBeLessThan(600);
});
