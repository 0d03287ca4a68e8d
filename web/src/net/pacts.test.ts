// Pacts at a table of a server, with the real engine and made-up messages.
import { beforeAll, expect, test, vi } from 'vitest';
import { engine } from '../../tests/engine';
import { deal, find, look } from '../../tests/games';
import type { GameRecord, Look, Message, Pacts, Said, View } from '../engine/types';
import { OnlineGame } from './game.svelte';
import { NO_PACTS, withNews } from './pacts';
import type { OnlineTable } from './table.svelte';
import type { Command } from './types';

const settings = vi.hoisted(() => ({ pace: 'instant', botsTalk: true, autoEnd: false }));
vi.mock('../game/settings.svelte', () => ({ settings }));
vi.mock('../text/text.svelte', () => ({ say: ({ key }: Message) => key, t: (key: string) => key }));
vi.mock('./api', () => ({ viewAt: vi.fn() }));
vi.mock('../engine/engine', () => import('../../tests/asked'));

beforeAll(() => {
  vi.stubGlobal('document', { visibilityState: 'visible' });
});

const news = (...ats: number[]) => ats.map((at) => ({ at }));

test('earlier news are kept, and what was taken back is not', () => {
  const known: Pacts = { ...NO_PACTS, news: news(1, 2, 5) };
  expect(withNews(known, { ...NO_PACTS, news: news(5, 7) }).news).toEqual(news(1, 2, 5, 7));
  expect(withNews(known, { ...NO_PACTS, news: news(2) }).news).toEqual(news(1, 2));
  expect(withNews(known, NO_PACTS).news).toEqual([]);
  expect(withNews(null, { ...NO_PACTS, news: news(3) }).news).toEqual(news(3));
});

// A table of three as a game knows it; seat 0 is looked from.
class Table {
  id = 'k7w2';
  number = 1;
  names = ['Ada', 'Ben', 'Cora'];
  seats = ['human', 'human', 'level5'];
  seat = 0;
  connection = 'open';
  state: object;
  you = {};
  pacts: Pacts | null = null;
  game!: object;
  asked: Command[] = [];
  tell: (message: object) => void = () => {};

  constructor(
    readonly record: GameRecord,
    pacts?: boolean,
  ) {
    this.state = { options: { takebacks: 'never', pacts } };
    this.update();
  }
  update() {
    const { record } = this;
    const { view, story, headings } = engine.look({ record, seat: 0, you: true, from: 0 }) as Look;
    const { actions } = record;
    const told = { actions: actions.length, from: 0, final: 0, log: actions };
    this.game = { ...told, headings, story, view };
  }
  said(talk: Said[]) {
    const { pacts } = engine.look({ record: this.record, seat: null, talk }) as Look;
    this.pacts = pacts!;
    this.tell({ type: 'talk', n: ++this.number, pacts });
  }
  act(action: string) {
    this.record.actions.push(action);
    this.update();
    this.tell({ type: 'act', n: ++this.number, game: this.game });
  }
  listen(listener: (message: object) => void) {
    this.tell = listener;
    return () => {};
  }
  async ask(command: Command): Promise<Message | null> {
    this.asked.push(command);
    return null;
  }
}

function begin(pacts?: boolean) {
  const table = new Table(deal({ players: 3 }, 2), pacts);
  return { table, game: new OnlineGame(table as unknown as OnlineTable) };
}

test('a server that knows of no pacts is not asked for any', () => {
  expect(begin().game.parley).toBeNull();
  expect(begin(false).game.parley).toBeNull();
});

test('before anything is said all may be said, and it is sent as it is', async () => {
  const { table, game } = begin(true);
  const { talk } = game.parley!.possible[0];
  await game.say(talk);
  expect(table.asked).toEqual([{ type: 'talk', talk }]);
  expect(game.parley!.offers).toEqual([]); // the server tells
});

test('what others say is told with its moment', async () => {
  const { table, game } = begin(true);
  table.said([{ at: 0, seat: 1, say: 'truce', to: [0], rounds: 1 }]);
  expect(game.parley!.offers).toMatchObject([{ id: 1, by: 1, yours: true }]);
  expect(game.said.map(({ text }) => text)).toEqual(['pact.truce']);
  expect(game.notes).toMatchObject([{ at: 0, mark: 'knot' }]);

  settings.pace = 'slow'; // what is told after it waits
  const { seat } = look(table.record, null).view;
  table.act(look(table.record, seat).guide.legal[0]);
  table.act(look(table.record, look(table.record, null).view.seat).guide.legal[0]);
  const shown = game.shownAt;
  table.said([
    { at: 0, seat: 1, say: 'truce', to: [0], rounds: 1 },
    { at: 2, seat: 0, say: 'yes', offer: 1 },
  ]);
  expect(shown).toBe(1);
  expect(game.parley!.pacts).toEqual([]);
  game.hurry();
  settings.pace = 'instant';
  await vi.waitFor(() => expect(game.parley!.pacts).toHaveLength(1));
  game.stop();
});

test('who has done their part may end the turn before the server has told it', () => {
  const news = [{ what: 'over', at: 0, seat: null }];
  const boundIn = (turn: number): Pacts => {
    const pact = { id: 2, say: 'together', seats: [1, 0], against: 2, begun: turn - 1, last: null };
    return { ...NO_PACTS, ids: 2, pacts: [{ ...pact, givenUp: null, struck: [0, 0] }], news };
  };
  const breaksByEnd = (view: View, then: string[]) =>
    'end' in engine.look({ talk: { view, pacts: boundIn(view.turn), then } }).breaks;
  const isAimed = (action: string) => /^(embargo|democracy) 2/.test(action);
  const strikeIn = ({ view, guide }: Look) =>
    breaksByEnd(view, [])
      ? guide.legal.find((action) => isAimed(action) && !breaksByEnd(view, [action]))
      : undefined;
  const record = find({
    style: 'quiet',
    cheap: ({ seat, step }, legal) => seat === 0 && step === 'effects' && legal.some(isAimed),
    sure: (seen) => strikeIn(seen) !== undefined,
  });
  const table = new Table(structuredClone(record), true);
  const seen = look(record, 0);
  table.pacts = boundIn(seen.view.turn);
  vi.spyOn(table, 'ask').mockReturnValue(new Promise(() => {})); // it takes its time
  const game = new OnlineGame(table as unknown as OnlineTable);
  game.end();
  expect(game.breaking?.lines).toMatchObject([{ key: 'pact.breaks-together' }]);
  game.keepWord();

  game.composer!.take(strikeIn(seen)!);
  game.confirm();
  expect(game.sending).toBe(true);
  game.end();
  expect(game.breaking).toBeNull();
  game.stop();
});
