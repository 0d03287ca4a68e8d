// A game on this device, with the real engine and without a browser.
import { afterEach, expect, test, vi } from 'vitest';
import { deal, look, search } from '../../tests/games';
import { Session } from './session.svelte';
import type { Seat } from './setup';
import { newGame } from './store';

// The bots' answers, one for each time that a bot is asked; then they are silent.
const answers: (() => Promise<{ action: string }>)[] = [];
vi.mock('../bots/pool', () => ({
  Pool: class {
    think() {
      return answers.shift()?.() ?? new Promise(() => {});
    }
    stop() {}
  },
}));
vi.mock('../engine/engine', () => import('../../tests/asked'));
const settings = vi.hoisted(() => ({
  pace: 'instant',
  coach: false as boolean | null,
}));
vi.mock('./settings.svelte', () => ({ settings }));
vi.mock('../text/text.svelte', () => ({ say: () => '', t: () => '' }));

afterEach(() => {
  vi.useRealTimers();
  settings.pace = 'instant';
  answers.length = 0;
});

// Without any time passing.
const settled = () => new Promise((resolve) => setImmediate(resolve));

// A game in which a bot is to decide, after so many actions.
function start(actions = 0): Session {
  const record = deal({ players: 2 }, 1);
  const decider = () => look(record, null).view.seat!;
  for (let n = 0; n < actions; n++) record.actions.push(look(record, decider()).guide.legal[0]);
  const seats: Seat[] = decider() === 0 ? ['level1', 'human'] : ['human', 'level1'];
  const session = new Session(newGame(record, { seats, names: ['', ''] }));
  session.start();
  return session;
}

test('a bot that fails is told of, and does not think for ever', async () => {
  answers.push(() => Promise.reject(new Error('broken')));
  const session = start();
  await vi.waitFor(() => expect(session.failed).toBe(true));
  expect(session.thinking).toBeNull();
  expect(session.game.record.actions).toEqual([]);
  session.stop();
});

test('who looks back is not disturbed by a bot', async () => {
  let act: (thought: { action: string }) => void = () => {};
  answers.push(() => new Promise((resolve) => (act = resolve)));
  const session = start(4);
  const { record } = session.game;
  session.lookBack(session.story[0].end);
  const { now, told } = session;
  expect(session.lookingBack).toBe(true);

  act({ action: look(record, look(record, null).view.seat!).guide.legal[0] });
  await vi.waitFor(() =>
    expect(session.game.record.actions.length).toBeGreaterThan(record.actions.length),
  );
  expect(session.lookingBack).toBe(true);
  expect(session.now).toBe(now);
  expect(session.told).toEqual(told);

  session.lookBack(null);
  expect(session.now.view).toEqual(look(session.game.record, session.me).view);
  session.stop();
});

test.each(['basic', 'draft'] as const)(
  'cards that are all alike are left to choose: %s',
  async (setup) => {
    const alike = Array.from({ length: 3000 }, (_, seed) => deal({ players: 2, setup }, seed)).find(
      (record) => look(record, look(record, null).view.seat).guide.legal.length === 1,
    )!;
    const isFirst = look(alike, null).view.seat === 0;
    const seats: Seat[] = isFirst ? ['human', 'level1'] : ['level1', 'human'];
    const session = new Session(newGame(alike, { seats, names: ['', ''] }));
    session.start();
    await new Promise((resolve) => setTimeout(resolve));
    expect(session.game.record.actions).toEqual([]);
    session.stop();
  },
);

test('a bot’s choice of several cards is said once, when it is complete', async () => {
  const record = search(
    { players: 2 },
    70,
    ({ state, legal }) => legal.includes('purge') && state.hands[state.seat].length > 3,
  );
  const bot = look(record, null).view.seat!;
  const before = record.actions.length;
  for (let n = 0; n < 3; n++)
    answers.push(async () => {
      const { guide } = look(session.game.record, bot);
      return { action: n === 0 ? 'purge' : guide.legal[0] };
    });
  const seats: Seat[] = bot === 0 ? ['level1', 'human'] : ['human', 'level1'];
  const session = new Session(newGame(record, { seats, names: ['', ''] }));
  session.start();
  await vi.waitFor(() => expect(session.game.record.actions).toHaveLength(before + 3));
  expect(session.told?.end).toBe(before + 3);
  expect(session.said).toHaveLength(1);
  session.stop();
});

test('what bots do can be skipped, up to the next decision', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  settings.pace = 'slow';
  for (let n = 0; n < 2; n++)
    answers.push(async () => {
      await null; // until there is a session
      const { record } = session.game;
      return { action: look(record, look(record, null).view.seat).guide.legal[0] };
    });
  const session = start();
  await settled();
  expect(session.game.record.actions).toEqual([]);
  expect(session.canSkip).toBe(true);
  session.hurry();
  expect(session.canSkip).toBe(false);
  await settled();
  expect(session.game.record.actions).toHaveLength(2);
  expect(session.composer).not.toBeNull();
  session.stop();
});

test('a hint to end the turn is confirmed like any other', () => {
  const record = deal({ players: 2 }, 1);
  const seat = look(record, null).view.seat!;
  record.actions.push(look(record, seat).guide.legal[0]);
  const seats: Seat[] = seat === 0 ? ['human', 'level1'] : ['level1', 'human'];
  const session = new Session(newGame(record, { seats, names: ['', ''] }));
  session.start();
  session.follow('end');
  expect(session.game.record.actions).toHaveLength(1);
  expect(session.composer?.actions).toEqual(['end']);
  expect(session.composer?.complete).toBe(true);
  session.confirm();
  expect(session.game.record.actions).toEqual([record.actions[0], 'end']);
  session.stop();
});

test('a game that is opened in another tab goes on there alone', async () => {
  const session = start();
  const { id } = session.game;
  const another = start();
  await settled();
  expect(session.paused).toBe(false); // that is another game
  const same = new Session({ ...another.game, id });
  same.start();
  await vi.waitFor(() => expect(session.paused).toBe(true));
  expect(session.composer).toBeNull();
  expect(same.paused).toBe(false);
  for (const one of [session, another, same]) one.stop();
});
