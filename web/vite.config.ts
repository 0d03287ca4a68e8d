import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';
import { makeFonts } from './tools/fonts';
import { preload } from './tools/preload';
import { prerender } from './tools/prerender';
import { pwa } from './tools/pwa';
import { sprite } from './tools/sprite';
import { texts } from './tools/texts-plugin';
import { collect, thirdParty } from './tools/third-party';

await makeFonts(fileURLToPath(new URL('.fonts', import.meta.url)));

export default defineConfig({
  plugins: [sprite(), texts(), svelte(), preload(), prerender(), thirdParty(), pwa()],
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
