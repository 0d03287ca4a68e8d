// Games for the tests, made by the engine itself: seeded games are played until a wanted position
// comes up. Seat 0 is the player's.
import type { Card, Config, Effect, GameRecord, Letter, Look, View } from '../src/engine/types';
import { engine } from './engine';

// The parts of a full state that positions are found by.
interface Position
  extends Pick<
    View,
    | 'players'
    | 'turn'
    | 'seat'
    | 'step'
    | 'choice'
    | 'coin'
    | 'embargoes'
    | 'democracies'
    | 'used'
    | 'result'
    | 'teams'
  > {
  tables: Card[][];
  hands: Card[][];
  discard: Card[];
  deck: Card[];
}

export interface Wanted {
  rules?: Partial<Config>;
  // How they play: with effects, mostly without, or so that the table fills up.
  style?: 'lively' | 'quiet' | 'full';
  cheap: (position: Position, legal: string[]) => boolean; // asked at every position
  sure?: (look: Look) => boolean; // asked of the few that pass, as seat 0 sees it
}

function random(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) >>> 0;
    return state / 2 ** 32;
  };
}

export const countOf = (cards: Card[], letter: Letter): number =>
  cards.filter((card) => card[0] === letter).length;

function choose(style: string, position: Position, legal: string[], next: () => number): string {
  if (style === 'full' && position.step === 'play') {
    // The shortest column first, so that nobody reaches Hegemony.
    const length = (action: string) =>
      countOf(position.tables[position.seat!], action.split(' ')[1]?.[0] as Letter);
    return [...legal].sort((a, b) => length(a) - length(b))[0];
  }
  const quiet = { lively: 0.25, quiet: 0.75, full: 1 }[style]!;
  if (position.step === 'effects' && legal.includes('end') && next() < quiet) return 'end';
  return legal[Math.floor(next() * legal.length)];
}

export function lookAt(record: GameRecord, seat: number | null = 0): Look {
  return engine.look({ record, seat, you: true });
}

const found = new Map<Wanted, GameRecord>();

// The record of the first game, by seed, in which the wanted position comes up, as far as that.
export function find(wanted: Wanted): GameRecord {
  const known = found.get(wanted);
  if (known) return known;
  const config = { players: 3, setup: 'basic', edition: 'en', teams: false, ...wanted.rules };
  for (let seed = 1; seed < 400; seed++) {
    const { record } = engine.look({ deal: config, seed }) as { record: GameRecord };
    const next = random(seed);
    const { first, deck } = record;
    let answer = engine.answer({ cmd: 'new', ...config, first, deck });
    const actions: string[] = [];
    for (;;) {
      const position: Position = answer.state;
      const now = { ...record, actions: [...actions], result: position.result };
      if (wanted.cheap(position, answer.legal) && (!wanted.sure || wanted.sure(lookAt(now)))) {
        found.set(wanted, now);
        return now;
      }
      if (position.step === 'over') break;
      actions.push(choose(wanted.style ?? 'lively', position, answer.legal, next));
      answer = engine.answer({ cmd: 'apply', action: actions.at(-1) });
    }
  }
  throw new Error('no such position');
}

export const mayUse = (legal: string[], effect: Effect): boolean =>
  legal.some((action) => action.split(' ')[0] === effect);
