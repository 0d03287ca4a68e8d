import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { render } from 'svelte/server';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { LANGUAGES, loadTexts, setLanguage } from '../text/text.svelte';
import Rules from './Rules.svelte';

const DOCS = readFileSync(
  fileURLToPath(new URL('../../../docs/rules.md', import.meta.url)),
  'utf8',
);

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {} });
  await loadTexts('rules');
});

const all = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map(([, found]) => found);
const text = (html: string) => html.replace(/<[^>]*>/g, ' ');

describe.each(LANGUAGES)('the rules in %s', (language) => {
  let html: string;
  beforeAll(async () => {
    await setLanguage(language);
    html = render(Rules).body;
  });

  test('say every text', () => {
    expect(text(html)).not.toMatch(/(rules|domain|effect|does|edition)\.[a-z]|undefined|[{}]/i);
  });

  test('have headings in order, and an address for each link', () => {
    const levels = all(html, /<h(\d)/g).map(Number);
    expect(levels[0]).toBe(1);
    expect(levels.slice(1).filter((level, i) => level < 2 || level > levels[i] + 1)).toEqual([]);
    const ids = all(html, / id="([^"]+)"/g);
    expect(new Set(ids).size).toBe(ids.length);
    expect(
      all(html, /href="#(\/rules\/[^"]+)"/g).filter((address) => !ids.includes(address)),
    ).toEqual([]);
  });

  test('give the numbers and rulings of docs/rules.md', () => {
    const [cards, needed] = all(html, /<tbody>([\s\S]*?)<\/tbody>/g).map((table) =>
      text(table).match(/\d+/g)?.map(Number),
    );
    const rows = DOCS.match(/^\| \w+ +\| [MRESCU] \|.*$/gm) ?? [];
    expect(rows).toHaveLength(6);
    expect(cards).toEqual(rows.flatMap((row) => row.match(/\d+/g)?.map(Number)));
    expect(needed).toEqual([2, 3, 5, 8, 3, 3, 5, 7, 4, 2, 4, 7]);
    const rulings = DOCS.match(/(?<=^\| )\d+(?= \| .*\?? \| )/gm);
    expect(all(html, /id="\/rules\/ruling-(\d+)"/g)).toEqual(rulings);
  });
});
