import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Message } from '../engine/types';
import { Line, type State } from './line';
import type { Answer } from './types';

const answers = vi.hoisted(() => ({
  session: { ok: true } as object,
  table: { ok: true } as object,
}));
vi.mock('./api', () => ({
  API: new URL('http://civ.example/api/v1/'),
  whoAmI: async () => answers.session,
  tableOf: async () => answers.table, // at once, or when a promise is kept
}));

class Socket {
  static all: Socket[] = [];
  sent: Record<string, unknown>[] = [];
  onopen: (event: object) => void = () => {};
  onmessage: (event: object) => void = () => {};
  onclose: (event: object) => void = () => {};
  readonly address: string;

  constructor(address: URL) {
    this.address = address.href;
    Socket.all.push(this);
  }
  send(text: string) {
    this.sent.push(JSON.parse(text));
  }
  close() {}
  open() {
    this.onopen({});
  }
  tell(message: object) {
    this.onmessage({ data: JSON.stringify(message) });
  }
  lose(code = 1006) {
    this.onclose({ code });
  }
}
const socket = () => Socket.all.at(-1)!;

let states: State[];
let why: Message | null;
let waiting: (Message | null)[];
let heard: string[];
let line: Line;
const listeners = new Map<string, () => void>();

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('WebSocket', Socket);
  const target = {
    addEventListener: (name: string, then: () => void) => listeners.set(name, then),
    removeEventListener: () => {},
  };
  vi.stubGlobal('addEventListener', target.addEventListener);
  vi.stubGlobal('removeEventListener', target.removeEventListener);
  vi.stubGlobal('document', { ...target, visibilityState: 'visible' });
  Socket.all = [];
  [states, why, waiting, heard] = [[], null, [], []];
  answers.session = { ok: true };
  answers.table = { ok: true };
  line = new Line('k7w2', {
    hear: (message) => heard.push(message.type),
    state: (state, reason) => {
      states.push(state);
      why = reason;
    },
    waiting: (reason) => waiting.push(reason),
  });
  line.start();
});
afterEach(() => {
  line.stop();
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('what had no answer is sent again with the same id, and answered once', async () => {
  socket().open();
  socket().tell({ type: 'hello', n: 7 });
  const done = vi.fn<(answer: Answer) => void>();
  void line.send({ type: 'act', builds: 7, actions: ['end'] }).then(done);
  const [first] = socket().sent;
  socket().lose();
  await vi.advanceTimersByTimeAsync(2000);
  expect(socket().address).toBe('ws://civ.example/api/v1/tables/k7w2/live?seen=7');
  socket().open();
  expect(socket().sent).toEqual([first]);
  socket().tell({ type: 'ack', id: first.id, n: 8 });
  socket().tell({ type: 'ack', id: first.id, n: 8 });
  await vi.advanceTimersByTimeAsync(0);
  expect(done).toHaveBeenCalledTimes(1);
  socket().lose();
  await vi.advanceTimersByTimeAsync(2000);
  socket().open();
  expect(socket().sent).toEqual([]);
});

test('what a newer server says without a number is not heard', () => {
  socket().open();
  for (const message of [
    { type: 'hello', n: 1 },
    { type: 'weather' },
    { type: 'storm', n: 2 },
    { type: 'presence' },
  ])
    socket().tell(message);
  expect(heard).toEqual(['hello', 'storm', 'presence']);
});

test('what spectators say is heard, and is no number to come back with', async () => {
  socket().open();
  socket().tell({ type: 'hello', n: 7 });
  socket().tell({ type: 'say', line: 7.5, seat: null, text: 'hm' });
  socket().tell({ type: 'mute', whom: 'p_1', on: true });
  expect(heard).toEqual(['hello', 'say', 'mute']);
  socket().lose();
  await vi.advanceTimersByTimeAsync(2000);
  expect(socket().address).toContain('seen=7');
});

// How long it takes until the next try after the connection was lost, a hundred times.
async function pauses(spread: object, lose: () => void): Promise<number[]> {
  const taken: number[] = [];
  for (let i = 0; i < 100; i++) {
    socket().open();
    socket().tell({ type: 'hello', n: 1 });
    socket().tell(spread);
    const before = Socket.all.length;
    const begin = Date.now();
    lose();
    while (Socket.all.length === before) await vi.advanceTimersToNextTimerAsync();
    taken.push(Date.now() - begin);
  }
  return taken;
}

test('after a server that is gone everybody comes back when the others do not', async () => {
  for (const told of [
    { type: 'presence', spread: 10_000 },
    { type: 'pong', spread: 10_000 },
    { type: 'closing', error: { key: 'closing.restart', args: {} }, spread: 10_000 },
  ]) {
    const taken = await pauses(told, () => socket().lose());
    expect(Math.min(...taken)).toBeGreaterThan(200);
    expect(Math.max(...taken)).toBeLessThan(10_500);
    expect(taken.filter((pause) => pause < 5000).length).toBeGreaterThan(20);
    expect(taken.filter((pause) => pause > 5000).length).toBeGreaterThan(20);
  }
});

test("after one's own network was gone nobody waits for others", async () => {
  const taken = await pauses({ type: 'presence', spread: 10_000 }, () =>
    listeners.get('offline')!(),
  );
  expect(Math.max(...taken)).toBeLessThan(500);
});

test('what is sent while there is no connection waits for one', async () => {
  void line.send({ type: 'start' });
  expect(socket().sent).toEqual([]);
  socket().open();
  expect(socket().sent).toMatchObject([{ type: 'start' }]);
});

test('pauses grow, and end at once when the network is back', async () => {
  socket().open();
  socket().tell({ type: 'hello', n: 1 });
  const tries: number[] = [];
  for (let i = 0; i < 5; i++) {
    socket().lose();
    const before = Socket.all.length;
    const begin = Date.now();
    while (Socket.all.length === before) await vi.advanceTimersByTimeAsync(50);
    tries.push(Date.now() - begin);
  }
  expect(tries).toEqual([...tries].sort((a, b) => a - b));
  expect(tries[4]).toBeGreaterThan(5000);
  expect(states.filter((state) => state === 'closed')).toEqual([]);
  socket().lose();
  const before = Socket.all.length;
  listeners.get('online')!();
  expect(Socket.all.length).toBe(before + 1);
});

test('a line that has died without a word is noticed', async () => {
  socket().open();
  socket().tell({ type: 'hello', n: 1 });
  const { length } = Socket.all;
  await vi.advanceTimersByTimeAsync(26_000);
  expect(socket().sent).toEqual([{ type: 'ping' }]);
  socket().tell({ type: 'pong' });
  await vi.advanceTimersByTimeAsync(20_000);
  expect(Socket.all.length).toBe(length);
  await vi.advanceTimersByTimeAsync(20_000);
  expect(states.at(-1)).not.toBe('open');
  expect(Socket.all.length).toBeGreaterThan(length);
});

test('a network that goes is noticed at once, and tried again', async () => {
  socket().open();
  listeners.get('offline')!();
  expect(states.at(-1)).toBe('lost');
  await vi.advanceTimersByTimeAsync(1000);
  expect(Socket.all.length).toBe(2);
  socket().open();
  expect(states.at(-1)).toBe('open');
});

test('what has no answer for a while is told, and the line is tried', async () => {
  socket().open();
  socket().tell({ type: 'hello', n: 1 });
  const { length } = Socket.all;
  void line.send({ type: 'start' });
  const [{ id }] = socket().sent;
  await vi.advanceTimersByTimeAsync(3000);
  expect([waiting, socket().sent.length]).toEqual([[], 1]);
  await vi.advanceTimersByTimeAsync(1500);
  expect(waiting.at(-1)?.key).toBe('live.unsent');
  expect(socket().sent.at(-1)).toEqual({ type: 'ping' });
  // What else is said does not give the line more time.
  void line.send({ type: 'stand' });
  await vi.advanceTimersByTimeAsync(8000);
  expect(states).toContain('lost');
  expect(Socket.all.length).toBeGreaterThan(length);
  socket().open();
  expect(socket().sent[0].id).toBe(id);
});

test('what is answered in time leaves the line alone', async () => {
  socket().open();
  void line.send({ type: 'start' });
  const [{ id }] = socket().sent;
  await vi.advanceTimersByTimeAsync(3000);
  socket().tell({ type: 'ack', id, n: 1 });
  await vi.advanceTimersByTimeAsync(20_000);
  expect([waiting, socket().sent.length, states.at(-1)]).toEqual([[null], 1, 'open']);
});

test('a connection that does not come about is given up for another try', async () => {
  await vi.advanceTimersByTimeAsync(10_000);
  expect(Socket.all.length).toBe(2);
});

test('who is sent away does not come back by itself', async () => {
  socket().open();
  socket().tell({ type: 'closing', error: { key: 'closing.elsewhere', args: {} } });
  socket().lose(1008);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(Socket.all.length).toBe(1);
  expect([states.at(-1), why?.key]).toEqual(['closed', 'closing.elsewhere']);
});

test('who begins anew is told all of the table: it may be somebody else', () => {
  socket().open();
  socket().tell({ type: 'hello', n: 7 });
  socket().tell({ type: 'closing', error: { key: 'closing.session', args: {} } });
  socket().lose(1008);
  line.start();
  expect(socket().address).toContain('seen=0');
});

test('after a restart of the server it comes back', async () => {
  socket().open();
  socket().tell({ type: 'closing', error: { key: 'closing.restart', args: {} } });
  socket().lose(1012);
  await vi.advanceTimersByTimeAsync(2000);
  expect(Socket.all.length).toBe(2);
  expect(states.at(-1)).toBe('lost');
});

test('a table that is not there is not asked for for ever', async () => {
  answers.table = { ok: false, status: 404, error: { key: 'error.table.unknown', args: {} } };
  socket().lose();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([states.at(-1), why?.key]).toEqual(['closed', 'error.table.unknown']);
  expect(Socket.all.length).toBe(1);
});

test('a table that is found to be gone while the next try is under way stays closed', async () => {
  let answer: (table: object) => void = () => {};
  answers.table = new Promise((resolve) => (answer = resolve));
  socket().lose();
  await vi.advanceTimersByTimeAsync(2000);
  expect(Socket.all.length).toBe(2);
  const second = socket();
  answer({ ok: false, status: 404, error: { key: 'error.table.unknown', args: {} } });
  await vi.advanceTimersByTimeAsync(0);
  expect(states.at(-1)).toBe('closed');
  second.lose();
  await vi.advanceTimersByTimeAsync(60_000);
  expect([states.at(-1), why?.key]).toEqual(['closed', 'error.table.unknown']);
  expect(Socket.all.length).toBe(2);
});

test('a server that is away for a while is not given up', async () => {
  answers.session = { ok: false, status: 0, error: { key: 'online.unreachable', args: {} } };
  answers.table = { ok: false, status: 503, error: { key: 'error.store', args: {} } };
  for (let i = 0; i < 5; i++) {
    socket().lose();
    await vi.advanceTimersByTimeAsync(20_000);
  }
  expect(states.at(-1)).toBe('lost');
  expect(Socket.all.length).toBeGreaterThan(5);
});

test('what the disk refuses is asked again until it is done', async () => {
  socket().open();
  const done = vi.fn<(answer: Answer) => void>();
  void line.send({ type: 'start' }).then(done);
  const [{ id }] = socket().sent;
  socket().tell({ type: 'refused', id, n: 1, error: { key: 'error.store', args: {} } });
  await vi.advanceTimersByTimeAsync(1500);
  expect(waiting.at(-1)?.key).toBe('error.store');
  expect(socket().sent.map((one) => one.id)).toEqual([id, id]);
  socket().tell({ type: 'ack', id, n: 2 });
  await vi.advanceTimersByTimeAsync(0);
  expect(waiting.at(-1)).toBeNull();
  expect(done).toHaveBeenCalledTimes(1);
});
