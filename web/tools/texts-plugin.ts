import type { Plugin } from 'vite';
import { fileOf, LANGUAGES, moduleOf, sourcesOf, writeKeys } from './texts.mjs';

type Catalogue = Parameters<typeof moduleOf>[0];

// Gives the page its texts, compiled, as the modules virtual:text/<catalogue>/<language>.
export function texts(): Plugin {
  return {
    name: 'texts',
    enforce: 'pre',
    buildStart: writeKeys,
    resolveId(id) {
      if (id.startsWith('virtual:text/')) return `\0${id}`;
    },
    load(id) {
      const [, name, language] =
        /^\0virtual:text\/(start|game|online|rules|learn|review)\/(\w+)$/.exec(id) ?? [];
      if (!language || !LANGUAGES.includes(language)) return;
      const catalogue = name as Catalogue;
      for (const source of sourcesOf(catalogue)) this.addWatchFile(fileOf(source, language));
      return moduleOf(catalogue, language);
    },
    configureServer(server) {
      server.watcher.on('change', (file) => {
        if (LANGUAGES.some((language) => file.endsWith(`/${language}.json`))) writeKeys();
      });
    },
  };
}
