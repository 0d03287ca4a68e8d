// The strongest bot and the judge native, in Node and in the page: bench/page-bots [build/civ]
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { Engine } from '../../bindings/wasm/civ.mjs';
import type { GameRecord, View } from '../src/engine/types';
import { address, browser, end } from './built-page';

const ROUNDS = 3; // the best counts
const ITERATIONS = 100_000;
const program = process.argv[3] ?? '../build/civ';
const bytes = readFileSync('../build-wasm/bots.wasm');
const engine = new Engine(new WebAssembly.Module(bytes));

const run = (words: string[], input = '') =>
  execFileSync(program, words, { input, encoding: 'utf8', maxBuffer: 1e8 });
function milliseconds(work: () => unknown): number {
  const begin = performance.now();
  work();
  return performance.now() - begin;
}

// The module in a page of its own, which the main thread of nothing else disturbs.
const page = await browser.newPage({ serviceWorkers: 'block' });
await page.goto(address);
const source = readFileSync('../bindings/wasm/civ.mjs', 'utf8');
await page.addScriptTag({ type: 'module', content: `${source}\nwindow.Made = Engine;` });
await page.evaluate(async (module) => {
  const binary = Uint8Array.from(atob(module), (letter) => letter.charCodeAt(0));
  const { Made } = window as typeof window & { Made: typeof Engine };
  Object.assign(window, { bots: new Made(await WebAssembly.compile(binary)) });
}, bytes.toString('base64'));
type WithBots = typeof window & { bots: Engine };
const thinkInPage = (view: View, iterations: number) =>
  page.evaluate(
    (request) => {
      const begin = performance.now();
      (window as WithBots).bots.think(request);
      return performance.now() - begin;
    },
    { view, bot: 'master', iterations, seed: 1 },
  );
const reviewInPage = (record: GameRecord) =>
  page.evaluate((game) => {
    const begin = performance.now();
    const steps = (window as WithBots).bots.review(game);
    for (let next = steps.next(); ; next = steps.next())
      if (next.done) {
        if (!next.value.ok) throw new Error(JSON.stringify(next.value));
        return performance.now() - begin;
      }
  }, record);

function openingOf(players: number): View {
  const requests = [
    { cmd: 'new', players, seed: 1 },
    { cmd: 'view', seat: null },
  ];
  const [dealt] = run(['referee'], requests.map((one) => JSON.stringify(one)).join('\n'))
    .split('\n')
    .map((line) => line && JSON.parse(line));
  requests[1] = { cmd: 'view', seat: dealt.state.seat };
  const answers = run(['referee'], requests.map((one) => JSON.stringify(one)).join('\n'));
  return JSON.parse(answers.split('\n')[1]).view;
}

// What a second brings, without what it takes to start and to read.
async function speed(think: (iterations: number) => number | Promise<number>): Promise<number> {
  let best = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const little = await think(1);
    best = Math.max(best, (1000 * ITERATIONS) / ((await think(ITERATIONS + 1)) - little));
  }
  return best;
}

console.log('iterations/s of master');
console.log('players    native      Node      page   Node/native   page/native');
for (const players of [2, 3, 4]) {
  const view = openingOf(players);
  const hint = (iterations: number) =>
    milliseconds(() =>
      run(
        ['hint', '--json', '--threads', '1', '--seed', '1', '--iterations', `${iterations}`],
        JSON.stringify(view),
      ),
    );
  const native = await speed(hint);
  const node = await speed((iterations) =>
    milliseconds(() => engine.think({ view, bot: 'master', iterations, seed: 1 })),
  );
  const inPage = await speed((iterations) => thinkInPage(view, iterations));
  const speeds = [native, node, inPage].map((one) => one.toFixed(0).padStart(9)).join(' ');
  const ratios = [node / native, inPage / native].map((one) => one.toFixed(2).padStart(12));
  console.log(`${players}       ${speeds}  ${ratios.join('  ')}`);
}

console.log('\na review of a whole game, at the default depth, on one thread, in seconds');
console.log('game   actions    native      page');
const games = run([
  ...['games', '--bots', 'master', '--players', '2', '--games', '5', '--iterations', '250'],
  ...['--seed', '1', '--threads', '1', '--out', '-'],
]);
for (const [number, line] of games.trim().split('\n').entries()) {
  const { record } = JSON.parse(line);
  const native = milliseconds(() =>
    run(['analyze', '-', '--json', '--threads', '1'], JSON.stringify(record)),
  );
  const inPage = await reviewInPage(record);
  const times = [native, inPage].map((one) => (one / 1000).toFixed(2).padStart(9)).join(' ');
  console.log(`${number + 1}         ${`${record.actions.length}`.padStart(5)} ${times}`);
}
await end();
