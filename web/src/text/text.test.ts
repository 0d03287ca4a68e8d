import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser';
import { describe, expect, test } from 'vitest';
import { argumentsOf, LANGUAGES, parsed, read } from '../../tools/texts.mjs';

const SOURCES = ['shared', 'page', 'online', 'rules'] as const;
const TRANSLATED = LANGUAGES.filter((language) => language !== 'en');

// Words that are rightly the same as in English.
const SAME: Record<string, string[]> = {
  fr: [
    'Religion',
    'Science',
    'Purge',
    'Inspiration',
    'Inquisition',
    'Embargo',
    'draft',
    'bot',
    'bot {level}',
    'Menu',
    'Points',
    'Draft',
    'Bots',
    'Tables',
  ],
  es: ['Embargo', 'bot', 'bot {level}', 'Bots', 'Normal'],
  pt: ['Utopia', 'Embargo', 'draft', 'bot', 'bot {level}', 'Menu', 'Draft', 'Bots', 'Normal'],
  ro: ['Experiment', 'Embargo', 'draft', 'bot', 'bot {level}', 'Draft', 'Normal', 'Online', 'online'],
};

// Beginnings of keys that the page puts together, as in t(`rules.glossary.${term}.term`).
const COMPOSED = [
  'aim.',
  'explain.',
  'fx.',
  'letter.',
  'live.left-',
  'settings.pace-',
  'settings.theme-',
  'rules.ruling.',
  'rules.glossary.',
  'rules.editions.draft.',
  'rules.editions.last.',
  'rules.editions.coin.',
];

const sorted = (items: Iterable<string>) => [...items].sort();

function* pluralsOf(elements: MessageFormatElement[]): Generator<string[]> {
  for (const element of elements) {
    if (element.type !== TYPE.plural && element.type !== TYPE.select) continue;
    if (element.type === TYPE.plural) yield Object.keys(element.options).filter((form) => !form.startsWith('='));
    for (const option of Object.values(element.options)) yield* pluralsOf(option.value);
  }
}

// The forms that whole numbers take at a table: "many", which French has from a million on, is not among them.
function formsOf(language: string): string[] {
  const rules = new Intl.PluralRules(language);
  return sorted(new Set(Array.from({ length: 1000 }, (_, number) => rules.select(number))));
}

const words = (text: string) => text.replace(/\{[^{}]*\}/g, '').match(/\p{L}+/gu) ?? [];

describe.each(SOURCES)('texts: %s', (source) => {
  const english = read(source, 'en');

  test.each(TRANSLATED)('%s has the keys and arguments of English', (language) => {
    const texts = read(source, language);
    expect(Object.keys(texts)).toEqual(Object.keys(english));
    for (const [key, text] of Object.entries(texts))
      expect([key, sorted(argumentsOf(parsed(text)).keys())]).toEqual([key, sorted(argumentsOf(parsed(english[key])).keys())]);
  });

  test.each(TRANSLATED)('%s leaves nothing in English', (language) => {
    const left = Object.entries(read(source, language)).filter(
      ([key, text]) => text === english[key] && !key.startsWith('letter.') && words(text).length > 0,
    );
    expect(left.filter(([, text]) => !SAME[language].includes(text))).toEqual([]);
  });

  test.each(LANGUAGES)('%s has every plural form', (language) => {
    const forms = formsOf(language);
    const wrong = Object.entries(read(source, language)).filter(([, text]) =>
      [...pluralsOf(parsed(text))].some((has) => has.length > 1 && sorted(has).join() !== forms.join()),
    );
    expect(wrong).toEqual([]);
  });

  test.each(TRANSLATED)('%s varies with a number where English does', (language) => {
    const varies = (text: string) => [...pluralsOf(parsed(text))].some((has) => has.length > 1);
    const texts = read(source, language);
    const counts = (text: string) => text.includes('#');
    expect(Object.keys(texts).filter((key) => varies(english[key]) && counts(texts[key]) && !varies(texts[key]))).toEqual([]);
  });

  test.each(LANGUAGES)('%s is set with the right letters and marks', (language) => {
    for (const [key, text] of Object.entries(read(source, language))) {
      expect([key, text]).toEqual([key, expect.not.stringMatching(/["']/)]);
      expect([key, text]).toEqual([key, expect.not.stringMatching(/[şţŞŢ]/)]);
      expect([key, text]).toEqual([key, expect.not.stringMatching(/ {2}|\.\.\.|^ | $/)]);
      if (language === 'fr' && source !== 'shared')
        expect([key, text]).toEqual([key, expect.not.stringMatching(/[^\u00a0\u202f][;:!?»]|«[^\u00a0\u202f]/)]);
    }
  });
});

function sourcesUnder(folder: string): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((file) => file.isFile() && /\.(svelte|ts)$/.test(file.name) && !/\.(test|d)\.ts$/.test(file.name))
    .map((file) => readFileSync(`${file.parentPath}/${file.name}`, 'utf8'))
    .join('\n');
}

describe('keys in the code', () => {
  const code = sourcesUnder(fileURLToPath(new URL('..', import.meta.url)));
  const keys = new Set(SOURCES.flatMap((source) => Object.keys(read(source, 'en'))));

  test('every key of the page is used', () => {
    const own = SOURCES.filter((source) => source !== 'shared').flatMap((source) => Object.keys(read(source, 'en')));
    const unused = own.filter((key) => !code.includes(`'${key}'`) && !COMPOSED.some((beginning) => key.startsWith(beginning)));
    expect(unused).toEqual([]);
  });

  test('every key used exists', () => {
    const used = [...code.matchAll(/\b(?:t\(|key: ?)'([^']+)'/g)].map(([, key]) => key);
    expect(used.filter((key) => !keys.has(key))).toEqual([]);
  });

  test('composed keys exist', () => {
    expect(COMPOSED.filter((beginning) => ![...keys].some((key) => key.startsWith(beginning)))).toEqual([]);
  });
});
