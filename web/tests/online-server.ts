// A server of one's own, and the wires to it: each browser has one that can be cut, held and made
// slow.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import {
  type AddressInfo,
  createServer,
  type Server as Listener,
  type Socket,
  connect as toHost,
} from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { GameRecord } from '../src/engine/types';

export const PROGRAM =
  process.env.CIV_PROGRAM ?? fileURLToPath(new URL('../../build/civ', import.meta.url));
const HOST = '127.0.0.1';

async function freePort(): Promise<number> {
  const listener = createServer();
  await new Promise<void>((done) => listener.listen(0, HOST, done));
  const { port } = listener.address() as AddressInfo;
  await new Promise((done) => listener.close(done));
  return port;
}

export class Server {
  #process: ChildProcess | null = null;
  #log = '';

  private constructor(
    readonly port: number,
    readonly folder: string,
    readonly page: string | undefined,
    readonly options: string[],
  ) {}

  // CIV_PAGE is a folder with the page, for when the one inside the program is not the one to be
  // tested.
  static async start({
    page = process.env.CIV_PAGE,
    options = [] as string[],
  } = {}): Promise<Server> {
    const server = new Server(
      await freePort(),
      mkdtempSync(join(tmpdir(), 'civ-online-')),
      page,
      options,
    );
    await server.restart();
    return server;
  }

  get origin(): string {
    return `http://${HOST}:${this.port}`;
  }

  // On the same port and with the same data, if it has been killed.
  async restart(): Promise<void> {
    const page = this.page ? ['--page', this.page] : [];
    const options = [
      'serve',
      '--port',
      `${this.port}`,
      '--data',
      this.folder,
      '--no-limits',
      '--bot-pause',
      '0',
      ...page,
      ...this.options,
    ];
    const child = spawn(PROGRAM, options, { stdio: ['ignore', 'pipe', 'pipe'] });
    this.#process = child;
    process.once('exit', () => child.kill('SIGKILL'));
    for (const out of [child.stdout, child.stderr]) out.on('data', (text) => (this.#log += text));
    for (;;) {
      if (child.exitCode !== null) throw new Error(`the server has ended: ${this.#log}`);
      const answer = await fetch(`${this.origin}/readyz`).catch(() => null);
      if (answer?.ok) return;
      await new Promise((done) => setTimeout(done, 20));
    }
  }

  // As when the power fails.
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const child = this.#process;
    this.#process = null;
    if (!child || child.exitCode !== null) return;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill(signal);
    await ended;
  }

  async stop(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }

  // Runs the program on this server's data, as its owner does.
  run(...words: string[]): string {
    return execFileSync(PROGRAM, words, { encoding: 'utf8' });
  }
}

// What the program says to a record: '' if game and deal are right.
export function verify(record: GameRecord): string {
  try {
    execFileSync(PROGRAM, ['verify', '-'], { input: JSON.stringify(record), encoding: 'utf8' });
    return '';
  } catch (error) {
    return `${(error as { stdout: string }).stdout}${(error as { stderr: string }).stderr}`;
  }
}

interface Wire {
  near: Socket;
  far: Socket;
}

// How a wire passes bytes on: after `delay` milliseconds in each direction, give or take `jitter`,
// and now and then not for `stall`, as when packets are lost.
export interface Slowness {
  delay: number;
  jitter: number;
  stall: number;
  often: number; // one of so many pieces stalls
}

export class Cable {
  #listener: Listener;
  #wires = new Set<Wire>();
  #isCut = false;
  #isHeld = false;
  #held: (() => void)[] = [];
  #slow: Slowness | null = null;
  passed = 0; // bytes, both ways

  private constructor(
    readonly server: Server,
    listener: Listener,
  ) {
    this.#listener = listener;
  }

  static async to(server: Server): Promise<Cable> {
    const listener = createServer({ allowHalfOpen: true });
    const cable = new Cable(server, listener);
    listener.on('connection', (near) => cable.#accept(near));
    await new Promise<void>((done) => listener.listen(0, HOST, done));
    return cable;
  }

  get origin(): string {
    return `http://${HOST}:${(this.#listener.address() as AddressInfo).port}`;
  }

  // Everything that is open breaks, and nothing can be opened.
  cut(): void {
    this.#isCut = true;
    this.release();
    for (const wire of this.#wires) this.#break(wire);
  }

  restore(): void {
    this.#isCut = false;
  }

  // Nothing arrives, in either direction, and nothing breaks.
  hold(): void {
    this.#isHeld = true;
  }

  release(): void {
    this.#isHeld = false;
    for (const pass of this.#held.splice(0)) pass();
  }

  slow(how: Slowness | null): void {
    this.#slow = how;
  }

  // As it was at first, with nothing open.
  reset(): void {
    this.cut();
    this.restore();
    this.slow(null);
  }

  async stop(): Promise<void> {
    this.cut();
    await new Promise((done) => this.#listener.close(done));
  }

  #accept(near: Socket): void {
    if (this.#isCut) {
      near.destroy();
      return;
    }
    const wire = { near, far: toHost(this.server.port, HOST) };
    this.#wires.add(wire);
    this.#carry(wire, wire.near, wire.far);
    this.#carry(wire, wire.far, wire.near);
  }

  #carry(wire: Wire, from: Socket, to: Socket): void {
    // In this order, whenever timers come: theirs is another one.
    const queue: { due: number; then: () => void }[] = [];
    let timer: NodeJS.Timeout | undefined;
    const deliver = () => {
      clearTimeout(timer);
      while (queue.length > 0 && queue[0].due <= performance.now()) queue.shift()!.then();
      if (queue.length > 0) timer = setTimeout(deliver, queue[0].due - performance.now());
    };
    const pass = (then: () => void) => {
      if (this.#isHeld) {
        this.#held.push(() => pass(then));
        return;
      }
      const slow = this.#slow;
      const now = performance.now();
      const stalls = slow && Math.random() * slow.often < 1 ? slow.stall : 0;
      queue.push({
        due: slow ? now + slow.delay + (Math.random() * 2 - 1) * slow.jitter + stalls : now,
        then,
      });
      deliver();
    };
    from.on('data', (bytes) => {
      this.passed += bytes.length;
      pass(() => to.writable && to.write(bytes));
    });
    from.on('end', () => pass(() => to.end()));
    from.on('close', () => pass(() => this.#break(wire)));
    from.on('error', () => this.#break(wire));
  }

  #break(wire: Wire): void {
    wire.near.destroy();
    wire.far.destroy();
    this.#wires.delete(wire);
  }
}
