// Cuts the two typefaces down to what the page uses: Latin letters of our languages, and the
// weights of the styles. The result is made once and kept in .fonts/, under a name that says how.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import subsetFont from 'subset-font';

const require = createRequire(import.meta.url);

function letters(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, i) => String.fromCodePoint(from + i)).join('');
}

const LATIN = `${letters(0x20, 0x7e)}${letters(0xa0, 0xff)}–—‘’“”„…·×−→Œœ\u202f`;
const FONTS = [
  // One weight for 700 and 800, which nobody can tell apart: a range takes 13 kB more.
  { name: 'alegreya', weights: 750, label: '750' },
  { name: 'figtree', weights: { min: 400, max: 800 }, label: '400-800' },
];

export async function makeFonts(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  for (const { name, weights, label } of FONTS) {
    for (const part of ['latin', 'latin-ext']) {
      const file = join(folder, `${name}-${label}-${part}.woff2`);
      if (existsSync(file)) continue;
      const source = readFileSync(
        require.resolve(`@fontsource-variable/${name}/files/${name}-${part}-wght-normal.woff2`),
      );
      // The extended letters are for Romanian, and for the names that people give themselves:
      // loaded when one is shown.
      const text = part === 'latin' ? LATIN : letters(0x100, 0x24f);
      writeFileSync(
        file,
        await subsetFont(source, text, { targetFormat: 'woff2', variationAxes: { wght: weights } }),
      );
    }
  }
}
