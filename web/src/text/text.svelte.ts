// What the page says: messages of text/ in the language of the player. Whatever calls t, say or
// parts is told anew when the language changes.

import english from 'virtual:text/en';
import { IntlMessageFormat } from 'intl-messageformat';
import type { Age, Card, Effect, Letter, Message, Value } from '../engine/types';
import type { Texts } from './keys';

export const LANGUAGES = ['en', 'fr', 'es', 'pt', 'ro'] as const;
export type Language = (typeof LANGUAGES)[number];
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

type Catalogue = typeof english;
type Argument = string | number | Part[];

const STORED = 'civ.language';
const TEXTS: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: async () => ({ default: english }),
  fr: () => import('virtual:text/fr'),
  es: () => import('virtual:text/es'),
  pt: () => import('virtual:text/pt'),
  ro: () => import('virtual:text/ro'),
};
// What only some screens say comes with them.
const MORE = {
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
} satisfies Record<string, typeof TEXTS>;
type More = keyof typeof MORE;

let now = $state.raw<{ language: Language; texts: Catalogue; loaded: More[] }>({
  language: 'en',
  texts: english,
  loaded: [],
});
let wanted: Language = 'en';
const more = new Set<More>();

export const language = {
  get current(): Language {
    return now.language;
  },
};

function stored(): string | null {
  try {
    return localStorage.getItem(STORED);
  } catch {
    return null; // not to be had, as in some private windows
  }
}

// The language chosen before, else the first of the browser's that we speak, else English.
export function preferred(): Language {
  for (const tag of [stored(), ...navigator.languages]) {
    const spoken = LANGUAGES.find((one) => one === tag?.split('-')[0].toLowerCase());
    if (spoken) return spoken;
  }
  return 'en';
}

async function show(next: Language): Promise<void> {
  wanted = next;
  const loaded = [...more];
  const texts = await Promise.all([TEXTS[next](), ...loaded.map((one) => MORE[one][next]())]);
  if (wanted !== next) return; // chosen otherwise in the meantime
  now = { language: next, texts: Object.assign({}, ...texts.map((one) => one.default)), loaded };
  document.documentElement.lang = next;
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

export const textsLoaded = (one: More): boolean => now.loaded.includes(one);

// The texts of some screens, in this and every later language.
export async function loadTexts(one: More): Promise<void> {
  more.add(one);
  if (!textsLoaded(one)) await show(wanted);
}

// Parsed messages, ready to be put together.
const formats = new WeakMap<object, IntlMessageFormat>();

// A key that does not exist, or lacks an argument, is a bug, and is shown as itself.
function format(key: string, args: Record<string, Argument>): Part[] {
  const message = now.texts[key] ?? key;
  if (typeof message === 'string') return [{ text: message }];
  let ready = formats.get(message);
  if (!ready) {
    ready = new IntlMessageFormat(message, now.language);
    formats.set(message, ready);
  }
  try {
    return ready
      .formatToParts<Part[]>(args)
      .flatMap(({ value }) => (typeof value === 'string' ? { text: value } : (value as Part[])));
  } catch {
    return [{ text: key }];
  }
}

const plain = (parts: Part[]): string => parts.map(({ text }) => text).join('');

// "a, b and c", or "a, b or c". The words themselves are given to the list: in Spanish, "and" and
// "or" depend on the sound that follows.
function listed(items: Part[][], joined: 'conjunction' | 'disjunction' = 'conjunction'): Part[] {
  // British English has no comma before "and", as the texts have none.
  const tag = now.language === 'en' ? 'en-GB' : now.language;
  const list = new Intl.ListFormat(tag, { type: joined });
  const left = items.values();
  return list
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

function cardsParts(cards: Card[]): Part[] {
  return listed(
    counted(cards).map(([card, count]) =>
      count === 1 ? [cardPart(card)] : format('cards.times', { count, card: [cardPart(card)] }),
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
  if ('domains' in value) return listed(value.domains.map((domain) => [domainPart(domain)]));
  if ('effect' in value)
    return [{ effect: value.effect, text: plain(format(`effect.${value.effect}`, {})) }];
  if ('does' in value) return format(`does.${value.does}`, {});
  if ('card' in value) return [cardPart(value.card)];
  if ('cards' in value) return cardsParts(value.cards);
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

export function percent(part: number): string {
  return new Intl.NumberFormat(now.language, { style: 'percent' }).format(part);
}
