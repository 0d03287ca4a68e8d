// How an effect button looks now.
import { type Effect, LETTERS, type Letter, type Message } from '../engine/types';
import { EFFECTS_OF } from '../game/actions';
import type { Scene } from '../game/scene';

export type Shown = 'ready' | 'wait' | 'active' | 'used' | 'notyet' | 'soon' | 'blocked' | 'idle';

// A preview takes away the cards that an effect needs.
function isLost({ now, ahead }: Scene, effect: Effect): boolean {
  return ahead !== now && ahead.guide.effects[effect].state === 'not-yet';
}

// Why an effect cannot be used, now or after what is being composed.
export function whyNot(scene: Scene, effect: Effect): Message | null {
  return (isLost(scene, effect) ? scene.ahead : scene.now).guide.effects[effect].why;
}

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
  if (isLost(scene, effect)) return 'notyet';
  const then = scene.ahead.guide.effects[effect].state;
  if (now.state === 'ready' || now.state === 'waiting') return 'wait';
  if (scene.ahead !== scene.now && (then === 'ready' || then === 'waiting')) return 'soon';
  if (now.state === 'used') return 'used';
  return now.state === 'not-yet' ? 'notyet' : 'blocked';
}

// The permanent effect that a column shows first, and the other level that may be used instead.
export function permanentOf(
  letter: Letter,
  level: 0 | 1 | 2,
): { main: Effect; instead: Effect | null } {
  const [one, two] = EFFECTS_OF[letter].permanent;
  return level === 2 && two ? { main: two, instead: one } : { main: one, instead: null };
}

// What can be used now and costs nothing: of each Domain the highest level.
export function freeEffects({ composer }: Scene): Effect[] {
  if (!composer?.idle) return [];
  return LETTERS.flatMap((letter) => {
    const usable = EFFECTS_OF[letter].permanent.filter((effect) => composer.isUsable(effect));
    return usable.slice(-1);
  });
}

// What another player could use in a turn by the levels reached.
export function levelEffects(scene: Scene, seat: number): { effect: Effect; level: 1 | 2 }[] {
  return LETTERS.flatMap((letter, d) => {
    const { level } = scene.now.guide.columns[seat][d];
    return level > 0
      ? [{ effect: EFFECTS_OF[letter].permanent[level - 1], level: level as 1 | 2 }]
      : [];
  });
}
