// What the page says: messages of text/ in the language of the player. Whatever calls t, say or
// parts is told anew when the language changes.

import english from 'virtual:text/start/en';
import type { Age, Card, Effect, Letter, Message, Value } from '../engine/types';
import type { Texts } from './keys';
import { type Language, preferred, STORED } from './preferred';

export { LANGUAGES, type Language, preferred } from './preferred';
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  fr: 'Français',
  es: 'Español',
  pt: 'Português',
  ro: 'Română',
};

export type Key = keyof Texts;
type Arguments<K extends Key> = Texts[K] extends undefined ? [] : [Texts[K]];

// Who sits where.
export type Names = readonly string[];

// A piece of a sentence, and what it names, if it does: one thing at most.
export interface Part {
  text: string;
  domain?: Letter;
  effect?: Effect;
  card?: Card;
  seat?: number;
}

type Argument = string | number | Part[];

// Messages as tools/texts.mjs compiles them: a text, or a function that asks for its arguments and
// chooses by a number or by a word.
type Pieces = string | Argument | Pieces[];
type Choices = Record<string, string | ((number: string) => Pieces)>;
type Choose = (name: string, choices: Choices) => Pieces;
type Compiled = (value: (name: string) => Argument, plural: Choose, select: Choose) => Pieces[];
export type Catalogue = Record<string, string | Compiled>;

const ENGLISH = async () => ({ default: english });
// The start page has its own texts; the others come with the screens that need them.
const TEXTS = {
  start: {
    en: ENGLISH,
    fr: () => import('virtual:text/start/fr'),
    es: () => import('virtual:text/start/es'),
    pt: () => import('virtual:text/start/pt'),
    ro: () => import('virtual:text/start/ro'),
  },
  game: {
    en: () => import('virtual:text/game/en'),
    fr: () => import('virtual:text/game/fr'),
    es: () => import('virtual:text/game/es'),
    pt: () => import('virtual:text/game/pt'),
    ro: () => import('virtual:text/game/ro'),
  },
  online: {
    en: () => import('virtual:text/online/en'),
    fr: () => import('virtual:text/online/fr'),
    es: () => import('virtual:text/online/es'),
    pt: () => import('virtual:text/online/pt'),
    ro: () => import('virtual:text/online/ro'),
  },
  rules: {
    en: () => import('virtual:text/rules/en'),
    fr: () => import('virtual:text/rules/fr'),
    es: () => import('virtual:text/rules/es'),
    pt: () => import('virtual:text/rules/pt'),
    ro: () => import('virtual:text/rules/ro'),
  },
  learn: {
    en: () => import('virtual:text/learn/en'),
    fr: () => import('virtual:text/learn/fr'),
    es: () => import('virtual:text/learn/es'),
    pt: () => import('virtual:text/learn/pt'),
    ro: () => import('virtual:text/learn/ro'),
  },
  review: {
    en: () => import('virtual:text/review/en'),
    fr: () => import('virtual:text/review/fr'),
    es: () => import('virtual:text/review/es'),
    pt: () => import('virtual:text/review/pt'),
    ro: () => import('virtual:text/review/ro'),
  },
} satisfies Record<string, Record<Language, () => Promise<{ default: Catalogue }>>>;
type Name = keyof typeof TEXTS;
export type More = Exclude<Name, 'start'>;

type Loaded = Partial<Record<Name, Catalogue>>;
const loaded: Record<Language, Loaded> = { en: { start: english }, fr: {}, es: {}, pt: {}, ro: {} };
let now = $state.raw<{ language: Language; texts: Catalogue; has: Loaded }>({
  language: 'en',
  texts: english,
  has: loaded.en,
});
let wanted: Language = 'en';
const more = new Set<More>();

export const language = {
  get current(): Language {
    return now.language;
  },
};

async function get(name: Name, language: Language): Promise<void> {
  loaded[language][name] ??= (await TEXTS[name][language]()).default;
}

async function show(next: Language): Promise<void> {
  wanted = next;
  await Promise.all((['start', ...more] as const).map((name) => get(name, next)));
  if (wanted !== next) return; // chosen otherwise in the meantime
  const has = { ...loaded[next] };
  now = { language: next, texts: Object.assign({}, ...Object.values(has)), has };
  if (typeof document === 'undefined') return;
  const page = document.documentElement; // the same language again would be styled again
  if (page.lang !== next) page.lang = next;
}

// Before the page is shown. English is always there, so that this cannot fail.
export async function start(): Promise<void> {
  await show(preferred()).catch(() => show('en'));
}

// Another tab that changes the language is right, as with the settings.
export function followOtherTabs(): void {
  addEventListener('storage', ({ key }) => {
    if (key === STORED) void show(preferred()).catch(() => {});
  });
}

// Rejected, with nothing changed, if the texts cannot be loaded.
export async function setLanguage(next: Language): Promise<void> {
  await show(next);
  try {
    localStorage.setItem(STORED, next);
  } catch {
    // The choice then lasts as long as the page.
  }
}

export const textsLoaded = (one: More): boolean => one in now.has;

// So that they are there when they are asked for; nothing is told anew.
export async function fetchTexts(name: More): Promise<void> {
  await get(name, wanted);
}

// The texts of some screens, in this and every later language. Rejected if they cannot be loaded:
// whoever needs them asks again.
export async function loadTexts(...names: More[]): Promise<void> {
  const missing = names.filter((name) => !more.has(name) || !textsLoaded(name));
  if (missing.length === 0) return;
  for (const name of missing) more.add(name);
  try {
    await show(wanted);
  } catch (error) {
    for (const name of missing) more.delete(name);
    throw error;
  }
}

const flat = (piece: Pieces): Part[] =>
  typeof piece !== 'object'
    ? [{ text: `${piece}` }]
    : piece.flatMap((one) => (isPart(one) ? [one] : flat(one)));
const isPart = (piece: Pieces | Part): piece is Part =>
  typeof piece === 'object' && !Array.isArray(piece);

// Neighbours that name nothing are one piece.
function joined(parts: Part[]): Part[] {
  const all: Part[] = [];
  for (const part of parts) {
    const last = all.at(-1);
    if (last && Object.keys(last).length === 1 && Object.keys(part).length === 1)
      last.text += part.text;
    else all.push({ ...part });
  }
  return all;
}

// What knows a language takes long to make.
function memo<T>(make: (language: Language) => T): () => T {
  const made = new Map<Language, T>();
  return () => {
    const known = made.get(now.language) ?? make(now.language);
    made.set(now.language, known);
    return known;
  };
}
// As the reader's own country writes it, where that speaks the language.
const own = memo(
  (language) => navigator.languages.find((one) => one.split('-')[0] === language) ?? language,
);
const days = memo(() => new Intl.DateTimeFormat(own(), { dateStyle: 'medium' }));
const numbers = memo((language) => new Intl.NumberFormat(language));
const percents = memo((language) => new Intl.NumberFormat(language, { style: 'percent' }));
const plurals = memo((language) => new Intl.PluralRules(language));
// British English has no comma before "and", as the texts have none.
const lists = (type: Intl.ListFormatType) =>
  memo((language) => new Intl.ListFormat(language === 'en' ? 'en-GB' : language, { type }));
const LISTS = { conjunction: lists('conjunction'), disjunction: lists('disjunction') };

// A key that does not exist, or lacks an argument, is a bug, and is shown as itself.
function format(key: string, args: Record<string, Argument>): Part[] {
  const message = now.texts[key] ?? key;
  if (typeof message === 'string') return [{ text: message }];
  const value = (name: string) => {
    if (!(name in args)) throw new Error(`${key} has no ${name}`);
    return args[name];
  };
  const chosen = (choice: Choices[string], number: string) =>
    typeof choice === 'string' ? choice : choice(number);
  const plural: Choose = (name, choices) => {
    const count = Number(value(name));
    const choice = choices[`=${count}`] ?? choices[plurals().select(count)] ?? choices.other;
    return chosen(choice, numbers().format(count));
  };
  const select: Choose = (name, choices) => chosen(choices[`${value(name)}`] ?? choices.other, '');
  try {
    return joined(flat(message(value, plural, select)));
  } catch {
    return [{ text: key }];
  }
}

const plain = (parts: Part[]): string => parts.map(({ text }) => text).join('');

// "a, b and c", or "a, b or c". The words themselves are given to the list: in Spanish, "and" and
// "or" depend on the sound that follows.
function listed(items: Part[][], joined: keyof typeof LISTS = 'conjunction'): Part[] {
  const left = items.values();
  return LISTS[joined]()
    .formatToParts(items.map(plain))
    .flatMap(({ type, value }) => (type === 'element' ? left.next().value! : { text: value }));
}

function counted<T>(items: T[]): [T, number][] {
  const counts = new Map<T, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return [...counts];
}

const roman = (age: Age): string => 'I'.repeat(age);
const domainPart = (domain: Letter): Part => ({
  domain,
  text: plain(format(`domain.${domain}`, {})),
});
const cardPart = (card: Card): Part => ({
  card,
  text: plain(
    format('card', {
      domain: domainPart(card[0] as Letter).text,
      age: roman(Number(card[1]) as Age),
    }),
  ),
});

// "Military (Age I) and 2 × Science (Age II)"; of Domains the same without Ages.
function countedParts<T>(items: T[], partOf: (item: T) => Part): Part[] {
  return listed(
    counted(items).map(([item, count]) =>
      count === 1 ? [partOf(item)] : format('cards.times', { count, card: [partOf(item)] }),
    ),
  );
}

function backsParts(backs: Age[]): Part[] {
  return listed(
    counted(backs).map(([age, count]) => format('cards.backs', { count, age: roman(age) })),
  );
}

function argument(value: Value, names: Names): Argument {
  if (typeof value !== 'object') return value;
  if ('seat' in value) return [{ seat: value.seat, text: names[value.seat] }];
  if ('seats' in value) return listed(value.seats.map((seat) => [{ seat, text: names[seat] }]));
  if ('domain' in value) return [domainPart(value.domain)];
  if ('domains' in value) return countedParts(value.domains, domainPart);
  if ('effect' in value)
    return [{ effect: value.effect, text: plain(format(`effect.${value.effect}`, {})) }];
  if ('does' in value) return format(`does.${value.does}`, {});
  if ('card' in value) return [cardPart(value.card)];
  if ('cards' in value) return countedParts(value.cards, cardPart);
  if ('backs' in value) return backsParts(value.backs);
  if ('age' in value) return roman(value.age);
  return value.list.flatMap((message, i) =>
    i ? [{ text: ', ' }, ...parts(message, names)] : parts(message, names),
  );
}

// A message piece by piece, so that what it names can be shown with an emblem.
export function parts(message: Message, names: Names = []): Part[] {
  return format(
    message.key,
    Object.fromEntries(
      Object.entries(message.args).map(([name, value]) => [name, argument(value, names)]),
    ),
  );
}

export const say = (message: Message, names: Names = []): string => plain(parts(message, names));

export function t<K extends Key>(key: K, ...[args]: Arguments<K>): string {
  return plain(format(key, args ?? {}));
}

const worded = (items: string[]): Part[][] => items.map((text) => [{ text }]);

// "a, b and c".
export const list = (items: string[]): string => plain(listed(worded(items)));

// "a, b or c".
export const either = (items: string[]): string => plain(listed(worded(items), 'disjunction'));

export const number = (value: number): string => numbers().format(value);

export const percent = (part: number): string => percents().format(part);

// "19 Nov 2026".
export const day = (time: number): string => days().format(time);
