// The game at the end of the lessons.
import { beforeEach, expect, test, vi } from 'vitest';
import { COACHED, hasCoach, readSettings } from '../game/settings';
import { firstGame } from './first.svelte';

const { settings } = vi.hoisted(() => ({
  settings: {} as import('../game/settings').Settings,
}));
vi.mock('../game/settings.svelte', () => ({ settings }));
beforeEach(() => Object.assign(settings, readSettings(null)));

test('nobody there makes pacts, whatever the start page remembers', () => {
  settings.table.pacts = true;
  expect(firstGame()).toMatchObject({ seats: ['human', 'level1', 'level1'], pacts: false });
});

test('the coach is there once more, but not where it was sent away', () => {
  settings.coached = COACHED;
  firstGame();
  expect(hasCoach(settings)).toBe(true);
  settings.coached++; // it is over
  expect(hasCoach(settings)).toBe(false);
  settings.coach = false;
  firstGame();
  expect(settings.coach).toBe(false);
});
