// Someone at a server's table whose browser is not the point: a program that talks to the server
// as any may, from here.
import { randomBytes } from 'node:crypto';
import { expect } from '@playwright/test';
import WebSocket from 'ws';
import type { View } from '../src/engine/types';
import type { Answer, Command, GameState, Hello, TableOptions, TableState } from '../src/net/types';
import { engine } from './engine';
import { pick, type Random } from './games';

export interface Known {
  n: number;
  you: Hello['you'];
  table: TableState;
  game: GameState | null;
}

// Ends turns and keeps columns low, so that nobody wins for long.
export function idle(legal: string[], { tables, seat }: View): string {
  const height = (action: string) =>
    tables[seat!].filter(([letter]) => letter === action.split(' ')[1]?.[0]).length;
  return legal.includes('end') ? 'end' : [...legal].sort((a, b) => height(a) - height(b))[0];
}

export class Puppet {
  id = '';
  likes: (legal: string[], view: View) => string | undefined = () => undefined;
  readonly numbers: Record<string, { hash: string; random: string }> = {}; // given to deals
  #cookie = '';
  #sockets: WebSocket[] = []; // the last one is for the table that is open
  #known: Known | null = null;
  #commands = 0;
  #answers = new Map<string, (answer: Answer) => void>();
  #waiting = new Set<() => void>(); // asked again after every message

  private constructor(
    readonly name: string,
    readonly origin: string,
  ) {}

  static async with({ origin }: { origin: string }, name: string): Promise<Puppet> {
    const puppet = new Puppet(name, origin);
    const answer = await puppet.#post('session', { name });
    puppet.#cookie = answer.headers.getSetCookie()[0].split(';')[0];
    puppet.id = (await answer.json()).person.id;
    return puppet;
  }

  // Somebody who has a session already.
  static of({ origin }: { origin: string }, name: string, id: string, cookie: string): Puppet {
    const puppet = new Puppet(name, origin);
    puppet.id = id;
    puppet.#cookie = cookie;
    return puppet;
  }

  async #post(path: string, body: object): Promise<Response> {
    const answer = await fetch(`${this.origin}/api/v1/${path}`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', Origin: this.origin, Cookie: this.#cookie },
      body: JSON.stringify(body),
    });
    expect(answer.ok, answer.ok ? '' : await answer.text()).toBe(true);
    return answer;
  }

  // For a browser that is to be the same person.
  get cookie(): { name: string; value: string; url: string } {
    const [name, value] = this.#cookie.split('=');
    return { name, value, url: this.origin };
  }

  async make(options: Partial<TableOptions>): Promise<string> {
    return (await (await this.#post('tables', options)).json()).table;
  }

  async open(table: string): Promise<void> {
    const address = `${this.origin.replace('http', 'ws')}/api/v1/tables/${table}/live`;
    const socket = new WebSocket(address, {
      headers: { Cookie: this.#cookie },
      origin: this.origin,
    });
    this.#sockets.push(socket);
    this.#known = null;
    socket.on('message', (text) => {
      if (socket === this.#sockets.at(-1)) this.#hear(table, JSON.parse(`${text}`));
    });
    await new Promise((opened, failed) => socket.once('open', opened).once('error', failed));
    socket.on('error', () => {}); // a server that was killed
    await this.until(() => true);
  }

  #hear(table: string, message: Answer & Known & { hash: string }): void {
    const type: string = message.type;
    if (type === 'ack' || type === 'refused') {
      this.#answers.get(message.id)?.(message);
      this.#answers.delete(message.id);
    } else if (type === 'hello') this.#known = { ...message, game: message.game ?? null };
    else if (this.#known && 'n' in message) {
      const { table: was, game } = this.#known;
      const now = { n: message.n, table: message.table ?? was, game: message.game ?? game };
      this.#known = { ...this.#known, ...now };
    }
    if (type === 'commit') {
      const random = randomBytes(32).toString('hex');
      this.numbers[table] = { hash: message.hash, random };
      this.#send({ type: 'contribute', random }, 'number');
    }
    for (const look of this.#waiting) look();
  }

  #send(command: Command, id: string): void {
    this.#sockets.at(-1)!.send(JSON.stringify({ ...command, id }));
  }

  get known(): Known | null {
    return this.#known;
  }

  // Until what is known fits.
  until(fits: (known: Known) => boolean): Promise<Known> {
    return new Promise((found) => {
      const look = () => {
        if (!this.#known || !fits(this.#known)) return;
        this.#waiting.delete(look);
        found(this.#known);
      };
      this.#waiting.add(look);
      look();
    });
  }

  // The server's answer.
  command(command: Command): Promise<Answer> {
    const id = `c${this.#commands++}`;
    return new Promise((answered) => {
      this.#answers.set(id, answered);
      this.#send(command, id);
    });
  }

  async done(command: Command): Promise<void> {
    expect(await this.command(command)).toMatchObject({ type: 'ack' });
  }

  // What it likes, or at random, until the game is over or `enough`.
  async play(chance: Random, enough: (known: Known) => boolean = () => false): Promise<void> {
    for (;;) {
      const known = await this.until(
        (now) => now.table.status === 'over' || enough(now) || this.#decides(now),
      );
      if (known.table.status === 'over' || enough(known)) return;
      await this.act(chance, known);
    }
  }

  // One decision of one's own.
  async act(chance: Random, known?: Known): Promise<string> {
    const { n, table, game } = known ?? (await this.until((now) => this.#decides(now)));
    const { legal } = engine.look({ view: game!.view }).guide as { legal: string[] };
    const liked = this.likes(legal, game!.view);
    // On its strongest Domain, so that the game comes to an end.
    const { tables, seat } = game!.view;
    const height = (action: string) =>
      tables[seat!].filter((card) => card[0] === action.split(' ')[1]?.[0]).length;
    const strong = [...legal].sort((a, b) => height(b) - height(a))[0];
    const action =
      liked ??
      (legal.includes('end') && chance(6) > 0
        ? 'end'
        : strong.startsWith('play ')
          ? strong
          : pick(legal, chance));
    const [verb, card] = action.split(' ');
    const command: Command =
      verb === 'keep'
        ? { type: 'pick', round: table.draft!.round, card: card as never }
        : { type: 'act', builds: n, actions: [action] };
    const { error } = await this.command(command);
    if (error && error.key !== 'error.stale' && error.key !== 'error.table.round')
      throw new Error(`${action}: ${JSON.stringify(error)}`);
    return action;
  }

  #decides({ table, game }: Known): boolean {
    const seat = table.chairs.findIndex((chair) => chair.person?.id === this.id && !chair.left);
    if (!game || seat < 0 || table.status !== 'running') return false;
    return table.draft ? !table.draft.picked[seat] : (game.view as View).seat === seat;
  }

  stop(): void {
    for (const socket of this.#sockets) socket.terminate();
  }
}
