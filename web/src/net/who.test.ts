import { expect, test } from 'vitest';
import type { Chair, TableState } from './types';
import { asked, choosing, minutes, staying, winnersWithout } from './who';

const person = (name: string): Chair => ({ person: { id: `p_${name}`, name }, bot: null });
const bot: Chair = { person: null, bot: 'level4' };
const gone = (name: string): Chair => ({ ...person(name), bot: 'level4', left: 'resigned' });
const at = (chairs: Chair[], more: Partial<TableState> = {}, teams = false) =>
  ({ status: 'running', chairs, host: null, options: { teams }, ...more }) as TableState;

test('a clock shows 0:00 only when nothing is left', () => {
  expect([0, 1, 1000, 9_999, 60_000, 75_400, 600_000, 3_600_000].map(minutes)).toEqual([
    '0:00',
    '0:01',
    '0:01',
    '0:10',
    '1:00',
    '1:16',
    '10:00',
    '60:00',
  ]);
});

test('bots, and people who have left, are not asked', () => {
  const state = at([person('a'), gone('b'), bot, person('c')], {
    question: { n: 9, seat: 0, back: 3, yes: [] },
  });
  expect(staying(state)).toEqual([0, 3]);
  expect(asked(state)).toEqual([3]);
  expect(asked({ ...state, question: { n: 9, seat: 0, back: 3, yes: [3] } })).toEqual([]);
  expect(asked({ ...state, question: { n: 9, seat: 1, back: null, yes: [0] } })).toEqual([3]);
  expect(asked({ ...state, question: undefined })).toEqual([]);
});

test('a round of the draft waits for those who have not chosen', () => {
  expect(
    choosing(at([person('a'), person('b')], { draft: { round: 1, picked: [true, false] } })),
  ).toEqual([1]);
  expect(choosing(at([person('a'), person('b')]))).toEqual([]);
});

// As the server has it: "as soon as only one side is left, that is a forfeit".
test.each<[string, Chair[], boolean, number[]]>([
  ['one of two', [person('a'), person('b')], false, [1]],
  ['one of three', [person('a'), person('b'), person('c')], false, []],
  ['the second of three', [person('a'), gone('b'), person('c')], false, [2]],
  ['the last person against bots', [person('a'), bot, bot], false, [1, 2]],
  ['one of two people beside a bot', [person('a'), person('b'), bot], false, []],
  ['one of a team', [person('a'), person('b'), person('c'), person('d')], true, []],
  ['the second of a team', [person('a'), person('b'), gone('c'), person('d')], true, [1, 3]],
])('leaving as %s', (_, chairs, teams, winners) => {
  expect(winnersWithout(at(chairs, {}, teams), 0)).toEqual(winners);
});
