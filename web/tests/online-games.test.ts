// Games between browsers, from the table that is made to the result, and what each of them was told
// on the way. CIV_LONG=1 plays whole games; else they leave the middle to puppets (the one of
// online-trouble.test.ts does not).
import { expect } from '@playwright/test';
import type { GameRecord } from '../src/engine/types';
import type { TableOptions } from '../src/net/types';
import { Driver, playOn } from './driver';
import { look, random } from './games';
import {
  begin,
  DESKTOP,
  type Invite,
  type Person,
  PHONE,
  recordOf,
  seated,
  test,
  type Wishes,
} from './online';
import { type Server, verify } from './online-server';
import { Wire } from './online-wire';
import { idle } from './puppet';
import { screen } from './table';

const gather = (person: Invite, all: Record<string, Wishes>) =>
  Promise.all(Object.entries(all).map(([name, wishes]) => person(name, wishes)));

// The same wire, but for one card of the deck that is told where it must not be: the scan has to
// find it.
function leaky({ frames }: Wire, { deck }: GameRecord): Wire {
  const wire = new Wire();
  const at = frames.findLastIndex(({ text }) => /"backs":\[\d/.test(text));
  wire.frames = frames.map(({ text }, i) => ({
    text: i === at ? text.replace(/"backs":\[\d[^\]]*\]/, `"cards":["${deck[0]}"]`) : text,
  }));
  return wire;
}

const LONG = process.env.CIV_LONG === '1';
const BEGINNING = 30; // decisions: a draft and some turns
const FEW = 5; // cards left to draw: the end is near

// From here until few cards are left the same people play without their pages, which are then taken
// back. Gives which actions that were.
async function hurried(people: Person[], table: string): Promise<[number, number]> {
  for (const one of people) await expect(one.page.locator('.sending')).toHaveCount(0);
  const puppets = await Promise.all(people.map((one) => one.puppet()));
  for (const one of puppets) {
    one.likes = idle;
    await one.open(table);
  }
  const from = puppets.at(-1)!.known!.game!.actions;
  await Promise.all(
    puppets.map((one) => one.play(random(1), (now) => now.game!.view.deck.count <= FEW)),
  );
  const to = puppets[0].known!.game!.actions;
  for (const one of people) {
    await one.press(one.button('table.here'));
    await one.page.locator('.go').waitFor();
  }
  return [from, to];
}

// Everybody to the end, in everybody's browser; then all are asked what they have seen.
async function played(
  server: Server,
  table: string,
  people: Person[],
  watchers: Person[],
  seed: number,
  whole = true,
): Promise<GameRecord> {
  const drivers = people.map((one, seat) => new Driver(one, seed * 10 + seat));
  let elsewhere: [number, number] = [0, 0];
  if (!whole) {
    await playOn(drivers, BEGINNING);
    elsewhere = await hurried(people, table);
  }
  await playOn(drivers);
  const record = await recordOf(server, table);
  expect(verify(record)).toBe('');
  const { view, guide } = look(record, null);
  const columns = guide.columns.map((seat) => seat.map(({ count }) => count));
  const { winners } = view.result!;
  for (const [i, one] of [...people, ...watchers].entries()) {
    // The result, in words.
    const dialog = one.page.getByRole('dialog');
    const heading = dialog.getByRole('heading', { level: 2 }).first();
    if (i < people.length && winners.includes(i))
      await expect(heading).toHaveText(one.words['end.you-won']);
    else
      for (const seat of winners)
        if (seat < people.length) await expect(heading).toContainText(people[seat].name);
    // And the table, in cards.
    const shown = await screen(one.page, i < people.length ? i : 0);
    for (const [seat, counts] of columns.entries())
      expect([...'MRESCU'].map((letter) => shown.columns[`${seat}${letter}`])).toEqual(counts);
    one.wire.check(record, one.id);
    expect(() => leaky(one.wire, record).check(record, one.id)).toThrow();
    if (i < people.length) one.wire.once(record, i, elsewhere);
    expect(one.wire.checked).toBeGreaterThan(5); // a draft told in bursts has fewer frames
    expect(one.errors).toEqual([]);
  }
  return record;
}

const byPage = 'two browsers: from the start page to the result, by the page alone';
test(byPage, { tag: '@main' }, async ({ person, server }) => {
  const [ada, ben, eve] = await gather(person, {
    Ada: {},
    Ben: { size: PHONE, language: 'fr' },
    Eve: { language: 'es' },
  });
  await ada.page.goto('./');
  await ada.page.locator('a[href="#/friends"]').first().click();
  await ada.page.locator('form input[type=text]').first().fill(ada.name);
  await ada.page.getByRole('radio', { name: '2', exact: true }).check();
  await ada.button('friends.make').click();
  await expect(ada.page).toHaveURL(/#\/table\//);
  const link = await ada.page.locator('.share input').inputValue();
  const table = /#\/table\/(\w+)/.exec(link)![1];

  // A link is all that a guest needs.
  await ben.open(table);
  await ben.page.locator('form input[type=text]').fill(ben.name);
  await ben.page.locator('form button.main').tap();
  await expect(ada.page.locator('.chairs')).toContainText(ben.name);
  await eve.open(table);
  await eve.page.locator('form input[type=text]').fill(eve.name);
  await eve.page.locator('form button.main').click();
  await begin(ada, [ada, ben, eve]);
  const { chairs } = await ada.summary(table);
  [ada.id, ben.id] = chairs.map(({ person }) => person!.id);
  await played(server, table, [ada, ben], [eve], 1, LONG);
});

interface Case {
  title: string;
  options: Partial<TableOptions>;
  people: Record<string, Wishes>;
  bots?: number;
  watcher: Wishes;
}

const CASES: Case[] = [
  {
    title: 'three phones in three languages, draft',
    options: { setup: 'draft', edition: 'fr' },
    people: {
      Ada: { size: PHONE, language: 'pt' },
      Ben: { size: PHONE, language: 'ro' },
      Cléo: { size: PHONE, language: 'fr' },
    },
    watcher: { size: PHONE, language: 'es' },
  },
  {
    title: 'four browsers in teams, draft',
    options: { setup: 'draft', teams: true },
    people: {
      Ada: {},
      Ben: { size: PHONE },
      Cleo: { language: 'ro' },
      Dan: { size: PHONE, language: 'es' },
    },
    watcher: { language: 'pt' },
  },
  {
    title: 'two browsers and a bot, with clocks',
    options: { clock: { turn: 600, bank: 600, increment: 10 } },
    people: { Ada: { language: 'ro' }, Ben: { size: PHONE, language: 'en' } },
    bots: 1,
    watcher: { size: DESKTOP, language: 'fr' },
  },
];

const MORE: Case[] = ([2, 3, 4] as const).flatMap((players) =>
  (['basic', 'draft'] as const).map((setup) => ({
    title: `${players} browsers, ${setup}`,
    options: { setup },
    people: Object.fromEntries(
      ['Ada', 'Ben', 'Cleo', 'Dan']
        .slice(0, players)
        .map((name, i) => [name, i % 2 ? { size: PHONE } : {}]),
    ),
    watcher: {},
  })),
);

for (const [i, { title, options, people, bots, watcher }] of [
  ...CASES,
  ...(LONG ? MORE : []),
].entries())
  test(title, async ({ person, server }) => {
    const all = await gather(person, people);
    const [eve] = await gather(person, { Eve: watcher });
    const table = await seated(all, options, bots);
    await eve.enter();
    await eve.open(table);
    await eve.page.locator('.go').waitFor();
    await played(server, table, all, [eve], 10 + i, LONG);
  });
