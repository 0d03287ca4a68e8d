// What may be pressed is what is legal, and what is pressed is what is played: at every decision of
// some games, with the real engine. That the screen lights it is for web/tests/screen.test.ts.
import { beforeAll, expect, test, vi } from 'vitest';
import { file } from '../../tests/engine';
import { deal, look, pick, type Random, type Rules, random, result } from '../../tests/games';
import { loadEngine } from '../engine/engine';
import { EFFECTS, type GameRecord, LETTERS, type Look } from '../engine/types';
import { letterOf, type Named, parse } from './actions';
import { Composer, type Zone } from './composer.svelte';

beforeAll(async () => {
  const headers = { 'content-type': 'application/wasm' };
  const module = async () => new Response(file('build-wasm/civ.wasm'), { headers });
  vi.stubGlobal('fetch', module);
  await loadEngine();
});

const RULES: Rules[] = [
  { players: 2 },
  { players: 3, edition: 'pt' },
  { players: 4 },
  { players: 4, teams: true },
  { players: 3, setup: 'draft', edition: 'es' },
  { players: 2, setup: 'draft' },
];
const BARE = ['end', 'skip']; // by the large button, and by the page itself
const GAMES = 3; // of each
const ZONES: Zone[] = ['hand', 'own', 'discard', 'pack', 'centre'];
const NAMES = LETTERS.flatMap((letter): Named[] => [
  letter,
  ...([1, 2, 3] as const).map((age) => `${letter}${age}` as const),
]);

// Where the cards lie that an action names.
function zoneOf(action: string): Zone {
  const { verb, named } = parse(action);
  if (verb === 'keep') return 'pack';
  if (verb === 'claim') return 'centre';
  if (verb === 'recover') return 'discard';
  return verb === 'take' || named!.length === 1 ? 'own' : 'hand';
}

const pressable = (composer: Composer): string[] => [
  ...EFFECTS.filter((effect) => composer.isUsable(effect)).map((effect) => `use ${effect}`),
  ...ZONES.flatMap((zone) =>
    NAMES.filter((named) => composer.isOption(zone, named)).map((named) => `${zone} ${named}`),
  ),
];

// Cards of a set may be named in any order.
function legal({ guide, view }: Pick<Look, 'guide' | 'view'>): string[] {
  const actions = guide.choose
    ? guide.choose.cards.map((card) => `${view.choice!.verb} ${card}`)
    : guide.legal.filter((action) => !BARE.includes(action));
  return actions.map((action) => {
    const { effect, named } = parse(action);
    return effect ? `use ${effect}` : `${zoneOf(action)} ${named}`;
  });
}

const sorted = (all: string[]) => [...new Set(all)].sort();

// Aims at what one of these ways aims at, out of all that may be aimed at.
function aim(composer: Composer, action: string, ways: string[], players: number): void {
  const { seat, named, copied } = parse(action);
  if (copied) {
    composer.take(action);
    return;
  }
  const spot = (seat: number, named: Named | null) => `${seat} ${named}`;
  const spots = Array.from({ length: players }, (_, at) => at).flatMap((at) =>
    [null, ...LETTERS].filter((one) => composer.isTarget(at, one)).map((one) => spot(at, one)),
  );
  const aims = (way: string) => spot(parse(way).seat ?? composer.seat, parse(way).named);
  expect(sorted(spots)).toEqual(sorted(ways.map(aims)));
  composer.aim(seat ?? composer.seat, named === null ? null : letterOf(named));
}

// Presses a legal action and all that it asks for, comparing at each step; gives what that makes.
function press(now: Look, action: string, chance: Random, reached: Set<string>): string[] {
  const composer = new Composer(now, now.view.seat!);
  expect(sorted(pressable(composer))).toEqual(sorted(legal(now)));
  const { effect, verb, named } = parse(action);
  reached.add(effect ?? verb);
  if (effect) {
    const ways = now.guide.legal.filter((one) => parse(one).effect === effect);
    composer.use(effect);
    if (ways.length > 1) aim(composer, action, ways, now.view.players);
  } else if (!now.guide.choose) {
    composer.name(named!, zoneOf(action));
  }
  while (!composer.complete) {
    const { picked, guide } = composer;
    reached.add(`choose ${composer.view.choice!.verb}`);
    const left = pressable(composer);
    if (picked.length === 0) expect(sorted(left)).toEqual(sorted(legal(composer)));
    const [zone, one] = pick(left, chance).split(' ');
    composer.name(one as Named, zone as Zone);
    expect(guide.choose?.left ?? 1).toBeGreaterThan(picked.length);
  }
  return [...composer.actions];
}

// At random, but with a liking for one Domain and for what was not reached yet, so that everything
// comes up.
function choose({ legal }: Look['guide'], liked: string, chance: Random, reached: Set<string>) {
  const isNew = (action: string) => parse(action).effect && !reached.has(parse(action).effect!);
  const wanted = legal.filter((one) => one.startsWith(`play ${liked}`) || isNew(one));
  if (wanted.length > 0) return pick(wanted, chance);
  return legal.includes('end') && chance(4) > 0 ? 'end' : pick(legal, chance);
}

function play(record: GameRecord, seed: number, reached: Set<string>): number {
  const chance = random(seed);
  let decisions = 0;
  while (!result(record)) {
    const now = look(record, look(record, null).view.seat);
    const action = choose(now.guide, LETTERS[seed % 6], chance, reached);
    const done = BARE.includes(action) ? [action] : press(now, action, chance, reached);
    if (!now.guide.choose && parse(action).effect) expect(done[0]).toBe(action);
    record.actions.push(...done); // the engine refuses what is not legal
    decisions++;
  }
  return decisions;
}

test('what may be pressed is what is legal', () => {
  const reached = new Set<string>();
  let decisions = 0;
  for (const [i, rules] of RULES.entries())
    for (let game = 0; game < GAMES; game++) {
      const seed = GAMES * i + game;
      decisions += play(deal(rules, seed), seed, reached);
    }
  expect(decisions).toBeGreaterThan(1000);
  expect(EFFECTS.filter((effect) => !reached.has(effect))).toEqual([]);
  for (const verb of ['discard', 'take', 'recover', 'give', 'play'])
    expect(reached).toContain(`choose ${verb}`);
  for (const verb of ['keep', 'claim', 'play']) expect(reached).toContain(verb);
}, 600_000);
