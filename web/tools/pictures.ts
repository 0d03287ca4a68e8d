// The two pictures of the README, into docs/pictures/: npm run pictures.
// Wants a built page (npm run build).
import { mkdirSync, writeFileSync } from 'node:fs';
import { STATES, visit } from '../tests/states';
import { address, browser, end } from './built-page';

const OUT = '../docs/pictures';
const PICTURES = [
  { name: 'desktop', state: 'effects', width: 1440, height: 900, quality: 76 },
  { name: 'phone', state: 'play', width: 390, height: 844, quality: 82 },
];
const LARGEST = 120_000; // bytes

mkdirSync(OUT, { recursive: true });
for (const { name, state, width, height, quality } of PICTURES) {
  const page = await browser.newPage({
    viewport: { width, height },
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    hasTouch: width < 1180,
    baseURL: address,
  });
  const wanted = STATES.find((one) => one.name === state);
  if (!wanted) throw new Error(`there is no state ${state}`);
  await visit(page, wanted, { language: 'en', theme: 'light' });
  await page.waitForTimeout(300); // fades
  const devtools = await page.context().newCDPSession(page); // Playwright itself writes no WebP
  const { data } = await devtools.send('Page.captureScreenshot', { format: 'webp', quality });
  const picture = Buffer.from(data, 'base64');
  if (picture.length > LARGEST) throw new Error(`${name} has ${picture.length} bytes`);
  writeFileSync(`${OUT}/${name}.webp`, picture);
  console.log(`${name}: ${picture.length} bytes`);
  await page.close();
}
await end();
