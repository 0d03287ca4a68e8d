// What a phone on a slow line waits for: node tools/run.mjs tools/page-load.ts ADDRESS RUNS
// Prints as JSON what is asked for until the load event, and for each run the milliseconds from
// "Play now", pressed when the start page has been there for two seconds, to the first card that
// can be played.
import { type Browser, chromium } from '@playwright/test';

// As Lighthouse has it for a phone: 1.6 Mbit/s, 150 ms there and back, a quarter of the speed.
const LINE = {
  offline: false,
  latency: 150,
  downloadThroughput: 1_600_000 / 8,
  uploadThroughput: 750_000 / 8,
};
const SLOWER = 4;
const LOOKED_AT = 2_000; // milliseconds
const SEED = 1; // of a game in which the player begins: bots would take their time

// Runs in the page.
function watch(seed: number): void {
  const times = globalThis as { pressed?: number; lit?: number };
  const random = crypto.getRandomValues.bind(crypto);
  crypto.getRandomValues = ((into: Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>) =>
    into instanceof Uint32Array ? into.fill(seed) : random(into)) as typeof random;
  addEventListener('click', ({ timeStamp }) => {
    times.pressed = timeStamp;
  });
  const look = () => {
    if (document.querySelector('.hand button.card.lit')) times.lit = performance.now();
    else requestAnimationFrame(look);
  };
  look();
}

async function measure(browser: Browser, address: string) {
  const context = await browser.newContext({
    viewport: { width: 412, height: 823 },
    isMobile: true,
    hasTouch: true,
    locale: 'en-GB',
  });
  const page = await context.newPage();
  const line = await context.newCDPSession(page);
  await line.send('Network.enable');
  await line.send('Network.emulateNetworkConditions', LINE);
  await line.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(watch, SEED);
  const asked: string[] = [];
  page.on('request', (request) => asked.push(request.url()));
  await page.goto(address, { waitUntil: 'load' });
  const loaded = [...asked];
  await page.waitForFunction(
    (time) =>
      performance
        .getEntriesByName('first-contentful-paint')
        .some(({ startTime }) => performance.now() - startTime >= time),
    LOOKED_AT,
  );
  await page.locator('.start .main').tap();
  await page.locator('.hand button.card.lit').first().waitFor({ timeout: 60_000 });
  const playing = await page.evaluate(() => {
    const { pressed, lit } = globalThis as { pressed?: number; lit?: number };
    return lit! - pressed!;
  });
  await context.close();
  return { loaded, playing };
}

const [address, runs] = process.argv.slice(3);
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
const all: Awaited<ReturnType<typeof measure>>[] = [];
for (let run = 0; run < Number(runs); run++) all.push(await measure(browser, address));
await browser.close();
console.log(
  JSON.stringify({
    loaded: [...new Set(all.flatMap(({ loaded }) => loaded))],
    playing: all.map(({ playing }) => playing),
  }),
);
