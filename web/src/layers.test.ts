// Fails on an import that points up (docs/page.md): each folder may import itself and those below.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('.', import.meta.url));
// From the ground up. What lies beside the folders puts the page together, and only screens know
// of it; styles and pictures belong to nobody.
const FOLDERS = [
  'engine',
  'text',
  'bots',
  'game',
  'net',
  'ui',
  'ui/online',
  'learn',
  'review',
  '',
  'screens/start',
  'screens',
];
const FREE = ['styles', 'art'];

const folderOf = (path: string) => {
  const folder = dirname(path);
  return folder === '.' ? '' : folder;
};

function faults(path: string, text: string): string[] {
  const own = FOLDERS.indexOf(folderOf(path));
  if (own < 0) return [`${path} is in no folder that has a place`];
  const imports = text.matchAll(/(?:\bfrom|\bimport|\bimport\()\s*'(\.[^']+)'/g);
  return [...imports].flatMap(([, name]) => {
    const to = folderOf(relative(ROOT, join(ROOT, dirname(path), name)));
    const isFree = FREE.includes(to) || to.startsWith('..');
    return isFree || FOLDERS.indexOf(to) <= own ? [] : [`${path} imports ${name}`];
  });
}

describe('folders of the page', () => {
  test('the check finds what it looks for', () => {
    expect(faults('game/a.ts', "import type { A } from '../net/a';")).toHaveLength(1);
    expect(faults('ui/A.svelte', "await import('./online/B.svelte')")).toHaveLength(1);
    expect(faults('net/a.ts', "import '../game/a';\nimport { b } from './b';")).toEqual([]);
    expect(faults('attic/a.ts', '')).toHaveLength(1);
  });

  test('import only those below', () => {
    const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter(
      (path) => /\.(ts|svelte)$/.test(path) && !/(^main|\.test|\.d)\.ts$/.test(path),
    );
    expect(files.length).toBeGreaterThan(80);
    const puts = ['App.svelte', 'late.ts', 'prerender.ts', 'first.ts', 'start.ts', 'pwa.ts'];
    expect(
      files
        .filter((path) => !puts.includes(path))
        .flatMap((path) => faults(path, readFileSync(join(ROOT, path), 'utf8'))),
    ).toEqual([]);
  });
});
