// Where a game comes from that goes on from a moment of another one (docs/protocol.md).
export interface Parent {
  game: string; // its id
  at: number; // after so many of its actions
  turn: number; // which was in this turn; 0 in the draft
  hidden: 'anew' | 'same'; // what could not be known there was dealt anew, or is as it was
  better?: string[]; // what a review found better from there on, to be tried
}

const isCount = (value: unknown) => Number.isSafeInteger(value) && (value as number) >= 0;

const ACTION = /^[a-z-]{3,20}( [\w-]{1,20}){0,2}$/;
const isLine = (value: unknown) =>
  Array.isArray(value) &&
  value.length <= 200 &&
  value.every((one) => typeof one === 'string' && ACTION.test(one));

// Null if there is none, or a part of it is wrong.
export function parentIn(value: unknown): Parent | null {
  const { game, at, turn, hidden, better } =
    (value as { parent?: Partial<Parent> } | null | undefined)?.parent ?? {};
  const fits = typeof game === 'string' && isCount(at) && isCount(turn);
  return fits && (hidden === 'anew' || hidden === 'same')
    ? ({ game, at, turn, hidden, ...(isLine(better) && { better }) } as Parent)
    : null;
}
