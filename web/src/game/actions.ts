// Actions as docs/protocol.md spells them, taken apart. What they mean is the engine's business.
import type { Card, Effect, Letter } from '../engine/types';
import { EFFECTS, LETTERS } from '../engine/types';

export type Named = Card | Letter;

export interface Parts {
  verb: string; // 'play', 'discard', 'embargo', 'holy-book', 'end' …
  effect: Effect | null; // the effect that begins with it
  named: Named | null; // the card or Domain that it names
  seat: number | null; // at whom it is aimed
  copied: Effect | null; // by Inspiration
}

export function parse(action: string): Parts {
  const [verb, ...rest] = action.split(' ');
  const parts: Parts = { verb, effect: null, named: null, seat: null, copied: null };
  if (verb === 'copy') return { ...parts, effect: 'inspiration', copied: rest[0] as Effect };
  if ((EFFECTS as readonly string[]).includes(verb)) parts.effect = verb as Effect;
  for (const word of rest) {
    if (/^\d$/.test(word)) parts.seat = Number(word);
    else parts.named = word as Named;
  }
  return parts;
}

export function letterOf(named: Named): Letter {
  return named[0] as Letter;
}

export function ageOf(card: Card): 1 | 2 | 3 {
  return Number(card[1]) as 1 | 2 | 3;
}

// The order in which sets of cards are written: by Age, then by Domain.
export function inCardOrder<T extends Named>(named: T[]): T[] {
  const rank = (one: Named) => Number(one[1] ?? 0) * 10 + LETTERS.indexOf(letterOf(one));
  return [...named].sort((a, b) => rank(a) - rank(b));
}

// How often something stands in a list.
export function count<T>(list: readonly T[], item: T): number {
  let n = 0;
  for (const other of list) if (other === item) n++;
  return n;
}

// What is in `list` and, counted, not in `without`.
export function less<T>(list: readonly T[], without: readonly T[]): T[] {
  const gone = [...without];
  return list.filter((item) => {
    const at = gone.indexOf(item);
    if (at < 0) return true;
    gone.splice(at, 1);
    return false;
  });
}

// The effect buttons of a column: level 1, level 2 and the discard effect.
export const EFFECTS_OF: Record<Letter, { permanent: Effect[]; discard: Effect | null }> = {
  M: { permanent: ['assassination', 'purge'], discard: 'attack' },
  R: { permanent: ['holy-book', 'divine-right'], discard: 'inquisition' },
  E: { permanent: ['development', 'monopoly'], discard: 'embargo' },
  S: { permanent: ['experiment', 'research'], discard: 'breakthrough' },
  C: { permanent: ['inspiration'], discard: null },
  U: { permanent: ['oligarchy', 'republic'], discard: 'democracy' },
};

export const ROMAN = ['', 'I', 'II', 'III'];
