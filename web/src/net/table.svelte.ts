// A table of the server as this page knows it: what has been told, put together, and what may be
// asked for.
import type { Card, Message, Pacts } from '../engine/types';
import { botNames } from '../game/setup-names';
import { t } from '../text/text.svelte';
import { storyOf } from './api';
import { knownDeal, randomNumber, rememberDeal } from './deals';
import { type Heard, Line, type State } from './line';
import { withNews } from './pacts';
import { Earlier, merged, ToldGame } from './told.svelte';
import type {
  Aside,
  Chair,
  Clocks,
  Command,
  Happened,
  Hello,
  Person,
  Line as Said,
  TableState,
} from './types';

export type Connection = State | 'elsewhere'; // elsewhere: another tab or device has taken over

// Milliseconds before the story is asked for again.
const AGAIN = 1_000;
const LONGEST = 30_000;

export class OnlineTable {
  readonly id: string;
  known = $state(false); // something has been told
  connection = $state<Connection>('connecting');
  why = $state.raw<Message | null>(null); // the connection is closed
  trouble = $state.raw<Message | null>(null); // what was asked for has to wait
  you = $state.raw<Hello['you'] | null>(null);
  state = $state.raw<TableState>()!;
  clock = $state.raw<Clocks | null>(null);
  game = $state.raw<ToldGame | null>(null);
  pacts = $state.raw<Pacts | null>(null); // as far as anything was said
  chat = $state.raw<Said[]>([]);
  presence = $state.raw<{ seats: boolean[]; watching: number }>({ seats: [], watching: 0 });
  freed = $state(false); // the host has taken one's chair
  number = 0; // of the last message
  readonly #line: Line;
  readonly #listeners = new Set<(message: Heard) => void>();
  #earlier = new Earlier();
  #contributed = false;
  #stands = false; // oneself
  #ahead = 0; // the time of service less the time of this page

  constructor(id: string) {
    this.id = id;
    this.#line = new Line(id, {
      hear: (message) => this.#hear(message),
      waiting: (why) => (this.trouble = why),
      state: (state, why) => {
        this.connection = why?.key === 'closing.elsewhere' ? 'elsewhere' : state;
        this.why = why;
        if (state !== 'open') this.trouble = null;
      },
    });
  }

  start(): void {
    this.#line.start();
  }

  stop(): void {
    this.#line.stop();
    this.#earlier = new Earlier(); // nobody waits for it any more
  }

  // Called after each message has been taken in; gives back how to stop it.
  listen(listener: (message: Heard) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  get seat(): number | null {
    return this.you?.seat ?? null;
  }

  get me(): Person | null {
    return this.you?.person ?? null;
  }

  get isHost(): boolean {
    return this.me !== null && this.state.host === this.me.id;
  }

  // Names as they are shown, by seat.
  readonly names = $derived.by(() => (this.known ? namesAt(this.state.chairs) : []));

  // 'human' or the name of a bot, by seat. Where somebody has left, the bot plays.
  readonly seats = $derived.by(() =>
    this.known ? this.state.chairs.map((chair) => chair.bot ?? 'human') : [],
  );

  // Whom I do not hear.
  get muted(): string[] {
    return this.you?.muted ?? [];
  }

  // The time of service now, in milliseconds.
  get now(): number {
    return performance.now() + this.#ahead;
  }

  // What is left of a seat's time, in milliseconds; null without a clock.
  left(seat: number, now = this.now): { turn: number; bank: number; running: boolean } | null {
    const clock = this.clock?.seats[seat];
    if (!clock) return null;
    const used = clock.running ? Math.max(0, now - this.clock!.at - clock.free) : 0;
    const turn = Math.max(0, clock.turn - used);
    return {
      turn,
      bank: Math.max(0, clock.bank - Math.max(0, used - clock.turn)),
      running: clock.running,
    };
  }

  // Null, or why not.
  async ask(command: Command): Promise<Message | null> {
    if (command.type === 'sit' || command.type === 'stand') this.#stands = command.type === 'stand';
    return (await this.#line.send(command)).error ?? null;
  }

  #hear(message: Heard): void {
    if (message.type === 'presence' && 'watching' in message) {
      this.presence = { seats: message.seats, watching: message.watching };
      this.#ahead = message.now - performance.now();
    } else if (message.type === 'hello') {
      const hello = message as Hello;
      this.number = hello.n;
      this.you = hello.you;
      this.state = hello.table;
      this.clock = hello.clock ?? null;
      this.#earlier = new Earlier();
      this.game = hello.game ? new ToldGame(hello.game, this.#earlier) : null;
      void this.#fetchEarlier(this.#earlier);
      this.pacts = hello.pacts ? withNews(this.pacts, hello.pacts) : null;
      // Of the talk only the last lines are told.
      const lines = new Map([...this.chat, ...hello.chat].map((line) => [line.n, line]));
      this.chat = [...lines.values()].sort((a, b) => a.n - b.n);
      this.known = true;
    } else if ('n' in message) {
      this.#happened(message as Happened);
    } else {
      this.#aside(message as Aside);
    }
    this.#contribute();
    for (const listener of this.#listeners) listener(message);
  }

  // Of a game that has begun long ago the last turns are told at once, so that one can play.
  async #fetchEarlier(earlier: Earlier): Promise<void> {
    for (let pause = AGAIN; ; pause = Math.min(2 * pause, LONGEST)) {
      const from = this.game?.late.from ?? 0;
      if (from === 0 || earlier !== this.#earlier) return;
      const answer = await storyOf(this.id, from);
      if (answer.ok) {
        earlier.story = answer.value;
        return;
      }
      await new Promise((resolve) => setTimeout(resolve, pause));
    }
  }

  // The server has promised its part of the shuffling: now everybody adds a number of their own,
  // which nobody could have foreseen.
  #contribute(): void {
    if (!this.known || this.state.status !== 'dealing' || this.#contributed) return;
    const { hash, randoms } = this.state.deal!;
    const known = knownDeal(this.id);
    // After a reload it is still the same.
    const random = known?.hash === hash ? known.random : this.seat === null ? null : randomNumber();
    rememberDeal(this.id, { hash, random });
    this.#contributed = true;
    if (random && this.seat !== null && randoms[this.seat] === null)
      void this.ask({ type: 'contribute', random });
  }

  // Players are told at the end what spectators have said before.
  #aside(event: Aside): void {
    if (event.type === 'say') {
      this.chat = [...this.chat, { ...event, n: event.line }].sort((a, b) => a.n - b.n);
    } else {
      const others = this.you!.muted.filter((one) => one !== event.whom);
      this.you = { ...this.you!, muted: event.on ? [...others, event.whom] : others };
    }
  }

  #happened(event: Happened): void {
    this.number = event.n;
    if (event.table) this.state = event.table;
    if (event.table || event.clock || event.game) this.clock = event.clock ?? null;
    if (event.game) {
      const late = this.game ? merged(this.game.late, event.game) : event.game;
      this.game = new ToldGame(late, this.#earlier);
    }
    if (event.pacts) this.pacts = withNews(this.pacts, event.pacts);
    const you = this.you!;
    const sits = this.state.chairs.findIndex(
      (chair) => chair.person?.id === you.person.id && !chair.left,
    );
    this.you = { ...you, seat: sits < 0 ? null : sits };
    if (event.type === 'stand' && event.seat === you.seat) this.freed = !this.#stands;
    if (sits >= 0) this.freed = false;
    if (event.type === 'rename' && event.person!.id === you.person.id)
      this.you = { ...this.you, person: event.person! };
    if (event.type === 'say') this.chat = [...this.chat, event as Said];
    // A pick is for one round.
    if (event.type === 'pick' && event.card) this.you = { ...this.you, pick: event.card as Card };
    if (event.game) this.you = { ...this.you, pick: undefined };
  }
}

function namesAt(chairs: Pick<Chair, 'person' | 'bot'>[]): string[] {
  const bots = botNames(chairs.map(({ person, bot }) => (person ? null : bot)));
  return chairs.map(({ person }, seat) => nameOf(person?.name ?? bots[seat], seat));
}

export const nameOf = (name: string | null | undefined, seat: number): string =>
  name || t('options.player', { number: seat + 1 });
