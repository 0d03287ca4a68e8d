import { expect, test, vi } from 'vitest';
import { day, setLanguage } from './text.svelte';

test('dates are written as where the reader lives, in the language that was chosen', async () => {
  vi.stubGlobal('document', { documentElement: {} });
  vi.stubGlobal('navigator', { languages: ['en-GB', 'en', 'pt-BR'] });
  const time = new Date(2026, 10, 19, 12).getTime();
  expect(day(time)).toBe('19 Nov 2026');
  await setLanguage('fr');
  expect(day(time)).toBe('19 nov. 2026');
  await setLanguage('en');
});
