// A game that goes on from a moment of another one is a trial until the turn of that moment is
// over.
import { look } from '../engine/engine';
import type { Message } from '../engine/types';
import type { Game } from '../game/store';
import { lineFrom } from './lines';

export interface Trial {
  turn: number;
  seat: number;
  better: string[];
  offers: Message[]; // what was better, where a review said so
}

// Null where the game is none.
export function trialOf({ record, parent }: Pick<Game, 'record' | 'parent'>): Trial | null {
  if (!parent || parent.at > record.actions.length) return null;
  const { at, turn, better = [] } = parent;
  const moment = look({ record, at, seat: null });
  const seat = moment.ok ? moment.view.seat : null;
  if (seat === null) return null;
  // Of a line that does not belong there nothing is said.
  const { offers } = lineFrom(record, { at, seat }, better);
  return offers.length === better.length
    ? { turn, seat, better, offers }
    : { turn, seat, better: [], offers: [] };
}

// How many of the better actions have been done; null where one has gone another way.
export function followed({ better }: Trial, done: string[]): number | null {
  return done.every((action, i) => action === better[i]) ? done.length : null;
}
