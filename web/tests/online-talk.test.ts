// Talk between people, what they ask each other, and how they leave and come back.
import { expect, type Locator, type Page } from '@playwright/test';
import type { Holding, View } from '../src/engine/types';
import type { TableOptions } from '../src/net/types';
import { random } from './games';
import {
  begin,
  card,
  dealt,
  type Invite,
  type Person,
  PHONE,
  recordOf,
  seated,
  test,
} from './online';
import { verify } from './online-server';
import { idle, type Known, type Puppet } from './puppet';
import { main } from './table';
import { texts } from './texts';

const SOON = 5_000; // milliseconds; after a game the start page asks every four seconds

const lines = (page: Page) => page.locator('.chat .line .words');

// On a phone the talk is behind a button.
async function openTalk({ page, phone, words }: Person): Promise<void> {
  if (!phone) return;
  await page.locator('.bar .ib').nth(1).tap();
  if (!(await page.locator('dialog[open] .chat').isVisible()))
    await page
      .locator('dialog[open]')
      .getByRole('radio', { name: words['chat.title'] })
      .check({ force: true });
  await page.locator('dialog[open] .chat').waitFor();
}
const closeTalk = ({ page }: Person) => page.keyboard.press('Escape');

const NAMES = [
  '<img src onerror=h=1>',
  '{count, plural, other{}}',
  '\u202Etfel ot thgir \u2066',
  'W'.repeat(24),
  '👩‍👩‍👧‍👦👩‍👩‍👧‍👦👩‍👩‍👧‍👦',
];
const TEXTS = [
  '<img src=x onerror="window.hacked=1"><script>window.hacked=1</script>',
  '"><svg onload="window.hacked=1"></svg><a href="javascript:window.hacked=1">here</a>',
  '{count, plural, one {# card} other {# cards}} {name} {0} %s &amp; &lt;b&gt;',
  'https://evil.example/?q=1 javascript:alert(1)',
  'W'.repeat(300),
  '😀'.repeat(300),
];
// Whatever turns the direction of letters, or is not there to see.
const UNSEEN = [
  '\u202Ehctac\u202C \u2067x\u2069',
  `a${'\u200B'.repeat(80)}b`,
  `${'e\u0301\u0302\u0303'.repeat(40)}`,
];

// No markup came of it, and everything has its place.
async function plain(page: Page): Promise<void> {
  const found = await page.evaluate(() => ({
    hacked: 'hacked' in window || 'h' in window,
    markup: document.querySelectorAll(
      '.chat img, .chat a, .chat script, .chat .words *, .chairs img, .who img, .pname *',
    ).length,
    wide: document.scrollingElement!.scrollWidth > innerWidth + 1,
    lines: [...document.querySelectorAll('.chat .lines, .chairs')].some(
      (one) => one.scrollWidth > one.clientWidth + 1,
    ),
  }));
  expect(found).toEqual({ hacked: false, markup: 0, wide: false, lines: false });
}

for (const [title, size] of [
  ['a phone', PHONE],
  ['wide', undefined],
] as const)
  test(`names and words of those who mean harm are only words, ${title}`, async ({
    person,
    puppet,
  }) => {
    const ada = await person('Ada', size ? { size } : {});
    await ada.enter();
    const table = await ada.make({ players: 4 });
    await ada.open(table);
    const puppets: Puppet[] = [];
    for (const name of NAMES) {
      const one = await puppet(name);
      puppets.push(one);
      await one.open(table);
      if (puppets.length < 4) await one.done({ type: 'sit', seat: puppets.length });
    }
    await expect(ada.page.locator('.chair.empty')).toHaveCount(0);
    await plain(ada.page);
    for (const text of [...TEXTS, ...UNSEEN]) await puppets[1].command({ type: 'say', text });
    await expect(lines(ada.page).nth(TEXTS.length - 1)).toHaveText(TEXTS.at(-1)!);
    expect((await lines(ada.page).allTextContents()).slice(0, TEXTS.length)).toEqual(TEXTS);
    await plain(ada.page);
    // Nobody's words turn those of others around.
    const whole = (await ada.page.locator('body').textContent())!;
    expect(whole).not.toMatch(/[\u202A-\u202E\u2066-\u2069]/);

    await ada.press(ada.page.locator('.starting .main'));
    await ada.page.locator('.go').waitFor();
    for (const one of puppets.slice(0, 3))
      for (const text of [TEXTS[0], TEXTS[4]]) await one.command({ type: 'say', text });
    await plain(ada.page);
    await openTalk(ada);
    await expect(lines(ada.page).last()).toHaveText(TEXTS[4]);
    await plain(ada.page);
    expect(ada.errors).toEqual([]);

    // Those who come later see no more of it.
    const eve = await person('Eve', size ? { size } : {});
    await eve.enter();
    await eve.page.goto('./#/lobby');
    await expect(eve.page.locator('.game').first()).toBeVisible();
    await plain(eve.page);
  });

test('a French phrase is read in Romanian, the muted are not heard, a phone counts', async ({
  person,
}) => {
  const [ada, ben] = await Promise.all([
    person('Ada', { language: 'fr' }),
    person('Ben', { language: 'ro', size: PHONE }),
  ]);
  await seated([ada, ben], {});
  const phrase = async (key: string) => {
    await ada.page.locator('.chat form .ib').first().click();
    await ada.page
      .locator('.phrases')
      .getByRole('button', { name: ada.words[key], exact: true })
      .click();
  };
  await phrase('phrase.good-luck');
  await expect(lines(ada.page)).toHaveText([ada.words['phrase.good-luck']]);
  await expect(ben.page.locator('.unread')).toHaveText('1');
  await openTalk(ben);
  await expect(lines(ben.page)).toHaveText([ben.words['phrase.good-luck']]);
  await expect(ben.page.locator('.unread')).toHaveCount(0);

  await ben.page.locator('.chat form input').fill('Salut, Ada!');
  await ben.page.keyboard.press('Enter');
  await expect(lines(ada.page).last()).toHaveText('Salut, Ada!');
  await expect(ben.page.locator('.chat .line.mine')).toHaveCount(1);

  await ben.page.locator('.chat .by').first().tap();
  await ben.page.locator('.chat .mute').tap();
  await expect(lines(ben.page)).toHaveText(['Salut, Ada!']);
  await phrase('phrase.wow');
  await expect(lines(ada.page)).toHaveCount(3);
  await ben.page.locator('.chat .muted button').tap();
  await phrase('phrase.thanks');
  await expect(lines(ben.page).last()).toHaveText(ben.words['phrase.thanks']);
  await closeTalk(ben);
  await expect(ben.page.locator('.unread')).toHaveCount(0);
  for (const one of [ada, ben]) expect(one.errors).toEqual([]);
});

test('to take back: asked, refused, asked again, agreed', async ({ duel }) => {
  const { ada, ben } = await duel();
  const question = ada.page.locator('.notice.question');
  await card(ada.page).click();
  await main(ada.page).click();
  const cards = ada.page.locator('[data-zone=table0]');
  const asks = async () => {
    const { n, game } = await ben.until((now) => now.game!.actions > now.game!.final);
    await ben.done({ type: 'take-back', builds: n, to: game!.final });
    await expect(question).toContainText(ada.text('live.asks-back', { name: 'Ben' }));
  };
  const before = await cards.count();
  await asks();
  await question.getByRole('button', { name: ada.words['live.no'] }).click();
  await expect(question).toHaveCount(0);
  await expect(cards).toHaveCount(before);
  await asks();
  await question.getByRole('button', { name: ada.words['live.yes'] }).click();
  await expect(question).toHaveCount(0);
  await expect(cards).toHaveCount(before - 1);
  await expect(ada.page.locator('.notices')).toContainText(ada.words['live.taken-back']);
  // And of one's own turn without asking.
  await card(ada.page).click();
  await main(ada.page).click();
  await expect(cards).toHaveCount(before);
  await ada.button('table.undo').click();
  await expect(cards).toHaveCount(before - 1);
  // Whoever comes later is told of it, too.
  await ada.page.reload();
  const noted = ada.page.locator('.log').getByText(ada.words['live.taken-back']);
  await expect(noted).toHaveCount(2);
  // And whom the game waits for, if nobody is there.
  const away = 'Ben is away, and the game waits. A bot plays on after 10 minutes.';
  await card(ada.page).click();
  await main(ada.page).click();
  await main(ada.page).click();
  await expect(ada.page.locator('.notices')).not.toContainText(away);
  ben.stop();
  await expect(ada.page.locator('.notices')).toContainText(away);
  expect(ada.errors).toEqual([]);
});

// A game of these two, in which it is the turn of this seat, with five cards by the Holy Book; and
// the first of them with a browser.
async function hoard(
  person: Invite,
  puppets: Puppet[],
  seat: number,
  options: Partial<TableOptions> = {},
): Promise<Person> {
  const [ada, ben] = puppets;
  const count = (hand: Holding) => ('cards' in hand ? hand.cards : hand.backs).length;
  const full = ({ game }: Known) =>
    game?.view.seat === seat && game.view.step === 'play' && count(game.view.hands[seat]) === 5;
  const high = ({ tables }: View, letter: string) =>
    tables[seat].filter((card) => card.startsWith(letter)).length;
  for (const one of puppets) one.likes = idle;
  puppets[seat].likes = (legal, view) =>
    legal.find(
      (one) =>
        (one.startsWith('play R') && high(view, 'R') < 3) ||
        (one === 'holy-book' && count(view.hands[seat]) < 3),
    ) ?? idle(legal, view);
  // Deals are random: in some the game is over before, or about to be, or there is no choice.
  const fits = (view: View) =>
    full({ game: { view } } as Known) &&
    [...'MRESCU'].every((letter) => high(view, letter) < 6) &&
    new Set((view.hands[seat] as { cards: string[] }).cards).size > 1;
  let table = '';
  for (let done = false; !done; ) {
    table = await ada.make({ players: 2, ...options });
    for (const one of puppets) await one.open(table);
    await ben.done({ type: 'sit', seat: 1 });
    await ada.done({ type: 'start' });
    await Promise.all(puppets.map((one, i) => one.play(random(i), full)));
    done = fits(puppets[seat].known!.game!.view);
    if (!done) await ada.command({ type: 'resign' });
  }
  const one = await person(ada.name, { settings: { autoEnd: false } });
  await one.become(ada);
  await one.open(table);
  await one.page.locator('.go').waitFor();
  return one;
}

test('to take back a turn that is over: everybody is asked, one refuses, then agrees', async ({
  person,
  puppet,
}) => {
  const ben = await puppet('Ben');
  // After so many cards there are none to draw, and the end of the turn shows nothing to anybody.
  const { page, errors } = await hoard(person, [await puppet('Ada'), ben], 0);
  await card(page).click();
  await main(page).click();
  await main(page).click();
  const question = page.locator('.notice.question');
  const ask = async (button: Locator) => {
    await button.filter({ hasText: texts.en['live.ask-back'] }).click();
    await expect(question).toContainText(texts.en['live.asked-back']);
    await expect(question.getByRole('button')).toHaveCount(0); // it is for the others to say
    const { table, game } = await ben.until((now) => now.table.question !== undefined);
    expect(table.question).toMatchObject({ seat: 0, back: game!.actions - 1 });
    return table.question!.n;
  };
  const end = page.getByRole('button', { name: /^End turn/ });
  let asked = await ask(page.locator('.go button'));
  await ben.done({ type: 'answer', question: asked, yes: false });
  await expect(page.locator('.notices')).toContainText(
    texts.en['live.refuses'].replace('{name}', 'Ben'),
  );
  await expect(end).toHaveCount(0);
  await page.locator('.bar .ib').first().click();
  asked = await ask(page.locator('dialog[open] button'));
  await ben.done({ type: 'answer', question: asked, yes: true });
  await expect(page.locator('.notices')).toContainText(texts.en['live.taken-back']);
  await expect(end).toBeVisible();
  expect((await ben.until((now) => now.table.question === undefined)).game!.view.seat).toBe(0);
  expect(errors).toEqual([]);
});

test('who gives up is replaced by a bot, may ask to come back, and is let in', async ({
  person,
  server,
}) => {
  const people = await Promise.all([
    person('Ada'),
    person('Ben', { size: PHONE, language: 'es' }),
    person('Cleo'),
  ]);
  const [ada, ben, cleo] = people;
  const table = await seated(people, { takeover: 'level1' });
  await ada.page.locator('.bar .ib').first().click();
  await ada.button('live.leave').click();
  await ada.page.locator('dialog[open] .ways button').first().click();
  await expect(ada.page.getByText(ada.words['live.gone']).first()).toBeVisible();
  const told = (one: Person, text: string) =>
    expect(one.page.locator('.sr[role=log] p').filter({ hasText: text })).toHaveCount(1);
  await told(ben, ben.text('live.left-resigned', { name: 'Ada' }));
  await ada.button('live.return').click();
  for (const one of [ben, cleo]) {
    const yes = one.page.locator('.notice.question button').first();
    await expect(one.page.locator('.notice.question')).toContainText(
      one.text('live.asks-return', { name: 'Ada' }),
    );
    await one.press(yes);
  }
  await expect(ada.page.locator('.go.watcher')).toHaveCount(0);
  await expect(ada.page.locator('.go .main')).toBeVisible();
  // What was told stays in the log, also of a page that is loaded again.
  await cleo.page.reload();
  for (const text of [
    `${cleo.text('live.left-resigned', { name: 'Ada' })} ${cleo.text('live.bot-plays')}`,
    cleo.text('live.returned', { name: 'Ada' }),
  ])
    await expect(cleo.page.locator('.log').getByText(text)).toHaveCount(1);
  // Going away for good is another button; with two of three gone it is over.
  await ben.page.locator('.bar .ib').first().tap();
  await ben.button('live.leave').tap();
  await ben.page.locator('dialog[open] .ways button').nth(1).tap();
  await expect(ben.page).toHaveURL(/#\/$/);
  await told(ada, ada.text('live.left-abandoned', { name: 'Ben' }));
  await cleo.page.locator('.bar .ib').first().click();
  await cleo.button('live.leave').click();
  await cleo.page.locator('dialog[open] .ways button').first().click();
  await expect(ada.page.getByRole('dialog')).toContainText(ada.words['end.you-won']);
  await expect(cleo.page.getByRole('dialog')).toContainText(cleo.text('live.left-own-resigned'));
  expect((await ada.summary(table)).result).toMatchObject({ winners: [0], by: 'forfeit' });
  expect(verify(await recordOf(server, table))).toBe('');
  for (const one of people) expect(one.errors).toEqual([]);
});

test('a rematch brings everybody to the new table', async ({ person }) => {
  const people = await Promise.all([person('Ada'), person('Ben', { size: PHONE, language: 'pt' })]);
  const [ada, ben] = people;
  const table = await seated(people, {});
  await ben.page.locator('.bar .ib').first().tap();
  await ben.button('live.leave').tap();
  await ben.page.locator('dialog[open] .ways button').first().tap();
  await expect(ada.page.getByRole('dialog')).toContainText(ada.words['end.you-won']);
  await expect(ben.page.locator('dialog[open] .endgo')).toBeVisible();
  await ada.page.locator('dialog[open] .endgo button.main').click();
  await expect(ada.page).not.toHaveURL(new RegExp(table));
  const next = new URL(ada.page.url()).hash;
  await ben.page.locator('dialog[open] .endgo a.main').tap();
  await expect(ben.page).toHaveURL(new RegExp(next));
  await begin(ada, people);
  // Everybody one chair further.
  const { chairs } = await ada.summary(next.split('/')[2]);
  expect(chairs.map(({ person }) => person!.name)).toEqual(['Ben', 'Ada']);
  for (const one of people) expect(one.errors).toEqual([]);
});

test('who looks at the record or the start page hears of a rematch, too', async ({ person }) => {
  const people = await Promise.all([
    person('Ada'),
    person('Ben', { size: PHONE, language: 'pt' }),
    person('Cleo', { own: true }),
  ]);
  const [ada, ben, cleo] = people;
  await cleo.page.clock.install();
  await seated(people, {});
  for (const one of [ben, cleo]) {
    await one.press(one.page.locator('.bar .ib').first());
    await one.press(one.button('live.leave'));
    await one.press(one.page.locator('dialog[open] .ways button').first());
  }
  await expect(ada.page.getByRole('dialog')).toContainText(ada.words['end.you-won']);
  await ben.page.locator('dialog[open] .endgo a[href*="/review/"]').tap();
  await expect(ben.page.locator('.rhead')).toBeVisible();
  await ben.page.locator('.rhead a').tap();
  await expect(ben.page.getByRole('slider')).toBeVisible();
  await cleo.page.locator('dialog[open] .endgo a').last().click();
  await expect(cleo.page.locator('.hero')).toBeVisible();
  await expect(cleo.page.locator('.resume .rs')).toHaveCount(0);
  await ada.page.locator('dialog[open] .endgo button.main').click();
  await expect(ada.page.locator('.chair').first()).toBeVisible();
  const next = new URL(ada.page.url()).hash;
  await cleo.page.clock.fastForward(SOON);
  await expect(cleo.page.locator('.resume .rs')).toHaveAttribute('href', next);
  await ben.page
    .locator('.notices')
    .getByRole('link', { name: ben.words['live.rematch-go'] })
    .tap();
  await expect(ben.page).toHaveURL(new RegExp(next));
  for (const one of people) expect(one.errors).toEqual([]);
});

test('clocks run, and who has no time left has lost', async ({ person, duel }) => {
  const { ada, ben } = await duel({}, { clock: { turn: 2, bank: 600, increment: 5 } });
  const clock = ada.page.locator('.clock.running').first();
  const shown = await clock.textContent();
  await expect(clock).not.toHaveText(shown!);
  // When the turn's own time is used up, the reserve does not look like time that was won.
  await expect(ada.page.locator('.clock.running.reserve')).toHaveText(/^\+\d+:\d\d$/);
  ben.stop();
  const hurried = await Promise.all([person('Dan'), person('Eli', { size: PHONE })]);
  const table = await seated(hurried, { clock: { turn: 2, bank: 0, increment: 0 } });
  await expect
    .poll(async () => (await hurried[0].summary(table)).status, { timeout: 30_000 })
    .toBe('over');
  const { result, chairs } = await hurried[0].summary(table);
  expect(result).toMatchObject({ by: 'forfeit' });
  expect(chairs.filter(({ left }) => left === 'time')).toHaveLength(1);
  for (const one of hurried) {
    const late = chairs.find(({ left }) => left)!.person!.name;
    const said =
      one.name === late
        ? one.text('live.left-own-time')
        : one.text('live.left-time', { name: late });
    await expect(one.page.getByRole('dialog')).toContainText(said);
  }
});

test('five cards and a running clock have room on the narrowest phone', async ({
  person,
  puppet,
}) => {
  const { page } = await hoard(person, [await puppet('Ada'), await puppet('Benedict')], 1, {
    clock: { turn: 600, bank: 600, increment: 10 },
  });
  for (const height of [568, 844]) {
    await page.setViewportSize({ width: 320, height });
    await expect(page.locator('.ph .card')).toHaveCount(5);
    await expect(page.locator('.ph .clock')).toBeVisible();
    const right = (one: string) =>
      page.locator(one).evaluate((element) => element.getBoundingClientRect().right);
    expect(await right('.ph .clock')).toBeLessThanOrEqual((await right('.pw')) + 1);
    expect(await page.evaluate(() => document.scrollingElement!.scrollWidth)).toBe(320);
  }
});

test('spectators talk among themselves until the end', async ({ person, duel }) => {
  const { ada, ben, table } = await duel();
  const [eve, mia] = await Promise.all([
    person('Eve'),
    person('Mia', { size: PHONE, language: 'es' }),
  ]);
  for (const one of [eve, mia]) {
    await one.enter();
    await one.open(table);
    await one.page.locator('.go.watcher').waitFor();
  }
  await eve.page.locator('.chat form input').fill('She has the Attack!');
  await eve.page.keyboard.press('Enter');
  await openTalk(mia);
  await expect(lines(mia.page)).toHaveText(['She has the Attack!']);
  await ben.done({ type: 'say', text: 'hm' });
  await expect(lines(ada.page)).toHaveText(['hm']);
  await expect(lines(mia.page)).toHaveText(['She has the Attack!', 'hm']);
  await expect(ada.page.locator('.rail .chat')).toContainText('2 people are watching');
  expect(ada.wire.frames.filter(({ text }) => text.includes('the Attack!'))).toEqual([]);
  await ben.done({ type: 'resign' });
  await expect(ada.page.getByRole('dialog')).toContainText(ada.words['end.you-won']);
  await expect(lines(ada.page)).toHaveText(['She has the Attack!', 'hm']);
  expect(ada.errors).toEqual([]);
});

test('pacts: offered in one language, answered in another, and kept in the record', async ({
  person,
  server,
}) => {
  const people = await Promise.all([
    person('Ada'),
    person('Ben', { size: PHONE, language: 'pt' }),
    person('Cleo', { language: 'ro' }),
  ]);
  const [ada, ben, cleo] = people;
  const table = await dealt(people, {});
  await ada.press(ada.button('pacts.with', { name: 'Ben' }));
  await ada.press(ada.page.locator('dialog[open]').getByRole('button', { name: 'Offer' }));
  await expect(cleo.page.locator('.offer')).toHaveCount(0);
  const offer = ben.page.locator('.offer');
  await expect(offer).toContainText('Ada propõe uma trégua de 2 rodadas para você.');
  await ben.press(offer.getByRole('button', { name: ben.words['pacts.yes'] }));
  await expect(offer).toHaveCount(0);
  for (const [one, holds] of [
    [ada, 'Truce between you and Ben: 2 rounds left.'],
    [ben, 'Trégua entre você e Ada: restam 2 rodadas.'],
    [cleo, 'Armistițiu între Ada și Ben: încă 2 runde.'],
  ] as const) {
    await expect(one.page.getByRole('button', { name: holds })).toBeVisible();
    expect(one.errors).toEqual([]);
  }
  for (const one of [ben, cleo]) {
    await one.press(one.page.locator('.bar .ib').first());
    await one.press(one.button('live.leave'));
    await one.press(one.page.locator('dialog[open] .ways button').first());
  }
  await expect.poll(async () => (await ada.summary(table)).status).toBe('over');
  expect((await recordOf(server, table)).comments?.talk).toEqual([
    { at: 0, seat: 0, say: 'truce', to: [1], rounds: 2 },
    { at: 0, seat: 1, say: 'yes', offer: 1 },
  ]);
});
