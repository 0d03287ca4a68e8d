import type { Plugin } from 'vite';
import { compiled, fileOf, LANGUAGES, writeKeys } from './texts.mjs';

type Source = Parameters<typeof compiled>[0];

const PARSER = '@formatjs/icu-messageformat-parser';

// Gives the page its texts, parsed, as the modules virtual:text/<language>,
// virtual:text/online/<language> and virtual:text/rules/<language>.
export function texts(): Plugin {
  return {
    name: 'texts',
    enforce: 'pre',
    buildStart: writeKeys,
    resolveId(id, importer) {
      if (id.startsWith('virtual:text/')) return `\0${id}`;
      // What is parsed already needs no parser, which is most of intl-messageformat.
      if (id === PARSER && importer?.includes('/intl-messageformat/'))
        return this.resolve(`${PARSER}/no-parser.js`, importer);
    },
    load(id) {
      const [, more, language] = /^\0virtual:text\/(?:(online|rules)\/)?(\w+)$/.exec(id) ?? [];
      if (!language || !LANGUAGES.includes(language)) return;
      const sources = more ? [more as Source] : (['shared', 'page'] as const);
      for (const source of sources) this.addWatchFile(fileOf(source, language));
      const texts = sources.map((source) => compiled(source, language));
      return `export default ${JSON.stringify(Object.assign({}, ...texts))}`;
    },
    configureServer(server) {
      server.watcher.on('change', (file) => {
        if (LANGUAGES.some((language) => file.endsWith(`/${language}.json`))) writeKeys();
      });
    },
  };
}
