// Fails where one thing is styled in two places: a selector has one rule of its own in each
// context (docs/page.md), beside at most one that it shares with others, and a file is one idea.
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const LONGEST = 400; // lines of a file
// Steps of animations and typefaces have no selectors.
const WITHOUT = /^@(keyframes|font-face)/;

interface Rule {
  context: string; // the at-rules around it
  selectors: string[]; // whole, also where rules are nested
}

// What stands between commas that are in no brackets.
const parts = (text: string) => text.split(/,(?![^(]*\))/).map((part) => part.trim());

function inside(parents: string[], selectors: string[]): string[] {
  if (parents.length === 0) return selectors;
  const parent = parents.length > 1 ? `:is(${parents.join(', ')})` : parents[0];
  return selectors.map((one) =>
    one.includes('&') ? one.replaceAll('&', parent) : `${parent} ${one}`,
  );
}

// The rules of a style sheet that declare something.
function rulesOf(css: string): Rule[] {
  const plain = css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .replace(/"(?:\\[\s\S]|[^"\\])*"/g, (text) => text.replace(/[{};,&]/g, '_'));
  const rules: Rule[] = [];
  const open: (Rule & { declares: boolean; without: boolean })[] = [];
  for (const [, text, mark] of plain.matchAll(/([^{};]*)([{};])/g)) {
    const words = text.trim().replace(/\s+/g, ' ');
    const last = open.at(-1);
    if (words && mark !== '{' && last) last.declares = true;
    if (mark === '{') {
      const at = words.startsWith('@');
      open.push({
        context: `${last?.context ?? ''}${at ? `${words} ` : ''}`,
        selectors: at ? (last?.selectors ?? []) : inside(last?.selectors ?? [], parts(words)),
        declares: false,
        without: (last?.without ?? false) || WITHOUT.test(words),
      });
    } else if (mark === '}') {
      const { declares, without, ...rule } = open.pop()!;
      if (declares && !without && rule.selectors.length > 0) rules.push(rule);
    }
  }
  return rules;
}

// Selectors with two rules of their own, or two that they share.
function twice(sheets: string[]): string[] {
  const counts = new Map<string, number>();
  for (const { context, selectors } of sheets.flatMap(rulesOf))
    for (const selector of selectors) {
      const how = selectors.length > 1 ? 'shared' : 'own';
      const key = `${context}${selector} (${how})`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  return [...counts].filter(([, count]) => count > 1).map(([key]) => key);
}

const read = (path: string) => readFileSync(`${ROOT}/${path}`, 'utf8');
const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' });
const sheets = files.filter((path) => path.endsWith('.css'));
const styleOf = (path: string) => /<style>([\s\S]*)<\/style>/.exec(read(path))?.[1] ?? '';

describe('styles', () => {
  test('the check finds what it looks for', () => {
    expect(twice(['.a { x: y }', '.b {} .a { z: y }'])).toEqual(['.a (own)']);
    expect(twice(['.a { .b { x: y } &.c { x: y } } .a .b { z: y } .a.c { z: y }'])).toHaveLength(2);
    expect(twice(['.a, .b { x: y } .b { z: y }'])).toEqual([]);
    expect(twice(['.a, .b { x: y } .b, .c { z: y }'])).toEqual(['.b (shared)']);
    expect(twice(['.a { x: y } @media print { .a { x: y } }'])).toEqual([]);
    expect(twice(['@media print { .a { x: y } }', '@media print { .a { x: z } }'])).toHaveLength(1);
    expect(twice(['.a { @media print { x: y } } @media print { .a { z: y } }'])).toHaveLength(1);
    expect(twice(['@keyframes a { from { x: y } } @keyframes b { from { x: y } }'])).toEqual([]);
    expect(twice([`.a { x: ",{}" } /* .a { x: y } */`])).toEqual([]);
  });

  test('say one thing in one place', () => {
    expect(sheets.length).toBeGreaterThan(40);
    expect(sheets.map(read).flatMap(rulesOf).length).toBeGreaterThan(1000);
    expect(twice(sheets.map(read))).toEqual([]);
  });

  test('of a component too', () => {
    const components = files.filter((path) => path.endsWith('.svelte') && styleOf(path));
    expect(components.length).toBeGreaterThan(5);
    expect(components.flatMap((path) => twice([styleOf(path)]))).toEqual([]);
  });

  test('are files of one idea', () => {
    expect(sheets.filter((path) => read(path).split('\n').length > LONGEST)).toEqual([]);
  });

  test('are all asked for', () => {
    const asked = files
      .filter((path) => /\.(css|svelte|ts)$/.test(path) && !path.endsWith('.test.ts'))
      .flatMap((path) => [...read(path).matchAll(/@?import ['"][./]*([\w/-]+\.css)['"]/g)])
      .map(([, name]) => name.replace('styles/', ''));
    expect(sheets.map((path) => path.replace('styles/', '')).sort()).toEqual(
      [...new Set(asked)].sort(),
    );
  });
});
