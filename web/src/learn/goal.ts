// Whether a step is done: asked of what the engine says, never of what was pressed.
import type { Preview } from '../engine/engine';
import { LETTERS, type Letter } from '../engine/types';
import { letterOf } from '../game/actions';
import { type Goal, ME } from './lessons';

export function reached(goal: Goal, { view, guide }: Preview): boolean {
  const hand = view.hands[ME];
  const cards = 'cards' in hand ? hand.cards : [];
  const column = (at: string) => guide.columns[Number(at[0])][LETTERS.indexOf(at[1] as Letter)];
  const all = <T>(wanted: Record<string, T> = {}, fits: (at: string, value: T) => boolean) =>
    Object.entries(wanted).every(([at, value]) => fits(at, value));
  const is = <T>(wanted: T | undefined, value: T) => wanted === undefined || wanted === value;
  return (
    all(goal.columns, (at, count) => column(at).count === count) &&
    all(goal.needs, (at, need) => column(at).need === need) &&
    all(goal.holds, (at, count) => cards.filter((one) => letterOf(one) === at).length >= count) &&
    is(goal.hand, cards.length) &&
    is(goal.handSize, view.handSize) &&
    is(goal.step, view.step) &&
    is(goal.chooses, view.choice?.verb) &&
    is(goal.from, view.choice?.target) &&
    is(goal.seat, view.seat) &&
    (goal.embargo === undefined ||
      view.embargoes.some(({ seat, domain }) => `${seat}${domain}`.endsWith(goal.embargo!))) &&
    (goal.safe === undefined || guide.threats[goal.safe] === null) &&
    (goal.winner === undefined || !!view.result?.winners.includes(goal.winner))
  );
}
