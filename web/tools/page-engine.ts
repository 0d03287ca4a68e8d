// The engine native, in Node and in the page, in decisions a second: bench/page-engine [build/civ]
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Engine } from '../../bindings/wasm/civ.mjs';
import { address, browser, end } from './built-page';

const ROUNDS = 3; // the best counts
const program = process.argv[3] ?? '../build/civ';
const best: Record<string, Record<number, number>> = { native: {}, node: {}, page: {} };
const note = (where: string, players: number, speed: number) => {
  best[where][players] = Math.max(best[where][players] ?? 0, speed);
};

const engine = new Engine(new WebAssembly.Module(readFileSync('../build-wasm/civ.wasm')), () => 1n);

for (let round = 0; round < ROUNDS; round++) {
  const native = JSON.parse(
    execFileSync(program, ['bench', '--json', '--seconds', '0.3'], { encoding: 'utf8' }),
  );
  for (const { players, decisions_per_s } of native.results)
    note('native', players, decisions_per_s);
  for (const players of [2, 3, 4]) {
    const begin = performance.now();
    let decisions = 0;
    while (performance.now() - begin < 300) decisions += engine.bench(players, 64);
    note('node', players, (1000 * decisions) / (performance.now() - begin));
  }
  const page = await browser.newPage({ serviceWorkers: 'block' });
  await page.goto(`${address}#/bench`);
  const result = page.locator('main[data-done=true]');
  await result.waitFor();
  for (const [players, speed] of Object.entries(
    JSON.parse((await result.getAttribute('data-speeds'))!),
  ))
    note('page', Number(players), speed as number);
  await page.close();
}

const millions = (speed: number) => `${(speed / 1e6).toFixed(2)} M`.padStart(9);
const ratio = (one: number, other: number) => (one / other).toFixed(2).padStart(12);
console.log('players   native      Node      page   Node/native   page/native');
for (const players of [2, 3, 4]) {
  const { native, node, page } = Object.fromEntries(
    Object.entries(best).map(([where, speeds]) => [where, speeds[players]]),
  );
  const speeds = [native, node, page].map(millions).join(' ');
  console.log(`${players}      ${speeds}  ${ratio(node, native)}  ${ratio(page, native)}`);
}
await end();
