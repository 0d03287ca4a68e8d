import type { Effect, Letter } from '../engine/types';

// The Domains as the sprite and the styles call them.
export const EMBLEMS = {
  M: 'military',
  R: 'religion',
  E: 'economy',
  S: 'science',
  C: 'culture',
  U: 'utopia',
} as const satisfies Record<Letter, string>;
export type Emblem = (typeof EMBLEMS)[Letter];

export const DOMAIN_OF = {
  assassination: 'M',
  purge: 'M',
  attack: 'M',
  'holy-book': 'R',
  'divine-right': 'R',
  inquisition: 'R',
  development: 'E',
  monopoly: 'E',
  embargo: 'E',
  experiment: 'S',
  research: 'S',
  breakthrough: 'S',
  inspiration: 'C',
  oligarchy: 'U',
  republic: 'U',
  democracy: 'U',
} as const satisfies Record<Effect, Letter>;
