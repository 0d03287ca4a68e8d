// Puts what the start page needs to be seen into index.html: its styles, its markup in each
// language, and the script that chooses one (src/first.ts). Typefaces are asked for at once, the
// page's own script after all that is to be seen.
import { fileURLToPath } from 'node:url';
import { svelte } from '@sveltejs/vite-plugin-svelte';
import { build, type Plugin, type Rolldown, runnerImport } from 'vite';
import { MODULE as ICONS, misplaced } from './sprite';
import { texts } from './texts-plugin';

type Bundle = Record<string, Rolldown.OutputAsset | Rolldown.OutputChunk>;
const ENTRY_STYLES = /assets\/index-[\w-]+\.css$/;
const PRELOADED = /assets\/(figtree|alegreya)-[\d-]+-latin-(?!ext)[\w-]+\.woff2$/;

const source = (path: string) => fileURLToPath(new URL(`../src/${path}`, import.meta.url));

// What modules of the page ask a browser for as soon as they are loaded.
const BROWSER = {
  document: { baseURI: 'http://localhost/', documentElement: {} },
  matchMedia: () => ({ matches: false, addEventListener() {} }),
  window: { addEventListener() {} },
};

async function startPages() {
  Object.assign(globalThis, BROWSER);
  try {
    const { module } = await runnerImport<typeof import('../src/prerender')>(
      source('prerender.ts'),
      { configFile: false, logLevel: 'error', plugins: [texts(), svelte()] },
    );
    return module.pages;
  } finally {
    for (const name of Object.keys(BROWSER)) Reflect.deleteProperty(globalThis, name);
  }
}

// The script, inside the document for no other file to wait for; the server's policy has its hash.
async function firstScript(): Promise<string> {
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: {
      write: false,
      target: 'es2022',
      lib: { entry: source('first.ts'), formats: ['iife'], name: 'first' },
    },
  });
  return ([built].flat() as Rolldown.RolldownOutput[])[0].output[0].code;
}

function textsOf(bundle: Bundle, language: string): string {
  const chunk = Object.values(bundle).find(
    (file) => file.type === 'chunk' && file.facadeModuleId === `\0virtual:text/start/${language}`,
  );
  return chunk ? ` data-texts="./${chunk.fileName}"` : ''; // English comes with the page
}

// Whatever these modules need that the page does not have, for it to be fetched before it is asked
// for; what others need stands before them.
function neededBy(bundle: Bundle, modules: string[]): string[] {
  const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
  const seen = new Set<string>();
  const files: string[] = [];
  const styles = new Set<string>();
  const add = (chunk: Rolldown.OutputChunk) => {
    if (chunk.isEntry || seen.has(chunk.fileName)) return;
    seen.add(chunk.fileName);
    for (const name of chunk.imports) add(bundle[name] as Rolldown.OutputChunk);
    files.push(chunk.fileName);
    for (const style of chunk.viteMetadata?.importedCss ?? []) styles.add(style);
  };
  for (const module of modules) {
    const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === module);
    if (!chunk) throw new Error(`${module} is not in a file of its own`);
    add(chunk);
  }
  return [
    ...files.map((name) => `<link rel="modulepreload" href="./${name}">`),
    // as Vite asks for them: fetched otherwise they would be fetched again
    ...[...styles].map((name) => `<link rel="preload" as="style" crossorigin href="./${name}">`),
  ];
}

export function prerender(): Plugin {
  return {
    name: 'prerender',
    apply: 'build',
    // Some screens name the entry's styles among what they need: the entry itself is as good, and
    // is there.
    generateBundle: {
      order: 'post',
      handler(_, bundle) {
        const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
        const entry = chunks.find((chunk) => chunk.isEntry)!.fileName.replace('assets/', './');
        for (const chunk of chunks)
          chunk.code = chunk.code.replace(/\.\/index-[\w-]+\.css/g, entry);
      },
    },
    transformIndexHtml: {
      order: 'post',
      async handler(html, { bundle = {} }) {
        const files = bundle as Bundle;
        const styles = Object.values(files).find((file) => ENTRY_STYLES.test(file.fileName));
        if (styles?.type !== 'asset') throw new Error('the start page has no styles');
        delete bundle[styles.fileName];
        const css = `${styles.source}`.replaceAll('url(./', 'url(./assets/').trim();
        const fonts = Object.keys(files)
          .filter((name) => PRELOADED.test(name))
          .map((name) => `<link rel="preload" as="font" crossorigin href="./${name}">`);
        const built = await startPages();
        const wrong = misplaced(built[0].markup);
        if (wrong.length > 0) throw new Error(`icons of the start page: ${wrong.join(', ')}`);
        // As text, for a browser to make elements of one language only.
        const pages = built.map(({ language, markup }) => {
          const known = `lang="${language}"${textsOf(files, language)}`;
          return `<script type="text/html" ${known}>${markup}</script>`;
        });
        const later = neededBy(files, [source('screens/Table.svelte'), ICONS]).join('');
        const first = (await firstScript()).trim();
        return html
          .replace(/\n *<link rel="stylesheet"[^>]*>/, () => `\n<style>${css}</style>`)
          .replace('</title>', () => ['</title>', ...fonts].join('\n    '))
          .replace('<div id="app"></div>', (app) =>
            [
              app,
              ...pages,
              `<template id="later">${later}</template>`,
              `<script>${first}</script>`,
            ].join('\n    '),
          )
          .replace('<script type="module"', '$& fetchpriority="low"');
      },
    },
  };
}
