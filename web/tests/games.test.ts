// Whole games to their end: languages, players, set-ups, teams, sizes and ways to play, each with each.
import { expect, type Page, test } from '@playwright/test';
import {
  deal,
  type Input,
  keyboard,
  type Language,
  type look,
  mouse,
  open,
  Player,
  pick,
  put,
  type Rules,
  random,
  result,
  settled,
  stored,
  texts,
  touch,
  visit,
} from './table';

interface Case extends Rules {
  language: Language;
  players: 2 | 3 | 4;
  compact: boolean;
  way: 'mouse' | 'touch' | 'keyboard';
}

const WAYS: Record<Case['way'], Input> = { mouse, touch, keyboard };

const LANGUAGES: Language[] = ['en', 'fr', 'es', 'pt', 'ro'];
const TABLES: Pick<Case, 'players' | 'setup' | 'teams'>[] = [2, 3, 4, 5].flatMap((players) =>
  (['basic', 'draft'] as const).map((setup) => ({ players: Math.min(players, 4) as 2 | 3 | 4, setup, teams: players === 5 })),
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
const cases = process.env.CIV_LONG ? pairs : pairs.slice(0, 6).map((one, i) => ({ ...one, language: LANGUAGES[i % 5] }));

for (const [i, one] of cases.entries()) {
  const { language, players, setup, teams, compact, way } = one;
  test.describe(`${language}, ${players} players, ${setup}${teams ? ', teams' : ''}, ${compact ? 'phone' : 'wide'}, ${way}`, () => {
    test.use({
      viewport: compact ? { width: 390, height: 844 } : { width: 1440, height: 900 },
      hasTouch: way === 'touch',
      serviceWorkers: 'block',
    });

    test('a whole game', async ({ page }) => {
      const input = WAYS[way];
      const chance = random(i);
      const seat = i % players;
      await visit(page, { language });
      const game = await put(page, deal({ players, setup, teams, edition: LANGUAGES[i % 5] }, 50 + i), [seat], 1 + (i % 2));
      await open(page, game);
      const player = new Player(page, game, seat, input, { compact, language });
      for (let now = await player.now(); now; now = await player.now()) {
        // Plays on its strongest Domain and uses one effect now and then, so that the game comes to an end.
        const { legal } = now.guide;
        const ends = legal.includes('end') && chance(3) > 0;
        const strong = [...legal].sort((a, b) => height(now!, b) - height(now!, a))[0];
        await player.act(ends ? 'end' : now.view.step === 'play' ? strong : pick(legal, chance), chance);
      }
      const record = await stored(page, game);
      expect(record.result).toEqual(result(record));
      const { winners } = record.result!;
      const dialog = page.getByRole('dialog');
      const heading = dialog.getByRole('heading', { level: 2 });
      if (winners.includes(seat)) await expect(heading).toHaveText(texts[language]['end.you-won']);
      else for (const name of await names(page, winners)) await expect(heading).toContainText(name);

      await input.press(dialog.getByRole('button', { name: texts[language]['end.rematch'], exact: true }));
      await expect(page).not.toHaveURL(new RegExp(game.id));
      await settled(page);
      const next = await page.evaluate(() => JSON.parse(localStorage.getItem(`civ.game.${location.hash.split('/')[2]}`)!));
      expect(next.seats).toEqual([...game.seats.slice(-1), ...game.seats.slice(0, -1)]);
      expect(next.record).toMatchObject({ players, setup, teams, result: null });
    });
  });
}

function height(now: ReturnType<typeof look>, action: string): number {
  const column = 'MRESCU'.indexOf(action.split(' ')[1]?.[0] ?? '');
  return column < 0 ? 0 : now.guide.columns[now.view.seat!][column].count;
}

// As the table shows them.
async function names(page: Page, seats: number[]): Promise<string[]> {
  const shown = (seat: number) => page.locator(`[data-seat="${seat}"] .who b, [data-seat="${seat}"] .pname`).first();
  return Promise.all(seats.map(async (seat) => (await shown(seat).textContent())!));
}
