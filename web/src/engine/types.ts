// What the engine says, as its JSON has it (docs/protocol.md, docs/guide.md). Nothing here is a
// rule of the game.

export const LETTERS = ['M', 'R', 'E', 'S', 'C', 'U'] as const;
export type Letter = (typeof LETTERS)[number];
export type Age = 1 | 2 | 3;
export type Card = `${Letter}${Age}`;

export const EFFECTS = [
  'assassination',
  'purge',
  'holy-book',
  'divine-right',
  'development',
  'monopoly',
  'experiment',
  'research',
  'oligarchy',
  'republic',
  'inspiration',
  'attack',
  'inquisition',
  'embargo',
  'breakthrough',
  'democracy',
] as const;
export type Effect = (typeof EFFECTS)[number];

export type Edition = 'en' | 'fr' | 'es' | 'pt' | 'ro';
export type Setup = 'basic' | 'draft';

// A value in a message. The page shows seats by name, Domains and effects with their emblem, cards
// as Domain and Age.
export type Value =
  | number
  | string
  | { seat: number }
  | { seats: number[] }
  | { domain: Letter }
  | { domains: Letter[] }
  | { effect: Effect }
  | { does: Effect }
  | { card: Card }
  | { cards: Card[] }
  | { backs: Age[] }
  | { age: Age }
  | { list: Message[] };

// A key of text/ and its arguments.
export interface Message {
  key: string;
  args: Record<string, Value>;
}

export interface Config {
  players: number;
  setup: Setup;
  edition: Edition;
  teams: boolean;
  first: number;
}

// A game record, civ-game/1. `seats` is ours: who plays where, 'human' or the name of a bot.
export interface GameRecord extends Config {
  format: 'civ-game/1';
  rules: 1;
  deck: Card[];
  actions: string[];
  result: Result | null;
  names?: string[];
  date?: string;
  comments?: { talk?: Said[]; [other: string]: unknown };
  seats?: string[];
}

export interface Result {
  winners: number[];
  by: 'hegemony' | 'majority' | 'forfeit';
  domain?: Letter;
  points?: number[];
}

export type Step = 'draft' | 'claim' | 'play' | 'effects' | 'choose' | 'over';
export type Verb = 'discard' | 'take' | 'recover' | 'give' | 'play';

// The cards of a hand or pack that may be seen, or the backs, with the cards that are known for
// certain.
export type Holding = { cards: Card[] } | { backs: Age[]; known?: Card[] };

export interface FaceDown {
  seat: number;
  domain: Letter;
  by: number;
}

export interface View extends Config {
  turn: number;
  seat: number | null;
  step: Step;
  deck: { count: number; top: Age | null };
  hands: Holding[];
  tables: Card[][];
  discard: Card[];
  packs: Holding[] | null;
  centre: Card[] | null;
  embargoes: (FaceDown & { card: Card })[];
  democracies: FaceDown[];
  coin: { owner: number; seat: number; domain: Letter } | null;
  used: { permanent: Letter[]; discard: Letter[] };
  handSize: number;
  choice: {
    effect: Effect;
    verb: Verb;
    left: number;
    from: Card | Letter | null;
    target: number | null;
  } | null;
  lastDraw: number;
  closing: number | null;
  result: Result | null;
}

// Of one effect of the seat that looks: usable now; usable once its turn is in step 2; used this
// turn; too few cards yet; something else is in the way.
export type EffectState = 'ready' | 'waiting' | 'used' | 'not-yet' | 'blocked';

export type Notes = Record<Effect, { state: EffectState; why: Message | null }>;

// A Hegemony in reach with the next turn of a seat.
export interface Threat {
  domains: Letter[];
  proven: boolean; // with cards that are seen or known; else some hand would do
  how: Message[]; // what would be played and used, one after the other
  // What the seat that looks can do in its own turn so that it is no longer possible, or, where it
  // is proven, no longer proven.
  stops: Stop[];
}

export interface Stop {
  action: string;
  offer: Message;
  now: boolean; // legal now; else in step 2 of the turn to come
  // What to do after it: the cards to name, or the effect that a card makes possible.
  then: string[];
  left: Letter[]; // Hegemonies that it leaves possible, with cards that nobody has shown
}

export interface Column {
  count: number; // cards in the play area
  need: number; // for Hegemony, face-down Utopia cards counted
  level: 0 | 1 | 2; // reached by that many cards; 0 for Culture
}

// What a view means: everything that the page shows and that would otherwise be a rule written
// twice.
export interface Guide {
  // What the seat that looks may do now, in the order to offer it in; empty if it does not decide.
  legal: string[];
  offers: Message[]; // what each of them would do, in the same order
  ask: Message | null; // what the seat that looks has to decide, if it has
  turnOf: number | null; // whose turn it is or was; null during the draft
  round: number; // 0 during the draft
  levels: [number, number]; // cards for level 1 and level 2
  cultureLead: number; // Culture cards that would give the seat that looks the lead
  columns: Column[][]; // by seat and Domain
  // Of the seat that looks; `why` is null where it is ready or waiting.
  effects: Notes;
  effectsOf: Notes[]; // of every seat, from what is seen
  // Own cards that could not be played now, with the reason.
  unplayable: Partial<Record<Card, Message>>;
  // Of these cards or Domains `left` are to be named, in any order; repeats are listed.
  choose: { left: number; cards: (Card | Letter)[] } | null;
  draw: number; // cards that the end of this turn would draw
  // Those of the legal actions that show something hidden or end the turn: no way back.
  reveals: string[];
  wins: boolean; // to end the turn now is to win by Hegemony
  lastTurn: boolean; // the game ends with this turn
  hegemony: number; // cards of one Domain that win, where nothing asks for more
  // Turns until the deck has run out and the game ends, this one counted, if nobody does more in
  // them than must be.
  turns: { all: number; own: number };
  threats: (Threat | null)[]; // by seat
  majority: {
    most: number[][]; // by Domain: the seats that have most
    points: number[]; // by seat, or by team
    winners: number[]; // seats
    // How it is counted, ties and all, and last, while the game goes on, who would win.
    told: Message[];
  };
  ending: Message[]; // how the game was won; empty while it goes on
  missed: Message[]; // of a Hegemony: who could have stopped it, and with what
}

// What some actions did, which are told as one.
export interface Told {
  begin: number; // the first of these actions
  end: number; // after the last
  seat: number; // who did it
  turn: number;
  // The effect that was used, or that is under way; 'inspiration' where one is copied.
  effect: Effect | null;
  lines: Message[];
}

export interface Look {
  ok: true;
  view: View;
  guide: Guide;
  // Where turns begin, within the story asked for.
  headings: { begin: number; turn: number; seat: number; heading: Message }[];
  story: Told[];
  // The number of actions that taking back leaves; null where nothing can be taken back.
  back: number | null;
  actions: number; // in the whole record
  pacts?: Pacts; // where comments of the record have what was said
}

export interface LookRequest {
  record: GameRecord;
  at?: number; // actions; all if left out
  from?: number; // the story begins with this action; no story if left out
  seat?: number | null;
  you?: boolean;
  open?: boolean;
}

// A view, after actions of the seat that decides; without actions anybody's.
export interface AheadRequest {
  view: View;
  then?: string[];
}

export type Ahead =
  | { ok: true; view: View; guide: Guide; reveals?: undefined }
  | { ok: true; reveals: true };

// Something that means something at the table (docs/diplomacy.md).
export interface Talk {
  say: 'truce' | 'together' | 'yes' | 'no' | 'give-up' | 'warn' | 'signal';
  to?: number[];
  rounds?: number;
  against?: number;
  about?: number;
  domain?: Letter;
  offer?: number;
  pact?: number;
}

// After so many actions.
export interface Said extends Talk {
  at: number;
  seat: number;
}

// How it stands between players: for the engine to read.
export interface Pacts {
  offers: { to: number[] }[];
  news: { at: number }[];
  [other: string]: unknown;
}

// The same in words for whoever looks, with all that may be said.
export interface Parley {
  offers: Offered[];
  pacts: Pact[];
  broken: Broken[];
  possible: { talk: Talk; line: Message; terms?: Message }[];
  breaks: Record<string, Message[]>; // by action, what it would break
  news: News[];
  // By seat: null of a person and of a bot that is silent. None where there are no pacts.
  characters: (Character | null)[];
}

export type PactKind = 'truce' | 'together';
export type Character = 'faithful' | 'fair' | 'opportunist';

export interface Offered {
  id: number;
  by: number;
  to: number[]; // who have not answered
  yours: boolean; // one of them is whoever looks
  say: PactKind;
  against: number | null;
  line: Message;
  terms: Message;
}

export interface Pact {
  id: number;
  say: PactKind;
  seats: [number, number];
  against: number | null;
  givenUp: number | null;
  left: number; // rounds; 0 where that is open
  line: Message;
  terms: Message;
}

export interface Broken {
  id: number; // of the pact
  by: number;
  with: number;
  say: PactKind;
  turn: number;
  line: Message;
}

export interface News {
  at: number;
  what: 'said' | 'broken' | 'over';
  say: Talk['say'];
  seat: number | null;
  line: Message;
}

// What the judge says of a game (docs/analysis.md). Chances are by seat, of 1.
export interface Review {
  quality: (number | null)[]; // 0 to 100; null where nothing was decided
  deal: number[]; // the chances after the deal,
  luck: number[]; // what was drawn,
  skill: number[]; // what the seat gave away,
  others: number[]; // and what others did
  chances: number[]; // make those at the end
  turningPoint: number | null; // a place in `turns`
  moments: number[]; // likewise
  turns: JudgedTurn[]; // those in which there was a choice
}

export interface JudgedTurn {
  turn: number; // 0 in the draft
  seat: number;
  begin: number; // its actions in the record
  end: number;
  before: number[]; // chances with open hands
  luck: number[]; // by seat
  lost: number; // by what the seat knew
  at: number; // where most was lost: the first action,
  played: string[]; // what was done,
  better: string[]; // what would have been better,
  chance: number; // and the chance with that, by what the seat knew
  remark: 'slip' | 'error' | 'blunder' | null;
  reasons: Message[]; // why it would have been
  joker: boolean; // much luck
}

// What a coach has to say of a line of actions (bindings/wasm/coach.cc).
export interface Mistake {
  better: string[];
  lost: number; // of the chance to win
  reasons: Message[];
  told: [Message[], Message[]]; // what was played and what is better, in short
}

// One step on the way there.
export interface ReviewStep {
  done: number;
  all: number;
  turn: number;
  seat: number;
  begin: number;
  before: number[];
}

export interface Refusal {
  ok: false;
  error: Message;
}
