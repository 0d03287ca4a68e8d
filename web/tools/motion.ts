// How much the main thread has to do while cards move, with a full table and a processor slowed
// down four times: bench/motion.mjs
import { find } from '../tests/games';
import { POSITIONS } from '../tests/positions';
import { STATES, visit } from '../tests/states';
import { watchMain } from '../tests/trace';
import { address, browser, end } from './built-page';

const STEPS = 8;
const FRAME = 1000 / 60;

for (const [width, height] of [
  [1440, 900],
  [390, 844],
]) {
  const page = await browser.newPage({
    viewport: { width, height },
    serviceWorkers: 'block',
    baseURL: address,
  });
  await visit(page, STATES.find((one) => one.name === 'full')!, { pace: 'normal' });
  await page.evaluate(() => {
    location.hash = location.hash.replace('play', 'replay');
  });
  await page.locator('.scrub').waitFor();
  const cards = find(POSITIONS.full);
  const client = await page.context().newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: 4 });
  const step = async () => {
    await page.keyboard.press('ArrowLeft');
    await page.waitForTimeout(500);
  };
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await step();
  const shown = await page.locator('.card').count();
  const work = await watchMain(page, async () => {
    for (let i = 0; i < STEPS; i++) await step();
  });
  const ms = (time: number) => `${time.toFixed(1)} ms`;
  console.log(
    `${width}x${height}, ${shown} cards, ${cards.actions.length} actions, 4 times slower:`,
  );
  console.log(
    `  main thread per frame   ${ms(work.total / (work.wall / FRAME))} (at most 8 ms is asked)`,
  );
  console.log(
    `  main thread per change  ${ms(work.total / STEPS)}, ` +
      `the longest task ${ms(work.longest)} (at most 100 ms is asked)`,
  );
  await page.close();
}
await end();
