// dist/third-party-notices.txt: what of others is in the page, with its version and licence. npm
// packages are those whose code the bundles hold, of the service worker as the lock file says, and
// the typefaces; the WebAssembly modules hold libraries of the Debian packages in
// tools/packages.txt. A package without a licence fails the build.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Plugin } from 'vite';

const FILE = 'third-party-notices.txt';
const WEB = fileURLToPath(new URL('..', import.meta.url));
const COMMON = '/usr/share/common-licenses'; // Debian's, to which its copyright files refer

// What the WebAssembly modules are linked with (bindings/wasm/CMakeLists.txt), and the packages
// that it comes in.
const LIBRARIES = [
  { name: 'libc++ and libc++abi', package: /^libc\+\+-\d+-dev-wasm32$/ },
  { name: 'compiler-rt', package: /^libclang-rt-\d+-dev-wasm32$/ },
  { name: 'wasi-libc', package: /^wasi-libc$/ },
  { name: 'nlohmann/json', package: /^nlohmann-json\d+-dev$/ },
];

interface Notice {
  name: string;
  version: string;
  licence: string;
  text: string;
}

// The folder of the package that a module belongs to, if it does. Vite and its bundler put small
// modules of their own into a bundle.
function packageOf(id: string): string | null {
  const own = /^\0(vite|rolldown)\//.exec(id);
  if (own) return join(WEB, 'node_modules', own[1]);
  return /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id.replace(/^\0/, ''))?.[0] ?? null;
}

// A package of the lock file and all that it needs.
function withNeeds(name: string): string[] {
  const lock = JSON.parse(readFileSync(join(WEB, 'package-lock.json'), 'utf8'));
  const found = new Set<string>();
  const add = (one: string) => {
    if (found.has(one)) return;
    found.add(one);
    Object.keys(lock.packages[`node_modules/${one}`].dependencies ?? {}).forEach(add);
  };
  add(name);
  return [...found].map((one) => join(WEB, 'node_modules', one));
}

export function noticeOf(folder: string): Notice {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  const file = readdirSync(folder).find((one) => /^(licen[cs]e|copying)(\.|$)/i.test(one));
  if (!file || !license) throw new Error(`${name} ${version} is in the page and has no licence`);
  // What Vite itself has inside is not in the page.
  const [text] = readFileSync(join(folder, file), 'utf8').split(
    '# Licenses of bundled dependencies',
  );
  return { name, version, licence: license, text };
}

function libraryNotices(warn: (text: string) => void): Notice[] {
  const packages = readFileSync(join(WEB, '../tools/packages.txt'), 'utf8').match(
    /(?<=^play +)\S+/gm,
  )!;
  const notices: Notice[] = [];
  for (const library of LIBRARIES) {
    const found = packages.find((one) => library.package.test(one));
    if (!found) throw new Error(`tools/packages.txt has no package of ${library.name}`);
    const file = `/usr/share/doc/${found}/copyright`;
    if (!existsSync(file)) {
      // Another system than Debian: good enough to play, not to hand on.
      warn(`${file} is missing, so ${FILE} has no licence of ${library.name}`);
      continue;
    }
    const text = readFileSync(file, 'utf8');
    notices.push({
      name: library.name,
      version: execFileSync('dpkg-query', ['-W', '-f', `\${Version}`, found], { encoding: 'utf8' }),
      licence: /^License: *(.+)$/m.exec(text)?.[1] ?? 'see below',
      text,
    });
  }
  const named = notices.flatMap(
    ({ text }) => text.match(/(?<=\/common-licenses\/)\w[\w.-]*\w/g) ?? [],
  );
  for (const name of new Set(named))
    notices.push({
      name: `The licence ${name}`,
      version: '',
      licence: 'named above',
      text: readFileSync(join(COMMON, name), 'utf8'),
    });
  return notices;
}

// One text for all that have the same.
export function written(notices: Notice[]): string {
  const texts = new Map<string, string[]>();
  for (const { name, version, licence, text } of notices) {
    const heading = `${[name, version].filter(Boolean).join(' ')} (${licence})`;
    texts.set(text.trim(), [...(texts.get(text.trim()) ?? []), heading]);
  }
  const parts = [...texts].map(([text, headings]) => `${headings.join('\n')}\n\n${text}\n`);
  const about =
    'The page of CIV holds code and typefaces of others, under the licences below.\n' +
    'CIV itself is under the MIT licence.\n';
  return [about, ...parts].join(`\n${'='.repeat(80)}\n\n`);
}

const folders = new Set<string>(); // of packages

// For the page and for its workers.
export function collect(): Plugin {
  return {
    name: 'third-party-collect',
    generateBundle(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'asset') {
          for (const name of file.originalFileNames) {
            const font = /\.fonts\/(\w+?)-/.exec(name)?.[1];
            if (font) folders.add(join(WEB, 'node_modules/@fontsource-variable', font));
          }
          continue;
        }
        for (const [id, { renderedLength }] of Object.entries(file.modules)) {
          const folder = renderedLength > 0 && packageOf(id);
          if (folder) folders.add(folder);
        }
      }
    },
  };
}

export function thirdParty(): Plugin[] {
  return [
    collect(),
    {
      name: 'third-party',
      apply: 'build',
      generateBundle() {
        for (const folder of withNeeds('workbox-precaching')) folders.add(folder);
        const notices = [...folders].sort().map(noticeOf);
        const source = written([...notices, ...libraryNotices((text) => this.warn(text))]);
        this.emitFile({ type: 'asset', fileName: FILE, source });
      },
    },
  ];
}
