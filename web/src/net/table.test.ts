// A table of a server, as it is put together from what is told, with the real engine.
import { expect, test, vi } from 'vitest';
import { engine } from '../../tests/engine';
import { deal, look } from '../../tests/games';
import type { GameRecord, Look } from '../engine/types';
import type { Ears, Heard } from './line';
import { OnlineTable } from './table.svelte';
import type { GameState, Story } from './types';

const line = vi.hoisted(() => ({ ears: null as unknown as Ears }));
vi.mock('./line', () => ({
  Line: class {
    constructor(_: string, ears: Ears) {
      line.ears = ears;
    }
    stop() {}
  },
}));
vi.mock('../text/text.svelte', () => ({ t: () => '' }));
vi.mock('./deals', () => ({ knownDeal: () => null }));
const asked = vi.hoisted(
  () => [] as { to: number; answer: (story: { ok: boolean; value?: Story }) => void }[],
);
vi.mock('./api', () => ({
  storyOf: (_: string, to: number) =>
    new Promise((answer) => {
      asked.push({ to, answer });
    }),
}));

function play(record: GameRecord, count: number): void {
  for (let i = 0; i < count; i++) {
    const { seat } = look(record, null).view;
    record.actions.push(look(record, seat).guide.legal[0]);
  }
}

const told = (record: GameRecord, from: number) =>
  engine.look({ record, seat: null, you: true, from }) as Look;

function gameOf(record: GameRecord, from: number): GameState {
  const { view, story, headings } = told(record, from);
  const { actions } = record;
  return {
    actions: actions.length,
    from,
    final: 0,
    log: actions.slice(from),
    headings,
    story,
    view,
  };
}

const storyTo = (record: GameRecord, to: number): Story => {
  const { log, headings, story } = gameOf({ ...record, actions: record.actions.slice(0, to) }, 0);
  return { log, headings, story };
};

const hear = (message: object) => line.ears.hear(message as Heard);
const hello = (game: GameState) =>
  hear({
    type: 'hello',
    n: 9,
    you: { person: { id: 'p_1', name: 'Ada' }, seat: null, muted: [] },
    table: { status: 'running', chairs: [] },
    game,
    chat: [],
  });
const settled = () => new Promise((resolve) => setTimeout(resolve));

function begin(): { table: OnlineTable; record: GameRecord; from: number } {
  asked.length = 0;
  const table = new OnlineTable('k7w2');
  const record = deal({ players: 2 }, 1);
  play(record, 30);
  const turn = look(record, null).view.turn;
  const from = told(record, 0).headings.find((one) => one.turn === turn - 1)!.begin;
  expect(from).toBeGreaterThan(10);
  hello(gameOf(record, from));
  return { table, record, from };
}

const expectWhole = (table: OnlineTable, record: GameRecord) => {
  const { from, log, headings, story } = table.game!;
  expect({ from, log, headings, story }).toEqual({ from: 0, ...storyTo(record, Infinity) });
};

test('the last turns are there at once, and the rest when it has come', async () => {
  const { table, record, from } = begin();
  const { game } = table;
  expect(game!.story).toEqual(told(record, from).story);
  expect(asked.map(({ to }) => to)).toEqual([from]);
  asked[0].answer({ ok: true, value: storyTo(record, from) });
  await settled();
  expectWhole(table, record);
  expect(game!.story, 'where it is shown already').toEqual(table.game!.story);
});

test('messages go on from what is there, also back over its beginning', async () => {
  const { table, record, from } = begin();
  const first = record.actions.length;
  play(record, 3);
  hear({ type: 'act', n: 10, game: gameOf(record, first) });
  expect(table.game!.story).toEqual(told(record, from).story);
  const before = told(record, 0).story.filter((one) => one.end <= from);
  record.actions.length = before.at(-1)!.begin;
  hear({ type: 'back', n: 11, game: gameOf(record, before.at(-2)!.begin) });
  const left = record.actions.length;
  play(record, 4);
  hear({ type: 'act', n: 12, game: gameOf(record, left) });
  asked[0].answer({ ok: true, value: storyTo(record, from) });
  await settled();
  expectWhole(table, record);
});

test('what is not answered is asked again, and nothing after another hello', async () => {
  vi.useFakeTimers();
  const { table, record, from } = begin();
  asked[0].answer({ ok: false });
  await vi.advanceTimersByTimeAsync(1000);
  expect(asked.length).toBe(2);
  hello(gameOf(record, from));
  asked[1].answer({ ok: true, value: storyTo(record, 1) });
  asked[2].answer({ ok: true, value: storyTo(record, from) });
  await vi.advanceTimersByTimeAsync(1);
  expectWhole(table, record);
  hello(gameOf(record, from));
  table.stop();
  asked[3].answer({ ok: false });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(asked.length).toBe(4);
  vi.useRealTimers();
});
