// What the page's engine has to do for an action in a short game and in a long one: node
// bench/length.mjs [build-wasm/civ.wasm]. After each action the page looks at the game as the
// player does and as the bot does that is next, and stores it.
import { readFileSync } from 'node:fs';
import { Engine } from '../bindings/wasm/civ.mjs';

const file = (name) => new URL(`../${name}`, import.meta.url).pathname;
const bytes = readFileSync(process.argv[2] ?? file('build-wasm/civ.wasm'));
const engine = new Engine(new WebAssembly.Module(bytes), () => 1n);
const ROUNDS = 40; // the best counts, since a busy machine makes some slower

// The longest of some games in which columns are kept low and effects are used.
function longGame() {
  let longest = [];
  let best;
  for (let seed = 1; seed <= 40; seed++) {
    const rules = { players: 4, setup: 'basic', edition: 'en', teams: false };
    const { record } = engine.look({ deal: rules, seed });
    const { first, deck, actions } = record;
    let answer = engine.answer({ cmd: 'new', ...rules, first, deck });
    while (answer.state.step !== 'over') {
      const { state, legal } = answer;
      const height = (action) =>
        state.tables[state.seat].filter(([letter]) => letter === action.split(' ')[1]?.[0]).length;
      actions.push(
        state.step === 'play'
          ? legal.toSorted((a, b) => height(a) - height(b))[0]
          : legal[(7 * seed + 3 * actions.length) % legal.length],
      );
      answer = engine.answer({ cmd: 'apply', action: actions.at(-1) });
    }
    if (actions.length > longest.length) [longest, best] = [actions, record];
  }
  return { ...best, actions: longest.slice(0, -1) }; // still running
}

const game = longGame();
const LENGTHS = [30, 100, 200, 300].map((length) => Math.min(length, game.actions.length));
const until = (length) => ({ ...game, actions: game.actions.slice(0, length) });

// Microseconds for what is done in turns after so many actions and after one more.
function cost(length, work) {
  let best = Infinity;
  work(until(length - 1), length - 1);
  for (let round = 0; round < ROUNDS; round++) {
    const record = until(length);
    const begin = performance.now();
    work(record, length);
    best = Math.min(best, performance.now() - begin);
    work(until(length - 1), length - 1);
  }
  return 1000 * best;
}

const look = (record, length) => {
  engine.look({ record, seat: 0, you: true, from: length - 1 });
  engine.look({ record, seat: 1 });
};
const rows = LENGTHS.map((length) => ({
  length,
  look: cost(length, look),
  text: cost(length, (record) => JSON.stringify(record)),
}));
console.log('actions   two looks      stored   looks beside those of the shortest');
for (const { length, look, text } of rows) {
  const [both, stored] = [look, text].map((time) => `${time.toFixed(0)} µs`.padStart(12));
  console.log(
    `${`${length}`.padStart(7)}${both}${stored}   ${(look / rows[0].look).toFixed(2).padStart(6)}`,
  );
}
