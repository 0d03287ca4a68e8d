import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import type { Plugin } from 'vite';
import { defineConfig } from 'vitest/config';
import { makeFonts } from './tools/fonts';
import { prerender } from './tools/prerender';
import { pwa } from './tools/pwa';
import { texts } from './tools/texts-plugin';
import { collect, thirdParty } from './tools/third-party';

await makeFonts(fileURLToPath(new URL('.fonts', import.meta.url)));

// The emblems stand in the page itself, for every <use> of it; they are there before any script has
// run.
function sprite(): Plugin {
  const file = fileURLToPath(new URL('src/art/sprite.svg', import.meta.url));
  return {
    name: 'sprite',
    transformIndexHtml: (html) =>
      html.replace(
        '<body>',
        () =>
          `<body>\n    <div class="sprite" aria-hidden="true">${readFileSync(file, 'utf8')}</div>`,
      ),
  };
}

export default defineConfig({
  plugins: [sprite(), texts(), svelte(), prerender(), thirdParty(), pwa()],
  worker: { plugins: () => [collect()] },
  base: './',
  build: {
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // What the start page needs is one file: many small ones wait for each other on a slow line.
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'page', tags: ['$initial'] }] } },
    },
  },
  // Beside `civ serve`, for tables with others.
  server: {
    fs: { allow: ['..'] },
    proxy: { '/api': { target: process.env.CIV_SERVER ?? 'http://127.0.0.1:8104', ws: true } },
  },
  test: { include: ['{src,tools}/**/*.test.ts'], setupFiles: ['tools/setup-tests.ts'] },
});
