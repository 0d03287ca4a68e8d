// What the server says, as its JSON has it (docs/api.md).
import type {
  Card,
  Edition,
  Look,
  Message,
  Pacts,
  Result,
  Setup,
  Talk,
  Told,
  View,
} from '../engine/types';

export interface ServerInfo {
  version: string;
  password: boolean; // nobody comes in without it
  address: string | null; // where others on the same network reach it
  bots: string[];
  phrases: string[];
  name: number; // characters, at most
  text: number;
}

export interface Person {
  id: string;
  name: string;
}

export type Absence = 'resigned' | 'abandoned' | 'absent' | 'time';

export interface Chair {
  person: Person | null;
  bot: string | null;
  left?: Absence; // the person has left the game, and the bot plays
}

export interface Clock {
  turn: number; // seconds
  bank: number;
  increment: number;
}

export interface TableOptions {
  players: number;
  setup: Setup;
  edition: Edition;
  teams: boolean;
  clock: Clock | null;
  takeover: string;
  absence: number; // seconds; 0: never
  listed: boolean;
  spectators: boolean;
  takebacks: 'never' | 'turn' | 'ask';
  pacts?: boolean; // older servers know of none
}

export type Status = 'waiting' | 'dealing' | 'running' | 'over' | 'closed';

// A table as everybody may see it.
export interface TableState {
  status: Status;
  options: TableOptions;
  chairs: Chair[];
  host: string | null;
  result?: Result;
  closed?: string; // why, a key
  // `n`: of the message that asked; `back` null: to be let in again.
  question?: { n: number; seat: number; back: number | null; yes: number[] };
  draft?: { round: number; picked: boolean[] };
  deal?: { hash: string; randoms: (string | null)[]; secret?: string };
  rematch?: string;
  // What happened beside the rules, after so many actions.
  notes?: { at: number; type: 'leave' | 'return' | 'back'; seat: number; why?: Absence }[];
}

// In lists.
export interface Summary extends TableState {
  id: string;
  turn?: number;
  waits: number[]; // seats
  changed: number; // time of service
}

export interface Tables {
  now: number; // time of service
  tables: Summary[];
}

export interface Clocks {
  at: number; // time of service
  // Milliseconds left at that time, to be used in this order.
  seats: { free: number; turn: number; bank: number; running: boolean }[];
}

// What happened: actions, and what is told of them.
export interface Story {
  log: string[];
  headings: Look['headings'];
  story: Told[];
}

export interface GameState extends Story {
  actions: number; // so many have been done
  from: number; // log, story and headings begin with this one
  final: number; // so many cannot be taken back
  view: View;
}

export interface Line {
  n: number; // with a fraction for what spectators say
  person: Person;
  seat: number | null;
  text?: string;
  phrase?: string;
}

export interface Hello {
  type: 'hello';
  n: number;
  you: { person: Person; seat: number | null; muted: string[]; pick?: Card };
  table: TableState;
  clock?: Clocks;
  game?: GameState;
  pacts?: Pacts; // with the last news; none before anything was said
  chat: Line[];
}

export interface Presence {
  type: 'presence';
  seats: boolean[];
  watching: number;
  now: number; // time of service
  spread?: number; // milliseconds over which everybody comes back if the server is gone
}

// What happens beside the numbers: a spectator says something, or I do not want to hear somebody.
export type Aside =
  | (Omit<Line, 'n'> & { type: 'say'; line: number })
  | { type: 'mute'; whom: string; on: boolean };

export interface Answer {
  type: 'ack' | 'refused';
  id: string;
  n: number;
  error?: Message;
}

// Everything else that has a number: what changed comes with it.
export interface Happened {
  type: string;
  n: number;
  table?: TableState;
  clock?: Clocks;
  game?: GameState;
  pacts?: Pacts; // if they have changed
  talk?: Talk;
  seat?: number | null;
  person?: Person;
  text?: string;
  phrase?: string;
  card?: Card;
  round?: number;
  whom?: string;
  on?: boolean;
  why?: Absence;
  yes?: boolean;
  back?: number | null;
}

export type Command =
  | { type: 'sit'; seat: number }
  | { type: 'stand' | 'start' | 'resign' | 'abandon' | 'return' | 'rematch' }
  | { type: 'seat-bot'; seat: number; bot: string }
  | { type: 'unseat'; seat: number }
  | { type: 'contribute'; random: string }
  | { type: 'act'; builds: number; actions: string[] }
  | { type: 'pick'; round: number; card: Card }
  | { type: 'take-back'; builds: number; to: number }
  | { type: 'answer'; question: number; yes: boolean }
  | { type: 'talk'; talk: Talk }
  | { type: 'say'; text: string }
  | { type: 'say'; phrase: string }
  | { type: 'mute'; whom: string; on: boolean };
