import { describe, expect, test } from 'vitest';
import { merge, type Thought } from './pool';

const thought = (...judgements: Thought['judgements']): Thought => ({ action: judgements[0]?.action ?? 'end', judgements });

describe('several searches of one decision', () => {
  test('weigh together, each by its own weight', () => {
    const both = merge([
      thought({ action: 'end', weight: 30, chances: [0.6, 0.4] }, { action: 'purge', weight: 10, chances: [0.2, 0.8] }),
      thought({ action: 'purge', weight: 50, chances: [0.8, 0.2] }, { action: 'end', weight: 10, chances: [0.2, 0.8] }),
    ]);
    expect(both.action).toBe('purge');
    expect(both.judgements.map(({ action, weight }) => [action, weight])).toEqual([
      ['purge', 60],
      ['end', 40],
    ]);
    expect(both.judgements[0].chances[0]).toBeCloseTo(0.7);
    expect(both.judgements[1].chances[1]).toBeCloseTo(0.5);
  });

  test('keep what only one of them looked at, and leave what they are given alone', () => {
    const one = thought({ action: 'end', weight: 5, chances: [1, 0] });
    const two = thought({ action: 'attack M', weight: 9, chances: [0, 1] });
    expect(merge([one, two]).judgements.map(({ action }) => action)).toEqual(['attack M', 'end']);
    expect(one.judgements[0]).toEqual({ action: 'end', weight: 5, chances: [1, 0] });
  });

  test('without judgements are what the first of them says', () => {
    expect(merge([{ action: 'play M1', judgements: [] }]).action).toBe('play M1');
  });

  test('do not divide by nothing', () => {
    const none = thought({ action: 'end', weight: 0, chances: [0.5, 0.5] });
    expect(merge([none, none]).judgements[0].chances).toEqual([0.5, 0.5]);
  });
});
