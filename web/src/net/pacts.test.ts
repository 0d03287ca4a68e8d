// Pacts at a table of a server, with the real engine and made-up messages.
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { engine } from '../../tests/engine';
import { deal, find, look } from '../../tests/games';
import type { GameRecord, Look, Message, Pacts, Said, View } from '../engine/types';
import { viewAt } from './api';
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
beforeEach(() => {
  Object.assign(settings, { pace: 'instant', botsTalk: true });
});

const settled = () => new Promise((resolve) => setTimeout(resolve));
const news = (...ats: number[]) => ats.map((at) => ({ at }));

test('earlier news are kept, and what was taken back is not', () => {
  const known: Pacts = { ...NO_PACTS, news: news(1, 2, 5) };
  expect(withNews(known, { ...NO_PACTS, news: news(5, 7) }).news).toEqual(news(1, 2, 5, 7));
  expect(withNews(known, { ...NO_PACTS, news: news(2) }).news).toEqual(news(1, 2));
  expect(withNews(known, NO_PACTS).news).toEqual([]);
  expect(withNews(null, { ...NO_PACTS, news: news(3) }).news).toEqual(news(3));
});

test('of several at one moment none is lost, and none is there twice', () => {
  const all = [4, 4, 4, 5, 5, 5, 5].map((at, seat) => ({ at, seat }));
  const told = (from: number, to: number) => ({ ...NO_PACTS, news: all.slice(from, to) });
  let known: Pacts | null = null;
  // The last three are told each time.
  for (let end = 1; end <= all.length; end++) {
    known = withNews(known, told(Math.max(0, end - 3), end));
    expect(known.news).toEqual(all.slice(0, end));
  }
  expect(withNews(known, told(4, 7)).news).toEqual(all);
  // Taken back.
  expect(withNews(known, told(0, 2)).news).toEqual(all.slice(0, 2));
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
    const { record, seat } = this;
    const { view, story, headings } = engine.look({ record, seat, you: true, from: 0 }) as Look;
    const { actions } = record;
    const told = { actions: actions.length, from: 0, final: 0, log: actions };
    this.game = { ...told, headings, story, view };
  }
  // The last of it was said now.
  said(talk: Said[]) {
    const { pacts } = engine.look({ record: this.record, seat: null, talk }) as Look;
    this.pacts = pacts!;
    this.tell({ type: 'talk', n: ++this.number, seat: talk.at(-1)!.seat, pacts });
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
  answers: Promise<Message | null>[] = []; // null once there are none left
  async ask(command: Command): Promise<Message | null> {
    this.asked.push(command);
    return this.answers.shift() ?? null;
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
  await settled();

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

// The bot's offer and its next action, told at once; the bot decides first.
function offerAndAct(botsTalk: boolean) {
  const { table, game } = begin(true);
  const bot = look(table.record, null).view.seat!;
  settings.pace = 'slow';
  settings.botsTalk = botsTalk;
  table.seats = table.seats.map((_, seat) => (seat === bot ? 'level5' : 'human'));
  table.seat = (bot + 1) % 3;
  const offer: Said = { at: 0, seat: bot, say: 'truce', to: [table.seat], rounds: 1 };
  table.said([offer]);
  table.act(look(table.record, bot).guide.legal[0]);
  return { table, game, offer };
}

test('what a bot says is there for a while before what it does', async () => {
  const { table, game, offer } = offerAndAct(true);
  expect(game.parley!.offers).toHaveLength(1);
  expect(game.shownAt).toBe(0);
  game.hurry();
  await settled();
  expect(game.shownAt).toBe(1);

  // Unless nobody listens.
  const quiet = offerAndAct(false);
  await settled();
  expect(quiet.game.shownAt).toBe(1);
  quiet.game.stop();

  // One's own words wait for nothing.
  const yes: Said = { at: 1, seat: table.seat, say: 'yes', offer: 1 };
  table.said([offer, yes]);
  expect(game.parley!.pacts).toHaveLength(1);
  game.stop();
});

test('a choice that was begun stays while others talk', async () => {
  const { table, game } = begin(true);
  const me = look(table.record, null).view.seat!;
  table.seat = me;
  table.update();
  table.tell({ type: 'hello', n: table.number });
  settings.pace = 'slow';
  game.composer!.take(game.composer!.legal[0]);
  const [a, b] = [(me + 1) % 3, (me + 2) % 3];
  const said = [
    [a, me],
    [b, me],
    [a, b],
  ].map(([seat, to]): Said => ({ at: 0, seat, say: 'truce', to: [to], rounds: 1 }));
  for (const n of [1, 2, 3]) table.said(said.slice(0, n));
  for (let n = 0; n < 3; n++) {
    expect(game.composer!.actions).toHaveLength(1);
    game.hurry();
    await settled();
  }
  expect(game.parley!.news).toHaveLength(3);
  game.stop();
});

test.each([true, false])('who looks back finds as much room for pacts: %s', async (pacts) => {
  const { table, game } = begin(pacts);
  table.act(look(table.record, look(table.record, null).view.seat).guide.legal[0]);
  const characters = game.parley?.characters;
  const { view } = look(table.record, 0, 0);
  vi.mocked(viewAt).mockResolvedValue({ ok: true, value: { view } } as never);
  await game.lookBack(0);
  expect(game.lookingBack).toBe(true);
  expect(game.parley?.characters).toEqual(characters);
  game.stop();
});

test('an answer is sent once, and hides no notice', async () => {
  const { table, game } = begin(true);
  const offers = [1, 2].map((seat): Said => ({ at: 0, seat, say: 'truce', to: [0], rounds: 1 }));
  table.said(offers);
  await settled();
  const stale: Message = { key: 'error.stale', args: {} };
  game.refused = stale;
  let answer: (error: Message | null) => void = () => {};
  table.answers.push(new Promise((resolve) => (answer = resolve)));
  const said = game.say({ say: 'yes', offer: 1 });
  await game.say({ say: 'yes', offer: 1 });
  await game.say({ say: 'no', offer: 1 });
  await game.say({ say: 'yes', offer: 2 });
  expect(table.asked.map((one) => one.type === 'talk' && one.talk)).toEqual([
    { say: 'yes', offer: 1 },
    { say: 'yes', offer: 2 },
  ]);
  answer(null);
  await said;
  expect(game.refused).toEqual(stale);
  const refused: Message = { key: 'error.table.talk', args: {} };
  table.answers.push(Promise.resolve(refused));
  await game.say({ say: 'no', offer: 1 });
  expect(game.refused).toEqual(refused);
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
