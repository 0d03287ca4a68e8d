// Games to their end: languages, players, set-ups, teams, sizes and ways to play, each with each.
// CIV_LONG=1 plays whole games; else they leave out the middle (those of alone.test.ts do not).

import { expect, type Page } from '@playwright/test';
import type { GameRecord } from '../src/engine/types';
import { openGame } from './device';
import { deal, finished, look, pick, type Random, type Rules, random, result } from './games';
import { test } from './kept';
import {
  type Input,
  keyboard,
  mouse,
  open,
  Player,
  put,
  settled,
  stored,
  touch,
  visit,
} from './table';
import { LANGUAGES, type Language, texts } from './texts';

interface Case extends Rules {
  language: Language;
  players: 2 | 3 | 4;
  compact: boolean;
  way: 'mouse' | 'touch' | 'keyboard';
}

// By mouse, by keyboard and on a phone.
const MAIN = ['false mouse', 'false keyboard', 'true touch'];

const WAYS: Record<Case['way'], Input> = { mouse, touch, keyboard };

const TABLES: Pick<Case, 'players' | 'setup' | 'teams'>[] = [2, 3, 4, 5].flatMap((players) =>
  (['basic', 'draft'] as const).map((setup) => ({
    players: Math.min(players, 4) as 2 | 3 | 4,
    setup,
    teams: players === 5,
  })),
);
const SCREENS: Pick<Case, 'compact' | 'way'>[] = [false, true].flatMap((compact) =>
  (['mouse', 'touch', 'keyboard'] as const).map((way) => ({ compact, way })),
);

type Values = Record<string, unknown>;
const pairsOf = (one: Values): string[] => {
  const values = Object.entries(one).map(([name, value]) => `${name}=${value}`);
  return values.flatMap((a, i) => values.slice(i + 1).map((b) => `${a} ${b}`));
};

// Cases out of all, the one with the most new pairs first, until every pair is there.
function pairwise(all: Case[]): Case[] {
  const left = new Set(all.flatMap((one) => pairsOf({ ...one })));
  const chosen: Case[] = [];
  while (left.size > 0) {
    const fresh = (one: Case) => pairsOf({ ...one }).filter((pair) => left.has(pair)).length;
    const best = all.reduce((a, b) => (fresh(b) > fresh(a) ? b : a));
    for (const pair of pairsOf({ ...best })) left.delete(pair);
    chosen.push(best);
  }
  return chosen;
}

const ALL: Case[] = LANGUAGES.flatMap((language) =>
  TABLES.flatMap((table) => SCREENS.map((screen) => ({ language, ...table, ...screen }))),
);
const pairs = pairwise(ALL);
// The short set has every language, too.
const cases =
  process.env.CIV_LONG === '1'
    ? pairs
    : pairs.slice(0, 6).map((one, i) => ({ ...one, language: LANGUAGES[i % 5] }));

// The player of a seat plays on its strongest Domain and uses an effect now and then, so that the
// game comes to an end.
async function playOn(player: Player, chance: Random, turns = Number.POSITIVE_INFINITY) {
  for (let now = await player.now(), left = turns; now && left > 0; now = await player.now()) {
    const { legal } = now.guide;
    const ends = legal.includes('end') && chance(3) > 0;
    const strong = [...legal].sort((a, b) => height(now!, b) - height(now!, a))[0];
    const action = ends ? 'end' : now.view.step === 'play' ? strong : pick(legal, chance);
    await player.act(action, chance);
    if (action === 'end') left--;
  }
}

const sameScreen = (a: Case, b: Case) => a.compact === b.compact && a.way === b.way;

for (const [i, one] of cases.entries()) {
  const { language, players, setup, teams, compact, way } = one;
  const rules = { players, setup, teams, edition: LANGUAGES[i % 5] };
  const title = `${language}, ${players} players, ${setup}${teams ? ', teams' : ''}`;
  const isFirst = cases.findIndex((other) => sameScreen(other, one)) === i;
  const tag = isFirst && MAIN.includes(`${compact} ${way}`) ? '@main' : [];
  const isWhole = process.env.CIV_LONG === '1';
  test.describe(`${title}, ${compact ? 'phone' : 'wide'}, ${way}`, () => {
    test.use({
      viewport: compact ? { width: 390, height: 844 } : { width: 1440, height: 900 },
      hasTouch: way === 'touch',
      serviceWorkers: 'block',
      loaded: true,
    });

    test('a game to its end', { tag }, async ({ page }) => {
      const input = WAYS[way];
      const chance = random(i);
      const seat = i % players;
      const sit = async (record: GameRecord) => {
        const game = await put(page, record, [seat], 1 + (i % 2));
        await open(page, game);
        return new Player(page, game, seat, input, { compact, language });
      };
      await visit(page, { language });
      let player = await sit(deal(rules, 50 + i));
      if (!isWhole) {
        await playOn(player, chance, 1);
        player = await sit(late(finished(rules, 50 + i), seat));
      }
      await playOn(player, chance);
      await expectResult(player);
      await playAgain(player, rules);
    });
  });
}

// A game as it was when seven of ten actions were done, and this seat had its next turn.
function late(whole: GameRecord, seat: number): GameRecord {
  for (let at = Math.floor(whole.actions.length * 0.7); at < whole.actions.length; at++) {
    const record = { ...whole, actions: whole.actions.slice(0, at), result: null };
    const { view } = look(record, null);
    if (view.step === 'play' && view.seat === seat) return record;
  }
  throw new Error('no such turn');
}

async function expectResult({ page, game, seat, options }: Player): Promise<void> {
  const record = await stored(page, game);
  expect(record.result).toEqual(result(record));
  const { winners } = record.result!;
  const heading = page.getByRole('dialog').getByRole('heading', { level: 2 });
  if (winners.includes(seat))
    await expect(heading).toHaveText(texts[options.language!]['end.you-won']);
  else for (const name of await names(page, winners)) await expect(heading).toContainText(name);
}

async function playAgain({ page, game, input, options }: Player, rules: Rules): Promise<void> {
  const name = texts[options.language!]['end.rematch'];
  await input.press(page.getByRole('dialog').getByRole('button', { name, exact: true }));
  await expect(page).not.toHaveURL(new RegExp(game.id));
  await settled(page);
  const next = await openGame(page);
  expect(next.seats).toEqual([...game.seats.slice(-1), ...game.seats.slice(0, -1)]);
  const { players, setup, teams } = rules;
  expect(next.record).toMatchObject({ players, setup, teams, result: null });
}

function height(now: ReturnType<typeof look>, action: string): number {
  const column = 'MRESCU'.indexOf(action.split(' ')[1]?.[0] ?? '');
  return column < 0 ? 0 : now.guide.columns[now.view.seat!][column].count;
}

// As the table shows them.
async function names(page: Page, seats: number[]): Promise<string[]> {
  const shown = (seat: number) =>
    page.locator(`[data-seat="${seat}"] .who b, [data-seat="${seat}"] .pname`).first();
  return Promise.all(seats.map(async (seat) => (await shown(seat).textContent())!));
}
