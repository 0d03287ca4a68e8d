// Games for the tests, made by the engine itself: dealt, played by bots, or played until a wanted
// position comes up. The same seed makes the same game.
import type {
  Card,
  Config,
  Effect,
  GameRecord,
  Letter,
  Look,
  Review,
  View,
} from '../src/engine/types';
import { LETTERS } from '../src/engine/types';
import { letterOf, parse } from '../src/game/actions';
import { engine, load } from './engine';

let bots: ReturnType<typeof load> | null = null;

export type Random = (below: number) => number;

// The same numbers for the same seed (mulberry32).
export function random(seed: number): Random {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export const pick = <T>(from: readonly T[], chance: Random): T => from[chance(from.length)];

export type Rules = Partial<Omit<Config, 'first'>>;

export function deal(rules: Rules, seed: number): GameRecord {
  const config = { players: 2, setup: 'basic', edition: 'en', teams: false, ...rules };
  const answer = engine.look({ deal: config, seed });
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  return answer.record;
}

export function look(record: GameRecord, seat: number | null, at?: number): Look {
  const answer = engine.look({ record, seat, you: true, at });
  if (!answer.ok) throw new Error(JSON.stringify(answer));
  return answer;
}

export const result = (record: GameRecord) => look(record, null).view.result;

export function think(record: GameRecord, bot: string, seed: number): string {
  bots ??= load('bots');
  const decider = look(record, null).view.seat!;
  return bots.think({ view: look(record, decider).view, bot, seed }).action;
}

// A game played to its end by a simple bot.
export function finished(rules: Rules, seed: number): GameRecord {
  const record = deal(rules, seed);
  for (let n = 0; !result(record); n++) record.actions.push(think(record, 'level1', n));
  return { ...record, result: result(record) };
}

// What a short look says of it.
export function reviewed(record: GameRecord): Review {
  bots ??= load('bots');
  const steps = bots.review(record, { iterations: 20 });
  let next = steps.next();
  while (!next.done) next = steps.next();
  return next.value.review;
}

// ---- positions

// The parts of a full state that positions are found by.
export interface Position
  extends Pick<
    View,
    'turn' | 'step' | 'choice' | 'coin' | 'embargoes' | 'democracies' | 'used' | 'result'
  > {
  seat: number;
  tables: Card[][];
  hands: Card[][];
  discard: Card[];
  deck: Card[];
}

export interface Moment {
  state: Position;
  legal: string[];
}

type Chooser = (moment: Moment, chance: Random, seed: number) => string;

// The first moment of games that are played so, by seed, that fits: the record as far as that.
function reach(
  rules: Rules,
  [from, to]: readonly [number, number],
  choose: Chooser,
  fits: (moment: Moment, record: GameRecord) => boolean,
): GameRecord {
  for (let seed = from; seed < to; seed++) {
    const record = deal(rules, seed);
    const chance = random(seed);
    const { players, setup, edition, teams, first, deck } = record;
    const begin = { cmd: 'new', players, setup, edition, teams, first, deck };
    for (let moment: Moment = engine.answer(begin); ; ) {
      const now = { ...record, result: moment.state.result };
      if (fits(moment, now)) return now;
      if (moment.legal.length === 0) break;
      const action = choose(moment, chance, seed);
      record.actions.push(action);
      moment = engine.answer({ cmd: 'apply', action });
    }
  }
  throw new Error('no game reaches such a moment');
}

// Mostly at random, but with a liking for one Domain and for keeping it, so that high columns come
// up.
const towards: Chooser = ({ legal }, chance, game) => {
  const liked = legal.filter(
    (action) =>
      parse(action).verb === 'play' && letterOf(parse(action).named!) === LETTERS[game % 6],
  );
  if (liked.length > 0) return pick(liked, chance);
  return legal.includes('end') && chance(4) > 0 ? 'end' : pick(legal, chance);
};

export const search = (rules: Rules, seed: number, fits: (moment: Moment) => boolean): GameRecord =>
  reach(rules, [seed, seed + 400], towards, (moment) => moment.legal.length > 0 && fits(moment));

export const countOf = (cards: Card[], letter: Letter): number =>
  cards.filter((card) => card[0] === letter).length;

export const mayUse = (legal: string[], effect: Effect): boolean =>
  legal.some((action) => action.split(' ')[0] === effect);

// How they play: with effects, mostly without, or so that the table fills up.
const STYLES: Record<'lively' | 'quiet' | 'full', Chooser> = {
  lively: (moment, chance) => ending(moment, chance, 1),
  quiet: (moment, chance) => ending(moment, chance, 3),
  full: (moment, chance) => {
    const { state, legal } = moment;
    if (state.step !== 'play') return ending(moment, chance, 4);
    // The shortest column first, so that nobody reaches Hegemony.
    const length = (action: string) =>
      countOf(state.tables[state.seat], action.split(' ')[1]?.[0] as Letter);
    return [...legal].sort((a, b) => length(a) - length(b))[0];
  },
};

// At random, but so many times of four the turn is ended as soon as it can be.
function ending({ state, legal }: Moment, chance: Random, of4: number): string {
  const ends = state.step === 'effects' && legal.includes('end') && chance(4) < of4;
  return ends ? 'end' : pick(legal, chance);
}

export interface Wanted {
  rules?: Rules;
  style?: keyof typeof STYLES;
  cheap: (position: Position, legal: string[]) => boolean; // asked at every position
  sure?: (look: Look) => boolean; // asked of the few that pass, as seat 0 sees it
}

const found = new Map<Wanted, GameRecord>();

// A wanted position as a record. Seat 0 is the player's.
export function find(wanted: Wanted): GameRecord {
  const known = found.get(wanted);
  if (known) return known;
  const { rules, style = 'lively', cheap, sure } = wanted;
  const record = reach(
    { players: 3, ...rules },
    [1, 400],
    STYLES[style],
    ({ state, legal }, now) => cheap(state, legal) && (!sure || sure(look(now, 0))),
  );
  found.set(wanted, record);
  return record;
}
