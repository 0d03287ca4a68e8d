export const LANGUAGES = ['en', 'fr', 'es', 'pt', 'ro'] as const;
export type Language = (typeof LANGUAGES)[number];

export const STORED = 'civ.language';

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
