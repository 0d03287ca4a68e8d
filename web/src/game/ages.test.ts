import { expect, test, vi } from 'vitest';
import { LETTERS, type View } from '../engine/types';
import { isDry } from './ages';

vi.mock('../engine/engine', async () => {
  const { deal } = await import('../../tests/games');
  return { deal: (rules: { players: number }) => deal(rules, 1) };
});

test('of an Age that is over comes no card any more', () => {
  const dry = (top: 1 | 2 | 3 | null) =>
    LETTERS.filter((letter) => isDry({ deck: { count: 9, top } } as View, letter));
  expect(dry(1)).toEqual([]);
  expect(dry(2)).toEqual([]);
  expect(dry(3)).toEqual(['R']);
  expect(dry(null)).toEqual([]); // the game ends
});
