// The texts of the page: what it takes from text/, parsed, and the types of the keys. Run as a
// program, it writes those types.
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse, TYPE } from '@formatjs/icu-messageformat-parser';

/** @typedef {import('@formatjs/icu-messageformat-parser').MessageFormatElement} Element */
/**
 * Where a text is written: for everybody, for the page, for what needs a server, for the rules page
 * alone.
 * @typedef {'shared' | 'page' | 'online' | 'rules'} Source
 */
/** @typedef {Map<string, 'number' | 'text'>} Arguments */

export const LANGUAGES = ['en', 'fr', 'es', 'pt', 'ro'];

// What the page takes from the texts that it shares with the terminal: keys, and beginnings of keys
// (with a dot).
const SHARED = [
  'ask.',
  'card',
  'cards.',
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
  'percent',
  'phrase.',
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

const TEXT = fileURLToPath(new URL('../../text/', import.meta.url));
const KEYS = fileURLToPath(new URL('../src/text/keys.d.ts', import.meta.url));

/** @type {(source: Source, language: string) => string} */
export const fileOf = (source, language) =>
  `${TEXT}${source === 'shared' ? '' : `${source}/`}${language}.json`;

/** @type {(source: Source, language: string) => Record<string, string>} */
export function read(source, language) {
  const all = Object.entries(JSON.parse(readFileSync(fileOf(source, language), 'utf8')));
  if (source !== 'shared') return Object.fromEntries(all);
  return Object.fromEntries(
    all.filter(([key]) =>
      SHARED.some((taken) => key === taken || (/[.-]$/.test(taken) && key.startsWith(taken))),
    ),
  );
}

/** @type {(text: string) => Element[]} */
export const parsed = (text) =>
  parse(text, { captureLocation: false, shouldParseSkeletons: false });

/**
 * Messages as the page formats them: a text without arguments stays a text.
 * @type {(source: Source, language: string) => Record<string, string | Element[]>}
 */
export function compiled(source, language) {
  return Object.fromEntries(
    Object.entries(read(source, language)).map(([key, text]) => {
      const message = parsed(text);
      return [
        key,
        message.length === 1 && message[0].type === TYPE.literal ? message[0].value : message,
      ];
    }),
  );
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
  for (const source of /** @type {const} */ (['shared', 'page', 'online', 'rules']))
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
