import { render } from 'svelte/server';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Message } from '../engine/types';
import Say from './Say.svelte';
import {
  either,
  language,
  list,
  loadTexts,
  parts,
  preferred,
  say,
  setLanguage,
  start,
  t,
} from './text.svelte';

const NAMES = ['Ada', 'Ben', 'Ilinca'];
const store = new Map<string, string>();
const page = { documentElement: { lang: '' } };

function browser(languages: string[], stored?: string) {
  store.clear();
  if (stored) store.set('civ.language', stored);
  vi.stubGlobal('navigator', { languages });
  vi.stubGlobal('document', page);
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => store.get(key) ?? null,
    setItem: (key: string, value: string) => store.set(key, value),
  });
}

beforeEach(async () => {
  browser(['en']);
  await start();
});

test('the language is the one chosen before, else one of the browser’s, else English', () => {
  browser(['de-CH', 'ro-MD', 'fr'], 'pt');
  expect(preferred()).toBe('pt');
  browser(['de-CH', 'ro-MD', 'fr'], 'xx');
  expect(preferred()).toBe('ro');
  browser(['de']);
  expect(preferred()).toBe('en');
});

test('works where nothing can be stored', async () => {
  const refuse = () => {
    throw new Error('refused');
  };
  vi.stubGlobal('localStorage', { getItem: refuse, setItem: refuse });
  await start();
  await setLanguage('fr');
  expect(language.current).toBe('fr');
});

test('a reason says where a card is missing', async () => {
  const reason: Message = { key: 'short.no-card', args: { domain: { domain: 'M' } } };
  const there = { en: 'in play', fr: 'en jeu', es: 'en juego', pt: 'em jogo', ro: 'în joc' };
  for (const [language, words] of Object.entries(there)) {
    await setLanguage(language as keyof typeof there);
    await loadTexts('game');
    expect(say(reason, NAMES)).toContain(words);
  }
});

test('a change of language is kept and told to the document', async () => {
  await setLanguage('ro');
  expect([language.current, page.documentElement.lang, store.get('civ.language')]).toEqual([
    'ro',
    'ro',
    'ro',
  ]);
  expect(t('domain.S')).toBe('Știință');
});

test('of two changes under way the later one counts', async () => {
  await Promise.all([setLanguage('ro'), setLanguage('en')]);
  expect(language.current).toBe('en');
  await setLanguage('es');
  expect(language.current).toBe('es');
});

test('Romanian has three plural forms', async () => {
  await setLanguage('ro');
  expect([1, 2, 20].map((count) => t('cards.backs', { count, age: 'I' }))).toEqual([
    '1 carte din Era\u00a0I',
    '2 cărți din Era\u00a0I',
    '20 de cărți din Era\u00a0I',
  ]);
});

test('a message tells seats, Domains, effects and cards apart', () => {
  const copy: Message = {
    key: 'story.copy',
    args: {
      you: 'no',
      name: { seat: 1 },
      effect: { effect: 'purge' },
      atyou: 'no',
      target: { seat: 2 },
      domain: { domain: 'M' },
    },
  };
  expect(parts(copy, NAMES)).toEqual([
    { seat: 1, text: 'Ben' },
    { text: ' uses Inspiration to copy ' },
    { effect: 'purge', text: 'Purge' },
    { text: ' from ' },
    { seat: 2, text: 'Ilinca' },
    { text: '. The Culture coin goes there, to ' },
    { domain: 'M', text: 'Military' },
    { text: '.' },
  ]);
});

test('cards are counted and listed', () => {
  const told = (cards: Message['args'][string]) =>
    say({ key: 'story.discard', args: { you: 'yes', name: { seat: 0 }, cards } }, NAMES);
  expect(told({ cards: ['M1', 'C1', 'S2', 'S2'] })).toBe(
    'You discard Military (Age I), Culture (Age I) and ' +
      '2\u00a0×\u00a0Science (Age II) from your hand.',
  );
  expect(told({ backs: [1, 1, 3] })).toBe(
    'You discard 2 cards of Age\u00a0I and 1 card of Age\u00a0III from your hand.',
  );
});

test('in Spanish, “and” and “or” suit the name that follows', async () => {
  await setLanguage('es');
  const tie: Message = { key: 'ending.tie', args: { names: { seats: [0, 1] }, points: 2 } };
  expect(say(tie, ['Ana', 'Inés'])).toContain('Ana e Inés');
  expect(parts(tie, ['Ana', 'Ana']).flatMap(({ seat }) => seat ?? [])).toEqual([0, 1]);
  expect(list(['Ana', 'Ben'])).toBe('Ana y Ben');
  expect(either(['Ana', 'Olga'])).toBe('Ana u Olga');
});

test('values of every other kind', () => {
  expect(say({ key: 'story.age', args: { age: { age: 3 } } })).toBe(
    'Age\u00a0III is now on top of the Age deck.',
  );
  expect(say({ key: 'ending.nobody', args: { domains: { domains: ['M', 'U'] } } })).toBe(
    'Nobody has a card, so no point: Military and Utopia.',
  );
  expect(
    say({
      key: 'offer.use',
      args: { effect: { effect: 'holy-book' }, does: { does: 'holy-book' } },
    }),
  ).toBe('Holy Book – draw until you hold 5 cards at the end of this turn');
  expect(say({ key: 'ending.tie', args: { names: { seats: [0, 1, 2] }, points: 1 } }, NAMES)).toBe(
    'Ada, Ben and Ilinca are tied with 1 point each.',
  );
  const counts = [0, 1].map((seat) => ({
    key: 'ending.count',
    args: { name: { seat }, count: seat + 2 },
  }));
  expect(say({ key: 'ending.points', args: { counts: { list: counts } } }, NAMES)).toBe(
    'Points: Ada (2), Ben (3).',
  );
  expect(say({ key: 'offer.play', args: { card: { card: 'E2' }, column: 'Economy 1/7' } })).toBe(
    'play Economy (Age II); that makes Economy 1/7',
  );
});

test('a wrong key or a missing argument shows the key', () => {
  expect(say({ key: 'no.such', args: {} })).toBe('no.such');
  expect(say({ key: 'story.age', args: {} })).toBe('story.age');
});

test('emblems stand with what they name, and names are never markup', () => {
  const message: Message = {
    key: 'story.use',
    args: { you: 'no', name: { seat: 0 }, effect: { effect: 'research' } },
  };
  const html = render(Say, { props: { message, names: ['<b>'] } }).body.replace(/<!--.*?-->/g, '');
  expect(html).toContain(
    '<span class="dm" data-d="science">' +
      '<svg class="i" aria-hidden="true"><use href="#science"></use></svg>Research</span>',
  );
  expect(html).toContain('<span class="named">&lt;b></span>');
});

test('what is offered begins a sentence with a capital letter', () => {
  const message: Message = {
    key: 'offer.play',
    args: { card: { card: 'E2' }, column: 'Economy 1/7' },
  };
  const html = render(Say, { props: { message, first: true } }).body.replace(/<[^>]*>/g, '');
  expect(html).toBe('Play Economy (Age II); that makes Economy 1/7');
});

test('the rules come when asked for, and change language with the page', async () => {
  await loadTexts('rules');
  expect(t('rules.title')).toBe('Rules');
  await setLanguage('fr');
  expect(t('rules.title')).toBe('Règles');
});
