import { expect, test } from 'vitest';
import type { Seat } from './setup';
import {
  atLevel,
  levelPlayed,
  levelToTry,
  nextLevel,
  readStatistics,
  withGame,
} from './statistics';

const none = readStatistics(null);
const SEATS: Seat[] = ['human', 'level2', 'level3'];
const game = (id: string, won: boolean, seats = SEATS) => ({ id, won, seats });

test('wins count by the strongest bot, and in a row', () => {
  let all = none;
  for (const [id, won] of [
    ['a', true],
    ['b', true],
    ['c', false],
    ['d', true],
  ] as const)
    all = withGame(all, game(id, won));
  expect(all.levels).toEqual({ 3: { played: 4, won: 3 } });
  expect([all.streak, all.best]).toEqual([1, 2]);
});

test('a game counts once, and only one against bots', () => {
  const once = withGame(none, game('a', true));
  expect(withGame(once, game('a', true))).toBe(once);
  expect(withGame(none, game('b', true, ['human', 'human', 'level1']))).toBe(none);
  expect(levelPlayed(['level1', 'human'])).toBe(1);
});

test('after a win the next level that the start page shows is offered, up to the last', () => {
  expect(nextLevel(['human', 'level1'], true)).toBe(4);
  expect(nextLevel(['human', 'level4'], true)).toBe(6);
  expect(nextLevel(SEATS, true)).toBe(4);
  expect(nextLevel(SEATS, false)).toBe(null);
  expect(nextLevel(['human', 'level8'], true)).toBe(null);
  expect(atLevel(SEATS, 4)).toEqual(['human', 'level4', 'level4']);
});

test('what was written is read again', () => {
  const all = withGame(withGame(none, game('a', true)), game('b', false));
  expect(readStatistics(JSON.stringify(all))).toEqual(all);
});

test.each([
  '',
  '{',
  'null',
  '7',
  '{"levels":7,"streak":-1,"best":"x","counted":{}}',
  '{"levels":{"1":{"played":1,"won":2},"9":{"played":1,"won":1}},"streak":3,"best":1}',
])('damaged contents are ignored: %s', (text) => {
  expect(readStatistics(text)).toEqual(none);
});

test('the level to try is the one shown above the best that was beaten', () => {
  const after = (levels: object) => levelToTry({ ...none, levels });
  expect(after({})).toBeNull();
  expect(after({ 3: { played: 2, won: 0 } })).toBeNull();
  expect(after({ 1: { played: 2, won: 1 } })).toBe(4);
  expect(after({ 1: { played: 2, won: 1 }, 3: { played: 2, won: 2 } })).toBe(4);
  expect(after({ 8: { played: 1, won: 1 } })).toBeNull();
});
