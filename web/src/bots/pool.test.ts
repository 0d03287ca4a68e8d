import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Pacts, View } from '../engine/types';
import { merge, Pool, type Thought } from './pool';

const thought = (...judgements: Thought['judgements']): Thought => ({
  action: judgements[0]?.action ?? 'end',
  judgements,
});

describe('several searches of one decision', () => {
  test('weigh together, each by its own weight', () => {
    const both = merge([
      thought(
        { action: 'end', weight: 30, chances: [0.6, 0.4] },
        { action: 'purge', weight: 10, chances: [0.2, 0.8] },
      ),
      thought(
        { action: 'purge', weight: 50, chances: [0.8, 0.2] },
        { action: 'end', weight: 10, chances: [0.2, 0.8] },
      ),
    ]);
    expect(both.action).toBe('purge');
    expect(both.judgements.map(({ action, weight }) => [action, weight])).toEqual([
      ['purge', 60],
      ['end', 40],
    ]);
    expect(both.judgements[0].chances[0]).toBeCloseTo(0.7);
    expect(both.judgements[1].chances[1]).toBeCloseTo(0.5);
  });

  test('keep the reasons that one of them gives', () => {
    const reasons = [{ key: 'reason.free', args: {} }];
    const end = { action: 'end', weight: 5, chances: [1, 0] };
    expect(merge([thought(end), thought({ ...end, reasons })]).judgements[0].reasons).toBe(reasons);
    expect(merge([thought({ ...end, reasons }), thought(end)]).judgements[0].reasons).toBe(reasons);
  });

  test('keep what only one of them looked at, and leave what they are given alone', () => {
    const one = thought({ action: 'end', weight: 5, chances: [1, 0] });
    const two = thought({ action: 'attack M', weight: 9, chances: [0, 1] });
    expect(merge([one, two]).judgements.map(({ action }) => action)).toEqual(['attack M', 'end']);
    expect(one.judgements[0]).toEqual({ action: 'end', weight: 5, chances: [1, 0] });
  });

  test('of one that has given its word do what some of them decided, with what is said', () => {
    const keeping = (action: string, say?: Thought['say']): Thought => ({
      action,
      judgements: [
        { action: 'inquisition 1', weight: 50, chances: [0.6, 0.4] },
        { action: 'end', weight: 20, chances: [0.5, 0.5] },
        { action: 'purge', weight: 30, chances: [0.5, 0.5] },
      ],
      ...(say && { say }),
    });
    const yes: Thought['say'] = { say: 'yes', offer: 1 };
    expect(merge([keeping('end'), keeping('purge')], true).action).toBe('purge');
    expect(merge([keeping('end'), keeping('inquisition 1')], true).action).toBe('inquisition 1');
    // What another would do who does not say that may go against it.
    const both = merge([keeping('end', yes), keeping('inquisition 1')], true);
    expect(both).toMatchObject({ action: 'end', say: yes });
    expect(merge([keeping('end'), keeping('purge')]).action).toBe('inquisition 1');
  });

  test('without judgements are what the first of them says', () => {
    expect(merge([{ action: 'play M1', judgements: [] }]).action).toBe('play M1');
  });

  test('do not divide by nothing', () => {
    const none = thought({ action: 'end', weight: 0, chances: [0.5, 0.5] });
    expect(merge([none, none]).judgements[0].chances).toEqual([0.5, 0.5]);
  });
});

describe('a pool', () => {
  let workers: FakeWorker[] = [];

  class FakeWorker {
    asked: number[] = [];
    terminated = false;
    onmessage!: (event: { data: object }) => void;
    onerror!: () => void;
    onmessageerror!: () => void;
    constructor() {
      workers.push(this);
    }
    postMessage({ id }: { id?: number }) {
      if (id !== undefined) this.asked.push(id);
    }
    terminate() {
      this.terminated = true;
    }
    answer(thought: object) {
      this.onmessage({ data: { id: this.asked.shift(), thought } });
    }
  }

  beforeEach(() => {
    workers = [];
    vi.stubGlobal('Worker', FakeWorker);
    vi.stubGlobal('navigator', { hardwareConcurrency: 3 });
    vi.stubGlobal('fetch', async () => new Response());
    vi.spyOn(WebAssembly, 'compileStreaming').mockResolvedValue({} as WebAssembly.Module);
  });
  afterEach(() => {
    vi.unstubAllGlobals();
    vi.restoreAllMocks();
  });

  // Asked, and as far as waiting for its workers.
  async function asked(pool: Pool, bot: string, pacts?: Pacts) {
    const thought = pool.think({} as View, bot, 0, pacts);
    thought.catch(() => {});
    await vi.waitFor(() => expect(workers.some((worker) => worker.asked.length > 0)).toBe(true));
    return { thought };
  }

  const fine = { ok: true, ...thought({ action: 'end', weight: 1, chances: [1, 0] }) };
  const failures: [string, (worker: FakeWorker) => void][] = [
    ['breaks', (worker) => worker.onerror()],
    ['says what cannot be read', (worker) => worker.onmessageerror()],
    [
      'refuses',
      (worker) => worker.answer({ ok: false, error: { key: 'error.engine-stopped', args: {} } }),
    ],
  ];

  test.each(failures)('tells that a bot %s, and asks a fresh one next time', async (_, fail) => {
    const pool = new Pool();
    const first = await asked(pool, 'level8');
    expect(workers).toHaveLength(2);
    workers[0].answer(fine);
    fail(workers[1]);
    await expect(first.thought).rejects.toThrow();
    expect(workers.map((worker) => worker.terminated)).toEqual([true, true]);

    const again = await asked(pool, 'level1');
    expect(workers).toHaveLength(3);
    workers[2].answer(fine);
    expect((await again.thought).action).toBe('end');
  });

  test('with pacts does what a worker chose', async () => {
    const pool = new Pool();
    const { thought: asks } = await asked(pool, 'level8', {} as Pacts);
    const tempted = { action: 'inquisition 1', weight: 9, chances: [1, 0] };
    for (const worker of workers)
      worker.answer({ ok: true, action: 'end', judgements: [tempted, ...fine.judgements] });
    expect((await asks).action).toBe('end');
  });

  test('leaves nobody waiting when it stops', async () => {
    const pool = new Pool();
    const { thought } = await asked(pool, 'level1');
    pool.stop();
    await expect(thought).rejects.toThrow();
  });

  test('does not wait for a bot that broke while nobody asked it', async () => {
    const pool = new Pool();
    const first = await asked(pool, 'level1');
    workers[0].answer(fine);
    await first.thought;
    workers[0].onerror();
    await expect(pool.think({} as View, 'level1')).rejects.toThrow();
  });
});
