// Whose turn it is at tables that nobody looks at.
import { beforeEach, expect, test, vi } from 'vitest';
import { readWishes } from '../game/wishes';
import type { Person, Summary } from './types';
import { optionsOf } from './wishes';

const ADA: Person = { id: 'p_a', name: 'Ada' };
const BEN: Person = { id: 'p_b', name: 'Ben' };

const server = { session: true, reachable: true, tables: [] as Summary[], asked: 0 };
const refused = (status: number) => ({
  ok: false,
  status,
  error: { key: status ? 'error.no-session' : 'online.unreachable', args: {} },
});
vi.mock('./api', () => ({
  whoAmI: async () => (server.session ? { ok: true, value: { person: ADA } } : refused(401)),
  ownTables: async () => {
    server.asked++;
    if (!server.reachable) return refused(0);
    return server.session
      ? { ok: true, value: { now: 1000, tables: server.tables } }
      : refused(401);
  },
  enter: async (name: string) => ({ ok: true, value: { person: { ...ADA, name } } }),
  enterByCode: async (code: string) =>
    code === 'good' ? { ok: true, value: { person: BEN } } : refused(401),
}));
const settings = vi.hoisted(() => ({ notify: true, sounds: false, table: { name: '' } }));
vi.mock('../game/settings.svelte', () => ({ settings }));
vi.mock('../text/text.svelte', () => ({
  t: (key: string) => key,
  list: (words: string[]) => words.join(),
}));
const { notify, sound } = vi.hoisted(() => ({ notify: vi.fn(), sound: vi.fn() }));
vi.mock('../game/sounds', () => ({ sound }));
vi.mock('./notice', () => ({ notify, badge: () => {} }));

function table(id: string, change: Partial<Summary> = {}): Summary {
  const chairs = [
    { person: ADA, bot: null },
    { person: BEN, bot: null },
    { person: null, bot: 'level4' },
  ];
  return {
    id,
    status: 'running',
    options: optionsOf(readWishes(null)),
    chairs,
    host: ADA.id,
    waits: [1],
    changed: 0,
    ...change,
  };
}

const stored = new Map<string, string>();
let own: typeof import('./me.svelte');
const page = { visibilityState: 'visible', addEventListener: () => {} };

beforeEach(async () => {
  vi.useFakeTimers();
  vi.resetModules();
  vi.clearAllMocks();
  stored.clear();
  vi.stubGlobal('document', page);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
    removeItem: (key: string) => stored.delete(key),
  });
  page.visibilityState = 'visible';
  Object.assign(server, { session: true, reachable: true, tables: [], asked: 0 });
  own = await import('./me.svelte');
});

test('own tables are those under way, with those that wait for me first', async () => {
  server.tables = [
    table('a'),
    table('b', { status: 'over', waits: [] }),
    table('c', { waits: [0] }),
    table('d', { status: 'closed', waits: [] }),
  ];
  await own.refresh();
  expect(own.me.tables.map(({ id }) => id)).toEqual(['c', 'a']);
  expect(own.isMyTurn(own.me.tables[0])).toBe(true);
  expect(own.othersAt(own.me.tables[0])).toEqual(['Ben', 'options.bot-named']);
});

test('who has left a game has no turn there', async () => {
  const [chair, ...others] = table('a').chairs;
  server.tables = [
    table('a', { waits: [0], chairs: [{ ...chair, bot: 'level4', left: 'absent' }, ...others] }),
  ];
  await own.refresh();
  expect(own.isMyTurn(own.me.tables[0])).toBe(false);
});

test('a turn that comes is told once, and again when it comes again', async () => {
  const come = async (waits: number[]) => {
    server.tables = [table('a', { waits })];
    await own.refresh();
  };
  await come([1]);
  expect(notify).not.toHaveBeenCalled();
  await come([0]);
  await come([0]);
  expect(notify.mock.calls).toEqual([['a', 'table.title-turn', 'Ben,options.bot-named']]);
  await come([1]);
  await come([0]);
  expect(notify).toHaveBeenCalledTimes(2);
  expect(sound).toHaveBeenCalledTimes(2);
});

test('nobody is told what was so at first, what is in sight, or is not wanted', async () => {
  server.tables = [table('a', { waits: [0] })];
  await own.refresh();
  own.opened('b');
  server.tables = [table('a', { waits: [0] }), table('b', { waits: [0] })];
  await own.refresh();
  expect(sound).not.toHaveBeenCalled();
  own.notOpen('b');
  settings.notify = false;
  server.tables.push(table('c', { waits: [0] }));
  await own.refresh();
  settings.notify = true;
  expect(notify).not.toHaveBeenCalled();
});

test('at the open table a turn is told to those who look elsewhere', async () => {
  own.opened('a');
  own.myTurn(true, 'a');
  expect(notify).not.toHaveBeenCalled();
  own.myTurn(false, 'a');
  page.visibilityState = 'hidden';
  own.myTurn(true, 'a');
  own.myTurn(true, 'a');
  expect(notify).toHaveBeenCalledTimes(1);
});

test('a turn that was told is not told again by the table that is opened for it', async () => {
  server.tables = [table('a', { waits: [1] })];
  await own.refresh();
  page.visibilityState = 'hidden';
  server.tables = [table('a', { waits: [0] })];
  await own.refresh();
  expect(notify).toHaveBeenCalledTimes(1);
  own.opened('a');
  own.myTurn(false, 'a'); // nothing is known there yet
  own.myTurn(true, 'a');
  expect(notify).toHaveBeenCalledTimes(1);
  own.myTurn(false, 'a');
  own.myTurn(true, 'a');
  expect(notify).toHaveBeenCalledTimes(2);
});

test('a turn at the open table is told by the table, whenever the server says so', async () => {
  server.tables = [table('a', { waits: [1] })];
  await own.refresh();
  own.opened('a');
  page.visibilityState = 'hidden';
  server.tables = [table('a', { waits: [0] })];
  await own.refresh();
  expect(notify).not.toHaveBeenCalled();
  own.myTurn(true, 'a');
  expect(notify).toHaveBeenCalledTimes(1);
});

test('the server is asked again while there are tables, less often when nobody looks', async () => {
  server.tables = [table('a')];
  await own.refresh();
  await vi.advanceTimersByTimeAsync(10_000);
  expect(server.asked).toBe(2);
  page.visibilityState = 'hidden';
  await vi.advanceTimersByTimeAsync(10_000);
  expect(server.asked).toBe(3);
  await vi.advanceTimersByTimeAsync(29_000);
  expect(server.asked).toBe(3);
  server.tables = [];
  await vi.advanceTimersByTimeAsync(1000);
  expect(server.asked).toBe(4);
  await vi.advanceTimersByTimeAsync(600_000);
  expect(server.asked).toBe(4);
});

test('after a game a rematch is looked for, but not for ever', async () => {
  server.tables = [table('a', { status: 'over', waits: [], changed: 900 })];
  await own.refresh();
  server.tables.push(table('b', { status: 'waiting' }));
  await vi.advanceTimersByTimeAsync(5_000);
  expect(own.me.tables.map(({ id }) => id)).toEqual(['b']);
  server.tables = [table('a', { status: 'over', waits: [], changed: -600_000 })];
  await own.refresh();
  const { asked } = server;
  await vi.advanceTimersByTimeAsync(600_000);
  expect(server.asked).toBe(asked);
});

test('a server that is away for a moment does not take the tables away', async () => {
  server.tables = [table('a')];
  await own.refresh();
  server.reachable = false;
  await own.refresh();
  expect(own.me.tables.length).toBe(1);
});

test('a table that was left is not listed until one has a chair there again', async () => {
  const free = [{ person: null, bot: null }];
  server.tables = [table('left', { status: 'waiting', chairs: free }), table('other')];
  await own.refresh();
  expect(own.me.tables.map(({ id }) => id)).toContain('left');
  own.leftTable('left');
  expect(own.me.tables.map(({ id }) => id)).toEqual(['other']);
  await own.refresh();
  expect(own.me.tables.map(({ id }) => id)).toEqual(['other']);
  server.tables = [table('left', { status: 'waiting' })];
  await own.refresh();
  expect(own.me.tables.map(({ id }) => id)).toEqual(['left']);
});

test('a browser that the server has forgotten is nobody', async () => {
  server.tables = [table('a')];
  await own.refresh();
  expect(own.beenOnline()).toBe(true);
  server.session = false;
  await own.refresh();
  expect(own.me.person).toBeNull();
  expect(own.me.tables).toEqual([]);
  await own.refresh();
  expect(own.beenOnline()).toBe(false);
});

test('a wrong code leaves this browser who it was', async () => {
  await own.refresh();
  await own.becomeBy('bad');
  expect(own.me.person).toEqual(ADA);
  await own.becomeBy('good');
  expect(own.me.person).toEqual(BEN);
});

test('who leaves a table knows whose turn it is, in whatever order things are closed', async () => {
  server.tables = [table('a')];
  await own.refresh();
  own.opened('a');
  own.myTurn(true, 'a');
  server.tables = [table('a', { waits: [0] })];
  own.notOpen('a');
  own.myTurn(false, 'a');
  await own.refresh();
  expect(own.me.open).toBeNull();
  expect(sound).not.toHaveBeenCalled();
});
