// A replay tells and shows the moment that it stands at, and no other.
import { describe, expect, test, vi } from 'vitest';
import { find } from '../../tests/games';
import { POSITIONS } from '../../tests/positions';
import { Replay } from './replay.svelte';
import { newGame } from './store';

vi.mock('../engine/engine', () => import('../../tests/asked'));

const names = ['You', 'Ada', 'Bran'];
const record = find(POSITIONS.hegemony);
const replay = () =>
  new Replay(
    { ...newGame(record, { seats: ['human', 'level2', 'level4'], names }), finished: true },
    () => names,
  );

describe('a replay', () => {
  test('tells what led to its moment, not what came last', () => {
    const one = replay();
    expect(one.told).toBeNull();
    for (const told of one.story) {
      one.at = told.end;
      expect(one.told).toEqual(told);
    }
  });

  test('with open hands is told as to the player', () => {
    const one = replay();
    expect([one.eyes, one.me, one.viewer]).toEqual(['open', null, 0]);
    one.eyes = 'everyone';
    expect(one.viewer).toBeNull();
    one.eyes = 2;
    expect(one.viewer).toBe(2);
  });

  test('goes turn by turn, from the beginning to the end', () => {
    const one = replay();
    const begins = one.headings.map(({ begin }) => begin).filter((begin) => begin > 0);
    for (const at of [...begins, one.length, one.length]) {
      one.stepTurn(1);
      expect(one.at).toBe(at);
    }
    for (const at of [...begins.reverse(), 0, 0]) {
      one.stepTurn(-1);
      expect(one.at).toBe(at);
    }
  });

  test('begins at the moment that is asked for, if there is one', () => {
    const game = { ...newGame(record, { seats: ['human', 'level2', 'level4'], names }) };
    expect(new Replay(game, () => names, 4).at).toBe(4);
    expect(new Replay(game, () => names, 9_999).at).toBe(record.actions.length);
  });

  test('shows an effect as just used only on the way forward', () => {
    const one = replay();
    const used = one.story.find((told) => told.effect)!;
    one.at = used.end;
    expect(one.moment).toBeNull();
    one.at = used.begin;
    one.step(1);
    expect(one.moment).toEqual({ seat: used.seat, effect: used.effect, at: used.begin });
    one.step(1);
    one.step(-1);
    expect(one.moment).toBeNull();
  });
});
