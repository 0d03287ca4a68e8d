// What the effect buttons show while something is being chosen, with the real engine.
import { expect, test, vi } from 'vitest';
import { engine } from '../../tests/engine';
import { look, search } from '../../tests/games';
import { preview } from '../engine/engine';
import { EFFECTS, type Told, type View } from '../engine/types';
import { Composer } from '../game/composer.svelte';
import type { Scene } from '../game/scene';
import {
  copiedFrom,
  freeEffects,
  hitsNobody,
  permanentOf,
  shownState,
  whyNot,
  worthUsing,
} from './effects';

vi.mock('../engine/engine', async () => {
  const { engine } = await import('../../tests/engine');
  return {
    preview: (view: View, then: string[]) => {
      const answer = engine.look({ view, then });
      return answer.ok && !answer.reveals ? answer : null;
    },
  };
});

// Of a moment at which an effect would make another one impossible: both of them.
function exclusive(view: View): { action: string; lost: (typeof EFFECTS)[number] } | null {
  const now = engine.look({ view });
  for (const action of now.guide.legal as string[]) {
    const then = preview(view, [action]);
    if (then?.view.seat !== view.seat) continue;
    const lost = EFFECTS.find(
      (effect) =>
        !action.includes(effect) &&
        now.guide.effects[effect].state === 'ready' &&
        !['ready', 'waiting', 'used'].includes(then.guide.effects[effect].state),
    );
    if (lost) return { action, lost };
  }
  return null;
}

function found() {
  for (let seed = 70; ; seed++) {
    const record = search({ players: 2 }, seed, ({ legal }) =>
      ['attack', 'assassination'].every((one) => legal.some((action) => action.startsWith(one))),
    );
    const now = look(record, look(record, null).view.seat);
    const both = exclusive(now.view);
    if (both) return { now, ...both };
  }
}

test('an effect that the choice makes impossible is not lit, and says why', () => {
  const { now, action, lost } = found();
  const seat = now.view.seat!;
  const composer = new Composer(now, seat);
  const scene = { me: seat, now, ahead: now, composer, names: [] } as unknown as Scene;
  expect(shownState(scene, lost)).toBe('ready');
  composer.take(action);
  const chosen = { ...scene, ahead: composer.shown };
  expect(['notyet', 'blocked']).toContain(shownState(chosen, lost));
  expect(whyNot(chosen, lost)).not.toBeNull();
});

test('the effect that was used is the one that is ticked', () => {
  const used = (effect: string, ...lines: Told['lines']) =>
    ({
      me: 0,
      now: { view: { turn: 5 } },
      told: { end: 9 },
      story: [{ seat: 0, turn: 5, end: 9, effect, lines }],
    }) as unknown as Scene;
  expect(permanentOf(used('development'), 'E', 2)).toEqual({ main: 'development', instead: null });
  expect(permanentOf(used('experiment'), 'E', 2)).toEqual({
    main: 'monopoly',
    instead: 'development',
  });
});

test('a level that was copied is ticked, not the one that the column has itself', () => {
  const record = search({ players: 3 }, 70, ({ legal }) => legal.includes('copy divine-right'));
  const now = look(record, null);
  const seat = now.view.seat!;
  const actions = [...record.actions, 'copy divine-right'];
  const after = engine.look({ record: { ...record, actions }, seat, you: true, from: 0 });
  const scene = { me: seat, now: after, story: after.story, told: after.story.at(-1) };
  const { level } = after.guide.columns[seat][1];
  expect(permanentOf(scene as unknown as Scene, 'R', level)).toEqual({
    main: 'divine-right',
    instead: null,
  });
});

test('an Attack that takes a card from nobody else is known as such', () => {
  const attack = (...counts: number[]) =>
    ({
      now: {
        guide: {
          legal: ['end', ...counts.map((_, i) => `attack ${'MRE'[i]}`)],
          offers: [{}, ...counts.map((count) => ({ key: 'offer.attack', args: { count } }))],
        },
      },
    }) as unknown as Scene;
  expect(hitsNobody(attack(0, 0), 'attack')).toBe(true);
  expect(hitsNobody(attack(0, 1), 'attack')).toBe(false);
  expect(hitsNobody(attack(), 'attack')).toBe(false);
});

test('drawing up to as many cards as one holds is not worth a reminder', () => {
  const free = (worth: boolean, hand: (cards: number) => boolean) => {
    const record = search({ players: 3 }, 5, ({ state, legal }) => {
      const { seat, step, hands } = state;
      return (
        step === 'effects' &&
        legal.includes('holy-book') &&
        !legal.includes('divine-right') &&
        hand(hands[seat].length)
      );
    });
    const { seat } = look(record, null).view;
    const now = look(record, seat);
    const composer = new Composer(now, seat!);
    const scene = { me: seat, now, ahead: now, composer, names: [] } as unknown as Scene;
    return (worth ? worthUsing : freeEffects)(scene).includes('holy-book');
  };
  expect(free(true, (cards) => cards < 5)).toBe(true);
  expect(free(false, (cards) => cards > 4)).toBe(true);
  expect(free(true, (cards) => cards > 4)).toBe(false);
});

test('a copy says whose effect it is', () => {
  const record = search({ players: 3 }, 9, ({ legal }) =>
    legal.some((action) => action.startsWith('copy')),
  );
  const { seat } = look(record, null).view;
  const { guide } = look(record, seat);
  for (const action of guide.legal) {
    const from = copiedFrom(guide, action);
    if (!action.startsWith('copy')) expect(from).toBeNull();
    else expect(guide.effectsOf[from!][action.slice(5) as 'purge'].state).not.toBe('not-yet');
  }
});
