import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { GameRecord } from '../engine/types';
import {
  createStore,
  exportGame,
  type Game,
  importGame,
  newGame,
  sameGame,
  standsOf,
  tableGame,
} from './store';

const record = (change: object = {}): GameRecord => ({
  format: 'civ-game/1',
  rules: 1,
  edition: 'en',
  players: 2,
  setup: 'basic',
  teams: false,
  first: 1,
  deck: ['M1', 'S2', 'U3'],
  actions: ['play M1', 'end', 'copy holy-book', 'embargo 1 M'],
  result: null,
  ...change,
});

const game = (change: Partial<Game> = {}): Game => ({
  ...newGame(record(), { seats: ['human', 'level4'], names: ['Ana', 'Mei'] }),
  ...change,
});

// localStorage with room for so many characters
class Memory implements Storage {
  [name: string]: unknown;
  entries = new Map<string, string>();
  constructor(public room = Number.POSITIVE_INFINITY) {}
  get length() {
    return this.entries.size;
  }
  key(i: number) {
    return [...this.entries.keys()][i] ?? null;
  }
  getItem(key: string) {
    return this.entries.get(key) ?? null;
  }
  setItem(key: string, value: string) {
    const others = [...this.entries]
      .filter(([other]) => other !== key)
      .reduce((sum, [, text]) => sum + text.length, 0);
    if (others + value.length > this.room) throw new DOMException('full', 'QuotaExceededError');
    this.entries.set(key, value);
  }
  removeItem(key: string) {
    this.entries.delete(key);
  }
  clear() {
    this.entries.clear();
  }
}

describe('games on this device', () => {
  let memory: Memory;
  let store: ReturnType<typeof createStore>;
  beforeEach(() => {
    memory = new Memory();
    store = createStore(memory, null);
    vi.useFakeTimers({ now: 1_000 });
    return () => vi.useRealTimers();
  });

  test('come back as they were saved', () => {
    const saved = game({
      stands: { turnOf: 1, round: 3, best: { seat: 0, domain: 'S', count: 5, need: 8 } },
    });
    expect(store.save(saved)).toBeNull();
    expect(store.load(saved.id)).toEqual(saved);
    expect(store.list()).toEqual([saved]);
    store.remove(saved.id);
    expect(store.load(saved.id)).toBeNull();
    expect(store.list()).toEqual([]);
  });

  test('are listed with the latest first, beside what is not ours', () => {
    const [a, b] = [game(), game()];
    store.save(a);
    vi.setSystemTime(2_000);
    store.save(b);
    memory.setItem('civ.settings', '{}');
    expect(store.list().map((each) => each.id)).toEqual([b.id, a.id]);
    vi.setSystemTime(3_000);
    store.save(a);
    expect(store.list().map((each) => each.id)).toEqual([a.id, b.id]);
  });

  test.each([
    'null',
    '',
    '{',
    '[]',
    '"x"',
    '{"version":1}',
    '{"version":1,"record":null}',
    ...[
      { version: 2 },
      { record: record({ players: 9 }) },
      { record: record({ deck: [null] }) },
      { record: record({ deck: 'M1' }) },
      { record: record({ actions: [{}] }) },
      { record: record({ first: 2 }) },
      { record: record({ result: { winners: [7], by: 'forfeit' } }) },
      { seats: ['human'] },
      { seats: ['human', 'level9'] },
      { seats: { length: 2 } },
      { created: '1' },
      { updated: null },
    ].map((change) => JSON.stringify({ version: 1, ...game(), ...change })),
  ])('that are broken are skipped: %s', (text) => {
    const good = game();
    store.save(good);
    memory.setItem('civ.game.bad', text);
    expect(store.load('bad')).toBeNull();
    expect(store.list()).toEqual([good]);
  });

  test('lose what is not known, and strange names', () => {
    const odd = {
      version: 1,
      ...game(),
      names: ['<b>A\u0000\n\u202Eda</b>', 7],
      evil: 1,
      stands: { round: 'x' },
      viewer: 5,
    };
    memory.setItem('civ.game.odd', JSON.stringify(odd));
    const read = store.load('odd')!;
    expect(read.names).toEqual(['<b>A da</b>', '']);
    expect(read).not.toHaveProperty('evil');
    expect([read.stands, read.viewer]).toEqual([null, null]);
  });

  test('make room: the oldest finished ones go first', () => {
    const finished = [game({ finished: true }), game({ finished: true })];
    const running = game();
    vi.setSystemTime(500);
    store.save(running);
    vi.setSystemTime(1_000);
    store.save(finished[0]);
    vi.setSystemTime(2_000);
    store.save(finished[1]);
    memory.room = [...memory.entries.values()].reduce((sum, text) => sum + text.length, 0) + 10;
    const next = game();
    expect(store.save(next)).toBeNull();
    expect(new Set(store.list().map((each) => each.id))).toEqual(
      new Set([running.id, finished[1].id, next.id]),
    );
  });

  test('say so where there is no room, and keep what was saved before', () => {
    const running = game();
    store.save(running);
    memory.room = memory.getItem(`civ.game.${running.id}`)!.length + 10;
    expect(store.save(game())).toEqual({ key: 'games.error-full', args: {} });
    const longer = {
      ...running,
      finished: true,
      record: record({ actions: Array(20).fill('end') }),
    };
    expect(store.save(longer)).toEqual({ key: 'games.error-full', args: {} });
    expect(createStore(memory, null).load(running.id)!.record.actions).toEqual(
      running.record.actions,
    );
    // This page goes on with what it has.
    expect(store.load(running.id)).toEqual(longer);
    memory.room = Number.POSITIVE_INFINITY;
    expect(store.save(longer)).toBeNull();
    expect(createStore(memory, null).load(running.id)).toEqual(longer);
  });

  test('say so where storage is forbidden', () => {
    const none = createStore(null, null);
    const unsaved = game();
    expect(none.save(unsaved)).toEqual({ key: 'games.error-storage', args: {} });
    expect(none.list()).toEqual([unsaved]); // as long as the page is open
    expect(none.load(unsaved.id)).toEqual(unsaved);
    none.remove(unsaved.id);
    expect(none.list()).toEqual([]);
    expect(none.load('x')).toBeNull();
    none.remove('x');
  });

  test('tell of changes in another tab', () => {
    const tabs = new EventTarget();
    const heard: (string | null)[] = [];
    const stop = createStore(memory, tabs).watch((id) => heard.push(id));
    const event = (key: string | null) =>
      tabs.dispatchEvent(Object.assign(new Event('storage'), { key }));
    event('civ.game.abc');
    event('civ.settings');
    event(null);
    stop();
    event('civ.game.abc');
    expect(heard).toEqual(['abc', null]);
  });
});

test('how a game stands: the nearest column of the viewer, or of all', () => {
  const columns = [
    [0, 1, 4, 0, 0, 0],
    [0, 0, 0, 6, 0, 0],
  ].map((counts) => counts.map((count) => ({ count, need: 8, level: 0 as const })));
  const guide = { turnOf: 1, round: 4, columns };
  expect(standsOf(guide, 0)).toEqual({
    turnOf: 1,
    round: 4,
    best: { seat: 0, domain: 'E', count: 4, need: 8 },
  });
  expect(standsOf(guide, null).best).toEqual({ seat: 1, domain: 'S', count: 6, need: 8 });
  expect(standsOf({ ...guide, columns: [] }, null).best).toBeNull();
});

describe('files', () => {
  const fine = () => null;
  const read = (text: string, check: (record: GameRecord) => ReturnType<typeof fine> = fine) =>
    importGame(text, check, Date.UTC(2026, 5, 1));

  test('a game that was exported is imported as the same', () => {
    const one = game({ created: Date.UTC(2026, 0, 2, 12), names: ['Ștefan', 'Mei'] });
    const { filename, text } = exportGame(one, ['Ștefan', 'Mei']);
    expect(filename).toBe('civ-2026-01-02-stefan-mei.json');
    expect(JSON.parse(text)).toMatchObject({
      format: 'civ-game/1',
      date: '2026-01-02',
      comments: { bots: [1], levels: [0, 4] },
    });
    const answer = read(text);
    if (!answer.ok) throw new Error(answer.error.key);
    const { id, ...rest } = answer.game;
    expect(id).not.toBe(one.id);
    expect(rest).toMatchObject({
      record: one.record,
      seats: one.seats,
      names: one.names,
      created: new Date(2026, 0, 2).getTime(),
      viewer: 0,
      finished: false,
    });
  });

  test.each([
    ['', 'games.error-empty'],
    [' \n', 'games.error-empty'],
    [' '.repeat(1_000_000) + JSON.stringify(record()), 'games.error-size'],
    ['{"format":', 'games.error-json'],
    ['[['.repeat(100_000), 'games.error-json'],
    ['null', 'games.error-format'],
    ['[]', 'games.error-format'],
    ['{"format":"pgn"}', 'games.error-format'],
    [JSON.stringify(record({ rules: 2 })), 'error.record.rules'],
    [JSON.stringify(record({ players: 5 })), 'games.error-field'],
    [JSON.stringify(record({ deck: undefined })), 'games.error-field'],
    [JSON.stringify(record({ deck: ['M4'] })), 'games.error-field'],
    [JSON.stringify(record({ actions: ['<script>'] })), 'games.error-field'],
    [JSON.stringify(record({ result: 'me' })), 'games.error-field'],
    [
      `${JSON.stringify(record()).slice(0, -1)},"deck":${'['.repeat(9_000)}${']'.repeat(9_000)}}`,
      'games.error-field',
    ],
  ])('that are no games are refused (%#)', (text, key) => {
    const answer = read(text);
    expect(answer.ok ? null : answer.error.key).toBe(key);
  });

  test('a game is known by its record, whatever its names', () => {
    const { text } = exportGame(game(), ['You', 'Mei']);
    const again = importGame(text, () => null);
    const [known, other] = [game(), game({ record: record({ actions: ['play M1'] }) })];
    expect(again.ok && sameGame(again.game, [other, known])).toBe(known);
    expect(again.ok && sameGame(again.game, [other])).toBeNull();
  });

  test('the engine has the last word, on known fields only', () => {
    const error = { key: 'error.deck', args: {} };
    const check = vi.fn(() => error as never);
    expect(
      read(JSON.stringify({ ...record(), evil: [1], __proto__x: 1, comments: { a: 1 } }), check),
    ).toEqual({ ok: false, error });
    expect(check).toHaveBeenCalledExactlyOnceWith(record());
  });

  test('hostile extras do no harm', () => {
    const text = JSON.stringify(
      record({
        names: ['x'.repeat(500), { a: 1 }],
        date: '9999-99-99',
        comments: { bots: [1, 'x'], levels: 'no' },
      }),
    );
    const answer = read(text);
    if (!answer.ok) throw new Error(answer.error.key);
    expect(answer.game.names).toEqual(['x'.repeat(40), '']);
    expect(answer.game.created).toBe(Date.UTC(2026, 5, 1));
    expect(answer.game.seats).toEqual(['human', 'level3']);
    expect(read(text.replace('{"format"', '{"__proto__":{"deck":1},"format"')).ok).toBe(true);
    expect(read(`\uFEFF${text}`).ok).toBe(true);
  });

  test('without a word on who played, bots play against seat 0', () => {
    const answer = read(JSON.stringify(record()));
    expect(answer.ok && answer.game.seats).toEqual(['human', 'level3']);
  });
});

describe('games of a server', () => {
  const deal = { hash: 'a1'.repeat(32), secret: 'b2'.repeat(32), randoms: ['c3'.repeat(32), null] };
  const over = record({
    result: { winners: [0], by: 'forfeit' },
    names: ['Ana', 'level3'],
    comments: { deal },
  });
  const sat = { seats: ['human', 'master'], names: ['Ana', ''], viewer: 0 };
  const kept = (): Game => {
    const answer = tableGame('k7w2', over, sat, () => null);
    if (!answer.ok) throw new Error(answer.error.key);
    return answer.game;
  };

  test('are kept once, with their table and deal', () => {
    const memory = new Memory();
    createStore(memory, null).save(kept());
    createStore(memory, null).save(kept());
    const [game, ...more] = createStore(memory, null).list();
    expect(more).toEqual([]);
    expect(game).toMatchObject({
      id: 'k7w2',
      table: 'k7w2',
      deal,
      finished: true,
      viewer: 0,
      seats: ['human', 'level3'],
      names: ['Ana', ''],
    });
    expect(game.record).not.toHaveProperty('comments');
  });

  test('can be checked wherever their file goes', () => {
    const { text } = exportGame(kept(), ['Ana', 'Bot 2']);
    expect(JSON.parse(text).comments.deal).toEqual(deal);
    const again = importGame(text, () => null);
    expect(again.ok && again.game).toMatchObject({ deal, table: null });
    expect(again.ok && sameGame(again.game, [kept()])).toMatchObject({ id: 'k7w2' });
  });

  test('are refused if they are none', () => {
    for (const json of [null, {}, { ...over, deck: 7 }])
      expect(tableGame('k7w2', json, sat, () => null).ok).toBe(false);
    expect(tableGame('k7w2', over, sat, () => ({ key: 'error.deck', args: {} }))).toEqual({
      ok: false,
      error: { key: 'error.deck', args: {} },
    });
  });

  test('say nothing of a deal that is damaged', () => {
    const memory = new Memory();
    memory.setItem(
      'civ.game.x',
      JSON.stringify({ version: 1, ...kept(), deal: { ...deal, hash: 'no' }, table: 7 }),
    );
    expect(createStore(memory, null).load('x')).toMatchObject({ deal: null, table: null });
  });
});
