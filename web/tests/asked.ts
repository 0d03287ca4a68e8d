// The page's engine/engine.ts over the real engine, for unit tests:
// vi.mock('../engine/engine', () => import('../../tests/asked')).
import type { GameRecord, View } from '../src/engine/types';
import { engine } from './engine';

export const look = (request: object) => engine.look(request);
export const parley = (view: object, pacts: object, seats: string[], then: string[] = []) =>
  engine.look({ talk: { view, pacts, seats, then } });
export const dealAnew = (record: GameRecord, at: number, seat: number): GameRecord =>
  engine.look({ record, at, seat, anew: 7 }).record;

export function preview(view: View, then: string[]) {
  const answer = engine.look({ view, then });
  return answer.ok && !answer.reveals ? answer : null;
}
