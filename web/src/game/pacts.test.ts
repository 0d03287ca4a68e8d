// Pacts in a game on this device, with the real engine and bots that say what they are told to.
import { afterEach, expect, test, vi } from 'vitest';
import { engine } from '../../tests/engine';
import { deal, look, search } from '../../tests/games';
import type { GameRecord, Pacts, Said, Talk, View } from '../engine/types';
import { branchOf } from './branch';
import { talkOf } from './pacts';
import { Session } from './session.svelte';
import { exportGame, type Game, importGame, newGame } from './store';

interface Answer {
  action: string;
  say?: Talk;
}
const asked: (Pacts | undefined)[] = []; // what bots were told
const coached: (Pacts | undefined)[] = []; // and the coach
const answers: ((view: View) => Answer | Promise<Answer>)[] = [];
vi.mock('../bots/pool', () => ({
  Pool: class {
    think(view: View, _: string, __: number, pacts?: Pacts) {
      asked.push(pacts);
      const answer = answers.shift();
      return answer ? Promise.resolve(answer(view)) : new Promise(() => {});
    }
    coach(_: View, __: string[], pacts?: Pacts) {
      coached.push(pacts);
      return Promise.resolve(null);
    }
    stop() {}
  },
}));
vi.mock('../engine/engine', () => import('../../tests/asked'));
const settings = vi.hoisted(() => ({
  pace: 'instant',
  botsTalk: true,
  autoEnd: true,
  coach: false,
}));
vi.mock('./settings.svelte', () => ({ settings }));
vi.mock('../text/text.svelte', () => ({ say: ({ key }: { key: string }) => key, t: () => '' }));

afterEach(() => {
  answers.length = 0;
  asked.length = 0;
  coached.length = 0;
  Object.assign(settings, { botsTalk: true, coach: false, pace: 'instant' });
});

const decider = (record: GameRecord) => look(record, null).view.seat!;
const first = (view: View): Answer => ({ action: engine.look({ view }).guide.legal[0] });
const last = (view: View): Answer => ({ action: engine.look({ view }).guide.legal.at(-1) });

type Talks = (me: number, next: number) => Omit<Said, 'at'>[];

// Three at a table, after some turns, when the one person has to play a card; `talk` was said then.
function begin(talks: Talks = () => [], more: Partial<Game> = {}) {
  const record = deal({ players: 3 }, 5);
  const me = decider(record);
  do {
    const { legal } = look(record, decider(record)).guide;
    record.actions.push(legal.includes('end') ? 'end' : legal[0]);
  } while (decider(record) !== me || record.actions.length < 20);
  const at = record.actions.length;
  const talk = talks(me, (me + 1) % 3);
  if (talk.length > 0) record.comments = { talk: talk.map((said) => ({ at, ...said })) };
  const seats = [0, 1, 2].map((seat) => (seat === me ? 'human' : 'level5')) as Game['seats'];
  const game = { ...newGame(record, { seats, names: ['', 'Ada', 'Ben'] }), ...more };
  const session = new Session(game);
  session.start();
  return { session, me, next: (me + 1) % 3, at };
}

test('what is said is kept with its place, and a bot answers when it decides', async () => {
  const { session, me, next, at } = begin();
  const truce = session.parley!.possible.find(
    ({ talk }) => talk.say === 'truce' && talk.rounds === 2 && talk.to!.join() === `${next}`,
  )!;
  session.say(truce.talk);
  expect(talkOf(session.game.record)).toEqual([{ at, seat: me, ...truce.talk }]);
  expect(session.parley!.offers).toMatchObject([{ by: me, to: [next], yours: false }]);
  expect(session.said.at(-1)!.text).toBe('pact.truce');
  expect(session.composer).not.toBeNull(); // what is being decided goes on

  answers.push((view) => ({ ...first(view), say: { say: 'yes', offer: 1 } }));
  endTurn(session);
  const before = session.game.record.actions.length;
  await vi.waitFor(() => expect(asked.length).toBeGreaterThan(1));
  expect(session.parley!.pacts).toHaveLength(1);
  expect(asked[0]!.offers).toHaveLength(1);
  expect(session.game.record.actions).toHaveLength(before + 1); // its own yes is no reason to wait
  expect(session.parley!.pacts[0]).toMatchObject({ say: 'truce', seats: [me, next], left: 2 });
  expect(session.notes.map(({ mark }) => mark)).toEqual(['knot', 'knot']);
  session.stop();
});

const pactsTold = () => asked.map((told) => (told!.pacts as object[]).length);

// The person plays a card and ends the turn.
function endTurn(session: Session): void {
  session.composer!.take(session.now.guide.legal[0]);
  session.confirm();
  while (session.composer) session.end();
}

test('a bot that thinks while a pact is made is asked again, with the pact', async () => {
  const { session } = begin((me, next) => [{ seat: next, say: 'truce', to: [me], rounds: 1 }]);
  let answer = () => {};
  const say: Talk = { say: 'give-up', pact: 1 };
  answers.push(
    (view) => new Promise((resolve) => (answer = () => resolve({ ...first(view), say }))),
  );
  answers.push(last);
  endTurn(session);
  await vi.waitFor(() => expect(asked).toHaveLength(1));
  const before = session.game.record.actions.length;
  session.say({ say: 'yes', offer: 1 });
  answer();
  await vi.waitFor(() => expect(asked).toHaveLength(3)); // the third time for its next action
  expect(pactsTold()).toEqual([0, 1, 1]);
  expect(session.game.record.actions).toHaveLength(before + 1);
  expect(talkOf(session.game.record)).toHaveLength(2); // nor is what it wanted to say said
  session.stop();
});

test('so is a bot whose offer is taken before it acts', async () => {
  const { session, me } = begin();
  answers.push(async (view) => {
    await null;
    settings.pace = 'slow'; // so that there is time before it acts
    return { ...first(view), say: { say: 'truce', to: [me], rounds: 1 } };
  });
  answers.push(last);
  endTurn(session);
  const before = session.game.record.actions.length;
  await vi.waitFor(() => expect(session.parley!.offers).toHaveLength(1));
  session.say({ say: 'yes', offer: 1 });
  session.hurry();
  await vi.waitFor(() => expect(asked).toHaveLength(3));
  expect(pactsTold()).toEqual([0, 1, 1]);
  expect(session.game.record.actions).toHaveLength(before + 1);
  session.stop();
});

test('those who talk have a character, and nobody else has', () => {
  const { session, me, next } = begin();
  session.stop();
  const seats = [0, 1, 2].map((seat) =>
    seat === me ? 'human' : seat === next ? 'level2' : 'level3',
  ) as Game['seats'];
  const { session: some } = begin(() => [], { seats });
  const { characters } = some.parley!;
  expect(characters.map((one) => one !== null)).toEqual(seats.map((seat) => seat === 'level3'));
  some.stop();
});

test('a turn taken back does not unsay anything', () => {
  const { session, me } = begin();
  session.composer!.take(session.now.guide.legal[0]);
  session.confirm();
  const { talk } = session.parley!.possible.find((one) => one.talk.say === 'truce')!;
  session.say(talk);
  const before = session.game.record.actions.length;
  if (!session.canUndo) throw new Error('nothing can be taken back');
  session.undo();
  const at = session.game.record.actions.length;
  expect(at).toBeLessThan(before);
  expect(talkOf(session.game.record)).toEqual([{ at, seat: me, ...talk }]);
  expect(session.parley!.offers).toHaveLength(1);
  session.stop();
});

test('nothing is said to the past, nor what cannot be said now', () => {
  const { session, at } = begin((me, next) => [{ seat: next, say: 'truce', to: [me], rounds: 1 }]);
  const yes: Talk = { offer: 1, say: 'yes' };
  session.lookBack(at - 1);
  session.say(yes);
  session.lookBack(null);
  expect(session.parley!.pacts).toEqual([]);
  session.say({ say: 'yes', offer: 2 });
  expect(talkOf(session.game.record)).toHaveLength(1);
  session.say(yes);
  session.say(yes);
  expect(talkOf(session.game.record)).toHaveLength(2);
  expect(session.parley!.pacts).toHaveLength(1);
  session.stop();
});

test('bots that nobody wants to hear are noted, and not said', () => {
  settings.botsTalk = false;
  const { session: quiet } = begin((me, next) => [
    { seat: next, say: 'truce', to: [(me + 2) % 3], rounds: 1 },
  ]);
  expect(quiet.notes).toHaveLength(1);
  expect(quiet.said).toEqual([]);
  quiet.stop();
});

test('a table without pacts has none, whatever its record says', () => {
  const { session } = begin(undefined, { pacts: false });
  expect(session.parley).toBeNull();
  session.stop();
});

test('with two there is nothing to say', () => {
  const record = deal({ players: 2 }, 1);
  const session = new Session(newGame(record, { seats: ['human', 'human'], names: ['', ''] }));
  expect(session.parley).toMatchObject({ possible: [], characters: [] });
});

test('what was said goes with the game: to a file and back, and where it branches', () => {
  const { session, me, next, at } = begin();
  session.say({ say: 'truce', to: [next], rounds: 1 });
  const { text } = exportGame(session.game, ['You', 'Ada', 'Ben']);
  const back = importGame(text, () => null);
  const said = [{ at, seat: me, say: 'truce', to: [next], rounds: 1 }];
  expect(back.ok && talkOf(back.game.record)).toEqual(said);
  const wish = { seat: me, others: null, hidden: 'same' as never };
  expect(talkOf(branchOf(session.game, { ...wish, at }).record)).toEqual(said);
  expect(talkOf(branchOf(session.game, { ...wish, at: at - 3 }).record)).toEqual([]);
  session.stop();
});

// A moment in which the person can end the turn, or hit the next seat in some way.
function armed(pact: Talks) {
  const record = search(
    { players: 3 },
    40,
    ({ state, legal }) =>
      state.step === 'effects' &&
      legal.some((action) => action === `inquisition ${(state.seat + 1) % 3}`),
  );
  const me = decider(record);
  const next = (me + 1) % 3;
  const at = record.actions.length;
  record.comments = { talk: pact(me, next).map((said) => ({ at, ...said })) };
  const seats = [0, 1, 2].map((seat) => (seat === me ? 'human' : 'level5')) as Game['seats'];
  const session = new Session(newGame(record, { seats, names: ['', '', ''] }));
  session.start();
  return { session, me, next, hit: `inquisition ${next}` };
}

test('what breaks a word is asked about first', () => {
  const { session, me, next, hit } = armed((me, next) => [
    { seat: next, say: 'truce', to: [me], rounds: 1 },
    { seat: me, say: 'yes', offer: 1 },
  ]);
  const before = session.game.record.actions.length;
  session.composer!.take(hit);
  session.confirm();
  expect(session.breaking?.lines).toMatchObject([{ key: 'pact.breaks-truce' }]);
  expect(session.game.record.actions).toHaveLength(before);
  session.keepWord();
  expect(session.breaking).toBeNull();
  expect(session.composer!.idle).toBe(true);

  session.composer!.take(hit);
  session.confirm();
  session.breakWord();
  expect(session.game.record.actions[before]).toBe(hit);
  expect(session.parley!.broken).toMatchObject([{ by: me, with: next, say: 'truce' }]);
  expect(session.said.at(-1)!.text).toBe('pact.broken-truce');
  session.stop();
});

test('coach and hints are told of pacts, also of those that the turn has brought', () => {
  settings.coach = true;
  const { session, me, next } = begin();
  session.stop();
  const truce = { seat: next, say: 'truce' as const, to: [me], rounds: 2 };
  const { session: coaching } = begin(() => [truce]);
  coaching.composer!.take(coaching.now.guide.legal[0]);
  coaching.confirm();
  expect(coached.at(-1)!.pacts).toEqual([]);
  coaching.say({ say: 'yes', offer: 1 });
  void coaching.advise();
  expect(asked.at(-1)!.pacts).toMatchObject([{ say: 'truce', seats: [next, me] }]);
  while (coaching.composer) coaching.end();
  expect(coached.at(-1)!.pacts).toMatchObject([{ say: 'truce', seats: [next, me] }]);
  coaching.stop();
});

test('what keeps a word is not', () => {
  const { session, hit } = armed(() => []);
  session.composer!.take(hit);
  session.confirm();
  expect(session.breaking).toBeNull();
  expect(session.game.record.actions).toContain(hit);
  session.stop();
});

test('the engine is told the whole game only when something was said', () => {
  interface Exports {
    memory: WebAssembly.Memory;
    civ_look(input: number, length: number): number;
  }
  const exports = engine.exports as unknown as Exports;
  let whole = 0;
  const civ_look = (input: number, length: number) => {
    const text = new TextDecoder().decode(new Uint8Array(exports.memory.buffer, input, length));
    whole += Number('deck' in (JSON.parse(text).record ?? {}));
    return exports.civ_look(input, length);
  };
  const { session, next } = begin();
  Object.assign(engine, { exports: { ...exports, civ_look } });
  session.composer!.take(session.now.guide.legal[0]);
  session.confirm();
  session.lookBack(3);
  session.lookBack(null);
  session.undo();
  expect(whole).toBe(0);
  session.say({ say: 'truce', to: [next], rounds: 1 });
  expect(whole).toBe(1);
  session.composer!.take(session.now.guide.legal[0]);
  session.confirm();
  expect(whole).toBe(1);
  Object.assign(engine, { exports });
  session.stop();
});
