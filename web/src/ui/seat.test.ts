import { expect, test } from 'vitest';
import type { Scene } from '../game/scene';
import { type Doing, isPartner, seatStatus } from './seat';

// A table of two people and two bots, as seat 0 sees it, whose turn it is.
const scene = (more: object = {}, state: object = {}, presence = [true, true]): Scene =>
  ({
    seats: ['human', 'human', 'level4', 'random'],
    names: ['Ana', 'Bran', 'Chiara', 'Dan'],
    me: 0,
    thinking: null,
    lookingBack: false,
    now: { view: { seat: 0, step: 'play', teams: true, result: null } },
    table: {
      state: {
        status: 'running',
        host: 'b',
        chairs: [{ person: { id: 'a' } }, { person: { id: 'b' } }, {}, {}],
        ...state,
      },
      presence: { seats: presence },
    },
    ...more,
  }) as unknown as Scene;

const drafting = (picked: boolean[]) =>
  scene(
    { now: { view: { seat: 1, step: 'draft', teams: false, result: null } } },
    { draft: { round: 1, picked } },
  );

test.each<[string, Scene, number, Doing]>([
  ['the one who decides', scene(), 0, 'acts'],
  ['the one whose table it is', scene(), 1, 'host'],
  ['somebody', scene({}, { host: null }), 1, 'person'],
  ['a bot', scene(), 2, 'bot'],
  ['a bot that thinks', scene({ thinking: 2 }), 2, 'thinks'],
  ['somebody who is not there', scene({}, {}, [true, false]), 1, 'away'],
  ['nobody is away where nothing is known of it', scene({}, {}, []), 1, 'host'],
  ['who has chosen in the draft', drafting([false, true]), 1, 'chosen'],
  ['who has not', drafting([false, false]), 1, 'chooses'],
  ['who has left', scene({}, { chairs: [{}, {}, { left: 'resign' }, {}] }), 2, 'left'],
])('%s', (_, of, seat, doing) => {
  const status = seatStatus(of, seat);
  expect(status.doing).toBe(doing);
  expect(status.words).not.toBe('');
  expect(status.dots).toBe(['thinks', 'chooses'].includes(doing));
});

test('of oneself it is not said that one is a player', () => {
  const away = { now: { view: { seat: 2, step: 'play', teams: true, result: null } } };
  expect(seatStatus(scene(away), 0)).toMatchObject({ doing: 'person', words: '' });
  expect(seatStatus(scene({ ...away, me: null }), 0).words).not.toBe('');
});

test('partners sit opposite each other', () => {
  expect([0, 1, 2, 3].map((seat) => isPartner(true, 1, seat))).toEqual([false, false, false, true]);
  expect(isPartner(false, 1, 3)).toBe(false);
  expect(isPartner(true, null, 2)).toBe(false);
  expect(seatStatus(scene(), 2).partner).toBe(true);
});
