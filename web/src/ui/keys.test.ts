import { expect, test } from 'vitest';
import { EFFECTS } from '../engine/types';
import { EFFECT_KEYS, effectOfKey, HINT_KEY } from './keys';

// What the table and tables with others use besides.
const OTHERS = [...'euhctols', 'k', 'm', HINT_KEY];

test('every effect has a key of its own', () => {
  expect(new Set(EFFECT_KEYS.map(({ effect }) => effect))).toEqual(new Set(EFFECTS));
  expect(new Set(EFFECT_KEYS.map(({ key, shift }) => `${shift} ${key}`)).size).toBe(EFFECTS.length);
  for (const { key, shift, effect } of EFFECT_KEYS) expect(effectOfKey(key, shift)).toBe(effect);
});

test('no key means two things', () => {
  for (const { key } of EFFECT_KEYS) expect(OTHERS).not.toContain(key);
});
