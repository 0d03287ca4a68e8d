import { afterEach, expect, test, vi } from 'vitest';
import type { Line } from './types';

vi.stubGlobal('document', { baseURI: 'http://localhost/' });
const { heard, quickPhrases, unreadOf, wordsOf } = await import('./talk');

const line = (n: number, who: string, text: string): Line => ({
  n,
  person: { id: who, name: who },
  seat: 0,
  text,
});
const chat = [
  line(3, 'ada', 'hello'),
  line(5, 'ben', 'hi'),
  line(8, 'cleo', 'you two'),
  line(9, 'ada', 'ready?'),
];

afterEach(() => vi.restoreAllMocks());

test('who is muted is not heard', () => {
  expect(heard(chat, ['ben']).map(({ n }) => n)).toEqual([3, 8, 9]);
});

test('unread is what others have said since, but for those who are muted', () => {
  const at = (muted: string[], seen: number) =>
    unreadOf({ chat, muted, me: { id: 'ada', name: 'ada' } }, seen).map(({ n }) => n);
  expect(at([], 0)).toEqual([5, 8]);
  expect(at([], 5)).toEqual([8]);
  expect(at(['cleo'], 4)).toEqual([5]);
  expect(at([], 9)).toEqual([]);
});

test('a phrase is said in the language of the reader; text stays as it was written', () => {
  expect(wordsOf({ phrase: 'thanks' })).toBe('Thank you!');
  expect(wordsOf({ text: '<b>phrase.thanks</b>' })).toBe('<b>phrase.thanks</b>');
  expect(wordsOf({ phrase: 'of-a-newer-server' })).toBe('…');
});

test('phrases are asked for again without an answer, and left out without words', async () => {
  const answers = [
    () => Promise.reject(new Error('no network')),
    async () => Response.json({ phrases: ['hello', 'of-a-newer-server'] }),
  ];
  vi.stubGlobal('fetch', () => answers.shift()!());
  expect(await quickPhrases()).toEqual([]);
  expect(await quickPhrases()).toEqual(['hello']);
  expect(await quickPhrases()).toEqual(['hello']); // and then no more
});
