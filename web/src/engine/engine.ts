// The rules engine in the page. It is small and quick, so it runs where the page runs; the bots
// have workers of their own.

import { Engine } from '../../../bindings/wasm/civ.mjs';
import wasm from '../../../build-wasm/civ.wasm?url';
import type { Config, GameRecord, Look, Message, Pacts, Parley, Refusal, View } from './types';

export interface Preview {
  view: View;
  guide: Look['guide'];
}

export interface LookRequest {
  record: Partial<GameRecord>;
  at?: number; // after so many of its actions; all of them if left out
  seat: number | null; // whose eyes; null for a spectator's
  you?: boolean; // that seat is spoken to
  open?: boolean; // with every hand shown
  from?: number; // the story begins after so many actions
}

let engine: Engine | null = null;
let loading: Promise<void> | null = null;

// Once, whoever asks; after a failure it can be tried again.
export function loadEngine(): Promise<void> {
  loading ??= WebAssembly.compileStreaming(fetch(wasm)).then(
    (module) => {
      engine = new Engine(module);
    },
    (error) => {
      loading = null;
      throw error;
    },
  );
  return loading;
}

// A trap would be a bug of ours; a fresh instance goes on, because every request carries all that
// it needs.
function ask<T>(request: object): (T & { ok: true }) | Refusal {
  const answer = engine!.look(request);
  if (engine!.stopped) engine!.restart();
  return answer;
}

function asked<T>(request: object): T {
  const answer = ask<T>(request);
  if (!answer.ok) throw new Error(answer.error.key);
  return answer;
}

export function look(request: LookRequest): Look | Refusal {
  return ask<Look>(request);
}

// What the deciding seat would see after these actions of its own. Null if one of them shows
// something hidden.
export function preview(view: View, then: string[]): Preview | null {
  const answer = asked<{ reveals?: boolean } & Preview>({ view, then });
  return answer.reveals ? null : answer;
}

// What holds between players, and what may be said, for whoever has this view; in `seats` are
// names of bots. It may be after actions of one's own, none of which shows something hidden.
export const parley = (view: View, pacts: Pacts, seats: string[], then: string[] = []): Parley =>
  asked({ talk: { view, pacts, seats, then } });

export interface Posed extends Preview {
  goal: 'win' | 'stop' | 'majority' | 'best';
  level: number; // of the bots: from this one on they find it
  answer: string[];
}

export type Judged = { over: false } | { over: true; right: boolean; why: Message[] };

// A puzzle, a line of text (docs/puzzles.md), and what a turn comes to in it.
export const pose = (puzzle: string): Posed => asked({ puzzle });
export const judge = (puzzle: string, turn: string[]): Judged => asked({ puzzle, turn });

// A new game with a shuffled deck.
export function deal(config: Omit<Config, 'first'>): GameRecord {
  const [high, low] = crypto.getRandomValues(new Uint32Array(2));
  const seed = (high >>> 11) * 2 ** 32 + low; // 53 bits, which JSON keeps exact
  return asked<{ record: GameRecord }>({ deal: config, seed }).record;
}

// The first actions of a game with all that a seat could not know by then dealt anew.
export function dealAnew(record: GameRecord, at: number, seat: number): GameRecord {
  const [anew] = crypto.getRandomValues(new Uint32Array(1));
  const answer = ask<{ record: GameRecord }>({ record, at, seat, anew });
  if (!answer.ok) throw new Error(answer.error.key);
  return answer.record;
}

// What is wrong with a record, or null.
export function fault(record: Partial<GameRecord>): Message | null {
  const answer = look({ record, seat: null });
  return answer.ok ? null : answer.error;
}

// Random games, for the benchmark page: decisions played.
export function bench(players: number, games: number): number {
  return engine!.bench(players, games);
}
