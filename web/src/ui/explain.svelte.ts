// What the player asks about: anything on the table can be tapped, and a sheet says what it is.
import type { Card, Effect, Letter } from '../engine/types';

export type Subject =
  | { kind: 'effect'; seat: number; effect: Effect }
  | { kind: 'card'; seat: number | null; card: Card } // nobody's lie in the discard pile
  | { kind: 'column' | 'crown' | 'gauge' | 'coin' | 'embargo'; seat: number; letter: Letter }
  | { kind: 'threat' | 'player' | 'propose'; seat: number }
  | { kind: 'pact'; key: string } // of a tie (pacts.ts)
  | { kind: 'goal' | 'deck' | 'pacts' };

let subject = $state.raw<Subject | null>(null);
let acting = false;

export const explained = {
  get subject(): Subject | null {
    return subject;
  },
};

export function explain(about: Subject | null): void {
  subject = about;
  acting = false;
}

// Closes the sheet for what is chosen in it: the focus then belongs where that is confirmed, not
// where the sheet was opened.
export function leaveToAct(): void {
  subject = null;
  acting = true;
}

export const leftToAct = (): boolean => acting;
