// The emblems and icons of src/art/sprite.svg. Those that the start page shows stand in the
// document itself and are there before any script has run; the others come with what needs them
// ("virtual:sprite").
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const FILE = fileURLToPath(new URL('../src/art/sprite.svg', import.meta.url));
export const MODULE = '\0virtual:sprite';
const DOMAINS = ['military', 'religion', 'economy', 'science', 'culture', 'utopia'];
const START = [...DOMAINS, 'arrow', 'device', 'eye', 'learn', 'link', 'replay', 'theme', 'up'];

function symbols(first: boolean): string {
  const all = readFileSync(FILE, 'utf8').match(/<symbol.*?<\/symbol>/gs)!;
  const some = all.filter((one) => START.includes(/id="([\w-]+)"/.exec(one)![1]) === first);
  return `<svg xmlns="http://www.w3.org/2000/svg">${some.join('')}</svg>`;
}

// Icons of the start page that are not in the document, or that are and need not be.
export function misplaced(markup: string): string[] {
  const shown = [...markup.matchAll(/<use href="#([\w-]+)"/g)].map(([, name]) => name);
  return [
    ...shown.filter((name) => !START.includes(name)),
    ...START.filter((name) => !shown.includes(name)),
  ];
}

export function sprite(): Plugin {
  return {
    name: 'sprite',
    resolveId: (id) => (id === 'virtual:sprite' ? MODULE : null),
    load: (id) => (id === MODULE ? `export default ${JSON.stringify(symbols(false))};` : null),
    transformIndexHtml: (html) =>
      html.replace(
        '<body>',
        () => `<body>\n    <div class="sprite" aria-hidden="true">${symbols(true)}</div>`,
      ),
  };
}
