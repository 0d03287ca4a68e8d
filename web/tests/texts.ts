// What the page says in each language.
import { file } from './engine';

export const LANGUAGES = ['en', 'fr', 'es', 'pt', 'ro'] as const;
export type Language = (typeof LANGUAGES)[number];

const read = (path: string): Record<string, string> => JSON.parse(`${file(path)}`);
export const texts = Object.fromEntries(
  LANGUAGES.map((one) => [
    one,
    {
      ...read(`text/${one}.json`),
      ...read(`text/page/${one}.json`),
      ...read(`text/online/${one}.json`),
      ...read(`text/review/${one}.json`),
    },
  ]),
) as Record<Language, Record<string, string>>;
