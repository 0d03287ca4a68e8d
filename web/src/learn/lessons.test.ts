// Every lesson is played to its end in every language with the real engine, and from wherever legal
// tries lead there is a way on.
import { describe, expect, test, vi } from 'vitest';
import { catalogueOf } from '../../tools/texts.mjs';
import type { Preview } from '../engine/engine';
import { look, preview } from '../engine/engine';
import { LANGUAGES, loadTexts, say, setLanguage } from '../text/text.svelte';
import { LessonGame, worded } from './lesson.svelte';
import { LESSONS, type Lesson, ME, recordOf } from './lessons';

vi.mock('../engine/engine', async () => {
  const { engine } = await import('../../tests/engine');
  return {
    look: (request: object) => engine.look(request),
    preview: (view: object, then: string[]) => {
      const answer = engine.look({ view, then });
      if (!answer.ok) throw new Error(JSON.stringify(answer.error));
      return answer.reveals ? null : answer;
    },
  };
});
const settings = vi.hoisted(() => ({ pace: 'instant', newcomer: true, lessons: [] as string[] }));
vi.mock('../game/settings.svelte', () => ({ settings }));

await loadTexts('learn');

const settled = (game: LessonGame) =>
  vi.waitFor(() => expect(game.done || game.composer || game.wrong).toBeTruthy(), { interval: 1 });

// All that can be decided here, each as the actions that are confirmed together.
function lines({ view, guide }: Preview, before: string[] = []): string[][] {
  return guide.legal.flatMap((action) => {
    const then = guide.reveals.includes(action) ? null : preview(view, [action]);
    const asks = then?.view.seat === ME && then.view.step === 'choose';
    return asks ? lines(then, [...before, action]) : [[...before, action]];
  });
}

// What a step says, in the order of its texts.
const keysOf = ({ name, steps }: Lesson) => [
  `lesson.${name}.title`,
  `lesson.${name}.about`,
  ...steps.flatMap(({ aim, not }, i) => [
    `lesson.${name}.${i + 1}`,
    ...(aim ? [`lesson.${name}.${i + 1}-aim`] : []),
    ...(not ? [`lesson.${name}.${i + 1}-not`] : []),
  ]),
  `lesson.${name}.end`,
  `lesson.${name}.end-about`,
];

test('there are twelve, and all that is written for them is said', () => {
  expect(LESSONS).toHaveLength(12);
  const written = Object.keys(catalogueOf('learn', 'en')).filter((key) => /^lesson\./.test(key));
  expect(LESSONS.flatMap(keysOf)).toEqual(written);
});

describe.each(LESSONS)('$name', (lesson) => {
  test('begins with a legal position, in which one decides', () => {
    const answer = look({ record: recordOf(lesson.name), seat: ME });
    expect(answer.ok && answer.view.seat).toBe(ME);
  });

  test.each(LANGUAGES)('can be gone through in %s', async (language) => {
    await setLanguage(language);
    settings.lessons = [];
    for (const key of keysOf(lesson)) {
      const said = say(worded(key), ['', 'Ada', 'Bran']);
      expect([key, said]).toEqual([key, expect.not.stringMatching(/lesson\.|[{}]|undefined/)]);
    }
    const game = new LessonGame(lesson);
    for (const [stage, step] of lesson.steps.entries()) {
      expect(game.stage).toBe(stage);
      expect(game.meant).toContain(step.want[0]);
      expect(game.tried).toBe(false);
      game.show();
      expect(game.composer?.actions).toEqual(step.want);
      expect(game.composer?.complete).toBe(true);
      expect(game.tried).toBe(false);
      game.confirm();
      expect(game.wrong).toBeNull();
      await settled(game);
    }
    expect(game.done).toBe(true);
    expect(settings.lessons).toEqual([lesson.name]);
    expect(settings.newcomer).toBe(true);
    game.stop();
  });

  test('is never stuck', async () => {
    const seen = new Set<string>();
    // How one gets to a step: what is decided, step by step.
    const ways: string[][][] = [[]];
    for (let way = ways.shift(); way; way = ways.shift()) {
      const arrive = async () => {
        const game = new LessonGame(lesson);
        for (const line of way!) {
          game.decide(line);
          await settled(game);
        }
        return game;
      };
      const game = await arrive();
      const here = JSON.stringify([game.stage, game.now.view]);
      if (game.done || seen.has(here)) continue;
      seen.add(here);
      for (const line of lines(game.now)) {
        game.decide(line);
        if (game.wrong) {
          expect(game.tried).toBe(true);
          expect(game.comparison).toHaveLength(2);
          game.goBack();
        } else {
          ways.push([...way, line]);
          await settled(game);
          game.again();
          for (const past of way) {
            game.decide(past);
            await settled(game);
          }
        }
        expect(JSON.stringify([game.stage, game.now.view])).toBe(here);
      }
      game.decide(lines(game.now).at(-1)!); // right or wrong, skipping leads on
      await settled(game);
      const { stage } = game;
      if (!game.done) game.skip();
      await settled(game);
      expect(game.done || game.stage > stage).toBe(true);
      game.stop();
    }
    expect(seen.size).toBeGreaterThanOrEqual(lesson.steps.length);
  });
});

test('what does not lead to the goal is seen before it is done, and put back', () => {
  const game = new LessonGame(LESSONS.find(({ name }) => name === 'attack')!);
  game.skip();
  game.composer!.use('attack');
  expect(game.tried).toBe(false);
  game.composer!.aim(ME, 'C');
  expect(game.tried).toBe(true);
  const counts = game.comparison.map(({ after }) =>
    after!.guide.columns.map((seat) => seat[1].count),
  );
  expect(counts).toEqual([
    [2, 3, 3],
    [1, 2, 2],
  ]);
  game.goBack();
  expect(game.tried).toBe(false);
  expect(game.composer!.aiming).toBe('attack');
  game.stop();
});

test('of several cards all are named that were tried, and all that are meant', () => {
  const game = new LessonGame(LESSONS.find(({ name }) => name === 'inquisition')!);
  game.skip();
  game.skip();
  for (const card of ['M1', 'E1', 'S1'] as const) game.composer!.name(card, 'hand');
  expect(game.tried).toBe(true);
  const args = (...cards: string[]) => ({ verb: 'give', names: { cards } });
  expect(game.comparison.map(({ told }) => told)).toEqual([
    [{ key: 'danger.then', args: args('M1', 'E1', 'S1') }],
    [{ key: 'danger.then', args: args('M1', 'E1', 'C1') }],
  ]);
  game.composer!.unname('S1');
  expect(game.composer!.picked).toEqual(['M1', 'E1']);
  game.stop();
});

test('back leads to the step before, with what the others did since undone', async () => {
  const game = new LessonGame(LESSONS[0]);
  const first = game.now.view;
  expect(game.canGoBack).toBe(false);
  game.skip();
  game.skip();
  await settled(game);
  expect(game.stage).toBe(2);
  game.goBack();
  game.goBack();
  expect(game.stage).toBe(0);
  expect(game.now.view).toEqual(first);
  game.stop();
});
