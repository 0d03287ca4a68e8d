import { expect, test } from 'vitest';
import { readSettings } from './settings';
import { againstBots, cleanName, onThisDevice, type Seat } from './setup';
import { botNames, labelsOf, namesOf } from './setup-names';

const options = readSettings(null).table;

test('against bots: seat 0 is ours, bots have names of their own', () => {
  const table = againstBots({
    ...options,
    players: 4,
    levels: [1, 4, 8],
    name: ' ada ',
    teams: true,
  });
  expect(table.seats).toEqual(['human', 'level1', 'level4', 'level8']);
  expect(table.names[0]).toBe('ada');
  expect(new Set(table.names.map((name) => name.toLowerCase())).size).toBe(4);
  expect(table.teams).toBe(true);
});

test('teams are for four', () => {
  expect(againstBots({ ...options, players: 3, teams: true }).teams).toBe(false);
});

test('on this device: any seat may be a bot, and a bot has no name from a person', () => {
  const table = onThisDevice(
    {
      ...options,
      players: 3,
      seats: ['human', 'level2', 'human', 'level1'],
      names: ['Ana', 'Ben', '', ''],
    },
    () => 0,
  );
  expect(table.seats).toEqual(['human', 'level2', 'human']);
  expect(table.names).toEqual(['Ana', 'Ada', '']);
});

test('names are plain text', () => {
  expect(cleanName(' A\tB\u0000 ')).toBe('A B');
  expect(cleanName('\uD800x')).toBe('x');
  expect([...cleanName('😀'.repeat(50))]).toHaveLength(40);
  expect(cleanName(null)).toBe('');
  expect(cleanName('\u202Eabc')).toBe('abc');
});

test('who has no name is “You” only where that stands by itself', () => {
  const alone = { seats: ['human', 'level3'] as Seat[], names: ['', 'Mei'] };
  expect(namesOf(alone)).toEqual(['Player 1', 'Mei']); // “You plays” would be wrong
  expect(labelsOf(alone)).toEqual(['You', 'Mei']);
  expect(labelsOf({ ...alone, names: ['Ada', ''] })).toEqual(['Ada', 'Wary bot']);
  const two = { seats: ['human', 'human'] as Seat[], names: ['', ''] };
  expect(labelsOf(two)).toEqual(['Player 1', 'Player 2']);
});

test('“You” in a file is not a name, whatever its language', () => {
  for (const you of ['You', 'Vous', 'Tú', 'Você', 'Tu']) {
    const game = { seats: ['human', 'level3'] as Seat[], names: [you, 'Mei'] };
    expect(namesOf(game)).toEqual(['Player 1', 'Mei']);
    expect(labelsOf(game)).toEqual(['You', 'Mei']);
  }
});

test('bots at a table with others are called by their strength', () => {
  expect(botNames([null, 'level4', 'level8', 'visitor'])).toEqual([
    null,
    'Steady bot',
    'Master bot',
    'Bot 4',
  ]);
  expect(botNames([null, 'level4', 'level4'])).toEqual([null, 'Steady bot 1', 'Steady bot 2']);
});
