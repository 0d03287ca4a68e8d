// With the real engine: what is told is its story.
import { beforeAll, expect, test } from 'vitest';
import { search } from '../../tests/games';
import { loadRealEngine } from '../../tools/real-engine';
import { look } from '../engine/engine';
import type { GameRecord, Look, Message, Told } from '../engine/types';
import { gotBack, hasActed, hitsOf, recap } from './recap';

beforeAll(loadRealEngine);

function told(record: Partial<GameRecord>, me: number, at?: number) {
  const now = look({ record, seat: me, you: true, from: 0, ...(at === undefined ? {} : { at }) });
  if (!now.ok) throw new Error(now.error.key);
  return {
    me,
    now: now as Look,
    story: now.story,
    told: now.story.at(-1) ?? null,
  };
}

test('tells what others did since the last turn, and marks what was aimed at oneself', () => {
  const record = search(
    { players: 3 },
    70,
    ({ state }) =>
      state.step === 'play' &&
      state.tables.flat().length > 6 &&
      state.embargoes.some((one) => one.seat === state.seat),
  );
  const scene = told(record, record.actions.length > 0 ? told(record, 0).now.view.seat! : 0);
  const all = recap(scene);
  expect(all.some(({ hit, line }) => hit && line.key === 'story.embargo')).toBe(true);
  expect(all.every(({ seat }) => seat !== scene.me)).toBe(true);
  const last = scene.story.findLast(({ seat }) => seat === scene.me)?.turn ?? 0;
  const since = scene.story.filter(({ turn }) => turn > last);
  expect(all.length).toBeGreaterThan(0);
  expect(all.length).toBeLessThanOrEqual(since.flatMap(({ lines }) => lines).length);
  expect(hasActed(scene)).toBe(false);
});

test('stays the same while one’s own turn goes on, but has then been acted on', () => {
  const record = search(
    { players: 3 },
    70,
    ({ state }) => state.step === 'play' && state.tables.flat().length > 6,
  );
  const me = told(record, 0).now.view.seat!;
  const before = told(record, me);
  const after = told({ ...record, actions: [...record.actions, before.now.guide.legal[0]] }, me);
  expect(recap(after)).toEqual(recap(before));
  expect([hasActed(before), hasActed(after)]).toEqual([false, true]);
});

test('shows the cards that came back from an Inquisition until one acts', () => {
  const record = search(
    { players: 2 },
    70,
    ({ state }) =>
      state.step === 'choose' && state.choice?.verb === 'give' && state.choice.left === 1,
  );
  const by = told(record, 0).now.view.seat!;
  const me = 1 - by;
  const giving = told(record, by);
  const actions = [...record.actions, giving.now.guide.legal[0]];
  const scene = told({ ...record, actions }, me);
  const hand = scene.now.view.hands[me];
  const back = gotBack(scene);
  expect(back.length).toBeGreaterThan(0);
  for (const card of back) expect('cards' in hand && hand.cards).toContain(card);
});

const line = (key: string, args: Message['args']): Message => ({ key, args });
const by = (seat: number, ...lines: Message[]): Told => ({
  begin: 0,
  end: 1,
  seat,
  turn: 2,
  effect: null,
  lines,
});
const hitIn = (...story: Told[]) =>
  hitsOf({
    me: 0,
    now: { view: { turn: 4 }, guide: { turnOf: 0 } } as Look,
    story,
    told: story.at(-1) ?? null,
  });
const me = { target: { seat: 0 } };

test('says of each hit who did it, what, and what was lost', () => {
  const hits = hitIn(
    by(1, line('story.inquisition', { ...me, cards: { cards: ['R1', 'M1', 'M2'] } })),
    by(1, line('story.give', { ...me, cards: { cards: ['M2', 'C1', 'M2'] } })),
    by(2, line('story.embargo', { ...me, domain: { domain: 'S' } })),
    by(2, line('story.remove', { name: { seat: 0 }, card: { card: 'E1' } })),
  );
  expect(hits.map(({ seat, said }) => [seat, said.key])).toEqual([
    [1, 'recap.hit-inquisition'],
    [2, 'recap.hit-embargo'],
    [2, 'recap.hit-attack'],
  ]);
  expect(hits[0].said.args).toMatchObject({ lost: { domains: ['R'] }, got: { domains: ['C'] } });
  expect(hits[1].said.args).toMatchObject({ name: { seat: 2 }, domain: { domain: 'S' } });
  expect(hits[2].said.args).toMatchObject({ domain: { domain: 'E' } });
  expect(hits[2].brief.args).toMatchObject({ domains: { domain: 'E' } });
});

test('in a replay it tells what had happened by the moment that is shown', () => {
  const record = search(
    { players: 3 },
    70,
    ({ state }) => state.step === 'play' && state.tables.flat().length > 6,
  );
  const whole = told(record, 0);
  const at = whole.story.find(({ turn }) => turn === 2)!.end;
  const { now } = told(record, 0, at);
  const shown = recap({ ...told(record, 0, at), story: whole.story });
  expect(shown).toEqual(recap(told(record, 0, at)));
  expect(shown.length).toBeGreaterThan(0);
  expect(now.view.turn).toBe(2);
});

test('an Inquisition is told when it is over, and one that changed nothing says so', () => {
  const taken = by(1, line('story.inquisition', { ...me, cards: { cards: ['R1', 'M1'] } }));
  expect(hitIn(taken)).toEqual([]);
  const [hit] = hitIn(taken, by(1, line('story.give', { ...me, cards: { cards: ['M2', 'R2'] } })));
  expect(hit.said.args.count).toBe(0);
});

test('whoever copies an effect takes nothing away', () => {
  expect(hitIn(by(1, line('story.copy', { ...me })))).toEqual([]);
});

test('begins with what somebody did, not with the Age that came up', () => {
  const record = search({ players: 3 }, 70, ({ state }) => state.step === 'play' && state.turn > 1);
  const scene = told(record, told(record, 0).now.view.seat!);
  const came = { key: 'story.age', args: { age: { age: 2 } } } as unknown as Message;
  const story = scene.story.map((one) => ({ ...one, lines: [came, ...one.lines] }));
  expect(recap({ ...scene, story })).toEqual(recap(scene));
  expect(recap(scene)).not.toEqual([]);
});
