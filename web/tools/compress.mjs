// The last step of the build: puts dist/x.br and dist/x.gz beside every dist/x where that saves
// something, and names all files in dist/.files, from which the program takes them.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { brotliCompressSync, constants, gzipSync } from 'node:zlib';

const dist = new URL('../dist/', import.meta.url);
const worthwhile = 0.95; // of the size: less is not worth another copy in the program

const files = readdirSync(dist, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) =>
    `${entry.parentPath}/${entry.name}`.slice(dist.pathname.length).replace(/^\//, ''),
  )
  .filter((name) => !/^\.files$|\.(br|gz)$/.test(name));

const names = [];
for (const name of files) {
  const content = readFileSync(new URL(name, dist));
  names.push(name);
  const compressed = {
    br: brotliCompressSync(content, {
      params: {
        [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      },
    }),
    gz: gzipSync(content, { level: 9 }),
  };
  for (const [ending, bytes] of Object.entries(compressed)) {
    if (bytes.length >= content.length * worthwhile) continue;
    writeFileSync(new URL(`${name}.${ending}`, dist), bytes);
    names.push(`${name}.${ending}`);
  }
}
writeFileSync(new URL('.files', dist), `${names.sort().join('\n')}\n`);
