// A game at a table of a server, with the real engine, without a server and without a browser.
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { engine } from '../../tests/engine';
import { deal, look } from '../../tests/games';
import type { GameRecord, Look, Message } from '../engine/types';
import { viewAt } from './api';
import { OnlineGame } from './game.svelte';
import { departure } from './notes';
import type { OnlineTable } from './table.svelte';
import type { Command, GameState } from './types';

const settings = vi.hoisted(() => ({ pace: 'instant', autoEnd: true }));
vi.mock('../game/settings.svelte', () => ({ settings }));
vi.mock('../text/text.svelte', () => ({ say: () => '', t: (key: string) => key }));
vi.mock('./api', () => ({ viewAt: vi.fn() }));
vi.mock('../engine/engine', () => import('../../tests/asked'));

// So many actions cannot be taken back, as the server counts them: the last of them has shown
// something.
function finalOf(record: GameRecord): number {
  const shows = record.actions.map((action, i) => {
    const { view, guide } = look(record, look(record, null, i).view.seat, i);
    if (action === 'end') return view.deck.count !== look(record, null, i + 1).view.deck.count;
    return action.startsWith('give ') || guide.reveals.includes(action);
  });
  return shows.lastIndexOf(true) + 1;
}

// As much of a table as a game needs; what is asked waits for an answer.
class Table {
  id = 'k7w2';
  number = 10;
  names = ['Ada', 'Ben'];
  seats = ['human', 'human'];
  seat: number | null;
  connection = 'open';
  state = { options: { takebacks: 'ask' } };
  you = {};
  game!: GameState;
  record: GameRecord;
  asked: { command: Command; answer: (error: Message | null) => void }[] = [];
  tell: (message: object) => void = () => {};

  constructor(record: GameRecord, seat: number | null) {
    this.record = record;
    this.seat = seat;
    this.update();
  }
  update() {
    const { view, story, headings } = engine.look({
      record: this.record,
      seat: this.seat,
      you: true,
      from: 0,
    }) as Look;
    const { actions } = this.record;
    this.game = {
      actions: actions.length,
      from: 0,
      final: finalOf(this.record),
      log: [...actions],
      headings,
      story,
      view,
    };
  }
  listen(listener: (message: object) => void) {
    this.tell = listener;
    return () => {};
  }
  ask(command: Command) {
    return new Promise<Message | null>((answer) => this.asked.push({ command, answer }));
  }
  // Somebody acts.
  act(...actions: string[]) {
    this.record.actions.push(...actions);
    this.number++;
    this.update();
    this.tell({ type: 'act', n: this.number, game: this.game });
  }
  // Everybody has agreed.
  back(to: number) {
    this.record.actions.length = to;
    this.number++;
    this.update();
    this.tell({ type: 'back', n: this.number, game: this.game });
  }
  hello() {
    this.update();
    this.tell({ type: 'hello', n: this.number });
  }
}

const settled = () => new Promise((resolve) => setTimeout(resolve));
const stale: Message = { key: 'error.stale', args: {} };

function start(mine = true): { table: Table; game: OnlineGame; other: number } {
  const record = deal({ players: 2 }, 1);
  const { seat } = look(record, null).view;
  const table = new Table(record, mine ? seat! : 1 - seat!);
  return { table, game: new OnlineGame(table as unknown as OnlineTable), other: 1 - seat! };
}

const inHand = (game: OnlineGame) => {
  const hand = game.now.view.hands[game.me!];
  return 'cards' in hand ? hand.cards.length : -1;
};

function playCard(game: OnlineGame): string {
  const action = game.composer!.legal[0];
  game.composer!.take(action);
  game.confirm();
  return action;
}

beforeAll(() => {
  vi.stubGlobal('document', { visibilityState: 'visible' });
});
beforeEach(() => {
  settings.pace = 'instant';
  settings.autoEnd = false;
});

test('what one decides is seen at once, and stays when it is stored', async () => {
  const { table, game } = start();
  const before = inHand(game);
  const action = playCard(game);
  expect(inHand(game)).toBe(before - 1);
  expect(game.sending).toBe(true);
  expect(game.composer).not.toBeNull(); // on to the effects
  expect(table.asked.map((one) => one.command)).toEqual([
    { type: 'act', builds: 10, actions: [action] },
  ]);

  table.act(action);
  table.asked[0].answer(null);
  await settled();
  expect(game.sending).toBe(false);
  expect(inHand(game)).toBe(before - 1);
  expect(game.refused).toBeNull();
  expect(table.asked.length).toBe(1);
});

test('what is refused is undone, with the reason', async () => {
  const { table, game } = start();
  const before = inHand(game);
  playCard(game);
  table.asked[0].answer(stale);
  await settled();
  expect(inHand(game)).toBe(before);
  expect(game.refused).toEqual(stale);
  expect(game.composer?.idle).toBe(true);
  expect(game.now.view.step).toBe('play');
});

test('the next decision waits until the one before is told, and builds on it', async () => {
  const { table, game } = start();
  const action = playCard(game);
  game.end();
  expect(game.composer).toBeNull(); // what is drawn nobody knows
  expect(table.asked.length).toBe(1);
  table.act(action);
  table.asked[0].answer(null);
  await settled();
  expect(table.asked[1].command).toEqual({ type: 'act', builds: 11, actions: ['end'] });
  expect(game.composer).toBeNull();
  table.act('end');
  table.asked[1].answer(null);
  await settled();
  expect(game.sending).toBe(false);
  expect(game.now.view.seat).not.toBe(game.me);
});

test('with the first of two decisions the second is void', async () => {
  const { table, game } = start();
  playCard(game);
  game.end();
  table.asked[0].answer(stale);
  await settled();
  expect(game.sending).toBe(false);
  expect(table.asked.length).toBe(1);
  expect(game.composer?.idle).toBe(true);
});

test('if another device of the same player has done something else, that counts', async () => {
  const { table, game } = start();
  const [first, other] = [...new Set(game.composer!.legal)];
  game.composer!.take(first);
  game.confirm();
  table.act(other);
  expect(game.sending).toBe(false);
  expect(game.now.view).toEqual(table.game.view);
  table.asked[0].answer(stale);
  await settled();
  expect(game.refused).toBeNull(); // nothing that was seen has been undone by it
});

test('a decision that was on its way when the connection broke is not shown twice', async () => {
  for (const arrived of [true, false]) {
    const { table, game } = start();
    const before = inHand(game);
    const action = playCard(game);
    if (arrived) table.record.actions.push(action);
    table.hello();
    expect(inHand(game)).toBe(before - 1);
    expect(game.sending).toBe(!arrived);
  }
});

test('a choice that was begun is still there after the connection broke', () => {
  const { table, game } = start();
  game.composer!.take(game.composer!.legal[0]);
  const actions = [...game.composer!.actions];
  table.hello();
  expect(game.composer?.actions).toEqual(actions);
  expect(game.composer?.complete).toBe(true);
});

test('a choice begun on what is not stored yet stays when it is', async () => {
  const { table, game } = start();
  const action = playCard(game);
  const composer = game.composer!;
  table.act(action);
  table.asked[0].answer(null);
  await settled();
  expect(game.composer).toBe(composer);
});

test('what others do is told one after another', async () => {
  settings.pace = 'slow';
  const { table, game } = start(false);
  const first = look(table.record, look(table.record, null).view.seat).guide.legal[0];
  table.act(first);
  table.act('end');
  expect(game.told?.end).toBe(1);
  expect(game.composer).toBeNull(); // although it is one's own turn by now
  game.hurry();
  await settled();
  expect(game.told?.end).toBe(2);
  game.hurry();
  await settled();
  expect(game.composer).not.toBeNull();
});

test('who was away is shown how it stands', () => {
  settings.pace = 'slow';
  const { table, game } = start(false);
  const first = look(table.record, look(table.record, null).view.seat).guide.legal[0];
  table.record.actions.push(first, 'end');
  table.hello();
  expect(game.told?.end).toBe(2);
  expect(game.composer).not.toBeNull();
});

test('a turn without a choice ends by itself', async () => {
  settings.autoEnd = true;
  const { table, game } = start();
  const action = playCard(game);
  expect(game.now.guide.legal).toEqual(['end']);
  expect(game.ending).toBe(true);
  table.act(action);
  table.asked[0].answer(null);
  await settled();
  expect(table.asked[1].command).toEqual({ type: 'act', builds: 11, actions: ['end'] });
});

test('the pause before a turn ends by itself is not cut short by the server', async () => {
  settings.autoEnd = true;
  settings.pace = 'slow';
  const { table, game } = start();
  const action = playCard(game);
  expect(game.ending).toBe(true);
  table.act(action);
  table.asked[0].answer(null);
  await settled();
  expect(game.ending).toBe(true);
  expect(table.asked).toHaveLength(1);
  expect(game.canUndo).toBe(true);
  game.hurry();
  await settled();
  expect(table.asked[1].command).toMatchObject({ actions: ['end'] });
});

test('who looks back sees the moment asked for last, or the present', async () => {
  const { table, game } = start();
  const action = playCard(game);
  table.act(action);
  const views = [0, 1].map((at) => look(table.record, game.me, at).view);
  const answers: (() => void)[] = [];
  vi.mocked(viewAt).mockImplementation(
    (_, at) =>
      new Promise((resolve) =>
        answers.push(() => resolve({ ok: true, value: { view: views[at] } } as never)),
      ),
  );
  game.lookBack(0);
  game.lookBack(1);
  answers[1]();
  await settled();
  answers[0]();
  await settled();
  expect(game.now.view).toEqual(views[1]);

  game.lookBack(0);
  game.lookBack(null);
  answers[2]();
  await settled();
  expect(game.lookingBack).toBe(false);
});

test('what happened beside the rules is told from the table, also to who comes later', () => {
  const { table } = start();
  table.state = {
    ...table.state,
    status: 'running',
    chairs: [{ person: { id: 'a' } }, { person: { id: 'b' } }, { person: { id: 'c' } }],
    notes: [
      { at: 3, type: 'leave', seat: 1, why: 'resigned' },
      { at: 5, type: 'back', seat: 0 },
      { at: 5, type: 'return', seat: 1 },
    ],
  } as never;
  const game = new OnlineGame(table as unknown as OnlineTable);
  expect(game.notes.map((note) => [note.at, 'say' in note && note.say()])).toEqual([
    [3, 'live.left-resigned live.bot-plays'],
    [5, 'live.taken-back'],
    [5, 'live.returned'],
  ]);
});

test('after the game it is not said that a bot plays on for who left', () => {
  const { table } = start();
  table.state = {
    ...table.state,
    status: 'running',
    chairs: [{ person: { id: 'a' } }, { person: { id: 'b' } }, { person: { id: 'c' } }],
  } as never;
  const known = table as unknown as OnlineTable;
  expect(departure(known, 1, 'resigned')).toBe('live.left-resigned live.bot-plays');
  expect(departure(known, 1, 'resigned', true)).toBe('live.left-resigned');
});

test('the last thing one did can be taken back in one’s own turn', async () => {
  const { table, game } = start();
  const action = playCard(game);
  expect(game.canUndo).toBe(false); // not stored yet
  table.act(action);
  table.asked[0].answer(null);
  await settled();
  expect(game.canUndo).toBe(true);
  expect(game.askableBack).toBeNull();
  game.undo();
  expect(table.asked[1].command).toEqual({ type: 'take-back', builds: 11, to: 0 });
  table.back(0);
  expect(game.now.view.step).toBe('play');
  expect(game.canUndo).toBe(false);
});

test('a card is never played by itself, even where all in hand are alike', async () => {
  const alike = Array.from({ length: 500 }, (_, seed) => deal({ players: 2 }, seed)).find(
    (record) => {
      const { seat } = look(record, null).view;
      return look(record, seat).guide.legal.length === 1; // three cards of a kind
    },
  )!;
  const table = new Table(alike, look(alike, null).view.seat);
  const game = new OnlineGame(table as unknown as OnlineTable);
  await settled();
  expect(table.asked).toEqual([]);
  const action = playCard(game);
  table.act(action);
  table.asked[0].answer(null);
  await settled();
  game.undo();
  table.back(0);
  table.asked[1].answer(null);
  await settled();
  expect(game.composer!.legal).toHaveLength(1);
  expect(table.asked.map((one) => one.command.type)).toEqual(['act', 'take-back']);
});

// A turn has ended by which nobody saw anything: with the Holy Book one draws so many cards that
// the turn after leaves nothing to draw.
function unseen(seed: number): { record: GameRecord; seat: number } {
  const record = deal({ players: 2 }, seed);
  for (;;) {
    const { seat } = look(record, null).view;
    const { view, guide } = look(record, seat);
    const hand = view.hands[seat!] as { cards: string[] };
    const draws =
      hand.cards.length < view.handSize && guide.legal.includes('holy-book')
        ? 'holy-book'
        : undefined;
    const religion = guide.legal.find((action) => action.startsWith('play R'));
    record.actions.push(
      draws ?? religion ?? (guide.legal.includes('end') ? 'end' : guide.legal[0]),
    );
    if (record.actions.at(-1) === 'end' && finalOf(record) < record.actions.length)
      return { record, seat: seat! };
  }
}

test.each([1, 2, 3, 4])(
  'after one’s turn everybody can be asked to take it back, while nothing hidden was seen: game %i',
  async (seed) => {
    const { record, seat } = unseen(seed);
    const to = record.actions.length - 1;
    const table = new Table(record, seat);
    const game = new OnlineGame(table as unknown as OnlineTable);
    expect(game.canUndo).toBe(false);
    expect(game.askableBack).toBe(to);
    const asking = game.askBack(to);
    expect(table.asked[0].command).toEqual({ type: 'take-back', builds: 10, to });
    table.asked[0].answer(null);
    await asking;
    expect(game.refused).toBeNull();
    expect(game.now.view.seat).not.toBe(seat); // asked is not agreed

    // A card that is played was in somebody's hand, and may go back there.
    table.act(look(record, 1 - seat).guide.legal[0]);
    await settled();
    expect(game.askableBack).toBe(to);
    table.back(to);
    await settled();
    expect(game.now.view.seat).toBe(seat);
    expect(game.composer!.legal).toContain('end');
    expect(game.askableBack).toBeNull();
    expect(game.canUndo).toBe(true); // and further without asking
  },
);

test('what was drawn, or is not allowed, or is not one’s own, is not asked for', async () => {
  const { record, seat } = unseen(1);
  const started = (who: number | null) => {
    const table = new Table({ ...record, actions: [...record.actions] }, who);
    return { table, game: new OnlineGame(table as unknown as OnlineTable) };
  };
  const { table, game } = started(seat);
  table.state.options.takebacks = 'turn';
  expect(game.askableBack).toBeNull();
  table.state.options.takebacks = 'ask';
  expect(game.askableBack).not.toBeNull();
  table.act(look(table.record, 1 - seat).guide.legal[0], 'end'); // they draw
  await settled();
  expect(game.askableBack).toBeNull();
  expect(started(1 - seat).game.askableBack).toBeNull();
  expect(started(null).game.askableBack).toBeNull();
});

test('why nobody can be asked is told', async () => {
  const { record, seat } = unseen(1);
  const table = new Table(record, seat);
  const game = new OnlineGame(table as unknown as OnlineTable);
  const asking = game.askBack(game.askableBack!);
  table.asked[0].answer(stale);
  await asking;
  expect(game.refused).toEqual(stale);
});

test('in the draft everybody sees as many cards in the hands of others', () => {
  const record = deal({ players: 3, setup: 'draft' }, 1);
  const last = (record.first + 2) % 3;
  // As the server tells it: to the last in order, the others have kept a card already.
  for (let i = 0; i < 2; i++)
    record.actions.push(look(record, look(record, null).view.seat).guide.legal[0]);
  const table = new Table(record, last);
  const picked = [false, false, false];
  Object.assign(table.state, { draft: { round: 1, picked } });
  picked[record.first] = true;
  const { now, ahead } = new OnlineGame(table as unknown as OnlineTable);
  for (const { view } of [now, ahead])
    expect(view.hands.map((hand) => ('backs' in hand ? Number(hand.backs.length) : 'own'))).toEqual(
      [0, 1, 2].map((seat) => (seat === last ? 'own' : Number(seat === record.first))),
    );
});
