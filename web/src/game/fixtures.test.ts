// What earlier versions of the page have left in browsers is opened by this one
// (tests/fixtures/README.md).
import { readdirSync } from 'node:fs';
import { describe, expect, test, vi } from 'vitest';
import { engine, file } from '../../tests/engine';
import { knownDeal } from '../net/deals';
import { check } from '../net/fair';
import { beenOnline } from '../net/me.svelte';
import { preferred } from '../text/text.svelte';
import { Replay } from './replay.svelte';
import { Session } from './session.svelte';
import { readSettings, SETTINGS_KEY } from './settings';
import { createStore, exportGame, importGame } from './store';

vi.mock('../bots/pool', () => ({
  Pool: class {
    think = () => new Promise(() => {});
    stop() {}
  },
}));
vi.mock('../engine/engine', () => import('../../tests/asked'));
vi.mock('../net/api', () => ({}));
vi.mock('./settings.svelte', () => ({ settings: { pace: 'instant', coach: false } }));

const versions = readdirSync(new URL('../../../tests/fixtures/', import.meta.url)).filter((name) =>
  /^\d+\.\d+\.\d+$/.test(name),
);

test('there are some', () => expect(versions).toContain('0.2.0'));

describe.each(versions)('a browser with what %s has stored', (version) => {
  const stored: Record<string, string> = JSON.parse(
    `${file(`tests/fixtures/${version}/browser-store.json`)}`,
  );
  const storage = {
    length: Object.keys(stored).length,
    key: (i: number) => Object.keys(stored)[i] ?? null,
    getItem: (key: string) => stored[key] ?? null,
    removeItem: () => {}, // what is brought over is checked in store.test.ts
  } as unknown as Storage;
  vi.stubGlobal('localStorage', storage);
  vi.stubGlobal('navigator', { languages: ['en'] });
  const base = new Map<string, [game: string, summary: string]>();
  for (const [key, text] of Object.entries(stored))
    if (key.startsWith('games/'))
      base.set(key.slice(6), [text, stored[`summaries/${key.slice(6)}`]]);
  const store = createStore(
    {
      list: async () => [...base].map(([id, [, summary]]) => [id, summary]),
      read: async (id) => base.get(id)?.[0] ?? null,
      write: async (id, game, summary) => void base.set(id, [game, summary]),
      remove: async (id) => void base.delete(id),
    },
    storage,
    null,
  );
  const games = Object.keys(stored).filter((key) => /^(civ\.game\.|games\/)/.test(key));
  const idOf = (key: string) => key.replace(/^(civ\.game\.|games\/)/, '');

  test('has all its games', async () => {
    expect(games.length).toBeGreaterThan(4);
    const listed = await store.list();
    expect(listed.map(({ id }) => id)).toEqual(expect.arrayContaining(games.map(idOf)));
    expect(base.size).toBe(games.length); // all are where they belong now
  });

  test.each(games)('opens %s', async (key) => {
    const { version: _, ...written } = JSON.parse(stored[key]);
    const game = (await store.load(idOf(key)))!;
    expect(game).toMatchObject(written);
    const replay = new Replay(game, () => game.names);
    replay.at = game.record.actions.length;
    expect(replay.now.ok).toBe(true);
    expect(replay.now.view.result).toEqual(written.record.result);
    expect(replay.story.length).toBeGreaterThan(0);
    const { text } = exportGame(game, game.names);
    const fault = (record: object) => {
      const answer = engine.look({ record, seat: null });
      return answer.ok ? null : answer.error;
    };
    expect(importGame(text, fault)).toMatchObject({ ok: true, game: { record: game.record } });
    if (game.finished) return;
    const session = new Session(game);
    expect(session.over).toBe(false);
    expect(session.now.view.turn).toBe(replay.now.view.turn);
    expect(session.now.view.seat).toBe(replay.now.view.seat);
  });

  test('has its settings and its language', () => {
    const { version: _, ...wishes } = JSON.parse(stored[SETTINGS_KEY]);
    expect(readSettings(stored[SETTINGS_KEY])).toMatchObject(wishes);
    expect(preferred()).toBe('ro');
  });

  test('knows what it saw of a deal, and that it has been on the server', async () => {
    const { record, deal, table } = (await store.load('k7w2m9'))!;
    expect(check(record, deal!, knownDeal(table!)).verdict).toBe('proven');
    expect(beenOnline()).toBe(true);
  });
});
