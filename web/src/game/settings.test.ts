import { expect, test } from 'vitest';
import { hasCoach, readSettings, writeSettings } from './settings';

const usual = readSettings(null);

test('what was written is read again', () => {
  const wished = { ...usual, theme: 'dark' as const, pace: 'fast' as const, autoEnd: false };
  wished.table = {
    ...usual.table,
    players: 4,
    levels: [8, 2, 5],
    teams: true,
    edition: 'ro',
    name: 'Ana',
    seats: ['human', 'level7', 'human', 'human'],
  };
  expect(readSettings(writeSettings(wished))).toEqual(wished);
});

test.each([
  '',
  '{',
  'null',
  '[]',
  '"x"',
  '7',
  '{"version":2,"theme":"dark"}',
  '{"version":1,"table":[]}',
  '{"version":1,"table":null}',
])('hostile contents are ignored: %s', (text) => {
  expect({ ...readSettings(text), newcomer: true, coach: null }).toEqual(usual);
});

test('a field that makes no sense leaves the others alone', () => {
  const text = JSON.stringify({
    version: 1,
    theme: 'pink',
    pace: 'slow',
    sounds: 'yes',
    table: { players: 1e9, levels: [0, 8, '3'], name: `\u0007${'n'.repeat(99)}`, names: 'abc' },
  });
  const read = readSettings(text);
  expect([read.theme, read.pace, read.sounds]).toEqual(['auto', 'slow', false]);
  expect(read.table).toEqual({ ...usual.table, levels: [1, 8, 1], name: 'n'.repeat(40) });
});

test('the coach is there for the first three games, and by choice', () => {
  const three = { ...usual, coached: 3 };
  expect([usual, { ...usual, coached: 2 }, three].map(hasCoach)).toEqual([true, true, false]);
  expect(hasCoach({ ...three, coach: true })).toBe(true);
  expect(hasCoach({ ...usual, coach: false })).toBe(false);
  expect(readSettings(writeSettings(three))).toEqual(three);
  // Who has played before there was one.
  expect(hasCoach(readSettings('{"version":1,"pace":"fast"}'))).toBe(false);
});

test('who has been here before is no newcomer', () => {
  expect(readSettings(null).newcomer).toBe(true);
  expect(readSettings('{"version":1,"pace":"fast"}').newcomer).toBe(false);
  expect(readSettings(writeSettings(usual)).newcomer).toBe(true);
});
