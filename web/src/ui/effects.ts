// How an effect button looks now.
import { preview } from '../engine/engine';
import {
  type Effect,
  type EffectState,
  type Guide,
  LETTERS,
  type Letter,
  type Message,
} from '../engine/types';
import { EFFECTS_OF, parse } from '../game/actions';
import type { Scene } from '../game/scene';

export type Shown = 'ready' | 'wait' | 'active' | 'used' | 'notyet' | 'soon' | 'blocked' | 'idle';

export function shownState(scene: Scene, effect: Effect): Shown {
  const { composer } = scene;
  if (scene.me === null || scene.now.view.step === 'over') return 'idle';
  const now = scene.now.guide.effects[effect];
  if (
    composer &&
    composer.effect === effect &&
    (!composer.idle || scene.now.view.step === 'choose')
  )
    return 'active';
  if (composer?.isUsable(effect)) return 'ready';
  const then = scene.ahead.guide.effects[effect];
  if (isOpen(then.state)) return isOpen(now.state) ? 'wait' : 'soon';
  // What is being chosen may take away what it needs.
  const { state } = isOpen(now.state) ? then : now;
  if (state === 'used') return 'used';
  return state === 'not-yet' ? 'notyet' : 'blocked';
}

const isOpen = (state: EffectState) => state === 'ready' || state === 'waiting';

// Why it cannot be used, now or after what is being chosen.
export function whyNot(scene: Scene, effect: Effect): Message | null {
  return scene.now.guide.effects[effect].why ?? scene.ahead.guide.effects[effect].why;
}

// What Inspiration has copied, which then counts as used in its own Domain, too.
const copiedIn = (lines: Message[]): Effect[] =>
  lines.flatMap(({ key, args: { effect } = {} }) =>
    key === 'story.copy' && typeof effect === 'object' && 'effect' in effect ? [effect.effect] : [],
  );

// The permanent effect that a column shows first, the one that was used or the highest level, and
// the other level that may be used instead.
export function permanentOf(
  scene: Pick<Scene, 'me' | 'now' | 'story' | 'told'>,
  letter: Letter,
  level: 0 | 1 | 2,
): { main: Effect; instead: Effect | null } {
  const { permanent } = EFFECTS_OF[letter];
  const [one, two] = permanent;
  const used = scene.story
    .filter(
      ({ seat, turn, end }) =>
        seat === scene.me && turn === scene.now.view.turn && end <= (scene.told?.end ?? 0),
    )
    .flatMap(({ effect, lines }) => (effect === 'inspiration' ? copiedIn(lines) : (effect ?? [])))
    .findLast((effect) => permanent.includes(effect));
  if (used) return { main: used, instead: null };
  return level === 2 && two ? { main: two, instead: one } : { main: one, instead: null };
}

// An Attack that takes a card from nobody else, whatever it is aimed at.
export function hitsNobody({ now: { guide } }: Scene, effect: Effect): boolean {
  const offers = guide.legal.flatMap((action, i) =>
    effect === 'attack' && parse(action).effect === effect ? [guide.offers[i]] : [],
  );
  return offers.length > 0 && offers.every(({ args }) => args.count === 0);
}

// What can be used now and costs nothing: of each Domain the highest level.
export function freeEffects({ composer }: Scene): Effect[] {
  if (!composer?.idle) return [];
  return LETTERS.flatMap((letter) => {
    const usable = EFFECTS_OF[letter].permanent.filter((effect) => composer.isUsable(effect));
    return usable.slice(-1);
  });
}

// Those of them that would change something: who holds as many cards as an effect lets draw up to
// draws no more for it.
export function worthUsing(scene: Scene): Effect[] {
  const { view, guide } = scene.now;
  const changes = (action: string): boolean => {
    const then = preview(view, [action]);
    return then?.view.step !== view.step || then.guide.draw !== guide.draw;
  };
  return freeEffects(scene).filter((effect) =>
    guide.legal.some((action) => parse(action).effect === effect && changes(action)),
  );
}

// Whose effect an action copies.
export function copiedFrom(guide: Guide, action: string): number | null {
  if (!parse(action).copied) return null;
  const whose = guide.offers[guide.legal.indexOf(action)]?.args.name;
  return typeof whose === 'object' && 'seat' in whose ? whose.seat : null;
}

// What another player could use for nothing in a turn: of each Domain the highest level.
export function freeOf(scene: Scene, seat: number): Effect[] {
  const notes = scene.now.guide.effectsOf[seat];
  return LETTERS.flatMap((letter) =>
    EFFECTS_OF[letter].permanent
      .filter((effect) => ['ready', 'waiting', 'used'].includes(notes[effect].state))
      .slice(-1),
  );
}
