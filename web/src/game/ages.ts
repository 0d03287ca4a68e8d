// Which Domains can still come from the deck. In which Ages there are cards of a Domain is the
// engine's to say: a game of four leaves none out.
import { deal } from '../engine/engine';
import { type Age, LETTERS, type Letter, type View } from '../engine/types';
import { ageOf, letterOf } from './actions';

let last: Record<Letter, Age> | null = null;

function lastAges(): Record<Letter, Age> {
  const { deck } = deal({ players: 4, setup: 'basic', edition: 'en', teams: false });
  const ages = (letter: Letter) => deck.filter((card) => letterOf(card) === letter).map(ageOf);
  return Object.fromEntries(LETTERS.map((letter) => [letter, Math.max(...ages(letter))])) as Record<
    Letter,
    Age
  >;
}

// Whether there can be no card of a Domain in what is left of the deck.
export function isDry({ deck }: View, letter: Letter): boolean {
  last ??= lastAges();
  return deck.top !== null && last[letter] < deck.top;
}
