// The game at the end of the lessons.
import { beforeEach, expect, test, vi } from 'vitest';
import { readSettings } from '../game/settings';
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
