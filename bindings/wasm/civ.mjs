// The engine in a page or in Node: requests and answers of the referee (docs/protocol.md) as
// objects.
//
//   const engine = new Engine(await WebAssembly.compileStreaming(fetch('civ.wasm')));
//   engine.answer({ cmd: 'new', players: 3 });
//   // { ok: true, state: {…}, legal: […], seed: … }
//   engine.answer({ cmd: 'apply', action: 'x' });
//   // { ok: false, error: { key: 'error.action', args: { action: 'x' } } }
//
// civ.wasm also looks at games: look({ record, seat: 0, you: true }) gives { ok: true, view, guide,
// story, … }. bots.wasm is the same with the bots in its place: think({ view, bot: 'level4' })
// gives { ok: true, action, iterations, judgements }, and review(record) judges a whole game.
//
// An error is a key of text/ and its arguments: the page has the words. Should the module ever
// trap, the answer is the error 'error.engine-stopped', and so is every later one until restart()
// has replayed the game in a fresh instance.

const encoder = new TextEncoder();
const decoder = new TextDecoder();

// 53 bits, which every reader of JSON keeps exact.
function cryptoSeed() {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  return (BigInt(high >>> 11) << 32n) | BigInt(low);
}

function refusal(key, args = {}) {
  return { ok: false, error: { key, args } };
}

function hex(number) {
  return BigInt.asUintN(64, number).toString(16).padStart(16, '0');
}

export class Engine {
  #module;
  #randomSeed;
  #now;
  #stopped = null; // the answer to everything after a trap
  #record = []; // the requests, as text, that led to the present game
  #seen = null; // the record that was looked at last

  // `randomSeed` gives a BigInt for each game or sample that is asked for without a seed; `now`
  // gives milliseconds, or Infinity for a bot that is to answer at once.
  constructor(module, randomSeed = cryptoSeed, now = () => performance.now()) {
    this.#module = module;
    this.#randomSeed = randomSeed;
    this.#now = now;
    this.#start();
  }

  // A request as an object, or as the text of one. The answer to a request to quit is null.
  answer(request) {
    const text = typeof request === 'string' ? request : JSON.stringify(request);
    const answer = this.#ask(text);
    if (answer?.ok) this.#remember(text, answer);
    return answer;
  }

  // A fresh instance with the same game. Gives the answer to the last request replayed, null if
  // there was no game.
  restart() {
    this.#start();
    let answer = null;
    for (const text of this.#record) answer = this.#ask(text);
    return answer;
  }

  get stopped() {
    return this.#stopped !== null;
  }

  // What a seat sees at some moment of a record, or after actions of its own, and what it means:
  // docs/guide.md. Of a record that goes on from the last one only what is new is handed over. A
  // longer or shorter game is another record; its deck and names are not changed in place.
  look(request) {
    const record = request?.record;
    const kept = record ? this.#kept(record) : null;
    const more = kept !== null && { kept, actions: record.actions.slice(kept) };
    const brief = more ? { ...request, record: undefined, more } : request;
    const answer = this.#ask(JSON.stringify(brief), 'civ_look');
    if (record) this.#seen = answer.ok ? { ...record, actions: [...record.actions] } : null;
    return answer;
  }

  // What a bot thinks about a view: see think.cc. It takes its time, so a page asks in a worker.
  think(request) {
    return this.#ask(JSON.stringify(request), 'civ_think');
  }

  // Judges a game step by step: yields { done, all, turn, seat, begin, before } after each and
  // returns { ok: true, review }, described in docs/analysis.md, or { ok: false, error }. Whoever
  // asks for no more steps has stopped it. A page does this in a worker.
  *review(record, options = {}) {
    const begun = this.#ask(JSON.stringify({ ...options, record }), 'civ_review');
    if (!begun.ok) return begun;
    for (let step = 0; step < begun.steps; ++step) {
      const told = this.#ask(JSON.stringify({ step }), 'civ_review');
      if (!told.ok) return told;
      yield { done: step + 1, all: begun.steps, ...told };
    }
    return this.#ask(JSON.stringify({ sum: true }), 'civ_review');
  }

  // What was wrong with what was done from a view: see coach.cc. A page asks in a worker.
  coach(request) {
    return this.#ask(JSON.stringify(request), 'civ_coach');
  }

  signature() {
    return hex(this.exports.civ_signature());
  }

  botSignature() {
    return hex(this.exports.civ_bot_signature());
  }

  // Plays random games and gives the number of their decisions.
  bench(players, games, seed = 1) {
    return this.exports.civ_bench(players, games, seed);
  }

  #start() {
    const imports = { civ: { random_seed: () => this.#randomSeed(), now: () => this.#now() } };
    this.exports = new WebAssembly.Instance(this.#module, imports).exports;
    this.exports._initialize();
    this.#stopped = null;
    this.#seen = null;
  }

  // How many actions a record has in common with the one that was looked at last; null if it is of
  // another game.
  #kept(record) {
    const seen = this.#seen;
    const fields = Object.keys(record);
    const same =
      seen &&
      fields.length === Object.keys(seen).length &&
      fields.every((field) => field === 'actions' || record[field] === seen[field]);
    if (!same || !Array.isArray(record.actions)) return null;
    const differs = seen.actions.findIndex((action, index) => action !== record.actions[index]);
    return differs < 0 ? seen.actions.length : differs;
  }

  #ask(text, by = 'civ_answer') {
    if (this.#stopped) return this.#stopped;
    try {
      return this.#exchange(encoder.encode(text), this.exports[by]);
    } catch (trap) {
      // Whatever was thrown, it left the module in the middle of something: its memory cannot be
      // trusted any more.
      this.#stopped = refusal('error.engine-stopped', { reason: String(trap?.message ?? trap) });
      return this.#stopped;
    }
  }

  #exchange(bytes, ask) {
    const { memory, civ_alloc, civ_free, civ_length } = this.exports;
    const input = civ_alloc(bytes.length) >>> 0;
    if (input === 0) return refusal('error.line-too-long');
    new Uint8Array(memory.buffer).set(bytes, input);
    const output = ask(input, bytes.length) >>> 0;
    civ_free(input);
    if (output === 0) return null;
    const answer = JSON.parse(decoder.decode(new Uint8Array(memory.buffer, output, civ_length())));
    if (typeof answer.error === 'string') answer.error = JSON.parse(answer.error);
    return answer;
  }

  #remember(text, answer) {
    const request = JSON.parse(text);
    if (request.cmd === 'new')
      this.#record = [
        'seed' in answer && !('seed' in request)
          ? JSON.stringify({ ...request, seed: answer.seed })
          : text,
      ];
    if (request.cmd === 'load') this.#record = [text];
    if (request.cmd === 'apply') this.#record.push(text);
  }
}
