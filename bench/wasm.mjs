// How fast the engine is in WebAssembly, beside the native program: random games on one thread,
// decisions a second.
//
//   node bench/wasm.mjs [build/civ [build-wasm/civ.wasm]]
//
// The two take turns and the best of three rounds counts, so that a busy machine disturbs both
// alike.

import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';
import { Engine } from '../bindings/wasm/civ.mjs';

const file = (name) => new URL(`../${name}`, import.meta.url).pathname;
const program = process.argv[2] ?? file('build/civ');
const bytes = readFileSync(process.argv[3] ?? file('build-wasm/civ.wasm'));
const engine = new Engine(new WebAssembly.Module(bytes), () => 1n);

function wasmSpeed(players, seconds) {
  const begin = process.cpuUsage();
  let decisions = 0;
  for (let seed = 1; ; ++seed) {
    decisions += engine.bench(players, 64, seed);
    const { user, system } = process.cpuUsage(begin);
    if (user + system > 1e6 * seconds) return decisions / (1e-6 * (user + system));
  }
}

const best = new Map();
for (let round = 0; round < 3; ++round) {
  const native = JSON.parse(
    execFileSync(program, ['bench', '--json', '--seconds', '0.3'], { encoding: 'utf8' }),
  );
  for (const { players, decisions_per_s } of native.results) {
    const before = best.get(players) ?? { native: 0, wasm: 0 };
    best.set(players, {
      native: Math.max(before.native, decisions_per_s),
      wasm: Math.max(before.wasm, wasmSpeed(players, 0.3)),
    });
  }
}

const millions = (speed) => `${(speed / 1e6).toFixed(2)} M`.padStart(10);
console.log('players       native         wasm   wasm/native');
for (const [players, { native, wasm }] of best) {
  const speeds = [native, wasm].map(millions).join('   ');
  const share = (wasm / native).toFixed(2).padStart(11);
  console.log(`${String(players).padStart(7)}   ${speeds}   ${share}`);
}
console.log(`civ.wasm: ${bytes.length} bytes, ${gzipSync(bytes, { level: 9 }).length} gzipped`);
