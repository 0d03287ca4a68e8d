// The positions that the states of the page begin with.
import { LETTERS } from '../src/engine/types';
import { countOf, mayUse, type Wanted } from './games';

const mine = (step: string, seat: number | null, at: string) => seat === 0 && at === step;
const columns = (tables: string[][], least: number) =>
  tables.filter((table) =>
    LETTERS.some((letter) => table.filter((card) => card[0] === letter).length >= least),
  ).length;

export const POSITIONS = {
  play: {
    style: 'quiet',
    cheap: ({ seat, step, tables, hands, turn }) =>
      mine('play', seat, step) && turn > 18 && tables[0].length > 5 && new Set(hands[0]).size > 2,
  },
  // A win is there, but not by ending the turn, and the game goes on.
  win: {
    style: 'quiet',
    cheap: ({ seat, step, turn }, legal) =>
      mine('effects', seat, step) && turn > 12 && legal.length > 2,
    sure: ({ guide }) =>
      !!guide.threats[0]?.proven &&
      !guide.lastTurn &&
      guide.offers[guide.legal.indexOf('end')]?.key === 'offer.end',
  },
  unplayable: {
    cheap: ({ seat, step, embargoes, hands }) =>
      mine('play', seat, step) &&
      hands[0].length > 2 &&
      embargoes.some((one) => one.seat === 0 && countOf(hands[0], one.domain) > 0),
  },
  effects: {
    style: 'quiet',
    rules: { players: 4 },
    cheap: ({ seat, step, tables, turn }, legal) =>
      mine('effects', seat, step) &&
      turn > 30 &&
      tables[0].length > 8 &&
      new Set(legal.map((action) => action.split(' ')[0])).size > 4,
  },
  development: {
    style: 'quiet',
    cheap: ({ seat, step, turn, hands }, legal) =>
      mine('effects', seat, step) &&
      turn > 12 &&
      hands[0].length > 2 &&
      mayUse(legal, 'development'),
  },
  monopoly: {
    style: 'quiet',
    rules: { players: 4 },
    cheap: ({ seat, step, hands }, legal) =>
      mine('effects', seat, step) && hands[0].length > 1 && mayUse(legal, 'monopoly'),
  },
  research: {
    style: 'quiet',
    rules: { players: 4 },
    cheap: ({ seat, step, tables }, legal) =>
      mine('effects', seat, step) && tables[0].length > 5 && mayUse(legal, 'research'),
  },
  embargo: {
    style: 'quiet',
    rules: { players: 4 },
    cheap: ({ seat, step, turn }, legal) =>
      mine('effects', seat, step) &&
      turn > 20 &&
      legal.filter((action) => action.startsWith('embargo')).length > 6,
  },
  attack: {
    style: 'quiet',
    cheap: ({ seat, step }, legal) =>
      mine('effects', seat, step) &&
      legal.filter((action) => action.startsWith('attack')).length > 2,
  },
  inquisition: {
    style: 'quiet',
    rules: { players: 4 },
    cheap: ({ seat, step }, legal) =>
      mine('effects', seat, step) &&
      legal.filter((action) => action.startsWith('inquisition')).length > 2,
  },
  inspiration: {
    style: 'quiet',
    rules: { players: 4 },
    cheap: ({ seat, step }, legal) =>
      mine('effects', seat, step) && legal.filter((action) => action.startsWith('copy')).length > 2,
  },
  oligarchy: {
    style: 'quiet',
    rules: { players: 4 },
    cheap: ({ seat, step, discard }, legal) =>
      mine('effects', seat, step) &&
      new Set(discard).size > 6 &&
      (mayUse(legal, 'oligarchy') || mayUse(legal, 'republic')),
  },
  breakthrough: {
    cheap: ({ seat, step, choice }) =>
      mine('choose', seat, step) && choice?.effect === 'breakthrough' && choice.left > 1,
  },
  giving: {
    cheap: ({ seat, step, choice }) =>
      mine('choose', seat, step) && choice?.verb === 'give' && choice.left > 0,
  },
  used: {
    style: 'quiet',
    cheap: ({ seat, step, used, turn }) =>
      mine('effects', seat, step) && turn > 20 && used.permanent.length + used.discard.length > 0,
    sure: ({ guide }) =>
      ['used', 'blocked', 'not-yet'].every((state) =>
        Object.values(guide.effects).some((effect) => effect.state === state),
      ),
  },
  threat: {
    style: 'quiet',
    cheap: ({ seat, step, tables }) => mine('play', seat, step) && columns(tables.slice(1), 5) > 0,
    sure: ({ guide }) => guide.threats.slice(1).some((threat) => threat && !threat.proven),
  },
  crowded: {
    style: 'quiet',
    rules: { players: 4 },
    cheap: ({ seat, step, tables }) =>
      mine('effects', seat, step) && columns(tables.slice(1), 5) > 0,
    sure: ({ guide }) => guide.threats.slice(1).some((threat) => threat?.proven),
  },
  proven: {
    style: 'quiet',
    cheap: ({ seat, step, tables }) =>
      mine('effects', seat, step) && columns(tables.slice(1), 5) > 0,
    sure: ({ guide }) => guide.threats.slice(1).some((threat) => threat?.proven),
  },
  winning: {
    style: 'quiet',
    cheap: ({ seat, step, tables }) => mine('effects', seat, step) && columns([tables[0]], 7) > 0,
    sure: ({ guide }) => guide.wins,
  },
  marks: {
    rules: { players: 4 },
    cheap: ({ seat, step, embargoes, democracies, coin }) =>
      mine('effects', seat, step) &&
      coin !== null &&
      embargoes.some((one) => one.seat === 0) &&
      democracies.some((one) => one.seat === 0) &&
      democracies.some((one) => one.seat !== 0),
  },
  marksOfOthers: {
    cheap: ({ seat, step, embargoes, coin }) =>
      mine('effects', seat, step) && coin?.seat === 0 && embargoes.some((one) => one.seat > 0),
  },
  long: {
    style: 'quiet',
    rules: { players: 4 },
    cheap: ({ seat, step, tables }) =>
      mine('effects', seat, step) && columns(tables, 7) > 0 && columns([tables[0]], 6) > 0,
  },
  full: {
    style: 'full',
    rules: { players: 4 },
    cheap: ({ seat, step, deck }) => mine('effects', seat, step) && deck.length <= 1,
  },
  theirs: {
    style: 'quiet',
    cheap: ({ seat, step, turn, tables }) =>
      seat !== 0 && step === 'effects' && turn > 20 && tables[0].length > 4,
  },
  hegemony: {
    style: 'quiet',
    cheap: ({ result }) => result?.by === 'hegemony' && result.winners[0] === 0,
  },
  lost: {
    style: 'quiet',
    rules: { players: 2 },
    cheap: ({ result }) => result?.by === 'hegemony' && result.winners[0] !== 0,
  },
  tie: {
    style: 'quiet',
    rules: { players: 4 },
    cheap: ({ result }) => result?.by === 'majority',
    sure: ({ guide }) => guide.ending.some((line) => line.key === 'ending.tie-break'),
  },
  teams: {
    style: 'quiet',
    rules: { players: 4, teams: true },
    cheap: ({ seat, step, turn }) => mine('play', seat, step) && turn > 24,
  },
  keep: {
    rules: { setup: 'draft' },
    cheap: ({ seat, step, hands }) => mine('draft', seat, step) && hands[0].length === 1,
  },
  claim: {
    rules: { setup: 'draft' },
    cheap: ({ seat, step }, legal) => mine('claim', seat, step) && legal.length > 1,
  },
} satisfies Record<string, Wanted>;

export type PositionName = keyof typeof POSITIONS;
