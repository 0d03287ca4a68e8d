// Puzzles are played to their answers at the page's own table; which one comes next. All of them
// are looked at by tests/puzzles_test.cc.
import { expect, test, vi } from 'vitest';
import { engine } from '../../tests/engine';
import { readSettings } from '../game/settings';
import { PuzzleGame } from './puzzle.svelte';
import { afterDay, afterTry, dayOf, nameOf, nextFor, ofDay, PUZZLES } from './puzzles';

vi.mock('../engine/engine', () => {
  const asked = (request: object) => {
    const answer = engine.look(request);
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer;
  };
  return {
    pose: (puzzle: string) => asked({ puzzle }),
    judge: (puzzle: string, turn: string[]) => asked({ puzzle, turn }),
    preview: (view: object, then: string[]) => {
      const answer = asked({ view, then });
      return answer.reveals ? null : answer;
    },
  };
});
vi.mock('../game/settings.svelte', () => ({ settings: { pace: 'instant' } }));

test('a puzzle is solved by its answer, and can be begun again', () => {
  for (const text of PUZZLES.filter((_, i) => i % 25 === 0)) {
    const game = new PuzzleGame(text);
    const { answer } = game.posed;
    for (const action of answer) game.decide([action]);
    expect([text, game.verdict?.right]).toEqual([text, true]);
    expect(game.verdict!.why.length).toBeGreaterThan(0);
    expect(game.steps).toHaveLength(answer.length);
    expect(game.steps.every(Boolean)).toBe(true);
    game.again();
    expect(game.turn).toEqual([]);
    game.decide(answer.slice(0, 1));
    game.undo();
    expect(game.turn).toEqual([]);
    game.show();
    expect([game.shown, game.verdict?.right]).toEqual([true, true]);
    game.stop();
  }
});

test('the table does not say who could win before the puzzle is answered', () => {
  const game = new PuzzleGame(PUZZLES.find((text) => text[1] === 's')!);
  const threats = () => game.now.guide.threats.filter((threat) => threat !== null);
  expect(game.posed.guide.threats.some((threat) => threat !== null)).toBe(true);
  expect(threats()).toEqual([]);
  game.decide([game.now.guide.legal[0]]);
  game.decide(['end']);
  expect(game.verdict?.right).toBe(false);
  expect(threats()).not.toEqual([]);
});

test('a turn that does nothing is answered with what it comes to', () => {
  const game = new PuzzleGame(PUZZLES.find((text) => text[1] === 'w')!);
  game.decide([game.now.guide.legal[0]]);
  game.decide(['end']);
  expect(game.verdict?.right).toBe(false);
  expect(game.verdict?.why[0].key).toBe('puzzle.short');
});

test('days that follow each other have different puzzles, and all have their day', () => {
  const today = dayOf(Date.UTC(2026, 10, 17, 23, 59));
  expect(dayOf(Date.UTC(2026, 10, 18))).toBe(today + 1);
  const days = PUZZLES.map((_, i) => ofDay(today + i));
  expect(new Set(days).size).toBe(PUZZLES.length);
});

test('puzzles follow the player’s strength and do not come twice', () => {
  const fresh = readSettings(null).puzzles;
  let kept = fresh;
  const levels: number[] = [];
  for (let i = 0; i < 30; i++) {
    const next = nextFor(kept);
    expect(kept.seen).not.toContain(nameOf(PUZZLES[next]));
    levels.push(Number(PUZZLES[next][0]));
    kept = afterTry(kept, next, true);
  }
  expect(levels.at(-1)!).toBeGreaterThan(levels[0]);
  expect([kept.row, kept.best]).toEqual([30, 30]);
  const failed = afterTry(kept, 0, false);
  expect([failed.row, failed.best]).toEqual([0, 30]);
  expect(failed.strength).toBeLessThan(kept.strength);
  expect(afterDay(afterDay(failed, 5), 5).days).toEqual([5]);
});
