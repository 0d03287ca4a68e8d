import { beforeAll, describe, expect, test, vi } from 'vitest';
import type { Message } from '../engine/types';
import { LANGUAGES, loadTexts, say, setLanguage, t } from '../text/text.svelte';
import { namesFor, toReader } from './reader';

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {} });
  await loadTexts('game', 'review');
});

const NAMES = ['Player 1', 'Sira', 'Ilinca'];
const you = { name: { seat: 0 } };
const domain = { domain: 'S' } as const;
const list = (key: string) => ({ list: [{ key, args: {} }] });
const TO_YOU: Message[] = [
  {
    key: 'offer.copy',
    args: { ...you, effect: { effect: 'development' }, does: { does: 'development' } },
  },
  { key: 'offer.inquisition', args: { ...you, count: 7 } },
  { key: 'offer.embargo', args: { ...you, domain } },
  { key: 'offer.democracy', args: { ...you, domain, need: 8 } },
  { key: 'offer.attack', args: { domain, count: 2, names: { seats: [0, 1] } } },
  {
    key: 'reason.stops',
    args: { ...you, domains: { domains: ['S'] }, how: list('threat.enough') },
  },
  { key: 'reason.denies', args: { ...you, cards: { cards: ['M1'] } } },
  { key: 'reason.inquisition', args: { ...you, count: 7 } },
];
const said = (message: Message, reader: number | null) =>
  say(toReader(message, 2, reader), namesFor(NAMES, reader, t('review.you')));

describe('of a turn of somebody else', () => {
  test.each(LANGUAGES)('the reader is you, in %s', async (language) => {
    await setLanguage(language);
    for (const message of TO_YOU) {
      const told = said(message, 0);
      expect(told, message.key).not.toContain('Player 1');
      expect(told, message.key).not.toContain(message.key);
      expect(told, message.key).not.toMatch(/review\./);
    }
  });

  test('it is said as in English', async () => {
    await setLanguage('en');
    expect(said(TO_YOU[7], 0)).toBe('Shows what you hold (7 cards) and takes the best of it.');
    expect(said(TO_YOU[1], 0)).toContain('take all 7 cards from your hand');
    expect(said(TO_YOU[4], 0)).toMatch(/and so must you and Sira$/);
  });

  test('others, and those who only watch, are told names', async () => {
    await setLanguage('en');
    expect(said(TO_YOU[7], 1)).toBe(said(TO_YOU[7], null));
    expect(said(TO_YOU[7], null)).toContain('Player 1');
    const then = { key: 'reason.then', args: { steps: { list: [TO_YOU[1]] } } };
    expect(said(then, 0)).toContain('from your hand');
    expect(toReader(TO_YOU[4], 0, 0)).toBe(TO_YOU[4]);
  });
});
