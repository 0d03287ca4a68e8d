import type { Edition } from '../engine/types';
import { language, t } from '../text/text.svelte';
import type { Level, Seat } from './setup';

const LEVEL_NAMES = {
  1: 'levels.1',
  2: 'levels.2',
  3: 'levels.3',
  4: 'levels.4',
  5: 'levels.5',
  6: 'levels.6',
  7: 'levels.7',
  8: 'levels.8',
} as const;
const LEVEL_NOTES = {
  1: 'levels.about-1',
  2: 'levels.about-2',
  3: 'levels.about-3',
  4: 'levels.about-4',
  5: 'levels.about-5',
  6: 'levels.about-6',
  7: 'levels.about-7',
  8: 'levels.about-8',
} as const;
const EDITION_NAMES = {
  en: 'options.edition-en',
  fr: 'options.edition-fr',
  es: 'options.edition-es',
  pt: 'options.edition-pt',
  ro: 'options.edition-ro',
} as const;

export const levelName = (level: Level): string => t(LEVEL_NAMES[level]);
export const levelNote = (level: Level): string => t(LEVEL_NOTES[level]);
export const editionName = (edition: Edition): string => t(EDITION_NAMES[edition]);

// The names of a table, with words for those who have none.
export function namesOf({ seats, names }: { seats: Seat[]; names: string[] }): string[] {
  const alone = seats.filter((seat) => seat === 'human').length === 1;
  const unnamed = (seat: number) => (alone ? t('options.you') : t('options.player', { number: seat + 1 }));
  return seats.map((seat, i) => names[i] || (seat === 'human' ? unnamed(i) : t('options.bot', { number: i + 1 })));
}

// "a, b and c"
export const listed = (words: string[]): string =>
  new Intl.ListFormat(language.current === 'en' ? 'en-GB' : language.current).format(words);
