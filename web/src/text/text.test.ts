import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type MessageFormatElement, TYPE } from '@formatjs/icu-messageformat-parser';
import { describe, expect, test } from 'vitest';
import {
  argumentsOf,
  catalogueOf,
  fileOf,
  LANGUAGES,
  parsed,
  read,
  SOURCES,
} from '../../tools/texts.mjs';

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
    'Joker',
  ],
  es: ['No', 'Embargo', 'bot', 'bot {level}', 'Bots', 'Normal', 'Chat', 'Error'],
  pt: [
    'Utopia',
    'Embargo',
    'draft',
    'bot',
    'bot {level}',
    'Menu',
    'Draft',
    'Bots',
    'Bot {number}',
    'Normal',
  ],
  ro: [
    'Experiment',
    'Embargo',
    'draft',
    'bot',
    'bot {level}',
    'Draft',
    'Normal',
    'Online',
    'online',
    'Joker',
  ],
};

// Beginnings of keys that the page puts together, as in t(`rules.glossary.${term}.term`).
const COMPOSED = [
  'aim.',
  'branch.',
  'explain.',
  'fx.',
  'games.branch-',
  'learn.age-',
  'lesson.',
  'letter.',
  'live.left-',
  'puzzles.goal-',
  'recap.hit-',
  'settings.pace-',
  'settings.theme-',
  'rules.ruling.',
  'rules.glossary.',
  'rules.editions.draft.',
  'rules.editions.last.',
  'rules.editions.coin.',
];

const sorted = (items: Iterable<string>) => [...items].sort();

// All that is written, also for the terminal alone.
const written = (source: (typeof SOURCES)[number], language: string): Record<string, string> =>
  JSON.parse(readFileSync(fileOf(source, language), 'utf8'));

function* pluralsOf(elements: MessageFormatElement[]): Generator<string[]> {
  for (const element of elements) {
    if (element.type !== TYPE.plural && element.type !== TYPE.select) continue;
    if (element.type === TYPE.plural)
      yield Object.keys(element.options).filter((form) => !form.startsWith('='));
    for (const option of Object.values(element.options)) yield* pluralsOf(option.value);
  }
}

// The forms that whole numbers take at a table: "many", which French has from a million on, is not
// among them.
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
      expect([key, sorted(argumentsOf(parsed(text)).keys())]).toEqual([
        key,
        sorted(argumentsOf(parsed(english[key])).keys()),
      ]);
  });

  test.each(TRANSLATED)('%s leaves nothing in English', (language) => {
    const left = Object.entries(read(source, language)).filter(
      ([key, text]) =>
        text === english[key] && !key.startsWith('letter.') && words(text).length > 0,
    );
    expect(left.filter(([, text]) => !SAME[language].includes(text))).toEqual([]);
  });

  test.each(LANGUAGES)('%s has every plural form', (language) => {
    const forms = formsOf(language);
    const wrong = Object.entries(read(source, language)).filter(([, text]) =>
      [...pluralsOf(parsed(text))].some(
        (has) => has.length > 1 && sorted(has).join() !== forms.join(),
      ),
    );
    expect(wrong).toEqual([]);
  });

  test.each(TRANSLATED)('%s varies with a number where English does', (language) => {
    const varies = (text: string) => [...pluralsOf(parsed(text))].some((has) => has.length > 1);
    const texts = read(source, language);
    const counts = (text: string) => text.includes('#');
    expect(
      Object.keys(texts).filter(
        (key) => varies(english[key]) && counts(texts[key]) && !varies(texts[key]),
      ),
    ).toEqual([]);
  });

  test.each(LANGUAGES)('%s is set with the right letters and marks', (language) => {
    for (const [key, text] of Object.entries(written(source, language))) {
      expect([key, text]).toEqual([key, expect.not.stringMatching(/["']/)]);
      expect([key, text]).toEqual([key, expect.not.stringMatching(/[şţŞŢ]/)]);
      expect([key, text]).toEqual([key, expect.not.stringMatching(/ {2}|\.\.\.|^ | $/)]);
      // The typefaces have no narrow blank (U+202F), which French would have before some marks.
      if (language === 'fr')
        expect([key, text]).toEqual([
          key,
          expect.not.stringMatching(/(?<!\u00a0)[;!?»%]|(?<!\u00a0|bot):|«(?!\u00a0)|° /),
        ]);
      if (language === 'es')
        expect([key, text]).toEqual([
          key,
          expect.not.stringMatching(/º | %|era \{age\}|nivel \{level\}/i),
        ]);
    }
  });
});

// What players, Domains, effects and cards are called is put into these.
const PLAYERS = [
  ...['name', 'names', 'target', 'person', 'one', 'two', 'first'],
  ...['about', 'other', 'to', 'against'],
];
const THINGS = ['domain', 'domains', 'effect', 'card', 'cards'];

const DOMAINS: Record<string, string> = {
  military: 'M',
  religion: 'R',
  economy: 'E',
  science: 'S',
  culture: 'C',
  utopia: 'U',
};

// What rules and lessons put into messages: the name of one effect or Domain, always the same.
function named(argument: string, texts: Record<string, string>): string | undefined {
  const effect = argument.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
  return texts[`effect.${effect}`] ?? texts[`domain.${DOMAINS[argument]}`];
}

// A message in all its forms.
function told(elements: MessageFormatElement[], fill: (argument: string) => string): string[] {
  let texts = [''];
  for (const element of elements) {
    let next: string[];
    if (element.type === TYPE.literal) next = [element.value];
    else if (element.type === TYPE.pound) next = ['7'];
    else if (element.type === TYPE.plural || element.type === TYPE.select)
      next = Object.values(element.options).flatMap(({ value }) => told(value, fill));
    else next = ['value' in element ? fill(element.value) : ''];
    texts = texts.flatMap((text) => next.map((more) => text + more));
  }
  return [...new Set(texts)];
}

// Every sentence of a language, with these names in it.
function* sentences(language: string, player: string, thing: string): Generator<[string, string]> {
  const shared = written('shared', language);
  const edition = written('page', language)['options.edition-en'];
  const fill = (argument: string) => {
    if (PLAYERS.includes(argument)) return player;
    if (THINGS.includes(argument)) return thing;
    return argument === 'edition' ? edition : (named(argument, shared) ?? '7');
  };
  for (const source of SOURCES)
    for (const [key, text] of Object.entries(written(source, language)))
      for (const sentence of told(parsed(text), fill)) yield [key, sentence];
}

// Where a word depends on the sound, the gender or the case of the name that follows, the name
// cannot just be put in.
describe('names in sentences', () => {
  const wrong = (language: string, player: string, pattern: RegExp, thing = player) =>
    [...sentences(language, player, thing)].filter(([, sentence]) => pattern.test(sentence));

  test('French: nothing that would be elided stands before a name', () => {
    const elided = 'de|le|la|se|ne|me|te|je|ce|que|jusque|lorsque|puisque|quoique';
    for (const name of ['Ada', 'Économie', 'Inès'])
      expect(
        wrong('fr', name, new RegExp(`(?<![\\p{L}’-])(${elided})[ \u00a0][aeiouéêâî]\\p{L}`, 'iu')),
      ).toEqual([]);
  });

  test('Spanish: “y” and “o” suit what follows, and articles are contracted', () => {
    for (const name of ['Inés', 'Olga', 'Hilario', 'Ada']) {
      expect(wrong('es', name, /(?<!\p{L})(y h?[ií](?!e)|o h?[oó])/iu)).toEqual([]);
      expect(wrong('es', name, /(?<!\p{L})(e (?!h?[ií])|u (?!h?[oó]))\p{L}/iu)).toEqual([]);
      expect(wrong('es', name, /(?<!\p{L})(a|de) el \p{L}/iu)).toEqual([]);
    }
  });

  test('Portuguese: no article before a name, and articles are contracted', () => {
    const article = 'o|a|os|as|ao|à|aos|às|do|da|no|na|pelo|pela';
    expect(wrong('pt', 'Ada', new RegExp(`(?<![\\p{L}-])(${article}) Ada`, 'iu'))).toEqual([]);
    expect(wrong('pt', 'Ada', /(?<!\p{L})(a|de|em|por) a edição/iu)).toEqual([]);
  });

  test('Romanian: nothing before a player asks for another case or a gender', () => {
    const asking = 'jucătorul|jucătorului|lui|al|ai|ale|împotriva|asupra|tura|mâna';
    expect(wrong('ro', 'Ada', new RegExp(`(?<!\\p{L})(${asking}) Ada`, 'iu'), 'Zoe')).toEqual([]);
  });

  // “Bot 2 3”.
  test.each(LANGUAGES)('%s: no number right after a player', (language) => {
    expect(wrong(language, 'Ada', /Ada[ \u00a0]\d/, 'Zoe')).toEqual([]);
  });
});

function sourcesUnder(folder: string, kinds = /\.(svelte|ts)$/): string {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((file) => file.isFile() && kinds.test(file.name) && !/\.(test|d)\.ts$/.test(file.name))
    .map((file) => readFileSync(`${file.parentPath}/${file.name}`, 'utf8'))
    .join('\n');
}

// The code of a module and of all that comes with it.
function staticallyFrom(file: string, seen = new Set<string>()): string {
  if (seen.has(file) || !/\.(svelte|ts)$/.test(file)) return '';
  seen.add(file);
  const code = readFileSync(file, 'utf8');
  const imported = [...code.matchAll(/^(?:import|export)(?! type)[^;(]*? from '(\.[^']+)'/gm)];
  return imported.reduce((all, [, path]) => {
    const found = [path, `${path}.ts`].map((one) => resolve(dirname(file), one)).find(existsSync);
    return found && statSync(found).isFile() ? all + staticallyFrom(found, seen) : all;
  }, code);
}

describe('keys in the code', () => {
  const folder = fileURLToPath(new URL('..', import.meta.url));
  const code = sourcesUnder(folder);
  const keys = new Set(SOURCES.flatMap((source) => Object.keys(read(source, 'en'))));

  test('every key of the page is used', () => {
    const own = SOURCES.filter((source) => source !== 'shared').flatMap((source) =>
      Object.keys(read(source, 'en')),
    );
    const unused = own.filter(
      (key) =>
        !code.includes(`'${key}'`) && !COMPOSED.some((beginning) => key.startsWith(beginning)),
    );
    expect(unused).toEqual([]);
  });

  test('every key used exists', () => {
    const used = [...code.matchAll(/\b(?:t\(|key: ?)'([^']+)'/g)].map(([, key]) => key);
    expect(used.filter((key) => !keys.has(key))).toEqual([]);
  });

  // French has a blank before a colon: page.label sets it.
  test('no colon is joined to a text', () => {
    const markup = sourcesUnder(folder, /\.svelte$/).replace(/<script.*?<\/script>/gs, '');
    expect([...markup.matchAll(/.*\}: ?(<|\{|$).*/gm)].map(([line]) => line)).toEqual([]);
    expect([...code.matchAll(/.*\}: \$\{.*/g)].map(([line]) => line)).toEqual([]);
  });

  test('the start page has its own texts', () => {
    const said = ['start', 'game'] as const;
    const [own, later] = said.map((one) => new Set(Object.keys(catalogueOf(one, 'en'))));
    const start = staticallyFrom(fileURLToPath(new URL('../main.ts', import.meta.url)));
    const used = [...start.matchAll(/(?:\bt\(|(?<!\bkey): )'(\w+\.[^']+)'/g)].map(([, key]) => key);
    expect(used.filter((key) => later.has(key))).toEqual([]);
    expect(used.filter((key) => own.has(key)).length).toBeGreaterThan(30);
  });

  test('composed keys exist', () => {
    expect(
      COMPOSED.filter((beginning) => ![...keys].some((key) => key.startsWith(beginning))),
    ).toEqual([]);
  });
});
