// What a board shows: a running game, or one that is looked back at.

import type { Thought } from '../bots/pool';
import type { Preview } from '../engine/engine';
import type { Card, Effect, Look, Message, Parley, Result, Talk, Told } from '../engine/types';
import type { Composer } from './composer.svelte';

// Of a table with others on other devices, what a board shows.
export interface Company {
  readonly state: {
    status: string;
    chairs: { person: { id: string; name: string } | null; bot: string | null; left?: string }[];
    host: string | null;
    options: { clock: { turn: number } | null };
    result?: Result;
    draft?: { round: number; picked: boolean[] };
  };
  readonly presence: { seats: boolean[] }; // who is there
  readonly clock: { seats: { running: boolean }[] } | null;
  readonly now: number; // as the server counts time, in milliseconds
  readonly muted: string[];
  left(seat: number, now?: number): { turn: number; bank: number; running: boolean } | null;
  listen(listener: (message: { type: string }) => void): () => void;
}

// In the reader's language, which may change; or as the engine tells it, with an icon.
export type Note =
  | { at: number; say: () => string; mark?: undefined }
  | { at: number; line: Message; mark: 'knot' | 'knot-cut' };

export interface Scene {
  readonly now: Preview; // the table as it is
  readonly ahead: Preview; // as it would be after what is being composed
  readonly composer: Composer | null; // while a decision is to be made here
  readonly me: number | null; // whose eyes these are
  readonly viewer?: number | null; // whom pacts are told to with open hands, which are nobody's
  readonly bottom: number; // who sits in front
  readonly names: string[];
  readonly labels: string[]; // the same where they stand by themselves: "You", not "Player 1"
  readonly seats: string[]; // 'human', or the name of a bot
  readonly story: Told[];
  readonly headings: Look['headings'];
  // What happened beside the rules after so many actions, as somebody's giving up.
  readonly notes?: Note[];
  // How it stands between players at the moment that is shown; null where nobody can say anything.
  readonly parley?: Parley | null;
  readonly told: Told | null; // what led to the moment that is shown
  readonly lookingBack: boolean; // at a game that goes on
  // The effect that was just used.
  readonly moment: { seat: number; effect: Effect; at: number } | null;
  readonly thinking: number | null; // the bot that thinks
  readonly table?: Company; // where others play from other devices
  readonly kept?: Card | null; // chosen in this round of the draft, which others have not finished
  readonly reading?: boolean; // others wait while the coach speaks
  lookBack?(at: number): void;
  say?(talk: Talk): void; // to everybody
}

export const HINTS = 3; // choices that are shown, with their reasons

// A game that goes on: on this device, or at a table of a server.
export interface RunningGame extends Scene {
  readonly over: boolean;
  readonly canUndo: boolean;
  readonly ending: boolean; // the turn is about to end by itself
  // For the live region, which tells each of them once.
  readonly said: { number: number; text: string }[];
  readonly sending?: boolean; // what was decided here is on its way to the server
  // The number of actions that would be left if everybody agrees to take back.
  readonly askableBack?: number | null;
  readonly canSkip: boolean; // something is told that one need not wait for
  readonly hints: boolean; // advice may be asked for
  readonly asks?: boolean; // the coach has a question before the turn ends
  hint: Thought | 'thinking' | null;
  // What would break a pact, and is not done before it is said again.
  readonly breaking: { lines: Message[]; actions: string[] } | null;
  keepWord(): void;
  breakWord(): void;
  confirm(): void;
  end(): void;
  undo(): void;
  askBack?(to: number): void; // for everybody to agree to
  advise(): void;
  follow(action: string): void;
  hurry(): void; // goes on without waiting for what is being told
  lookBack(at: number | null): void;
}

// Those who watch a game of others have nobody in front.
export const everyone = (scene: Scene): boolean => scene.table !== undefined && scene.me === null;

// How the game has ended. When others have left it, that is not to be seen on the table.
export function resultIn({ table, now, lookingBack }: Scene): Result | null {
  return (
    now.view.result ??
    (!lookingBack && table?.state.result?.by === 'forfeit' ? table.state.result : null)
  );
}

// Whether this seat is the one that decides. In a draft with others everybody does at once.
export function acts(scene: Scene, seat: number): boolean {
  const { view } = scene.now;
  return view.seat === seat && !resultIn(scene) && !(scene.table && view.step === 'draft');
}

// Whom the game waits for. In the draft everybody chooses at once.
export function waitedFor({ now: { view }, table, me }: Scene): number[] {
  if (!table || view.step !== 'draft') return view.seat === null ? [] : [view.seat];
  const picked = table.state.draft?.picked ?? [];
  return picked.flatMap((done, seat) => (done || seat === me ? [] : [seat]));
}

// The seats after the one in front, clockwise.
export function others(scene: Scene): number[] {
  const { players } = scene.now.view;
  return Array.from({ length: players - 1 }, (_, i) => (scene.bottom + 1 + i) % players);
}
