import type { Edition } from '../engine/types';
import { t } from '../text/text.svelte';
import { LEVELS, type Level, type Seat } from './setup';

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

type Seated = { seats: Seat[]; names: string[] };

// "You" is not a name: games from elsewhere have it in one language or another.
const YOU = ['you', 'vous', 'toi', 'tú', 'vos', 'usted', 'você', 'tu'];
const given = (name: string | undefined): string =>
  name && YOU.includes(name.toLowerCase()) ? '' : (name ?? '');

// Bots without a name, as at a table with others, are called by their strength, and by number where
// several have the same. Null where there is none.
export function botNames(bots: (string | null)[]): (string | null)[] {
  return bots.map((bot, seat) => {
    const level = LEVELS.find((one) => bot === `level${one}`);
    if (!level) return bot && t('options.bot', { number: seat + 1 });
    const name = t('options.bot-named', { level: levelName(level) });
    const same = bots.flatMap((other, i) => (other === bot ? [i] : []));
    return same.length > 1 ? `${name} ${same.indexOf(seat) + 1}` : name;
  });
}

// The names of a table, with words for those who have none. Sentences put them before verbs, so
// nobody is called "You": "You plays" is wrong in most languages.
export function namesOf({ seats, names }: Seated): string[] {
  const bots = botNames(seats.map((seat) => (seat === 'human' ? null : seat)));
  return seats.map(
    (_, i) => given(names[i]) || (bots[i] ?? t('options.player', { number: i + 1 })),
  );
}

// The same for where they stand by themselves: there, the only person is "You".
export function labelsOf(table: Seated): string[] {
  const alone = table.seats.filter((seat) => seat === 'human').length === 1;
  return namesOf(table).map((name, i) =>
    alone && table.seats[i] === 'human' && !given(table.names[i]) ? t('options.you') : name,
  );
}

export { list as listed } from '../text/text.svelte';
