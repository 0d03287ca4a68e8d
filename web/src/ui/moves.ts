// What each effect moves, for the pictures of the rules: cards, and from where to where.
import type { Age, Card, Effect } from '../engine/types';

export type Place = 'hand' | 'area' | 'pile' | 'deck' | 'other';
export interface Move {
  what: (Card | Age)[]; // an Age is a card face down
  from: Place;
  to: Place;
  there?: Card[]; // what lies there
}

// A turn as the rules tell it: what lies where, and what it comes to. It is that of the second
// lesson, so that the engine can be asked (moves.test.ts).
export const EXAMPLE = {
  area: ['R1', 'R1'] as Card[],
  hand: ['M1', 'R1', 'S1'] as Card[],
  actions: ['play R1', 'holy-book', 'end'],
  drawn: 3,
};

const move = (what: Move['what'], from: Place, to: Place): Move => ({ what, from, to });

export const MOVES: Record<Effect, Move[]> = {
  assassination: [move(['C1'], 'hand', 'pile')],
  purge: [move(['C1', 'E2'], 'hand', 'pile')],
  'holy-book': [move([1, 1, 2], 'deck', 'hand')],
  'divine-right': [move([2, 2, 2, 2, 2], 'deck', 'hand')],
  development: [move(['C1'], 'area', 'pile'), move(['E2'], 'hand', 'area')],
  monopoly: [move(['C1', 'M1'], 'area', 'pile'), move(['E2', 'E3'], 'hand', 'area')],
  experiment: [move(['R1'], 'area', 'hand'), move(['S2'], 'hand', 'area')],
  research: [move(['R1', 'M2'], 'area', 'hand'), move(['S2', 'S3'], 'hand', 'area')],
  oligarchy: [move(['U3'], 'pile', 'hand')],
  republic: [move(['U3', 'C3'], 'pile', 'hand')],
  inspiration: [{ what: ['C1', 'C2'], from: 'area', to: 'other', there: ['S1', 'S2', 'S3'] }],
  attack: [move(['M1', 'R1'], 'area', 'pile'), move(['R2'], 'other', 'pile')],
  inquisition: [
    move(['R1'], 'area', 'pile'),
    move([1, 2, 2], 'other', 'hand'),
    move([1, 1, 2], 'hand', 'other'),
  ],
  breakthrough: [
    move(['S1'], 'area', 'pile'),
    move([2, 2, 2, 2, 2], 'deck', 'hand'),
    move(['M1', 'M2', 'R2', 'C2', 'E1'], 'hand', 'pile'),
  ],
  embargo: [move(['E1'], 'area', 'other')],
  democracy: [move(['U3'], 'area', 'other')],
};
