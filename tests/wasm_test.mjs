// Tests of civ.wasm and its loader:
//
//   node tests/wasm_test.mjs [build-wasm/civ.wasm]
//
// Every recorded game is answered as recorded, the signature is the one in the file, wrong requests
// are refused without a trap, and after a trap the game goes on in a fresh instance.

import assert from 'node:assert/strict';
import { webcrypto } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { Engine } from '../bindings/wasm/civ.mjs';

globalThis.crypto ??= webcrypto; // Node 18 keeps it in the module

const file = (name) => new URL(name, import.meta.url);
const module = new WebAssembly.Module(
  readFileSync(process.argv[2] ?? file('../build-wasm/civ.wasm')),
);
const newEngine = () => new Engine(module);

const tests = {};

for (const name of readdirSync(file('conformance')).filter((name) => name.endsWith('.jsonl'))) {
  tests[`answers as recorded in ${name}`] = () => {
    const engine = newEngine();
    const lines = readFileSync(file(`conformance/${name}`), 'utf8')
      .trim()
      .split('\n');
    for (const [index, line] of lines.entries()) {
      const { request, answer: wanted } = JSON.parse(line);
      const answer = engine.answer(request);
      for (const list of [wanted.legal, answer.legal]) list?.sort(); // any order will do
      for (const field of Object.keys(wanted))
        assert.deepEqual(answer[field], wanted[field], `line ${index + 1}, ${field}`);
    }
  };
}

tests['the signature is the one in the file'] = () => {
  assert.equal(newEngine().signature(), readFileSync(file('signature'), 'utf8').trim());
};

const bots = new WebAssembly.Module(readFileSync(file('../build-wasm/bots.wasm')));

tests['the bots play as they do everywhere'] = () => {
  const engine = new Engine(bots);
  assert.equal(engine.signature(), readFileSync(file('signature'), 'utf8').trim());
  assert.equal(engine.botSignature(), readFileSync(file('bot-signature'), 'utf8').trim());
};

tests['the bots need seeds and a clock from their host'] = () => {
  assert.deepEqual(
    WebAssembly.Module.imports(bots)
      .map(({ name }) => name)
      .sort(),
    ['now', 'random_seed'],
  );
};

function opening(engine) {
  const { state, legal } = engine.answer({ cmd: 'new', seed: 7 });
  const [view, other] = [state.seat, 1 - state.seat].map(
    (seat) => engine.answer({ cmd: 'view', seat }).view,
  );
  return { legal, view, other };
}

tests['a bot thinks about a view'] = () => {
  const engine = new Engine(bots);
  const { legal, view } = opening(engine);
  const thought = engine.think({ view, bot: 'master', iterations: 500, seed: 1 });
  assert.equal(thought.iterations, 500);
  assert.ok(legal.includes(thought.action));
  assert.equal(thought.judgements[0].action, thought.action);
  assert.ok(Math.abs(thought.judgements[0].chances.reduce((a, b) => a + b) - 1) < 1e-3);
  assert.deepEqual(
    new Engine(bots).think({ view, bot: 'master', iterations: 500, seed: 1 }),
    thought,
  );
};

tests['a bot keeps to the clock of its host, and stops when that says so'] = () => {
  let time = 0;
  const engine = new Engine(bots, undefined, () => time++);
  const { view } = opening(engine);
  assert.ok(engine.think({ view, bot: 'plain', ms: 20 }).iterations <= 22 * 16);
  let asked = 0;
  const stopping = new Engine(bots, undefined, () => (asked++ ? Infinity : 0));
  assert.ok(stopping.think({ view, bot: 'plain', ms: 1e9 }).iterations <= 16);
};

tests['a bot that is told of pacts may answer an offer before it acts'] = () => {
  const engine = new Engine(bots);
  const { state } = engine.answer({ cmd: 'new', players: 3, seed: 7 });
  const { view } = engine.answer({ cmd: 'view', seat: state.seat });
  const offer = { id: 1, say: 'truce', by: (state.seat + 1) % 3, to: [state.seat] };
  const offers = [{ ...offer, against: null, rounds: 1, turn: view.turn }];
  const pacts = { ids: 1, offers, pacts: [], broken: [], repeated: [], news: [] };
  const question = { view, bot: 'level3', iterations: 20, seed: 1 };
  const { ok, say } = engine.think({ ...question, pacts });
  assert.ok(ok);
  if (say) assert.ok(['yes', 'no'].includes(say.say) && say.offer === 1);
  assert.equal(engine.think(question).say, undefined);
  assert.equal(engine.think({ ...question, pacts: {} }).ok, false);
};

tests['advice and the coach leave out what would break a pact'] = () => {
  const engine = new Engine(bots);
  const { state } = engine.answer({ cmd: 'new', players: 3, seed: 7 });
  const { view } = engine.answer({ cmd: 'view', seat: state.seat });
  const seats = [state.seat, (state.seat + 1) % 3];
  const terms = {
    id: 2,
    say: 'truce',
    seats,
    against: null,
    begun: view.turn,
    last: view.turn + 3,
  };
  const truce = { ...terms, givenUp: null, struck: [0, 0] };
  const said = { what: 'said', at: 0, seat: seats[1], talk: { say: 'yes', offer: 1 }, pact: truce };
  const pacts = { ids: 2, offers: [], pacts: [truce], broken: [], repeated: [], news: [said] };
  const question = { view, bot: 'master', iterations: 50, seed: 1, why: 1, keeps: true };
  const advice = engine.think({ ...question, pacts });
  assert.equal(advice.say, undefined);
  assert.ok(advice.judgements[0].reasons);
  assert.ok(engine.coach({ view, played: [], iterations: 20, pacts }).ok);
  assert.equal(engine.coach({ view, played: [], iterations: 20, pacts: {} }).ok, false);
};

tests['wrong questions to a bot are refused'] = () => {
  const engine = new Engine(bots);
  const { view, other } = opening(engine);
  assert.equal(engine.think({}).error.key, 'error.json');
  assert.equal(engine.think({ view, bot: 'nobody' }).error.key, 'error.bot');
  assert.equal(engine.think({ view: other }).error.key, 'error.view.not-deciding');
  assert.equal(engine.think({ view: { ...view, players: 9 } }).ok, false);
  assert.ok(engine.think({ view, iterations: 10 }).ok);
};

// A game of two from its first deal, as a record: what lies in the hands was drawn first.
function recordOf(engine) {
  const { state, legal } = engine.answer({ cmd: 'new', seed: 7 });
  const { edition, players, setup, teams, first } = state;
  const deck = [...state.hands[first], ...state.hands[1 - first], ...state.deck];
  return {
    record: {
      format: 'civ-game/1',
      rules: 1,
      edition,
      players,
      setup,
      teams,
      first,
      deck,
      actions: [],
      result: null,
    },
    legal,
  };
}

// A short game that is not over.
function someActions(engine) {
  const { record, legal } = recordOf(engine);
  const actions = [];
  for (let options = legal; actions.length < 8; ) {
    actions.push(options.includes('end') ? 'end' : options[0]);
    options = engine.answer({ cmd: 'apply', action: actions.at(-1) }).legal;
  }
  return { ...record, actions };
}

tests['a game is judged in steps'] = () => {
  const engine = new Engine(bots);
  const record = someActions(engine);
  const judge = (options) => {
    const steps = engine.review(record, options);
    const told = [];
    for (;;) {
      const { done, value } = steps.next();
      if (done) return { told, review: value.review };
      told.push(value);
    }
  };
  const { told, review } = judge({ iterations: 60 });
  assert.deepEqual(
    told.map(({ done }) => done),
    told.map((_, index) => index + 1),
  );
  assert.ok(told.every(({ all }) => all === told.length) && told.length >= 3);
  assert.deepEqual(told[0].before, review.deal);
  assert.equal(review.turns.length, told.length);
  for (const seat of [0, 1]) {
    const parts = review.deal[seat] + review.luck[seat] + review.skill[seat] + review.others[seat];
    assert.ok(Math.abs(parts - review.chances[seat]) < 1e-3);
  }
  assert.deepEqual(judge({ iterations: 60 }).review, review);
  engine.review(record).next(); // and no more of it: the next one begins anew
  assert.deepEqual(judge({ iterations: 60 }).review, review);
};

tests['wrong records are not judged'] = () => {
  const engine = new Engine(bots);
  const record = someActions(engine);
  for (const wrong of [{}, { ...record, deck: [] }, { ...record, actions: ['play U3'] }])
    assert.equal(engine.review(wrong).next().value.ok, false);
  assert.equal(engine.review(record, { iterations: 0 }).next().value.ok, false);
};

tests['a bot says why'] = () => {
  const engine = new Engine(bots);
  const { view } = opening(engine);
  const { judgements } = engine.think({ view, iterations: 100, why: 1 });
  assert.ok(Array.isArray(judgements[0].reasons));
  assert.equal(judgements[1].reasons, undefined);
};

tests['a coach says the same, whether or not it thought ahead'] = () => {
  const engine = new Engine(bots);
  const { view, legal, other } = opening(engine);
  const asked = { view, played: [legal[0], 'end'], iterations: 60 };
  const { ok, mistake } = engine.coach(asked);
  assert.ok(ok && (mistake === null || mistake.reasons.length > 0));
  const ahead = new Engine(bots);
  assert.deepEqual(ahead.coach({ ...asked, played: undefined }), { ok: true, mistake: null });
  assert.deepEqual(ahead.coach(asked), { ok, mistake });
  for (const wrong of [{}, { ...asked, view: other }, { ...asked, played: ['end'] }])
    assert.equal(engine.coach(wrong).ok, false);
};

tests['looks at a record as the referee does'] = () => {
  const engine = newEngine();
  let { record, legal } = recordOf(engine);
  for (let i = 0; legal.length > 0; ++i) {
    const seat = i % 3 === 2 ? null : i % 3;
    const look = engine.look({ record, seat, you: true, from: Math.max(0, i - 2) });
    assert.deepEqual(look.view, engine.answer({ cmd: 'view', seat }).view);
    assert.deepEqual(
      [...look.guide.legal].sort(),
      look.view.seat === seat ? [...legal].sort() : [],
    );
    assert.equal(look.guide.offers.length, look.guide.legal.length);
    assert.equal(look.actions, i);
    record.actions.push(legal[i % legal.length]);
    ({ legal } = engine.answer({ cmd: 'apply', action: record.actions[i] }));
  }
  const { guide, story } = engine.look({ record, from: 0 });
  assert.ok(guide.ending.length > 0);
  assert.equal(story.at(-1).end, record.actions.length);
};

// Bytes, not time: a game of 300 actions costs no more for each than one of 30.
tests['hands over only what is new of a record'] = () => {
  const engine = newEngine();
  const { civ_alloc } = engine.exports;
  let bytes = 0;
  const counting = (size) => {
    bytes += size;
    return civ_alloc(size);
  };
  engine.exports = { ...engine.exports, civ_alloc: counting };
  const dealt = recordOf(engine);
  let { record, legal } = dealt;
  const handed = [];
  while (legal.length > 0) {
    bytes = 0;
    const from = Math.max(0, record.actions.length - 1);
    const look = engine.look({ record, seat: 0, you: true, from });
    const next = engine.look({ record, seat: 1 });
    handed.push(bytes);
    assert.deepEqual(look, newEngine().look({ record, seat: 0, you: true, from }));
    assert.deepEqual(next, newEngine().look({ record, seat: 1 }));
    record = { ...record, actions: [...record.actions, legal[handed.length % legal.length]] };
    ({ legal } = engine.answer({ cmd: 'apply', action: record.actions.at(-1) }));
  }
  assert.ok(handed.length > 20);
  assert.ok(Math.max(...handed.slice(1)) < 250, `${handed}`);
  // Taken back, of another game, after a refusal and after a trap: as if it were asked first.
  const other = recordOf(newEngine()).record;
  const shorter = { ...record, actions: record.actions.slice(0, 9) };
  const wrong = { ...record, actions: [...shorter.actions, 'x'] };
  for (const one of [record, shorter, wrong, shorter, other, wrong, record, shorter, record])
    assert.deepEqual(
      engine.look({ record: one, from: 0 }),
      newEngine().look({ record: one, from: 0 }),
    );
  engine.exports = { ...engine.exports, civ_look: () => assert.fail('a trap') };
  assert.equal(engine.look({ record }).error.key, 'error.engine-stopped');
  engine.restart();
  assert.deepEqual(engine.look({ record }), newEngine().look({ record }));
};

tests['looks ahead from a view'] = () => {
  const engine = newEngine();
  const { record, legal } = recordOf(engine);
  const { view } = engine.look({ record, seat: record.first });
  const ahead = engine.look({ view, then: [legal[0]] });
  assert.deepEqual(
    ahead.view,
    engine.look({ record: { ...record, actions: [legal[0]] }, seat: record.first }).view,
  );
  assert.deepEqual(engine.look({ view, then: [legal[0], 'end'] }), { ok: true, reveals: true });
};

tests['wrong looks are refused'] = () => {
  const engine = newEngine();
  const { record } = recordOf(engine);
  const wrong = [
    null,
    5,
    '',
    [],
    {},
    { record: null },
    { record: [] },
    { view: null },
    { record, at: 1 },
    { record, seat: 2 },
    { record, from: {} },
    { record, open: 'x' },
    { record: { ...record, actions: new Array(50_000).fill('end') } },
    { record: { ...record, actions: 'x'.repeat(2_000_000) } },
  ];
  for (const field of Object.keys(record))
    for (const value of [null, -1, 1e9, '', 'x', {}, [null], [[[]]]])
      wrong.push({ record: { ...record, [field]: value } });
  let refused = 0;
  for (const request of wrong) {
    const answer = engine.look(request);
    assert.ok(
      !engine.stopped,
      `${JSON.stringify(request).slice(0, 200)}: ${answer.error?.args?.reason}`,
    );
    if (!answer.ok) assert.match(answer.error.key, /^(error|record)\./);
    if (!answer.ok) ++refused;
  }
  assert.ok(refused >= wrong.length - 2); // only a result of null is right, twice
};

tests['needs nothing from its host but seeds'] = () => {
  assert.deepEqual(WebAssembly.Module.imports(module), [
    { module: 'civ', name: 'random_seed', kind: 'function' },
  ]);
};

tests['errors are a key and its arguments'] = () => {
  const engine = newEngine();
  assert.deepEqual(engine.answer({ cmd: 'apply', action: 'end' }), {
    ok: false,
    error: { key: 'error.no-game', args: {} },
  });
  assert.deepEqual(engine.answer({ cmd: 'x "y"' }), {
    ok: false,
    error: { key: 'error.command', args: { command: 'x "y"' } },
  });
  engine.answer({ cmd: 'new', seed: 7 });
  assert.deepEqual(engine.answer({ cmd: 'apply', action: '€\n' }).error, {
    key: 'error.action',
    args: { action: '€\n' },
  });
};

tests['asks for a seed when it needs one'] = () => {
  const seeds = [7n, 2n ** 53n - 1n, 9n];
  const engine = new Engine(module, () => seeds.shift());
  assert.equal(engine.answer({ cmd: 'new' }).seed, 7);
  assert.equal(engine.answer({ cmd: 'new', players: 4 }).seed, Number(2n ** 53n - 1n));
  assert.equal(engine.answer({ cmd: 'new', seed: 3 }).seed, 3);
  const view = engine.answer({ cmd: 'view', seat: null }).view;
  assert.ok(engine.answer({ cmd: 'sample', view }).ok);
  assert.equal(seeds.length, 0);
  assert.notEqual(newEngine().answer({ cmd: 'new' }).seed, newEngine().answer({ cmd: 'new' }).seed);
};

tests['quit has no answer and ends nothing'] = () => {
  const engine = newEngine();
  assert.equal(engine.answer({ cmd: 'quit' }), null);
  assert.ok(engine.answer({ cmd: 'new', seed: 1 }).ok);
};

tests['wrong requests are refused and change nothing'] = () => {
  const engine = newEngine();
  const { state } = engine.answer({ cmd: 'new', players: 3, setup: 'draft', seed: 5 });
  const deep = 500_000;
  const wrong = [
    '',
    ' ',
    '\0',
    'x',
    '{',
    '[]',
    'null',
    '"new"',
    '{}',
    '{"cmd":1}',
    '{"cmd":"new"',
    '{"cmd":"new"}x',
    '\ufeff',
    '{"cmd":"\ud800"}',
    '{"cmd":"new","players":1e400}',
    '{"cmd":"new","players":-1}',
    '{"cmd":"new","seed":18446744073709551616}',
    '{"cmd":"new","deck":[]}',
    '{"cmd":"perft","depth":7}',
    '{"cmd":"view","seat":3}',
    '{"cmd":"apply","action":"keep U3 "}',
    '{"cmd":"load","state":{}}',
    '['.repeat(2 * deep),
    '['.repeat(deep) + ']'.repeat(deep),
    '{"":'.repeat(deep / 4),
    `{"cmd":${'['.repeat(deep)}${']'.repeat(deep - 9)}}`,
    `{"cmd":"load","state":${'['.repeat(deep - 15)}${']'.repeat(deep - 15)}}`,
    `{"cmd":"new","deck":[${'[],'.repeat(300_000)}[]]}`,
    `{"cmd":"new","first":0,"deck":[${'['.repeat(deep)}${']'.repeat(deep)}]}`,
    `{"cmd":"apply","action":"${'x'.repeat(1_000_000)}"}`,
    'x'.repeat(1 << 20),
    ' '.repeat((1 << 20) + 1),
    'x'.repeat(300_000_000),
  ];
  for (const field of Object.keys(state))
    for (const value of [null, -1, 255, 1e9, '', 'x', [], {}, [null], [[[]]], true]) {
      const request = JSON.stringify({ cmd: 'load', state: { ...state, [field]: value } });
      if (JSON.stringify(state[field]) !== JSON.stringify(value)) wrong.push(request);
    }
  for (const text of wrong) {
    const answer = engine.answer(text);
    assert.ok(!engine.stopped, `${text.slice(0, 80)}: ${answer?.error?.args?.reason}`);
    if (answer.ok)
      engine.answer({ cmd: 'load', state }); // some changes of a state give another possible state
    else assert.match(answer.error.key, /^error\./, text.slice(0, 80));
  }
  for (const text of bitsOf(JSON.stringify({ cmd: 'load', state }))) {
    if (engine.answer(text)?.ok) engine.answer({ cmd: 'load', state });
    assert.ok(!engine.stopped, text);
  }
  const view = engine.answer({ cmd: 'view', seat: 0 });
  assert.ok(view.ok && view.view.step === 'draft');
};

// A text with a character removed, doubled or replaced, at every place.
function* bitsOf(text) {
  for (let at = 0; at < text.length; ++at)
    for (const instead of ['', text[at] + text[at], '9', '"', 'M'])
      yield text.slice(0, at) + instead + text.slice(at + 1);
}

// Takes all memory but a crumb for the request, so that its answer runs out of it.
function exhaust(engine) {
  const crumb = engine.exports.civ_alloc(64);
  for (let size = 1 << 24; size >= 256; size /= 2) while (engine.exports.civ_alloc(size) !== 0);
  engine.exports.civ_free(crumb);
}

tests['a trap is an error, and restart goes on with the game'] = () => {
  const engine = newEngine();
  // The seed that was used is part of the record.
  let { legal } = engine.answer({ cmd: 'new', players: 3, setup: 'draft' });
  for (let i = 0; i < 40; ++i)
    ({ legal } = engine.answer({ cmd: 'apply', action: legal[i % legal.length] }));
  engine.answer({ cmd: 'apply', action: 'nonsense' }); // refused, so no part of it
  const before = engine.answer({ cmd: 'view', seat: 1 });

  exhaust(engine);
  const answer = engine.answer({ cmd: 'view', seat: 1 });
  assert.equal(answer.error?.key, 'error.engine-stopped');
  assert.ok(answer.error.args.reason.length > 0);
  assert.ok(engine.stopped);
  assert.deepEqual(engine.answer({ cmd: 'new', seed: 1 }), answer);

  assert.deepEqual(engine.restart().legal, legal);
  assert.ok(!engine.stopped);
  // What seats know of each other has come back too.
  assert.deepEqual(engine.answer({ cmd: 'view', seat: 1 }), before);
};

tests['restart keeps a loaded state, and nothing where there was nothing'] = () => {
  const engine = newEngine();
  assert.equal(engine.restart(), null);
  const { state } = engine.answer({ cmd: 'new', seed: 3 });
  const loaded = engine.answer({ cmd: 'load', state });
  assert.deepEqual(engine.restart(), loaded);
};

tests['no memory is lost'] = () => {
  const engine = newEngine();
  const round = () => {
    for (let seed = 0; seed < 300; ++seed)
      engine.answer({ cmd: 'new', players: 2 + (seed % 3), seed });
    return engine.exports.memory.buffer.byteLength;
  };
  const size = round();
  assert.equal(round(), size);
};

let failed = 0;
for (const [name, run] of Object.entries(tests)) {
  try {
    run();
  } catch (error) {
    ++failed;
    console.log(`FAILED: ${name}\n  ${error.stack}`);
  }
}
console.log(`${Object.keys(tests).length - failed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
