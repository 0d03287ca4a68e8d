// bench/peers calls this. It is the clients of all tables, and starts the servers one after the
// other, each in a process of its own. A lost connection or a missing answer ends it.
import { spawn } from 'node:child_process';
import { fdatasyncSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { PEERS } from './players.mjs';

const { values } = parseArgs({
  options: {
    tables: { type: 'string', default: '200' },
    seconds: { type: 'string', default: '8' },
    kills: { type: 'string', default: '10' },
    only: { type: 'string' },
  },
});
const TABLES = Number(values.tables);
const SECONDS = Number(values.seconds);
const KILLS = Number(values.kills);
const PACE = 1; // seconds between the moves of a table
const KILLED = { tables: 50, pace: 0.25, patience: 4 };
const PATIENCE = 20; // seconds
const PORT = process.env.CIV_BENCH_PORT ?? '8199';
const ORIGIN = `http://127.0.0.1:${PORT}`;

async function until(condition, what, patience = PATIENCE) {
  for (const begin = performance.now(); !condition(); await sleep(20))
    if (performance.now() - begin > 1000 * patience) throw new Error(`waited in vain for ${what}`);
}

const newFolder = () => mkdtempSync(join(process.env.CIV_BENCH_FOLDER ?? tmpdir(), 'civ-peers-'));

class Server {
  folder = newFolder();
  killed = false;

  constructor(peer) {
    this.peer = peer;
    process.once('exit', () => this.end());
  }

  async start() {
    const [program, ...words] = this.peer.command(PORT, this.folder);
    const child = spawn(program, words, {
      stdio: ['ignore', 'ignore', 'pipe'],
      env: { ...process.env, NODE_ENV: 'production' },
    });
    let said = '';
    child.stderr.on('data', (text) => (said = `${said}${text}`.slice(-2000)));
    this.child = child;
    this.killed = false;
    child.once('exit', () => {
      if (!this.killed) throw new Error(`${this.peer.name} has ended: ${said}`);
    });
    const status = () =>
      fetch(`${ORIGIN}/readyz`).then(
        (answer) => answer.status,
        () => 503,
      );
    while ((await status()) === 503) await sleep(20);
  }

  async kill() {
    const ended = new Promise((done) => this.child.once('exit', done));
    this.killed = true;
    this.child.kill('SIGKILL');
    await ended;
  }

  end() {
    this.killed = true;
    this.child?.kill('SIGKILL');
    rmSync(this.folder, { recursive: true, force: true });
  }

  // Megabytes at most, and seconds of processor time.
  used() {
    const proc = (name) => readFileSync(`/proc/${this.child.pid}/${name}`, 'utf8');
    const [, kilobytes] = /VmHWM:\s+(\d+)/.exec(proc('status'));
    const fields = proc('stat').split(') ')[1].split(' ');
    return { memory: kilobytes / 1000, processor: (Number(fields[11]) + Number(fields[12])) / 100 };
  }
}

class Table {
  players = [];
  acknowledged = 0; // moves
  #asked = null; // the move that has no answer yet
  #due = false;
  #load = null;
  #timer = null;

  constructor(server) {
    this.server = server;
  }

  async open() {
    this.place = await this.server.peer.make(ORIGIN);
    this.acknowledged = 0;
    await this.join(PATIENCE);
  }

  // Both people, at the game that there is.
  async join(patience) {
    const { peer } = this.server;
    this.#asked = null;
    this.players = await peer.join(ORIGIN, this.place);
    this.connected = this.players.length;
    for (const player of this.players) {
      player.news = () => this.#news();
      player.lost = (why) => this.#lost(why);
    }
    const told = () => this.players.every(({ seen }) => seen >= 0);
    await until(told, `${peer.name} to open a table`, patience);
  }

  get moves() {
    return Math.max(...this.players.map(({ seen }) => seen));
  }

  get waits() {
    return this.#asked !== null;
  }

  get over() {
    return !this.players.some(({ mine }) => mine);
  }

  // A move every load.pace seconds; 0: the next as soon as both know the last.
  play(load) {
    this.#load = load;
    this.#begin(performance.now() + 1000 * load.pace * Math.random());
  }

  #begin(at) {
    this.#timer = setTimeout(() => {
      this.#due = true;
      this.#move();
      if (this.#load.pace > 0) this.#begin(at + 1000 * this.#load.pace);
    }, at - performance.now());
  }

  close() {
    clearTimeout(this.#timer);
    for (const player of this.players.splice(0)) {
      player.lost = () => {};
      player.close();
    }
  }

  #lost(why) {
    --this.connected;
    if (this.server.killed) return;
    throw new Error(`a connection to ${this.server.peer.name} was lost: ${why}`);
  }

  #news() {
    if (this.#asked && this.#asked.mover.answered >= this.#asked.count) {
      this.#load.milliseconds.push(performance.now() - this.#asked.at);
      this.acknowledged = this.#asked.count;
      this.#asked = null;
      if (this.#load.pace === 0) this.#due = true;
    }
    this.#move();
  }

  #move() {
    if (!this.#due || this.#asked || this.#load.stopped || this.server.killed) return;
    const { moves } = this;
    const mover = this.players.find(({ mine }) => mine);
    if (!mover || this.players.some(({ seen }) => seen < moves)) return;
    this.#due = false;
    const move = mover.choose();
    this.#asked = { mover, count: moves + 1, at: performance.now() };
    mover.send(move, moves + 1);
  }
}

async function seated(server, count) {
  const tables = Array.from({ length: count }, () => new Table(server));
  for (let i = 0; i < count; i += 10)
    await Promise.all(tables.slice(i, i + 10).map((t) => t.open()));
  return tables;
}

async function run(server, tables, pace) {
  const load = { pace, milliseconds: [], stopped: false };
  const before = server.used().processor;
  const own = process.cpuUsage();
  const begin = performance.now();
  for (const table of tables) table.play(load);
  await sleep(1000 * SECONDS);
  load.stopped = true;
  const seconds = (performance.now() - begin) / 1000;
  const processor = server.used().processor - before;
  const { user, system } = process.cpuUsage(own);
  const times = load.milliseconds.toSorted((a, b) => a - b);
  await until(() => !tables.some(({ waits }) => waits), 'answers to moves');
  await sleep(200); // until both have been told
  const over = tables.filter((table) => table.over).length;
  if (10 * over > tables.length) throw new Error(`${over} games are over: take more tables`);
  const part = (share) => times[Math.floor(share * times.length)];
  return {
    moves: times.length / seconds,
    median: part(0.5),
    most: part(0.99),
    cost: (1e6 * processor) / times.length, // microseconds of the server
    clients: (user + system) / times.length,
  };
}

// How many acknowledged moves the server did not have any more after it was killed and started
// again.
async function kills(peer) {
  const server = new Server(peer);
  await server.start();
  const tables = await seated(server, KILLED.tables);
  let [of, lost, gone] = [0, 0, 0];
  for (let i = 0; i < KILLS; ++i) {
    const load = { pace: KILLED.pace, milliseconds: [], stopped: false };
    for (const table of tables) table.play(load);
    await sleep(300 + 1000 * Math.random());
    await server.kill();
    await until(() => tables.every(({ connected }) => connected === 0), 'sockets to close');
    load.stopped = true;
    of += load.milliseconds.length;
    for (const table of tables) table.close();
    await server.start();
    const back = await Promise.allSettled(tables.map((table) => table.join(KILLED.patience)));
    for (const [at, table] of tables.entries()) {
      const there = back[at].status === 'fulfilled';
      lost += Math.max(0, table.acknowledged - (there ? table.moves : 0));
      table.acknowledged = table.moves;
      if (there) continue;
      ++gone;
      table.close();
      await table.open();
    }
  }
  for (const table of tables) table.close();
  server.end();
  return { of, lost, gone };
}

async function measure(peer) {
  const server = new Server(peer);
  await server.start();
  const tables = await seated(server, TABLES);
  const paced = await run(server, tables, PACE);
  const full = await run(server, tables, 0);
  const { memory } = server.used();
  for (const table of tables) table.close();
  server.end();
  return { paced, full, memory, killed: await kills(peer) };
}

// Milliseconds of 4 kB written and synced, the median.
function syncedWrite() {
  const folder = newFolder();
  const file = openSync(join(folder, 'probe'), 'w');
  const times = Array.from({ length: 100 }, () => {
    writeSync(file, Buffer.alloc(4096));
    const begin = performance.now();
    fdatasyncSync(file);
    return performance.now() - begin;
  });
  rmSync(folder, { recursive: true });
  return times.sort((a, b) => a - b)[50];
}

process.once('uncaughtException', (error) => {
  console.error(`bench/peers: ${error.message}`);
  process.exit(1);
});
const number = (value, digits = 0) =>
  value.toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
const ms = (value) => `${number(value, 1)} ms`;
const row = (cells) => console.log(`| ${cells.join(' | ')} |`);
console.log(
  `${TABLES} tables, ${2 * TABLES} sockets, ${SECONDS} s each; ${cpus().length} cores, ` +
    `load ${loadavg()[0]}, Node ${process.version}, a synced write ${ms(syncedWrite())}\n`,
);
row([
  ...['', 'keeps games', 'most moves/s', 'median', '99 %'],
  ...[`at ${number(TABLES / PACE)} moves/s: median`, '99 %'],
  ...['processor for a move: server', 'clients', 'memory'],
  `acknowledged moves lost in ${KILLS} kills`,
]);
row(['---', '---', ...Array(9).fill('--:')]);
for (const [key, peer] of Object.entries(PEERS)) {
  if (values.only && values.only !== key) continue;
  const { paced, full, memory, killed } = await measure(peer);
  row([
    ...[peer.name, peer.stores, number(full.moves), ms(full.median), ms(full.most)],
    ...[ms(paced.median), ms(paced.most), `${number(full.cost)} µs`],
    ...[`${number(full.clients)} µs`, `${number(memory)} MB`],
    `${number(killed.lost)} of ${number(killed.of)}${killed.gone ? `, ${killed.gone} games` : ''}`,
  ]);
}
process.exit(0);
