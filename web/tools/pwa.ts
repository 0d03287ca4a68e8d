import { VitePWA } from 'vite-plugin-pwa';

// The page as an app: everything it needs is fetched at the first visit, and nothing from
// elsewhere. src/pwa.ts registers the worker.
export function pwa() {
  return VitePWA({
    registerType: 'prompt', // a new version waits
    injectRegister: false,
    includeManifestIcons: false, // they are among the files below
    manifest: {
      name: 'CIV: Carta Impera Victoria',
      short_name: 'CIV',
      description: 'A card game of civilisation and diplomacy for two to four players.',
      lang: 'en',
      start_url: './',
      scope: './',
      display: 'standalone',
      background_color: '#dfe3e0',
      theme_color: '#dfe3e0',
      categories: ['games'],
      icons: [
        { src: 'icon-192.png', sizes: '192x192', type: 'image/png' },
        { src: 'icon-512.png', sizes: '512x512', type: 'image/png' },
        { src: 'icon-maskable-512.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
      ],
      shortcuts: [
        {
          name: 'Your games',
          url: './#/games',
          icons: [{ src: 'icon-192.png', sizes: '192x192', type: 'image/png' }],
        },
        {
          name: 'Rules',
          url: './#/rules',
          icons: [{ src: 'icon-192.png', sizes: '192x192', type: 'image/png' }],
        },
      ],
    },
    workbox: {
      globPatterns: ['**/*.{html,js,mjs,css,wasm,woff2,svg,png,json,txt}'],
      maximumFileSizeToCacheInBytes: 10_000_000,
      // What is not among the files is for the server to answer, /api/ among it.
      navigateFallback: null,
      ignoreURLParametersMatching: [/./],
      cleanupOutdatedCaches: true,
      inlineWorkboxRuntime: true,
      importScripts: ['notices.js'],
    },
  });
}
