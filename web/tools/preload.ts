// Has what is imported late loaded by src/preload.ts, in place of what Vite would put there.
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const VITES = '\0vite/preload-helper.js';
const OURS = fileURLToPath(new URL('../src/preload.ts', import.meta.url));

export function preload(): Plugin {
  return {
    name: 'preload',
    apply: 'build',
    enforce: 'pre',
    resolveId: (id) => (id === VITES ? OURS : null),
    buildEnd() {
      if (![...this.getModuleIds()].includes(OURS)) throw new Error(`Vite has no ${VITES}`);
    },
  };
}
