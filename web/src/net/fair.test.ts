import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { Card } from '../engine/types';
import { type Deal, dealIn } from '../game/deal';
import { check, fairDeal } from './fair';

interface Answer extends Deal {
  players: number;
  first: number;
  deck: string;
}
const ANSWERS: Answer[] = JSON.parse(
  readFileSync(new URL('../../../tests/fair-deal.json', import.meta.url), 'utf8'),
);

const other = (number: string) => (number[0] === '0' ? '1' : '0') + number.slice(1);

test('decks follow from secrets and numbers as the document says', () => {
  expect(ANSWERS.length).toBe(28);
  for (const { players, first, deck, ...deal } of ANSWERS)
    expect(fairDeal(players, deal)).toEqual({ first, deck: deck.split(' ') });
});

describe('a game', () => {
  const {
    players,
    first,
    deck: cards,
    hash,
    secret,
    randoms,
  } = ANSWERS.find((one) => one.players === 3 && one.randoms[0] && one.randoms[1])!;
  const deck = cards.split(' ') as Card[];
  const record = { players, first, deck };
  const deal: Deal = { hash, secret, randoms };
  const mine = { hash, random: randoms[1] };

  test('is proven to a device that gave a number', () => {
    expect(check(record, deal, mine)).toEqual({
      deal,
      hash: true,
      here: 'same',
      first: true,
      deck: true,
      seen: true,
      verdict: 'proven',
    });
  });

  test('fits together for a device that was not there, or watched', () => {
    expect(check(record, deal, null)).toMatchObject({ here: 'absent', verdict: 'fits' });
    expect(check(record, deal, { hash, random: null })).toMatchObject({
      here: 'watched',
      verdict: 'fits',
    });
  });

  test('shows that the number of this device was left out', () => {
    expect(check(record, deal, { hash, random: other(randoms[1]!) })).toMatchObject({
      hash: true,
      here: 'missing',
      verdict: 'missing',
    });
  });

  test('was shuffled by the server alone if nobody gave a number', () => {
    const one = ANSWERS.find(({ randoms }) => randoms.every((random) => random === null))!;
    expect(check({ ...one, deck: one.deck.split(' ') as Card[] }, one, null)).toMatchObject({
      hash: true,
      deck: true,
      verdict: 'alone',
    });
  });

  const swapped = deck.with(0, deck[30]).with(30, deck[0]);
  test.each<[string, object, Partial<Deal>, object]>([
    ['card', { deck: swapped }, {}, { hash: true, first: true, deck: false }],
    ['number of cards', { deck: deck.slice(0, -1) }, {}, { hash: true, first: true, deck: false }],
    [
      'First Player',
      { first: (first + 1) % players },
      {},
      { hash: true, first: false, deck: true },
    ],
    ['secret', {}, { secret: other(secret) }, { hash: false, deck: false }],
    ['hash', {}, { hash: other(hash) }, { hash: false, here: 'other', deck: true }],
    [
      'number',
      {},
      { randoms: randoms.with(0, other(randoms[0]!)) },
      { hash: true, here: 'same', deck: false },
    ],
    ['number, to none', {}, { randoms: randoms.with(0, null) }, { hash: true, deck: false }],
    [
      'order of numbers',
      {},
      { randoms: [randoms[1], randoms[0], randoms[2]] },
      { hash: true, deck: false },
    ],
  ])('with another %s is wrong', (_, changed, falsified, found) => {
    expect(check({ ...record, ...changed }, { ...deal, ...falsified }, mine)).toMatchObject({
      ...found,
      verdict: 'wrong',
    });
    expect(check({ ...record, ...changed }, { ...deal, ...falsified }, null).verdict).toBe('wrong');
  });

  test('that fits together is wrong if another hash was promised here', () => {
    expect(check(record, deal, { ...mine, hash: other(hash) })).toMatchObject({
      hash: true,
      deck: true,
      here: 'other',
      verdict: 'wrong',
    });
  });

  test('that fits together is wrong if another game was played here', () => {
    expect(check(record, deal, { ...mine, seen: false })).toMatchObject({
      seen: false,
      verdict: 'wrong',
    });
    expect(check(record, deal, { ...mine, seen: true })).toMatchObject({ verdict: 'proven' });
  });

  test('that does not say how it was dealt cannot be checked', () => {
    expect(dealIn({ deal }, players)).toEqual(deal);
    for (const comments of [
      undefined,
      null,
      'fair!',
      {},
      { deal: null },
      { deal: 7 },
      { deal: { ...deal, secret: '0'.repeat(64) } },
      { deal: { ...deal, secret: undefined } },
      { deal: { ...deal, hash: hash.toUpperCase() } },
      { deal: { ...deal, hash: hash.slice(2) } },
      { deal: { ...deal, randoms: randoms.slice(1) } },
      { deal: { ...deal, randoms: [1, null, null] } },
    ])
      expect(dealIn(comments, players)).toBeNull();
  });
});
