// The page's texts: what it takes from text/, compiled to functions, and the types of the keys.
// Run as a program, it writes those types.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** @typedef {import('@formatjs/icu-messageformat-parser').MessageFormatElement} Element */
/**
 * Where a text is written: for everybody, for the page, for what needs a server, for the rules
 * page, the lessons or the review of a game alone.
 * @typedef {'shared' | 'page' | 'online' | 'rules' | 'learn' | 'review'} Source
 */
/**
 * What is loaded as one: with the start page, with any game, with what needs a server, with the
 * rules, with the lessons, with the review of a game.
 * @typedef {'start' | 'game' | 'online' | 'rules' | 'learn' | 'review'} Catalogue
 */
/** @typedef {Map<string, 'number' | 'text'>} Arguments */

export const LANGUAGES = ['en', 'fr', 'es', 'pt', 'ro'];
export const SOURCES = /** @type {const} */ ([
  'shared',
  'page',
  'online',
  'rules',
  'learn',
  'review',
]);

// What the review of a game says: of the shared texts, and all of its own.
const REVIEW = [
  'analyze.blunder',
  'analyze.error',
  'analyze.joker',
  'analyze.marks',
  'analyze.nothing',
  'analyze.progress',
  'analyze.quiet',
  'analyze.slip',
  'analyze.turning-point',
  'branch.',
  'report.balance',
  'report.chances',
  'report.end',
  'report.luck',
  'report.moments',
  'report.others',
  'report.played',
  'report.quality',
  'report.skill',
  'report.turn',
  'report.turns',
  'review.',
];

// What the page takes from the texts that it shares with the terminal: keys, and beginnings of keys
// (with a dot).
const SHARED = [
  ...REVIEW,
  'ask.',
  'card',
  'cards.',
  'character.',
  'closing.',
  'column',
  'column.',
  'does.',
  'domain.',
  'edition.',
  'effect.',
  'ending.',
  'error.',
  'hint.',
  'offer.',
  'pact.',
  'percent',
  'phrase.',
  'puzzle.',
  'reason.',
  'record.wrong',
  'record.wrong-',
  'reference.hegemony',
  'reference.majority',
  'reference.once',
  'reference.teams',
  'reference.turn',
  'setup.',
  'short.',
  'story.',
  'tag.',
  'threat.',
  'wanted.',
  'why.',
];

// What the start page says, of the shared texts and of the page's: the rest comes with the first
// game. A test finds what is missing here.
const START = [
  'card',
  'cards.times',
  'domain.',
  'games.continue',
  'games.error-storage',
  'games.running',
  'games.running-title',
  'games.turn-of',
  'games.your-turn',
  'home.',
  'letter.',
  'levels.',
  'options.bot',
  'options.bot-named',
  'options.bots',
  'options.close',
  'options.edition-',
  'options.language',
  'options.language-',
  'options.player',
  'options.players',
  'options.to-',
  'options.you',
  'page.',
  'settings.title',
  'table.leave',
  'table.title-turn',
];

const TEXT = fileURLToPath(new URL('../../text/', import.meta.url));
const KEYS = fileURLToPath(new URL('../src/text/keys.d.ts', import.meta.url));

/** @type {(source: Source, language: string) => string} */
export const fileOf = (source, language) =>
  `${TEXT}${source === 'shared' ? '' : `${source}/`}${language}.json`;

/** @type {(taken: string[], key: string) => boolean} */
const isAmong = (taken, key) =>
  taken.some((one) => key === one || (/[.-]$/.test(one) && key.startsWith(one)));

/** @type {(source: Source, language: string) => Record<string, string>} */
export function read(source, language) {
  const all = Object.entries(JSON.parse(readFileSync(fileOf(source, language), 'utf8')));
  return Object.fromEntries(
    source === 'shared' ? all.filter(([key]) => isAmong(SHARED, key)) : all,
  );
}

/** @type {(catalogue: Catalogue) => Source[]} */
export const sourcesOf = (catalogue) =>
  catalogue === 'start' || catalogue === 'game'
    ? ['shared', 'page']
    : catalogue === 'review'
      ? ['shared', 'review']
      : [catalogue];

/** @type {(catalogue: Catalogue, language: string) => Record<string, string>} */
export function catalogueOf(catalogue, language) {
  const all = sourcesOf(catalogue).flatMap((source) => Object.entries(read(source, language)));
  return Object.fromEntries(all.filter(([key]) => placeOf(key, catalogue) === catalogue));
}

/**
 * The catalogue of a text that may be in this one.
 * @type {(key: string, catalogue: Catalogue) => Catalogue}
 */
function placeOf(key, catalogue) {
  if (sourcesOf(catalogue)[0] !== 'shared') return catalogue;
  if (isAmong(REVIEW, key)) return 'review';
  return isAmong(START, key) ? 'start' : 'game';
}

/** @type {(text: string) => Element[]} */
export const parsed = (text) =>
  parse(text, { captureLocation: false, shouldParseSkeletons: false });

/**
 * The code of a piece: a literal, the argument `v("name")`, a choice by a word, or by a number `n`.
 * @type {(element: Element) => string}
 */
function codeOf(element) {
  if (element.type === TYPE.literal) return JSON.stringify(element.value);
  if (element.type === TYPE.pound) return 'n';
  if (element.type === TYPE.argument) return `v(${JSON.stringify(element.value)})`;
  if (element.type !== TYPE.plural && element.type !== TYPE.select)
    throw new Error(`${JSON.stringify(element)} is not for the page`);
  const plural = element.type === TYPE.plural;
  if (plural && (element.offset || element.pluralType !== 'cardinal'))
    throw new Error(`{${element.value}} counts in a way that is not for the page`);
  const choices = Object.entries(element.options).map(([name, { value }]) => {
    const literal = value.length === 0 || (value.length === 1 && value[0].type === TYPE.literal);
    const said = literal
      ? JSON.stringify(value.map((one) => ('value' in one ? one.value : '')).join(''))
      : `${plural ? 'n' : '()'}=>${piecesOf(value)}`;
    return `${JSON.stringify(name)}:${said}`;
  });
  return `${plural ? 'p' : 's'}(${JSON.stringify(element.value)},{${choices.join()}})`;
}

/** @type {(elements: Element[]) => string} */
const piecesOf = (elements) => `[${elements.map(codeOf).join()}]`;

/**
 * A message as the page says it: a text, or a function that gives its pieces.
 * @type {(text: string) => string}
 */
export function compiled(text) {
  const message = parsed(text);
  if (message.length === 1 && message[0].type === TYPE.literal) return codeOf(message[0]);
  return `(v,p,s)=>${piecesOf(message)}`;
}

/** @type {(catalogue: Catalogue, language: string) => string} */
export function moduleOf(catalogue, language) {
  const messages = Object.entries(catalogueOf(catalogue, language)).map(
    ([key, text]) => `${JSON.stringify(key)}:${compiled(text)}`,
  );
  return `export default {${messages.join(',\n')}}`;
}

/**
 * The arguments of a message, and whether each must be a number.
 * @type {(elements: Element[], found?: Arguments) => Arguments}
 */
export function argumentsOf(elements, found = new Map()) {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    const number = element.type === TYPE.plural || element.type === TYPE.number;
    if (number || !found.has(element.value)) found.set(element.value, number ? 'number' : 'text');
    if (element.type === TYPE.plural || element.type === TYPE.select)
      for (const option of Object.values(element.options)) argumentsOf(option.value, found);
  }
  return found;
}

// An argument is a number where any language asks for its plural.
function types() {
  /** @type {Map<string, Arguments>} */
  const keys = new Map();
  for (const source of SOURCES)
    for (const language of LANGUAGES)
      for (const [key, text] of Object.entries(read(source, language)))
        keys.set(key, argumentsOf(parsed(text), keys.get(key)));
  const lines = [...keys].map(([key, all]) => {
    const fields = [...all].map(
      ([name, kind]) => `${name}: ${kind === 'number' ? 'number' : 'string | number'}`,
    );
    return `  '${key}': ${fields.length ? `{ ${fields.join('; ')} }` : 'undefined'};`;
  });
  const about = '// Generated from text/ by tools/texts.mjs: each key with its arguments.';
  return `${[about, 'export interface Texts {', ...lines, '}'].join('\n')}\n`;
}

export function writeKeys() {
  writeFileSync(KEYS, types());
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeKeys();
