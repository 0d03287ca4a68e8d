// A game that goes on from some moment of another one.
import { dealAnew, look } from '../engine/engine';
import { talkUntil } from './pacts';
import type { Parent } from './parent';
import type { Seat } from './setup';
import { type Game, newGame } from './store';

export interface BranchWish {
  at: number; // after so many actions
  seat: number; // that is played here
  others: Seat | null; // who sits elsewhere; null for those who did
  hidden: Parent['hidden'];
  better?: string[]; // what is to be tried there
}

export function branchOf(game: Game, { at, seat, others, hidden, better }: BranchWish): Game {
  const { deck, actions } =
    hidden === 'anew'
      ? dealAnew(game.record, at, seat)
      : { ...game.record, actions: game.record.actions.slice(0, at) };
  const record = talkUntil({ ...game.record, deck, actions, result: null }, at);
  const moment = look({ record, seat: null });
  if (!moment.ok) throw new Error(moment.error.key);
  const seats = game.seats.map((was, i): Seat => (i === seat ? 'human' : (others ?? was)));
  const tried = better && moment.view.seat === seat ? { better } : {};
  const parent = { game: game.id, at, turn: moment.view.turn, hidden, ...tried };
  return { ...newGame(record, { seats, names: [...game.names], pacts: game.pacts }), parent };
}
