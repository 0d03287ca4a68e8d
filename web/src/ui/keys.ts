// The keys of the table. Letters are compared without regard to Caps Lock.
import { type Effect, LETTERS, type Letter } from '../engine/types';
import { EFFECTS_OF } from '../game/actions';

// One for the permanent effect of a Domain, one for its discard effect.
const PERMANENT: Record<Letter, string> = { M: 'a', R: 'd', E: 'f', S: 'g', C: 'j', U: 'y' };
const DISCARD: Partial<Record<Letter, string>> = { M: 'z', R: 'x', E: 'v', S: 'b', U: 'n' };
export const HINT_KEY = 'i';

export interface EffectKey {
  key: string;
  shift: boolean; // level 2
  effect: Effect;
}

export const EFFECT_KEYS: EffectKey[] = LETTERS.flatMap((letter) => {
  const { permanent, discard } = EFFECTS_OF[letter];
  return [
    ...permanent.map((effect, level) => ({ key: PERMANENT[letter], shift: level > 0, effect })),
    ...(discard ? [{ key: DISCARD[letter]!, shift: false, effect: discard }] : []),
  ];
});

export const effectOfKey = (key: string, shift: boolean): Effect | null =>
  EFFECT_KEYS.find((one) => one.key === key && one.shift === shift)?.effect ?? null;

export function keyOf(effect: Effect): string {
  const { key, shift } = EFFECT_KEYS.find((one) => one.effect === effect)!;
  return `${shift ? 'Shift ' : ''}${key.toUpperCase()}`;
}
