// Draws the icons of the app from public/favicon.svg: node tools/icons.mjs, with CHROMIUM naming
// the browser if Playwright has none of its own.
import { readFileSync, writeFileSync } from 'node:fs';
import { chromium } from '@playwright/test';

const folder = new URL('../public/', import.meta.url);
const drawing = readFileSync(new URL('favicon.svg', folder), 'utf8');
const TILE = '#172026'; // as in the drawing

// Systems cut the corners of an icon that fills its square; the drawing is then so much of its
// width.
const ICONS = [
  { name: 'icon-192.png', size: 192 },
  { name: 'icon-512.png', size: 512 },
  { name: 'icon-maskable-512.png', size: 512, part: 0.8 },
  { name: 'apple-touch-icon.png', size: 180, part: 0.9 },
];

const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM,
  args: ['--no-sandbox'],
});
const page = await browser.newPage({ colorScheme: 'light' });
for (const { name, size, part } of ICONS) {
  await page.setViewportSize({ width: size, height: size });
  const width = Math.round(size * (part ?? 1));
  const style = `
    body { margin: 0; height: 100vh; display: grid; place-items: center }
    body { background: ${part ? TILE : 'none'} }
    svg { width: ${width}px }`;
  await page.setContent(`<style>${style}</style>${drawing}`);
  writeFileSync(new URL(name, folder), await page.screenshot({ omitBackground: true }));
}
await browser.close();
