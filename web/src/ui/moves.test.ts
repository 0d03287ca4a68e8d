// What the rules draw is what the engine does.
import { expect, test } from 'vitest';
import { engine } from '../../tests/engine';
import { recordOf } from '../learn/lessons';
import { EXAMPLE } from './moves';

const after = (count: number) => {
  const record = recordOf('levels');
  const actions = [...record.actions, ...EXAMPLE.actions.slice(0, count)];
  const answer = engine.look({ record: { ...record, actions }, seat: 0 });
  if (!answer.ok) throw new Error(answer.error.key);
  return { ...answer.view, mine: answer.view.hands[0].cards as string[] };
};

test('the example of a turn', () => {
  const [before, played, raised, ended] = [0, 1, 2, 3].map(after);
  expect(before.tables[0]).toEqual(EXAMPLE.area);
  expect(before.mine).toEqual(EXAMPLE.hand);
  expect(played.tables[0]).toHaveLength(3);
  expect(raised.handSize).toBe(5);
  expect(ended.mine).toHaveLength(played.mine.length + EXAMPLE.drawn);
});
