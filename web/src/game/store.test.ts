import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { GameRecord } from '../engine/types';
import type { Fits, Shelf, Tabs } from './shelf';
import {
  createStore,
  exportGame,
  type Game,
  importGame,
  newGame,
  type Summary,
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

// localStorage, where earlier versions kept games
class Memory implements Storage {
  [name: string]: unknown;
  entries = new Map<string, string>();
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
    this.entries.set(key, value);
  }
  removeItem(key: string) {
    this.entries.delete(key);
  }
  clear() {
    this.entries.clear();
  }
}

// A shelf with room for so many characters.
class Board implements Shelf {
  games = new Map<string, string>();
  summaries = new Map<string, string>();
  room = Number.POSITIVE_INFINITY;
  reads = 0;
  async list() {
    return [...this.summaries];
  }
  async read(id: string) {
    this.reads++;
    return this.games.get(id) ?? null;
  }
  async write(id: string, game: string, summary: string, fits?: Fits) {
    if (fits && !fits(this.games.get(id) ?? null)) return;
    const others = [...this.games, ...this.summaries].filter(([other]) => other !== id);
    const taken = others.reduce((sum, [, text]) => sum + text.length, 0);
    if (taken + game.length + summary.length > this.room)
      throw new DOMException('full', 'QuotaExceededError');
    this.games.set(id, game);
    this.summaries.set(id, summary);
  }
  async remove(id: string) {
    this.games.delete(id);
    this.summaries.delete(id);
  }
}

const idsOf = (games: Summary[]) => games.map(({ id }) => id);

describe('games on this device', () => {
  let board: Board;
  let memory: Memory;
  let store: ReturnType<typeof createStore>;
  beforeEach(() => {
    board = new Board();
    memory = new Memory();
    store = createStore(board, memory, null);
    vi.useFakeTimers({ now: 1_000 });
    return () => vi.useRealTimers();
  });

  test('come back as they were saved', async () => {
    const saved = game({
      stands: { turnOf: 1, round: 3, best: { seat: 0, domain: 'S', count: 5, need: 8 } },
    });
    expect(await store.save(saved)).toBeNull();
    expect(await store.load(saved.id)).toEqual(saved);
    await store.remove(saved.id);
    expect(await store.load(saved.id)).toBeNull();
    expect(await store.list()).toEqual([]);
  });

  test('can be loaded before they are stored', async () => {
    const one = game();
    const saving = store.save(one);
    expect(await store.load(one.id)).toEqual(one);
    expect(await saving).toBeNull();
  });

  test('are listed by the little that lists need, without reading them', async () => {
    const { deal: _, review: __, ...one } = game({ record: record({ result: null }) });
    await store.save({ ...one, deal: null, review: null });
    const { players, setup, edition, teams, result } = one.record;
    expect(await store.list()).toEqual([
      { ...one, updated: 1_000, record: { players, setup, edition, teams, result } },
    ]);
    expect(board.reads).toBe(0);
  });

  test('keep their review, and nothing that is damaged', async () => {
    const one = game();
    const players = one.record.players;
    const chances = Array.from({ length: players }, () => 1 / players);
    const review = {
      quality: chances.map(() => null),
      deal: chances,
      luck: chances,
      skill: chances,
      others: chances,
      chances,
      turningPoint: null,
      moments: [],
      turns: [],
    };
    await store.save(one);
    await store.keepReview(one.id, review);
    expect(await store.load(one.id)).toMatchObject({ review, updated: 1_000 });
    await store.keepReview(one.id, { ...review, moments: [0] });
    expect((await store.load(one.id))?.review).toBeNull();
    await store.keepReview('unknown', review);
    expect(await store.load('unknown')).toBeNull();
  });

  test('name the game that they go on from, also in a file', async () => {
    const parent = { game: 'older', at: 3, turn: 2, hidden: 'anew' as const };
    const branch = { ...game(), parent };
    await store.save(branch);
    expect(await store.load(branch.id)).toMatchObject({ parent });
    expect((await store.list())[0]).toMatchObject({ parent });
    const { text } = exportGame(branch, ['Ana', 'Ben']);
    expect(importGame(text, () => null)).toMatchObject({ ok: true, game: { parent } });
    const better = ['play M1', 'end'];
    const trial = exportGame({ ...branch, parent: { ...parent, better } }, ['Ana', 'Ben']).text;
    expect(importGame(trial, () => null)).toMatchObject({ game: { parent: { better } } });
    const strange = trial.replace('["play M1","end"]', '["<b>"]');
    expect(importGame(strange, () => null)).toMatchObject({ game: { parent } });
    expect(strange).not.toBe(trial);
    const wrong = text.replace('"at":3', '"at":-3');
    expect(importGame(wrong, () => null)).toMatchObject({ ok: true, game: { parent: null } });
  });

  test('are listed with the latest first', async () => {
    const [a, b] = [game(), game()];
    await store.save(a);
    vi.setSystemTime(2_000);
    await store.save(b);
    expect(idsOf(await store.list())).toEqual([b.id, a.id]);
    vi.setSystemTime(3_000);
    await store.save(a);
    expect(idsOf(await store.list())).toEqual([a.id, b.id]);
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
  ])('that are broken are skipped, wherever they are, and left alone: %s', async (text) => {
    const good = game();
    await store.save(good);
    memory.setItem('civ.game.bad', text);
    board.games.set('worse', text);
    expect(await store.load('bad')).toBeNull();
    expect(await store.load('worse')).toBeNull();
    expect(idsOf(await store.list())).toEqual([good.id]);
    expect(memory.getItem('civ.game.bad')).toBe(text);
  });

  test('lose what is not known, and strange names', async () => {
    const odd = {
      version: 1,
      ...game(),
      names: ['<b>A\u0000\n\u202Eda</b>', 7],
      evil: 1,
      stands: { round: 'x' },
      viewer: 5,
    };
    board.games.set('odd', JSON.stringify(odd));
    const read = (await store.load('odd'))!;
    expect(read.names).toEqual(['<b>A da</b>', '']);
    expect(read).not.toHaveProperty('evil');
    expect([read.stands, read.viewer]).toEqual([null, null]);
  });

  test('say so where there is no room: none is deleted for another', async () => {
    const [running, done] = [game(), game({ finished: true })];
    await store.save(running);
    await store.save(done);
    board.room = [...board.games.values(), ...board.summaries.values()].join('').length + 10;
    const full = { key: 'games.error-full', args: {} };
    expect(await store.save(game())).toEqual(full);
    const longer = { ...running, record: record({ actions: Array(20).fill('end') }) };
    expect(await store.save(longer)).toEqual(full);
    expect(new Set(board.games.keys())).toEqual(new Set([running.id, done.id]));
    const later = createStore(board, null, null);
    expect((await later.load(running.id))!.record).toEqual(running.record);
    // This page goes on with what it has.
    expect(await store.load(running.id)).toEqual(longer);
    board.room = Number.POSITIVE_INFINITY;
    expect(await store.save(longer)).toBeNull();
    expect(await later.load(running.id)).toEqual(longer);
  });

  test.each([
    ['there is no storage', () => null],
    ['storage is forbidden', () => new Board()],
  ])('say so where %s', async (_, make) => {
    const shelf = make();
    const forbid = async () => Promise.reject(new DOMException('no', 'SecurityError'));
    if (shelf) Object.assign(shelf, { list: forbid, read: forbid, write: forbid, remove: forbid });
    const none = createStore(shelf, null, null);
    const unsaved = game();
    expect(await none.save(unsaved)).toEqual({ key: 'games.error-storage', args: {} });
    expect(idsOf(await none.list())).toEqual([unsaved.id]); // as long as the page is open
    expect(await none.load(unsaved.id)).toEqual(unsaved);
    await none.remove(unsaved.id);
    expect(await none.list()).toEqual([]);
    expect(await none.load('x')).toBeNull();
    await none.remove('x');
  });

  test('tell of changes in another tab', async () => {
    const told: string[] = [];
    const heard: string[] = [];
    const tabs = { tell: (id: string) => told.push(id), hear: () => () => heard.push('end') };
    const one = createStore(board, null, tabs as unknown as Tabs);
    const stored = game();
    await one.save(stored);
    await one.remove(stored.id);
    expect(told).toEqual([stored.id, stored.id]);
    one.watch(() => {})();
    expect(heard).toEqual(['end']);
  });

  test('are known by their record, whatever their names', async () => {
    const { text } = exportGame(game(), ['Ana', 'Mei']);
    const again = importGame(text, () => null);
    if (!again.ok) throw new Error(again.error.key);
    await store.save(game({ record: record({ actions: ['play M1'] }) }));
    expect(await store.sameGame(again.game)).toBeNull();
    const known = game();
    await store.save(known);
    expect(await store.sameGame(again.game)).toEqual(known);
  });
});

describe('games of earlier versions, in localStorage', () => {
  const entry = (id: string, change: Partial<Game> = {}) => {
    const { id: _, ...rest } = game({ updated: 5, ...change });
    return [`civ.game.${id}`, JSON.stringify({ version: 1, ...rest })] as const;
  };
  const filled = (...entries: (readonly [string, string])[]) => {
    const memory = new Memory();
    for (const [key, text] of entries) memory.setItem(key, text);
    return memory;
  };

  test('are brought over, and nothing else is touched', async () => {
    const memory = filled(entry('a'), entry('b'), ['civ.settings', '{}']);
    const board = new Board();
    const store = createStore(board, memory, null);
    expect(new Set(idsOf(await store.list()))).toEqual(new Set(['a', 'b']));
    expect([...memory.entries.keys()]).toEqual(['civ.settings']);
    expect((await createStore(board, null, null).load('a'))!.record).toEqual(record());
  });

  test('are not lost wherever that breaks, and are brought over later', async () => {
    for (let writes = 0; writes < 3; writes++) {
      const memory = filled(entry('a'), entry('b'), entry('c'));
      const board = new Board();
      const write = board.write.bind(board);
      let left = writes;
      board.write = async (...all) => {
        if (left-- <= 0) throw new DOMException('full', 'QuotaExceededError');
        return write(...all);
      };
      const store = createStore(board, memory, null);
      const all = new Set(['a', 'b', 'c']);
      expect(new Set(idsOf(await store.list()))).toEqual(all);
      for (const id of all) expect(await store.load(id)).toMatchObject({ id, record: record() });
      expect(board.games.size + memory.entries.size).toBe(3);
      board.write = write;
      expect(new Set(idsOf(await store.list()))).toEqual(all);
      expect(board.games.size).toBe(3);
      expect(memory.entries.size).toBe(0);
    }
  });

  test('do not take the place of what another tab plays at the same moment', async () => {
    const memory = filled(entry('a'));
    const board = new Board();
    const write = board.write.bind(board);
    const newer = game({ id: 'a', record: record({ actions: ['play M1', 'end'] }) });
    board.write = async (...all) => {
      board.write = write;
      const other = createStore(board, memory, null);
      await other.load('a');
      await other.save(newer);
      return write(...all);
    };
    expect((await createStore(board, memory, null).load('a'))!.record).toEqual(newer.record);
    expect(memory.entries.size).toBe(0);
  });

  test('do not take the place of what has been played since', async () => {
    const board = new Board();
    const newer = game({ id: 'a', record: record({ actions: ['play M1', 'end'] }) });
    await createStore(board, null, null).save(newer);
    const memory = filled(entry('a'));
    const store = createStore(board, memory, null);
    expect((await store.load('a'))!.record).toEqual(newer.record);
    expect(memory.entries.size).toBe(0);
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
  const sat = { seats: ['human', 'master'], names: ['Ana', ''], viewer: 0, pacts: true };
  const kept = (pacts = true): Game => {
    const answer = tableGame('k7w2', over, { ...sat, pacts }, () => null);
    if (!answer.ok) throw new Error(answer.error.key);
    return answer.game;
  };

  test('are kept once, with their table and deal', async () => {
    const store = createStore(new Board(), null, null);
    await store.save(kept());
    await store.save(kept());
    expect(idsOf(await store.list())).toEqual(['k7w2']);
    const game = (await store.load('k7w2'))!;
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
    expect(again.ok && again.game.record).toEqual(kept().record);
  });

  test.each([true, false])('have pacts as their table did, in a file too: %s', (pacts) => {
    const game = kept(pacts);
    expect(game.pacts).toBe(pacts);
    const again = importGame(exportGame(game, ['Ana', 'Bot 2']).text, () => null);
    expect(again.ok && again.game.pacts).toBe(pacts);
  });

  test('are refused if they are none', () => {
    for (const json of [null, {}, { ...over, deck: 7 }])
      expect(tableGame('k7w2', json, sat, () => null).ok).toBe(false);
    expect(tableGame('k7w2', over, sat, () => ({ key: 'error.deck', args: {} }))).toEqual({
      ok: false,
      error: { key: 'error.deck', args: {} },
    });
  });

  test('say nothing of a deal that is damaged', async () => {
    const board = new Board();
    board.games.set(
      'x',
      JSON.stringify({ version: 1, ...kept(), deal: { ...deal, hash: 'no' }, table: 7 }),
    );
    const game = await createStore(board, null, null).load('x');
    expect(game).toMatchObject({ deal: null, table: null });
  });
});
