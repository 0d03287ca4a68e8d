// Where what stands between players is shown.
import { expect, test, vi } from 'vitest';
import type { Message, Parley } from '../engine/types';
import type { Scene } from '../game/scene';
import { betrayedBy, canTalk, isSilent, kept, newsIn, placed, ROW, tiesAt, tiesOf } from './pacts';

const settings = vi.hoisted(() => ({ botsTalk: true, pace: 'instant' }));
vi.mock('../game/settings.svelte', () => ({ settings }));
vi.mock('../text/text.svelte', () => ({ say: () => '', t: () => '' }));
vi.mock('../engine/engine', () => ({}));

const line: Message = { key: 'x', args: {} };
const words = { line, terms: line };

// Seat 0 looks; 1, 2 and 3 sit in the columns 0, 1 and 2.
function scene(parley: Partial<Parley>, more: object = {}): Scene {
  return {
    now: { view: { players: 4, turn: 10, step: 'play', teams: false } },
    seats: ['human', 'level5', 'level5', 'level5'],
    me: 0,
    bottom: 0,
    composer: null,
    told: null,
    story: [],
    parley: { offers: [], pacts: [], broken: [], possible: [], breaks: {}, news: [], ...parley },
    ...more,
  } as unknown as Scene;
}

const truce = (id: number, a: number, b: number) => ({
  ...words,
  id,
  say: 'truce' as const,
  seats: [a, b] as [number, number],
  against: null,
  givenUp: null,
  left: 1,
});
const offer = {
  ...words,
  id: 9,
  by: 1,
  to: [0],
  yours: true,
  say: 'truce' as const,
  against: null,
};
const where = (some: Scene, rows = 2) =>
  placed(some, true, rows).ties.map(({ from, to, row }) => [from, to, row]);

test('a ribbon lies under whom it binds, one between two others between them', () => {
  expect(where(scene({ pacts: [truce(1, 0, 2)] }))).toEqual([[5, 6, 0]]);
  expect(where(scene({ pacts: [truce(1, 3, 2)] }))).toEqual([[7, 8, 0]]);
  expect(where(scene({ pacts: [truce(1, 0, 2), truce(2, 2, 3)] }))).toEqual([
    [5, 6, 0],
    [7, 8, 0],
  ]);
});

test('what would meet lies one above the other, and what finds no room is counted', () => {
  const pacts = [truce(1, 0, 2), truce(2, 1, 3), truce(3, 1, 2)];
  expect(where(scene({ pacts }))).toEqual([
    [5, 6, 0],
    [3, 8, 1],
    [3, 4, 0],
  ]);
  expect(placed(scene({ pacts }), true, 2).more).toBeNull();
  expect(where(scene({ pacts }), 1)).toEqual([
    [5, 6, 0],
    [3, 4, 0],
  ]);
  expect(placed(scene({ pacts }), true, 1).more).toMatchObject({ from: 11, row: 0, count: 1 });
});

test('an offer has room for its words, and lies over what is in its way', () => {
  const at = (...pacts: Parley['pacts']) => where(scene({ offers: [offer], pacts }), 1);
  expect(at()).toEqual([[0, 5, 0]]);
  expect(at(truce(1, 0, 2))).toEqual([
    [5, 6, 0],
    [0, 4, 0],
  ]);
  expect(at(truce(1, 1, 2))).toEqual([[0, 5, 0]]);
  expect(at(truce(1, 1, 2), truce(2, 0, 2))).toEqual([
    [5, 6, 0],
    [0, 4, 0],
  ]);
  const three = [1, 2, 3].map((by) => ({ ...offer, id: by, by }));
  const places = placed(scene({ offers: three, pacts: [truce(9, 0, 1)] }), true, 2);
  expect(places.ties.map(({ from, to, row }) => [from, to, row])).toEqual([
    [0, 5, 0],
    [4, 9, 2],
    [6, 11, 0],
  ]);
  expect(places.more).toMatchObject({ count: 1 });
});

test('two that the end of one turn tears are two', () => {
  const torn = { by: 1, with: 2, say: 'together' as const, turn: 9, line };
  const broken = [2, 4].map((id) => ({ ...torn, id }));
  const { ties } = placed(scene({ broken }), true, 2);
  expect(new Set(ties.map(({ key }) => key)).size).toBe(2);
});

test('their room is the same whether there are any or not, and none without them', () => {
  const characters = ['fair', 'fair', 'fair', 'fair'] as Parley['characters'];
  const none = scene({ characters });
  const some = scene({ characters, offers: [offer], pacts: [truce(1, 0, 1), truce(2, 1, 3)] });
  for (const [layout, height] of [
    ['wide', 900],
    ['phone', 844],
  ] as const)
    expect(kept(some, layout, height)).toBe(kept(none, layout, height));
  expect(kept(none, 'wide', 900)).toBeGreaterThan(0);
  expect(kept(scene({ characters: [] }), 'wide', 900)).toBe(0);
});

test('a tablet has a row, opens it for more, and no offer lies over the panels', () => {
  const characters = ['fair', 'fair', 'fair', 'fair'] as Parley['characters'];
  const rows = (parley: Partial<Parley>) =>
    kept(scene({ characters, ...parley }), 'tablet', 1180) / ROW;
  const pacts = [truce(1, 0, 1), truce(2, 1, 3), truce(3, 0, 2)];
  expect([0, 1, 2, 3].map((count) => rows({ pacts: pacts.slice(0, count) }))).toEqual([1, 1, 2, 2]);
  expect([0, 1, 3].map((count) => rows({ offers: [offer], pacts: pacts.slice(0, count) }))).toEqual(
    [2, 3, 3],
  );
  for (const count of [0, 1, 3]) {
    const all = { offers: [offer], pacts: pacts.slice(0, count) };
    const { ties } = placed(scene(all), false, rows(all));
    expect(Math.max(...ties.map(({ row, high }) => row + high))).toBeLessThanOrEqual(rows(all));
  }
});

test('nothing is offered to bots that never answer, and no room is kept where nobody does', () => {
  const at = (...seats: string[]) => {
    const characters = seats.map((seat) => (seat === 'level3' ? ('fair' as const) : null));
    return scene({ characters }, { seats, say: () => {} });
  };
  const some = at('human', 'level2', 'level3', 'human');
  expect([1, 2, 3].map((seat) => canTalk(some, seat))).toEqual([false, true, true]);
  expect(kept(some, 'wide', 900)).toBeGreaterThan(0);
  expect(kept(at('human', 'level1', 'level2', 'level1'), 'wide', 900)).toBe(0);
});

test('the weakest bots make none', () => {
  const seats = ['human', 'level1', 'level2', 'level3', 'level8', 'master'];
  expect(seats.filter((_, seat) => isSilent(seats, seat))).toEqual(['level1', 'level2']);
});

test('on a phone each stands once, at whom it binds; an offer stands elsewhere', () => {
  const some = scene({ offers: [offer], pacts: [truce(1, 0, 2), truce(2, 2, 3)] });
  const at = (seat: number) => tiesAt(some, seat).map(({ key }) => key);
  expect([1, 2, 3].map(at)).toEqual([[], ['p1'], ['p2']]);
});

test('an offer of one’s own is seen, also by who looks back with open hands', () => {
  const asked = { ...offer, by: 0, to: [2], yours: false };
  const keys = (more: object) => tiesOf(scene({ offers: [asked] }, more)).map(({ key }) => key);
  expect(keys({})).toEqual(['a9-2']);
  expect(keys({ me: null, viewer: 0 })).toEqual(['a9-2']);
  expect(keys({ me: null })).toEqual([]); // for who watches it is of others
});

test('what was broken is seen for a round, and what bots offer only by those who hear them', () => {
  const torn = { id: 3, by: 1, with: 2, say: 'truce' as const, line };
  expect(where(scene({ broken: [{ ...torn, turn: 7 }] }))).toHaveLength(1);
  expect(where(scene({ broken: [{ ...torn, turn: 6 }] }))).toHaveLength(0);
  settings.botsTalk = false;
  expect(where(scene({ offers: [offer] }))).toHaveLength(0);
  settings.botsTalk = true;
});

test('how many somebody has betrayed stays true when only the last of each is known', () => {
  const torn = { id: 1, by: 1, with: 2, turn: 3, say: 'truce' as const, line };
  const [early, late] = [
    [torn, torn, { ...torn, with: 0 }],
    [torn, { ...torn, with: 0 }],
  ];
  for (const broken of [early, late]) {
    expect(betrayedBy(scene({ broken }), 1)).toBe(2);
    expect(betrayedBy(scene({ broken }), 2)).toBe(0);
  }
});

test('the bar tells what was said last, and in one’s turn breaks and answers', () => {
  const said = { at: 4, what: 'said' as const, say: 'truce' as const, seat: 1, line };
  const broken = { ...said, at: 5, what: 'broken' as const };
  const told = { end: 4 };
  expect(newsIn(scene({ news: [said] }, { told }))).toBe(said);
  expect(newsIn(scene({ news: [said] }, { told: { end: 5 } }))).toBeNull();
  const turn = { composer: { idle: true }, story: [{ seat: 0, end: 3 }] };
  expect(newsIn(scene({ news: [broken, said] }, turn))).toBe(broken);
  expect(newsIn(scene({ news: [broken] }, { ...turn, story: [{ seat: 0, end: 6 }] }))).toBeNull();
  // Nor is an answer overlooked.
  const no = { ...said, at: 5, say: 'no' as const };
  expect(newsIn(scene({ news: [said, no] }, turn))).toBe(no);
  expect(newsIn(scene({ news: [broken, no] }, turn))).toBe(broken);
  // Nor that of the next, who says it before anything else is done; one's own words are.
  const next = { ...no, at: 3 };
  expect(newsIn(scene({ news: [next] }, turn))).toBe(next);
  expect(newsIn(scene({ news: [{ ...next, at: 2 }] }, turn))).toBeNull();
  expect(newsIn(scene({ news: [{ ...next, seat: 0 }] }, turn))).toBeNull();
});
