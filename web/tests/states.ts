// All that the page can show: its screens and states, and how to bring a browser to each of them.
// Pictures and tests go through this list.

import type { Page } from '@playwright/test';
import type { Effect, GameRecord, Said } from '../src/engine/types';
import { DOMAIN_OF } from '../src/text/emblems';
import { sizeOf } from '../src/ui/size';
import { entry, forgetGames, storeGames } from './device';
import { find, look } from './games';
import { fresh, press, speak, unload } from './inplace';
import { LIVE } from './online-states';
import { POSITIONS, type PositionName } from './positions';
import { enter, otherTable, ownTable } from './rooms';

export interface State {
  name: string;
  table: boolean; // has a board
  only?: 'compact' | 'phone'; // a state that the other layouts do not have
  apart?: boolean; // it is another one in each layout
  alone?: boolean; // the page cannot forget it: it is loaded anew before and after
  go: (page: Page) => Promise<void>;
}

export interface Wish {
  language?: string;
  theme?: 'light' | 'dark';
  pace?: 'slow' | 'normal' | 'fast' | 'instant';
}

const NAMES = ['', 'Ada', 'Bran', 'Chiara'];
// Another one for each game: what the one before stores late is not this one's.
let id = 'shown0';
let shown = 0;
const newId = () => (id = `shown${++shown}`);

interface Seating {
  seats?: string[];
  names?: string[];
}

// With how it stands, which lists say.
function stored(record: GameRecord, { seats, names = NAMES }: Seating = {}) {
  const { players } = record;
  const { view, guide } = look(record, 0);
  const level = (_: unknown, seat: number) => (seat === 0 ? 'human' : `level${seat * 2}`);
  const [{ count, need }] = guide.columns[0];
  return entry(
    { ...record, result: view.result },
    (seats ?? Array.from({ length: players }, level)).slice(0, players),
    names.slice(0, players),
    {
      created: Date.UTC(2026, 0, 31),
      updated: Date.UTC(2026, 0, 31, 12),
      stands: {
        turnOf: guide.turnOf,
        round: guide.round,
        best: { seat: 0, domain: 'M', count, need },
      },
    },
  );
}

async function put(page: Page, games: Record<string, object>): Promise<void> {
  await forgetGames(page); // one of the same name may have been played
  await storeGames(page, games);
}

async function open(page: Page, address: string, ready: string): Promise<void> {
  await page.goto(`./#/${address}`);
  await page.locator(ready).first().waitFor({ state: 'attached' });
  await page.evaluate(() => document.fonts.ready);
}

async function table(page: Page, position: PositionName, seating?: Seating): Promise<void> {
  await put(page, { [newId()]: stored(find(POSITIONS[position]), seating) });
  await open(page, `play/${id}`, '.go .main, .curtain');
}

// The player has a truce with one of the others, an offer of another, and others have one, too.
const TALK: Omit<Said, 'at'>[] = [
  { seat: 0, say: 'truce', to: [2], rounds: 2 },
  { seat: 2, say: 'yes', offer: 1 },
  { seat: 1, say: 'truce', to: [0], rounds: 2 },
  { seat: 2, say: 'truce', to: [3], rounds: 3 },
  { seat: 3, say: 'yes', offer: 4 },
];
export function pacted(record: GameRecord): GameRecord {
  const talk = TALK.map((said) => ({ at: record.actions.length, ...said }));
  return { ...record, comments: { talk } };
}

// As much as there can be: several pacts of the same two, and others across them.
export function crowded(): GameRecord {
  const record = find(POSITIONS.crowded);
  const pairs: [number, number][] = [
    [0, 2],
    [0, 3],
    [2, 3],
    [1, 3],
    [1, 2],
  ];
  const kinds = [
    { say: 'truce' as const, rounds: 3 },
    { say: 'together' as const, against: 1 },
  ];
  const agreed = pairs.flatMap(([by, to]) =>
    kinds
      .filter(({ against }) => against !== by && against !== to)
      .map((kind) => ({ by, to, kind })),
  );
  // Each offer and each pact has the next number.
  const talk: Omit<Said, 'at'>[] = agreed.flatMap(({ by, to, kind }, i) => [
    { seat: by, to: [to], ...kind },
    { seat: to, say: 'yes', offer: 2 * i + 1 },
  ]);
  talk.push({ seat: 1, say: 'truce', to: [0], rounds: 2 });
  const at = record.actions.length;
  return { ...record, comments: { talk: talk.map((said) => ({ at, ...said })) } };
}

async function pacts(page: Page, record = pacted(find(POSITIONS.inquisition))): Promise<void> {
  const seats = ['human', 'level3', 'level4', 'level5'];
  await put(page, { [newId()]: stored(record, { seats }) });
  await open(page, `play/${id}`, '.offer');
}

const isPhone = (page: Page) => page.locator('.phone').isVisible();
const isCompact = (page: Page) => page.locator('.phone, .tablet').isVisible();

async function use(page: Page, effect: Effect): Promise<void> {
  const ready = `.fx[data-effect="${effect}"][data-state=ready]`;
  const button = `${ready}, [data-explained="${effect}"] .use`;
  if ((await isPhone(page)) && (await page.locator(button).count()) === 0)
    await press(page, `.lane[data-column="0${DOMAIN_OF[effect]}"]`);
  await press(page, button);
}

// Chooses the first of what is lit.
const LIT = [
  '.chooser .card.lit',
  '.chooser .target:not(.none)',
  '.chooser .option',
  '.pile .card.lit',
  'button.hit',
  'button.aim',
  '.lane.lit',
  '.hand .card.lit',
].join();
const choose = (page: Page) => press(page, LIT);

async function compose(
  page: Page,
  position: PositionName,
  effect: Effect,
  choices: number,
): Promise<void> {
  await table(page, position);
  await use(page, effect);
  for (let i = 0; i < choices; i++) await choose(page);
}

async function dialog(page: Page, button: string): Promise<void> {
  await press(page, button);
  await page.locator('dialog[open]').waitFor();
}

const menu = (page: Page) => dialog(page, '.bar .ib');
// A line of the log in the middle of the game.
const lookBack = (page: Page) =>
  page
    .locator('.log li button')
    .evaluateAll((all) => (all[all.length >> 1] as HTMLElement).click());

const home = (page: Page) => open(page, '', '.home .main');
const games = (page: Page) => open(page, 'games', '.gamespage h1');
const withGames = (page: Page) =>
  put(page, {
    one: stored(find(POSITIONS.play)),
    two: stored(find(POSITIONS.teams), { names: ['Maximiliana', 'Ada', 'Bartholomäus', 'Chiara'] }),
    three: stored(find(POSITIONS.hegemony)),
    four: stored(find(POSITIONS.tie)),
  });
const replay = async (page: Page, eyes: string) => {
  await put(page, { [newId()]: stored(find(POSITIONS.hegemony)) });
  await open(page, `replay/${id}`, '.scrub');
  await page.locator('.scrub select').selectOption({ index: eyes === 'open' ? 0 : 2 });
  await page.locator('.scrub input').fill('90');
};

// The waiting room of one's own table, or of somebody else's.
const room = async (page: Page, make: (page: Page) => Promise<string>) => {
  await enter(page);
  await open(page, `table/${await make(page)}`, '.chairs');
};

const page = (name: string, go: State['go']): State => ({ name, table: false, go });
const gamesPage = (name: string, go: State['go']): State => ({ ...page(name, go), alone: true });
const at = (name: string, go: State['go'], only?: State['only']): State => ({
  name,
  table: true,
  go,
  only,
});
const alone = (name: string, go: State['go']): State => ({ ...at(name, go), alone: true });
const apart = (name: string, go: State['go']): State => ({ ...at(name, go), apart: true });
const plain = (name: string, position: PositionName): State =>
  at(name, (page) => table(page, position));

const AROUND: State[] = [
  page('home-tables', async (page) => {
    await enter(page);
    for (let i = 0; i < 4; i++) await ownTable(page);
    await withGames(page);
    await open(page, '', '.rs.calm');
  }),
  page('friends', (page) => open(page, 'friends', '.guest')),
  page('friends-options', async (page) => {
    await open(page, 'friends', '.guest');
    await press(page, '.segm label:last-child input');
    await press(page, '.unfold summary');
  }),
  page('gate', async (page) => {
    const table = await otherTable(page);
    await page.context().clearCookies();
    await open(page, `table/${table}`, '.guest');
  }),
  page('gate-password', async (page) => {
    const table = await otherTable(page);
    await page.context().clearCookies();
    await page.route('**/api/v1/server', (route) =>
      route.fulfill({ json: { password: true, address: null } }),
    );
    await open(page, `table/${table}`, '[type=password]');
    await page.locator('.guest input').first().fill('x');
    await page.route('**/api/v1/session', (route) =>
      route.fulfill({ status: 401, json: { error: { key: 'error.password', args: {} } } }),
    );
    await press(page, '.guest .main');
    await page.locator('.wrong:not(:empty)').waitFor();
  }),
  page('room-host', (page) => room(page, ownTable)),
  page('room-ready', async (page) => {
    await room(page, ownTable);
    await press(page, '.botrow .do');
    await page.locator('.starting .main[aria-disabled=false]').waitFor();
  }),
  page('room-guest', (page) => room(page, otherTable)),
  page('room-full', async (page) => {
    await enter(page);
    const table = await ownTable(page, { players: 2 });
    await open(page, `table/${table}`, '.chairs');
    await press(page, '.botrow .do');
    await page.locator('.starting .main[aria-disabled=false]').waitFor();
    await enter(page, 'Chiara');
    await page.reload();
    await page.locator('.chairs').waitFor();
  }),
  page('room-qr', async (page) => {
    await room(page, ownTable);
    await dialog(page, '.qrask');
  }),
  page('table-unknown', (page) => open(page, 'table/abcdefghabcdefgh', '.nothing')),
  page('lobby', async (page) => {
    await enter(page);
    await ownTable(page);
    await otherTable(page);
    await open(page, 'lobby', '.game');
  }),
  page('lobby-none', async (page) => {
    await page.route('**/api/v1/tables*', (route) =>
      route.fulfill({ json: { now: 0, tables: [] } }),
    );
    await open(page, 'lobby', '.nothing');
  }),
  page('lobby-unreachable', async (page) => {
    await page.route('**/api/v1/**', (route) => route.abort());
    await open(page, 'lobby', '.nothing');
  }),
  page('lobby-name', async (page) => {
    await enter(page);
    await open(page, 'lobby', '.person');
    await dialog(page, '.person .do');
  }),
  page('lobby-device', async (page) => {
    await enter(page);
    await page.route('**/api/v1/session/code', (route) =>
      route.fulfill({ status: 201, json: { code: 'k7w2m9qx4hbtz3ne', seconds: 300 } }),
    );
    await open(page, 'lobby', '.person');
    await dialog(page, '.person .do:nth-of-type(2)');
    await page.locator('dialog[open] .qr').first().waitFor();
  }),
  page('device', async (page) => {
    await enter(page);
    await open(page, 'device/k7w2m9qx4hbtz3ne', '.onward');
  }),
];

export const STATES: State[] = [
  ...[...AROUND, ...LIVE].map((one) => ({ ...one, alone: true })),
  page('home', home),
  page('home-running', async (page) => {
    await withGames(page);
    await home(page);
  }),
  page('home-options', async (page) => {
    await home(page);
    await press(page, '.unfold summary');
  }),
  page('home-device', async (page) => {
    await home(page);
    await dialog(page, '.tiles button');
  }),
  page('home-settings', async (page) => {
    await home(page);
    await dialog(page, 'footer button');
  }),
  page('home-about', async (page) => {
    await home(page);
    await dialog(page, 'footer button + button');
  }),
  gamesPage('games-none', games),
  gamesPage('games', async (page) => {
    await withGames(page);
    await games(page);
  }),
  gamesPage('games-refused', async (page) => {
    await games(page);
    await press(page, '.ways summary');
    await page.locator('textarea').fill('{"format":"civ-game/1","rules":1}');
    await press(page, '.ways form button');
    await page.locator('.wrong:not(:empty)').waitFor();
  }),
  gamesPage('games-delete', async (page) => {
    await withGames(page);
    await games(page);
    await dialog(page, '.game .bad');
  }),
  page('rules', (page) => open(page, 'rules', 'main h2')),
  page('learn', (page) => open(page, 'learn', '.lage')),
  page('no-game', (page) => open(page, 'play/gone', '.notice')),
  at('lesson', (page) => open(page, 'learn/4', '[data-lesson]')),
  // A try that is not meant, beside the one that is.
  at('lesson-tried', async (page) => {
    await open(page, 'learn/4', '[data-lesson]');
    await press(page, '[data-lesson] ~ .tb + .tb');
    await use(page, 'attack');
    await press(page, '[data-column="0C"] .hit, .lane[data-column="0C"]');
    await page.locator('.evid').waitFor();
  }),
  plain('play', 'play'),
  plain('play-blocked', 'unplayable'),
  at('play-chosen', async (page) => {
    await table(page, 'play');
    await choose(page);
  }),
  plain('effects', 'effects'),
  at('choose-development', (page) => compose(page, 'development', 'development', 0)),
  at('choose-development-play', (page) => compose(page, 'development', 'development', 1)),
  at('choose-monopoly-done', (page) => compose(page, 'monopoly', 'monopoly', 2)),
  at('choose-monopoly', (page) => compose(page, 'monopoly', 'monopoly', 1)),
  at('choose-research', (page) => compose(page, 'research', 'research', 1)),
  at('choose-embargo', (page) => compose(page, 'embargo', 'embargo', 0)),
  at('choose-embargo-done', (page) => compose(page, 'embargo', 'embargo', 1)),
  at('choose-attack', (page) => compose(page, 'attack', 'attack', 0)),
  at('choose-attack-done', (page) => compose(page, 'attack', 'attack', 1)),
  at('choose-inquisition', (page) => compose(page, 'inquisition', 'inquisition', 0)),
  at('choose-inquisition-done', (page) => compose(page, 'inquisition', 'inquisition', 1)),
  at('choose-inspiration', (page) => compose(page, 'inspiration', 'inspiration', 0)),
  at('choose-oligarchy', async (page) => {
    await table(page, 'oligarchy');
    const { legal } = look(find(POSITIONS.oligarchy), 0).guide;
    await use(page, legal.includes('republic') ? 'republic' : 'oligarchy');
  }),
  plain('choose-breakthrough', 'breakthrough'),
  at('choose-breakthrough-done', async (page) => {
    await table(page, 'breakthrough');
    const { left } = look(find(POSITIONS.breakthrough), 0).guide.choose!;
    for (let i = 0; i < left; i++) await choose(page);
  }),
  plain('choose-giving', 'giving'),
  apart('effects-used', async (page) => {
    await table(page, 'used');
    const { effects } = look(find(POSITIONS.used), 0).guide;
    const blocked = (Object.keys(effects) as Effect[]).find(
      (effect) => effects[effect].state === 'blocked',
    )!;
    if (await isPhone(page)) await press(page, `.lane[data-column="0${DOMAIN_OF[blocked]}"]`);
    else await page.locator('.fx[data-state=blocked]').first().hover();
  }),
  plain('threat', 'threat'),
  plain('threat-proven', 'proven'),
  at('coach', async (page) => {
    await page.evaluate((key) => {
      const settings = { ...JSON.parse(localStorage[key]), coach: true };
      localStorage[key] = JSON.stringify(settings);
      dispatchEvent(new StorageEvent('storage', { key, newValue: localStorage[key] }));
    }, 'civ.settings');
    await table(page, 'win');
    await press(page, '.go .main');
    await page.locator('.coach').waitFor();
  }),
  at('threat-crowded', (page) => table(page, 'crowded'), 'phone'),
  at('pacts', (page) => pacts(page)),
  at('pacts-many', (page) => pacts(page, crowded())),
  at('pacts-propose', async (page) => {
    await pacts(page);
    await dialog(page, (await isPhone(page)) ? '.ps[data-seat="3"]' : '[data-seat="3"] .kb');
  }),
  at('pacts-break', async (page) => {
    await pacts(page);
    await use(page, 'inquisition');
    await press(page, '.option[data-seat="2"], [data-seat="2"] .aim');
    await dialog(page, '.go .main');
  }),
  plain('winning', 'winning'),
  plain('marks', 'marks'),
  plain('marks-others', 'marksOfOthers'),
  plain('long', 'long'),
  plain('full', 'full'),
  plain('thinking', 'theirs'),
  at('told', async (page) => {
    await table(page, 'effects');
    await press(page, '.go .main');
    await page.locator('.dots').first().waitFor();
  }),
  at('looking-back', async (page) => {
    await table(page, 'play');
    if (await isCompact(page)) await dialog(page, '.bar .pdeck ~ .ib');
    await lookBack(page);
    await page.locator('.past').waitFor();
  }),
  alone('hint', async (page) => {
    await bots(page, 'there');
    await table(page, 'play');
    await press(page, '.go .sub .tb + .tb');
    await page.locator('.hints').waitFor();
  }),
  at('score', async (page) => {
    await table(page, 'play');
    await page.keyboard.press('s');
    await page.locator('dialog[open]').waitFor();
  }),
  at('reference', async (page) => {
    await table(page, 'effects');
    await page.keyboard.press('?');
    await page.locator('dialog[open]').waitFor();
  }),
  at('menu', async (page) => {
    await table(page, 'play');
    await menu(page);
  }),
  at('keys', async (page) => {
    await table(page, 'play');
    await menu(page);
    await press(page, '.menu .tb:has([href="#help"])');
  }),
  at(
    'log',
    async (page) => {
      await table(page, 'play');
      await dialog(page, '.bar .pdeck ~ .ib');
    },
    'compact',
  ),
  at(
    'domain',
    async (page) => {
      await table(page, 'effects');
      await dialog(page, '.lane');
    },
    'phone',
  ),
  at(
    'opponent',
    async (page) => {
      await table(page, 'marks');
      await dialog(page, '.ps');
    },
    'phone',
  ),
  at('deck', async (page) => {
    await table(page, 'play');
    await dialog(page, '.deck, .pdeck');
  }),
  at('end-hegemony', async (page) => {
    await table(page, 'hegemony');
    await dialog(page, '.go .main');
  }),
  at('end-lost', async (page) => {
    await table(page, 'lost');
    await dialog(page, '.go .main');
  }),
  at('end-tie', async (page) => {
    await table(page, 'tie');
    await dialog(page, '.go .main');
  }),
  plain('over', 'tie'),
  plain('teams', 'teams'),
  plain('draft-keep', 'keep'),
  plain('draft-claim', 'claim'),
  at('curtain', (page) =>
    table(page, 'play', { seats: ['human', 'human', 'level3'], names: ['Ana', 'Maximiliana', ''] }),
  ),
  at('replay-open', (page) => replay(page, 'open')),
  at('replay-seat', (page) => replay(page, 'seat')),
  alone('elsewhere', async (page) => {
    await table(page, 'play');
    await page.evaluate((id) => new BroadcastChannel(`civ.game.${id}`).postMessage(''), id);
    await page.locator('.curtain').waitFor();
  }),
  alone('bots-failed', async (page) => {
    await bots(page, 'missing');
    await table(page, 'theirs');
    await page.locator('.notice').waitFor();
  }),
];

// Whether the bots' module can be loaded; else it never comes.
const bots = (page: Page, are: 'there' | 'missing') =>
  page.evaluate((are) => sessionStorage.setItem('test.bots', are), are);

// In the page, because a route of the test would keep the browser from using its cache.
export function withoutBots(key = 'test.bots'): void {
  const real = window.fetch;
  window.fetch = (what, how) => {
    const bots = sessionStorage.getItem(key);
    if (!/\/bots-[^/]*\.wasm$/.test(`${what}`) || bots === 'there') return real(what, how);
    return bots === 'missing' ? Promise.reject(new TypeError('missing')) : new Promise(() => {});
  };
}

const prepared = new WeakSet<Page>();
const spent = new WeakSet<Page>(); // to be loaded anew
const NOWHERE = '#/games'; // where nothing stays of the state before

// Brings a page to a state. Bots do not answer, so that it stays there.
export async function visit(
  page: Page,
  state: State,
  { language = 'en', theme = 'light', pace = 'instant' }: Wish = {},
): Promise<void> {
  if (!prepared.has(page)) await page.addInitScript(withoutBots);
  prepared.add(page);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  const settings = JSON.stringify({ version: 1, theme, pace, autoEnd: false, remind: false });
  if (!state.alone && !spent.has(page) && (await fresh(page, settings, NOWHERE)))
    await speak(page, language);
  else await unload(page, settings, language);
  if (state.alone) spent.add(page);
  else spent.delete(page);
  await page.mouse.move(0, 0);
  await state.go(page);
}

export const isFor = (state: State, width: number, height: number): boolean => {
  const { layout } = sizeOf(width, height);
  return (
    state.only === undefined ||
    (state.only === 'compact' ? layout !== 'wide' : layout === 'phone' || layout === 'side')
  );
};
