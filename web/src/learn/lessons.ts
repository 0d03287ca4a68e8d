// The lessons: where each begins, what is asked step by step, and what the engine must say of the
// table when a step is done. What is said is in text/learn: lesson.<name>.<step>, with -aim for
// what is said once an effect wants its target, and -not for a try that does something else.
import type { Effect, GameRecord, Letter, Step as State, Verb } from '../engine/types';
import positions from './positions.json';

export interface Goal {
  columns?: Record<string, number>; // cards of a seat's Domain, '1M'
  needs?: Record<string, number>; // cards for Hegemony there
  holds?: Partial<Record<Letter, number>>; // at least so many in one's hand
  hand?: number; // cards in it
  handSize?: number;
  step?: State;
  chooses?: Verb; // what the choice that is open asks for
  from?: number; // from whom
  seat?: number; // who decides
  embargo?: string; // a column, or '' for any
  safe?: number; // this seat cannot win with its next turn
  winner?: number;
}

export interface Step {
  want: string[]; // the actions that are shown to those who ask
  goal: Goal; // whatever else reaches it is as good
  others?: string[]; // what the others do then, as far as they can
  aim?: true; // something is said of the target
  not?: true; // something of its own is said of other tries
}

export interface Lesson {
  name: Name;
  age: 1 | 2 | 3; // of the map
  emblem: Letter | 'hand' | 'levels' | 'discard' | 'crown' | 'scales' | 'deck';
  effect?: Effect; // that it is about
  steps: Step[];
}

export type Name = keyof typeof positions;

export const ME = 0;
export const NAMES = ['', 'Ada', 'Bran'];

// A position as a record: the deck is written as letters, Age by Age.
export function recordOf(name: Name): GameRecord {
  const { setup, first, deck, actions } = positions[name];
  return {
    format: 'civ-game/1',
    rules: 1,
    edition: 'en',
    players: NAMES.length,
    setup: setup as GameRecord['setup'],
    teams: false,
    first,
    deck: deck.flatMap((letters, i) => [...letters].map((letter) => `${letter}${i + 1}`)) as never,
    actions: actions ? actions.split(', ') : [],
    result: null,
  };
}

const end = (goal: Goal = { seat: 1 }, ...others: string[]): Step => ({
  want: ['end'],
  goal,
  others,
});

export const LESSONS: Lesson[] = [
  {
    name: 'turn',
    age: 1,
    emblem: 'hand',
    steps: [
      { want: ['play S1'], goal: { step: 'effects' } },
      end({ hand: 3, seat: 1 }, 'play R1', 'end', 'play M1', 'end'),
      { want: ['play R1'], goal: { step: 'effects' } },
    ],
  },
  {
    name: 'levels',
    age: 1,
    emblem: 'levels',
    steps: [
      { want: ['play R1'], goal: { columns: { '0R': 3 } }, not: true },
      { want: ['holy-book'], goal: { handSize: 5 }, not: true },
      end({ hand: 5 }),
    ],
  },
  {
    name: 'discard',
    age: 1,
    emblem: 'discard',
    steps: [
      { want: ['play C1'], goal: { step: 'effects' } },
      { want: ['embargo 1 M'], goal: { embargo: '' }, aim: true },
      end({ seat: 1 }, 'play C1', 'end', 'play S1', 'end'),
    ],
  },
  {
    name: 'attack',
    age: 2,
    emblem: 'M',
    effect: 'attack',
    steps: [
      { want: ['play M1'], goal: { columns: { '0M': 2 } }, not: true },
      { want: ['attack R'], goal: { columns: { '1R': 2, '2R': 2 } }, aim: true, not: true },
    ],
  },
  {
    name: 'embargo',
    age: 2,
    emblem: 'E',
    effect: 'embargo',
    steps: [
      { want: ['play E1'], goal: { columns: { '0E': 2 } }, not: true },
      { want: ['embargo 1 M'], goal: { embargo: '1M' }, aim: true, not: true },
      end({ seat: 1 }, 'play C1', 'end', 'play R1', 'end'),
    ],
  },
  {
    name: 'inquisition',
    age: 2,
    emblem: 'R',
    effect: 'inquisition',
    steps: [
      { want: ['play R1'], goal: { columns: { '0R': 2 } }, not: true },
      { want: ['inquisition 1'], goal: { chooses: 'give', from: 1 }, aim: true, not: true },
      { want: ['give M1', 'give E1', 'give C1'], goal: { holds: { S: 2 } }, not: true },
    ],
  },
  {
    name: 'inspiration',
    age: 2,
    emblem: 'C',
    effect: 'inspiration',
    steps: [
      { want: ['play C1'], goal: { columns: { '0C': 2 } }, not: true },
      { want: ['copy holy-book'], goal: { handSize: 5 }, aim: true, not: true },
      end({ hand: 5 }),
    ],
  },
  {
    name: 'breakthrough',
    age: 2,
    emblem: 'S',
    effect: 'breakthrough',
    steps: [
      { want: ['play S3'], goal: { columns: { '0S': 3 } }, not: true },
      { want: ['breakthrough'], goal: { chooses: 'discard' }, not: true },
      {
        want: ['discard M1', 'discard E1', 'discard E3', 'discard C3', 'discard U3'],
        goal: { holds: { S: 2 } },
        not: true,
      },
      { want: ['oligarchy', 'recover S2'], goal: { holds: { S: 3 } }, aim: true, not: true },
    ],
  },
  {
    name: 'hegemony',
    age: 3,
    emblem: 'crown',
    steps: [
      { want: ['play M1'], goal: { columns: { '0M': 2 } }, not: true },
      { want: ['attack M'], goal: { safe: 1, step: 'effects' }, aim: true, not: true },
      end({ seat: 1 }, 'play M1', 'end', 'play R1', 'end'),
    ],
  },
  {
    name: 'majority',
    age: 3,
    emblem: 'scales',
    steps: [{ want: ['play C3'], goal: { columns: { '0C': 2 } }, not: true }, end({ winner: ME })],
  },
  {
    name: 'democracy',
    age: 3,
    emblem: 'U',
    effect: 'democracy',
    steps: [
      { want: ['play U3'], goal: { columns: { '0U': 1 } }, not: true },
      { want: ['democracy 1 M'], goal: { needs: { '1M': 8 } }, aim: true, not: true },
      end({ seat: 1 }, 'play M2', 'end', 'play S3', 'end'),
    ],
  },
  {
    name: 'draft',
    age: 3,
    emblem: 'deck',
    steps: [
      { want: ['keep S1'], goal: { holds: { S: 1 } }, not: true },
      { want: ['keep S1'], goal: { holds: { S: 2 } } },
      { want: ['keep S1'], goal: { holds: { S: 3 } } },
      { want: ['claim S'], goal: { columns: { '0S': 1 } } },
    ],
  },
];
