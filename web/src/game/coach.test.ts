// The coach at a game on this device, with the real engine and answers of our own.
import { afterEach, expect, test, vi } from 'vitest';
import { deal, find, look, type Wanted } from '../../tests/games';
import type { GameRecord, Mistake, View } from '../engine/types';
import { thrownAway } from './coach';
import { Session } from './session.svelte';
import type { Seat } from './setup';
import { importGame, newGame, recordOf } from './store';

// What the judge is asked, and what it says; a question without an answer waits for ever.
const coach = vi.hoisted(() => ({
  asked: [] as { view: View; played: string[] }[],
  answer: (_: string[]): Promise<Mistake | null> => Promise.resolve(null),
}));
let thought = 0; // times that a bot was asked
vi.mock('../bots/pool', () => ({
  Pool: class {
    think() {
      thought++;
      return new Promise(() => {});
    }
    coach(view: View, played: string[]) {
      coach.asked.push({ view, played });
      return coach.answer(played);
    }
    stop() {}
  },
}));
vi.mock('../engine/engine', () => import('../../tests/asked'));
const settings = vi.hoisted(() => ({
  pace: 'instant',
  coach: null as boolean | null,
  coached: 0,
  autoEnd: false,
}));
vi.mock('./settings.svelte', () => ({ settings }));
vi.mock('../text/text.svelte', () => ({ say: () => '', t: () => '' }));

afterEach(() => {
  vi.useRealTimers();
  coach.asked.length = 0;
  coach.answer = () => Promise.resolve(null);
  thought = 0;
  Object.assign(settings, { coach: null, coached: 0, autoEnd: false });
});

const settled = () => new Promise((resolve) => setImmediate(resolve));

const mistake = (lost: number): Mistake => ({
  better: ['end'],
  lost,
  reasons: [{ key: 'reason.free', args: {} }],
  told: [[], []],
});

function sit(record: GameRecord, people = [0]): Session {
  const seats = Array.from({ length: record.players }, (_, seat): Seat => {
    return people.includes(seat) ? 'human' : 'level1';
  });
  const session = new Session(newGame(record, { seats, names: seats.map(() => '') }));
  session.start();
  return session;
}

// At the beginning of seat 0's first turn.
const START: Wanted = {
  rules: { players: 2 },
  cheap: ({ seat, step }) => seat === 0 && step === 'play',
};

// A turn of seat 0: its first card, and the end.
function play(session: Session): void {
  const card = session.now.guide.legal[0].split(' ')[1];
  session.composer!.name(card as never, 'hand');
  session.confirm();
  session.end();
}

test('what is fine is left unsaid, and the next one plays on', async () => {
  const session = sit(find(START));
  const { view } = session.now;
  play(session);
  await settled();
  expect(session.speech).toBeNull();
  expect(thought).toBe(1);
  const { actions } = session.game.record;
  // It thought ahead, of what the player sees alone, and judged the whole turn.
  expect(coach.asked).toEqual([
    { view, played: [] },
    { view, played: actions },
  ]);
  session.stop();
});

test('while it speaks the others wait, and it speaks once', async () => {
  coach.answer = async (played) => (played.length > 0 ? mistake(0.2) : null);
  const session = sit(find(START));
  play(session);
  await settled();
  expect(session.speech).toMatchObject({ about: 'turn', held: null, remark: { lost: 0.2 } });
  expect(session.reading).toBe(true);
  expect(thought).toBe(0);
  session.playOn();
  await settled();
  expect(session.speech).toBeNull();
  expect(thought).toBe(1);
  session.stop();
});

test('of several mistakes in one turn it tells the worst', async () => {
  const record = find({
    rules: { players: 2 },
    cheap: ({ seat, step, hands }, legal) =>
      seat === 0 && step === 'effects' && legal.includes('inquisition 1') && hands[1].length > 0,
  });
  const losses = [0.3, 0.1];
  coach.answer = async (played) => (played.length > 0 ? mistake(losses.shift()!) : null);
  const session = sit(record);
  session.composer!.take('inquisition 1');
  session.confirm();
  for (let i = 0; i < 30 && session.now.view.step === 'choose'; i++) {
    const { zone, options } = session.composer!;
    session.composer!.name(options[0], zone!);
    if (session.composer!.complete) session.confirm();
  }
  session.end();
  await settled();
  expect(losses).toEqual([]);
  expect(session.speech).toMatchObject({ remark: { lost: 0.3, at: record.actions.length } });
  session.stop();
});

test('a turn that is taken back is dealt anew, in the same game, which says so', async () => {
  coach.answer = async (played) => (played.length > 0 ? mistake(0.2) : null);
  const record = find(START);
  const session = sit(record);
  const { id } = session.game;
  const { view } = session.now;
  play(session);
  await settled();
  session.takeBack();
  await settled();
  expect(session.speech).toBeNull();
  expect(session.game.id).toBe(id);
  expect(session.game.record.actions).toEqual(record.actions);
  expect(session.game.record.deck).not.toEqual(record.deck);
  expect(session.now.view).toEqual(view);
  expect(session.composer).not.toBeNull();
  expect(session.game.takenBack).toBe(1);
  const file = recordOf(session.game, ['', '']);
  expect(file.comments).toMatchObject({ takenBack: 1 });
  const imported = importGame(JSON.stringify(file), () => null);
  expect(imported).toMatchObject({ ok: true, game: { takenBack: 1 } });
  session.stop();
});

test('nobody waits long for what it does not know', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  coach.answer = () => new Promise(() => {});
  const session = sit(find(START));
  play(session);
  await settled();
  expect(thought).toBe(0);
  vi.advanceTimersByTime(1500);
  await settled();
  expect(session.speech).toBeNull();
  expect(thought).toBe(1);
  session.stop();
});

test('a judge that fails is silent', async () => {
  coach.answer = () => Promise.reject(new Error('broken'));
  const session = sit(find(START));
  play(session);
  await settled();
  expect(session.speech).toBeNull();
  expect(session.failed).toBe(false);
  expect(thought).toBe(1);
  session.stop();
});

const WIN: Wanted = {
  rules: { players: 2 },
  style: 'quiet',
  cheap: ({ seat, step, turn }, legal) =>
    seat === 0 && step === 'effects' && turn > 8 && legal.length > 1,
  sure: ({ guide }) => thrownAway(guide, 0)?.seat === 0,
};
const STOP: Wanted = { ...WIN, sure: ({ guide }) => thrownAway(guide, 0)?.seat === 1 };

test.each([
  ['a win', WIN, 0],
  ['what stops a Hegemony', STOP, 1],
])('before %s is thrown away it asks, once', async (_, wanted, seat) => {
  const record = find(wanted);
  const session = sit(record);
  expect(session.asks).toBe(true);
  session.end();
  expect(session.game.record.actions).toEqual(record.actions);
  expect(session.speech).toMatchObject({ about: 'threat', held: ['end'], seat });
  expect(session.asks).toBe(false);
  session.playOn();
  expect(session.speech).toBeNull();
  session.end();
  expect(session.game.record.actions).toEqual([...record.actions, 'end']);
  session.stop();
});

test('what only a broken pact would stop is not thrown away', () => {
  const { guide } = look(find(STOP), 0);
  const { stops } = thrownAway(guide, 0)!.threat;
  const first = stops.find(({ now }) => now)!;
  const breaks = Object.fromEntries(stops.map(({ action }) => [action, []]));
  expect(thrownAway(guide, 0, breaks)).toBeNull();
  delete breaks[first.action];
  expect(thrownAway(guide, 0, breaks)!.threat.stops).toEqual(
    stops.filter(({ action }) => action === first.action),
  );
});

test('who ends anyway has ended', () => {
  const record = find(WIN);
  const session = sit(record);
  session.end();
  session.endAnyway();
  expect(session.game.record.actions).toEqual([...record.actions, 'end']);
  expect(session.speech).toBeNull();
  session.stop();
});

test('of the last turn it speaks before it is over', async () => {
  const record = find({
    rules: { players: 2 },
    cheap: ({ seat, step, deck }) => seat === 0 && step === 'effects' && deck.length < 3,
    sure: ({ guide }) => guide.lastTurn && !thrownAway(guide, 0),
  });
  coach.answer = async (played) => (played.length > 0 ? mistake(0.2) : null);
  const session = sit(record);
  session.end();
  await settled();
  expect(session.speech).toMatchObject({ about: 'turn', held: ['end'] });
  expect(session.over).toBe(false);
  expect(settings.coached).toBe(0);
  session.endAnyway();
  expect(session.over).toBe(true);
  expect(settings.coached).toBe(1); // a game with the coach
  session.stop();
});

test('a last turn that would have ended by itself waits while it speaks', async () => {
  settings.autoEnd = true;
  const record = find({
    rules: { players: 2 },
    cheap: ({ seat, step, deck }, legal) =>
      seat === 0 && step === 'effects' && deck.length < 3 && legal.length === 1,
    sure: ({ guide }) => guide.lastTurn && !thrownAway(guide, 0),
  });
  coach.answer = async (played) => (played.length > 0 ? mistake(0.2) : null);
  const session = sit(record);
  expect(session.ending).toBe(true);
  await settled();
  expect(session.speech).toMatchObject({ about: 'turn', held: ['end'] });
  session.playOn();
  expect(session.ending).toBe(false);
  session.end();
  expect(session.over).toBe(true);
  session.stop();
});

test('it never speaks beside other people, nor where it is off', () => {
  coach.answer = async () => mistake(1);
  settings.coach = true;
  const two = sit(find(WIN), [0, 1]);
  expect(two.coached).toBe(false);
  expect(two.asks).toBe(false);
  two.stop();
  settings.coach = false;
  const one = sit(deal({ players: 2 }, 1));
  expect(one.coached).toBe(false);
  one.stop();
  expect(coach.asked).toEqual([]);
});
