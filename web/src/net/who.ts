// Who has still to choose, who is asked, and what it means to leave: read from a table's state.
import type { TableState } from './types';

const seatsOf = (state: TableState) => state.chairs.map((_, seat) => seat);

// People who have not left the game.
export const staying = (state: TableState): number[] =>
  seatsOf(state).filter((seat) => state.chairs[seat].person && !state.chairs[seat].left);

// Who has not yet chosen in this round of the draft.
export const choosing = (state: TableState): number[] =>
  seatsOf(state).filter((seat) => state.draft && !state.draft.picked[seat]);

// Who has still to answer the question.
export function asked(state: TableState): number[] {
  const { question } = state;
  return question
    ? staying(state).filter((seat) => seat !== question.seat && !question.yes.includes(seat))
    : [];
}

// Who wins if this seat is left now: nobody if the game goes on. It ends when one side is left, or
// no person.
export function winnersWithout(state: TableState, seat: number): number[] {
  const side = (of: number) => (state.options.teams ? of % 2 : of);
  const sides = new Set(
    seatsOf(state).flatMap((of) => (of === seat || state.chairs[of].left ? [] : [side(of)])),
  );
  if (sides.size > 1 && staying(state).some((of) => of !== seat)) return [];
  return seatsOf(state).filter((of) => sides.has(side(of)));
}

// 75 400 → 1:16. What has begun counts, so that nobody has 0:00 left and plays.
export function minutes(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${`${seconds % 60}`.padStart(2, '0')}`;
}
