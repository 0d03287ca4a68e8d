// The connection to a table. It comes back by itself with growing pauses, says which messages it
// has seen, and sends again what had no answer.
import type { Message } from '../engine/types';
import { API, tableOf, whoAmI } from './api';
import type { Answer, Aside, Command, Happened, Hello, Presence } from './types';

export type Heard = Hello | Presence | Happened | Aside;
// `lost` tries again, `closed` does not.
export type State = 'connecting' | 'open' | 'lost' | 'closed';

type Pong = { type: 'pong'; spread?: number };
type Closing = { type: 'closing'; error: Message; spread?: number };

export interface Ears {
  hear(message: Heard): void;
  state(state: State, why: Message | null): void;
  // The server cannot do now what was asked, and is asked again; null: it has done it.
  waiting(why: Message | null): void;
}

const PAUSES = [300, 1000, 2000, 4000, 8000, 15_000]; // milliseconds before each try
const SILENCE = 25_000; // after which the line is tried
const ANSWER = 4_000; // the same when something was asked
const PATIENCE = 8_000; // for an answer to that, and for a connection
const AGAIN = 1_000; // before what could not be done now is tried again
// Answers after which nothing has happened.
const NOT_NOW = ['error.store', 'error.too-many-requests', 'closing.restart'];

const id = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) =>
    byte.toString(36).padStart(2, '0'),
  ).join('');

export class Line {
  readonly #table: string;
  readonly #ears: Ears;
  #socket: WebSocket | null = null;
  #seen = 0; // the last number
  // Sent, or to be sent, and not answered.
  #open = new Map<string, { text: string; answer: (answer: Answer) => void }>();
  #tries = 0;
  #spread = 0; // milliseconds over which the server wants everybody to come back
  #probing = false;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #state: State = 'closed';
  #why: Message | null = null;

  constructor(table: string, ears: Ears) {
    this.#table = table;
    this.#ears = ears;
  }

  start(): void {
    addEventListener('online', this.#wake);
    addEventListener('offline', this.#unplugged);
    document.addEventListener('visibilitychange', this.#wake);
    this.#tries = 0;
    this.#seen = 0; // it may be somebody else who looks at the table now
    this.#connect();
  }

  stop(): void {
    removeEventListener('online', this.#wake);
    removeEventListener('offline', this.#unplugged);
    document.removeEventListener('visibilitychange', this.#wake);
    clearTimeout(this.#timer);
    this.#drop();
    this.#state = 'closed'; // whatever is still being asked
  }

  // The answer comes when there is one, however often the connection breaks before.
  send(command: Command): Promise<Answer> {
    const name = id();
    const text = JSON.stringify({ ...command, id: name });
    return new Promise((answer) => {
      this.#open.set(name, { text, answer });
      if (this.#state !== 'open') return;
      this.#socket?.send(text);
      if (this.#open.size === 1 && !this.#probing) this.#listen();
    });
  }

  // Somebody looks at the page again, or the network is back: no need to wait any longer.
  #wake = () => {
    if (document.visibilityState === 'hidden') return;
    if (this.#state === 'lost') {
      this.#tries = 0;
      this.#connect();
    } else if (this.#state === 'open') {
      this.#probe();
    }
  };

  // Browsers keep a connection for long after that. A server on the same device can still be there:
  // the next try tells.
  #unplugged = () => {
    if (this.#state === 'open') this.#lost(0);
  };

  #set(state: State, why: Message | null = null): void {
    this.#state = state;
    this.#ears.state(state, why);
  }

  #drop(): void {
    const socket = this.#socket;
    this.#socket = null; // what it still says is not heard
    socket?.close();
  }

  #connect(): void {
    clearTimeout(this.#timer);
    this.#drop();
    this.#why = null;
    if (this.#state !== 'lost') this.#set('connecting');
    const address = new URL(
      `tables/${encodeURIComponent(this.#table)}/live?seen=${this.#seen}`,
      API,
    );
    address.protocol = address.protocol.replace('http', 'ws');
    const socket = new WebSocket(address);
    this.#socket = socket;
    const mine = (then: (event: never) => void) => (event: Event) => {
      if (this.#socket === socket) then(event as never);
    };
    let opened = false;
    socket.onopen = mine(() => {
      opened = true;
      this.#set('open');
      for (const { text } of this.#open.values()) socket.send(text);
      this.#listen();
    });
    socket.onmessage = mine((event: MessageEvent) => this.#hear(JSON.parse(event.data)));
    socket.onclose = mine((event: CloseEvent) => {
      this.#lost(event.code);
      if (!opened) void this.#ask();
    });
    this.#timer = setTimeout(() => this.#lost(0), PATIENCE);
  }

  #lost(code: number): void {
    clearTimeout(this.#timer);
    this.#drop();
    if (code === 1008) {
      this.#set('closed', this.#why);
      return;
    }
    this.#set('lost');
    // If the server is gone, all others have lost it, too: not everybody at once. Later tries are
    // as far apart as these were.
    const spread = code !== 0 && this.#tries === 0 ? this.#spread * Math.random() : 0;
    const pause = PAUSES[Math.min(this.#tries++, PAUSES.length - 1)];
    this.#timer = setTimeout(() => this.#connect(), pause * (0.75 + Math.random() / 2) + spread);
  }

  // Why there is no connection a browser does not say: perhaps there is nothing to come back to.
  async #ask(): Promise<void> {
    for (const answer of [await whoAmI(), await tableOf(this.#table)]) {
      if (
        answer.ok ||
        answer.status < 400 ||
        answer.status >= 500 ||
        answer.status === 429 ||
        this.#state !== 'lost'
      )
        continue;
      clearTimeout(this.#timer);
      this.#drop(); // another try may be under way
      this.#set('closed', answer.error);
    }
  }

  // A connection may die without a word. If nothing has come for a while, ask.
  #listen(): void {
    clearTimeout(this.#timer);
    this.#probing = false;
    const asked = this.#open.size > 0;
    this.#timer = setTimeout(
      () => {
        if (asked) this.#ears.waiting({ key: 'live.unsent', args: {} });
        this.#probe();
      },
      asked ? ANSWER : SILENCE,
    );
  }

  #probe(): void {
    clearTimeout(this.#timer);
    this.#probing = true;
    this.#socket?.send('{"type":"ping"}');
    this.#timer = setTimeout(() => this.#lost(0), PATIENCE);
  }

  #answered(answer: Answer): void {
    const asked = this.#open.get(answer.id);
    if (!asked) return;
    if (answer.error && NOT_NOW.includes(answer.error.key)) {
      this.#ears.waiting(answer.error);
      const socket = this.#socket;
      setTimeout(() => {
        if (socket === this.#socket) socket?.send(asked.text); // a new one has sent it already
      }, AGAIN);
      return;
    }
    this.#open.delete(answer.id);
    this.#listen();
    this.#ears.waiting(null);
    asked.answer(answer);
  }

  #hear(message: Heard | Answer | Pong | Closing): void {
    this.#listen();
    if ('spread' in message) this.#spread = message.spread ?? 0;
    switch (message.type) {
      case 'pong':
        return;
      case 'closing':
        this.#why = (message as Closing).error;
        return;
      case 'ack':
      case 'refused':
        this.#answered(message as Answer);
        return;
    }
    this.#tries = 0; // it works
    if ('n' in message) this.#seen = message.n;
    else if (!['presence', 'say', 'mute'].includes(message.type)) return; // of a newer server
    this.#ears.hear(message as Heard);
  }
}
