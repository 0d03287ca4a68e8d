import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vite';
import { makeFonts } from './tools/fonts';
import { pwa } from './tools/pwa';
import { texts } from './tools/texts-plugin';

await makeFonts(fileURLToPath(new URL('.fonts', import.meta.url)));

export default defineConfig({
  plugins: [texts(), svelte(), pwa()],
  base: './',
  build: { target: 'es2022', assetsInlineLimit: 0, modulePreload: { polyfill: false } },
  server: { fs: { allow: ['..'] } },
});
