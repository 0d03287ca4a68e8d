// What a review says about some moment, as the engine shows it.
import { look, type Preview, preview } from '../engine/engine';
import type { GameRecord, JudgedTurn, Look, Message, Review, ReviewStep } from '../engine/types';
import type { Tied } from '../game/pacts';

export interface Line {
  offers: Message[]; // what was or would be done, one thing after the other
  before: Preview;
  after: Preview; // as far as it can be foreseen
}

// A point of the curve.
export interface Point {
  begin: number; // after so many actions
  turn: number;
  seat: number | null; // whose turn it is; null at the end
  chances: number[];
}

function seen(record: GameRecord, at: number, seat: number | null): Look {
  const answer = look({ record, at, seat });
  if (!answer.ok) throw new Error(answer.error.key);
  return answer;
}

export function lineFrom(
  record: GameRecord,
  { at, seat }: Pick<JudgedTurn, 'at' | 'seat'>,
  actions: string[],
): Line {
  const before = seen(record, at, seat);
  const offers: Message[] = [];
  let after: Preview = before;
  for (const [i, action] of actions.entries()) {
    const { legal, offers: all } = after.guide;
    const offer = all[legal.indexOf(action)];
    if (offer) offers.push(offer);
    const next = preview(before.view, actions.slice(0, i + 1));
    if (!next) break;
    after = next;
  }
  return { offers, before, after };
}

export function pointsOf(review: Review, actions: number): Point[] {
  return [
    ...review.turns.map(({ begin, turn, seat, before }) => ({
      begin,
      turn,
      seat,
      chances: before,
    })),
    { begin: actions, turn: 0, seat: null, chances: review.chances },
  ];
}

// As far as it has been judged: a turn may have several steps.
export function pointsSoFar(steps: ReviewStep[]): Point[] {
  return steps
    .filter(({ turn, seat }, i) => turn !== steps[i - 1]?.turn || seat !== steps[i - 1]?.seat)
    .map(({ begin, turn, seat, before }) => ({ begin, turn, seat, chances: before }));
}

// The turns that gave away most, and the player's own worst one where none of them is.
export function momentsOf({ turns, moments }: Review, seat: number | null): number[] {
  if (moments.some((at) => turns[at].seat === seat)) return moments;
  const own = turns.flatMap((turn, at) => (turn.seat === seat && turn.remark ? [at] : []));
  const [worst] = own.sort((a, b) => turns[b].lost - turns[a].lost);
  return worst === undefined ? moments : [...moments, worst];
}

// What was agreed, broken or over in each turn. What breaks a pact is the turn's own action; all
// else is said before one. Turns without a choice are not among them: theirs goes with the one
// before.
export function pactsOf({ turns }: Review, ties: Tied[]): Tied[][] {
  const of: Tied[][] = turns.map(() => []);
  for (const tie of ties) {
    const at = tie.mark === 'knot-cut' ? tie.at - 1 : tie.at;
    of[
      Math.max(
        0,
        turns.findLastIndex(({ begin }) => begin <= at),
      )
    ]?.push(tie);
  }
  return of;
}

// After how many actions the second and the third Age lie on top of the deck.
export function agesOf(record: GameRecord): number[] {
  const length = record.actions.length;
  return [2, 3].map((age) => {
    let [from, to] = [0, length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((seen(record, middle, null).view.deck.top ?? 4) >= age) to = middle;
      else from = middle + 1;
    }
    return from;
  });
}

// "+8", "−40".
export function signed(part: number): string {
  const points = Math.round(100 * part);
  return `${points < 0 ? '\u2212' : '+'}${Math.abs(points)}`;
}
