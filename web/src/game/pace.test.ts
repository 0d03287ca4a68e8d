// With the real engine: what is forced follows from what it allows.
import { beforeAll, expect, test, vi } from 'vitest';
import { type Moment, search } from '../../tests/games';
import { loadRealEngine } from '../../tools/real-engine';
import { look } from '../engine/engine';
import { forced } from './pace';

vi.mock('./settings.svelte', () => ({ settings: { pace: 'instant', autoEnd: true } }));

beforeAll(loadRealEngine);

function at(fits: (moment: Moment) => boolean) {
  let seat = -1;
  const record = search({ players: 3 }, 1, (moment) => {
    seat = moment.state.seat;
    return fits(moment);
  });
  const answer = look({ record, seat, you: true });
  if (!answer.ok) throw new Error(answer.error.key);
  return answer;
}

test('no card of several is named for somebody, even where only one can come first', () => {
  const answer = at(
    ({ state: { choice, hands, seat }, legal }) =>
      choice?.effect === 'breakthrough' &&
      choice.from === null &&
      legal.length === 1 &&
      hands[seat].length > choice.left,
  );
  expect(answer.guide.legal.length).toBe(1);
  expect(answer.guide.ask!.args.left).toBe(answer.view.choice!.left);
  expect(forced(answer)).toBeNull();
});

test('where all cards must be named they are named together', () => {
  const answer = at(
    ({ state: { choice, hands, seat } }) =>
      choice?.verb === 'discard' &&
      choice.from === null &&
      choice.left > 1 &&
      hands[seat].length === choice.left &&
      new Set(hands[seat]).size > 1,
  );
  expect(forced(answer)?.length).toBe(answer.view.choice!.left);
});
