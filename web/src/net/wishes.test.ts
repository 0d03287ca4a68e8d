import { expect, test } from 'vitest';
import { readWishes } from '../game/wishes';
import { optionsOf } from './wishes';

const usual = readWishes(undefined);

test('a table for friends is for three, without haste, and found by nobody else', () => {
  expect(optionsOf(usual)).toEqual({
    players: 3,
    setup: 'basic',
    edition: 'en',
    pacts: true,
    teams: false,
    clock: null,
    takeover: 'level4',
    absence: 600,
    listed: false,
    spectators: true,
    takebacks: 'ask',
  });
});

test('what was written is read again', () => {
  const wished = {
    ...usual,
    players: 4,
    teams: true,
    clock: 'quick',
    absence: 0,
    takeover: 8,
    listed: true,
    takebacks: 'never',
  };
  expect(readWishes(JSON.parse(JSON.stringify(wished)))).toEqual(wished);
});

test.each([
  null,
  7,
  'x',
  [],
  { players: 9, clock: 'toString', absence: -1, takebacks: 'always', listed: 1, bot: 0 },
])('%j is as good as nothing', (value) => {
  expect(readWishes(value)).toEqual(usual);
});

test('teams are for four', () => {
  expect(optionsOf({ ...usual, teams: true }).teams).toBe(false);
  expect(optionsOf({ ...usual, teams: true, players: 4 }).teams).toBe(true);
});

test('a clock is named, and sent in numbers', () => {
  expect(optionsOf({ ...usual, clock: 'normal' }).clock).toEqual({
    turn: 60,
    bank: 600,
    increment: 10,
  });
});
