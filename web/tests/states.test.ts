// Every state of the page, in each layout, each brought about once and looked at from all sides in
// place: no rule is broken that axe can check, in either theme; in every language everything that
// can be read has its place, nothing scrolls sideways, and what can be pressed is large enough.
// CIV_LONG=1 also runs axe on a phone on its side.
import { expect, type Page } from '@playwright/test';
import { expectAccessible } from './axe';
import { faults } from './faults';
import { resize } from './inplace';
import { test } from './kept';
import { isFor, STATES, type State, visit } from './states';
import { LANGUAGES } from './texts';

const ALL = process.env.CIV_LONG === '1';

type Size = readonly [width: number, height: number];

// What has to fit: in which sizes, and what is pressed there has to be how large at least. The
// sizes of a layout are switched between in place.
interface Fit {
  sizes: Size[];
  least: number;
  languages: readonly string[];
  tables: boolean; // only states with a board
}

interface Layout {
  name: string;
  sizes: Size[]; // the first is the one in which states are brought about, and axe looks at all
  fits: Fit[];
}

// Besides phones, the language with the longest words says enough.
const LONGEST = ALL ? LANGUAGES : (['fr'] as const);
const LAYOUTS: Layout[] = [
  {
    name: 'phone',
    sizes: ALL
      ? [
          [390, 844],
          [844, 390],
        ]
      : [[390, 844]],
    fits: [
      {
        sizes: [
          [390, 844],
          [360, 640],
          [320, 640],
        ],
        least: 44,
        languages: LANGUAGES,
        tables: false,
      },
      { sizes: [[720, 450]], least: 24, languages: LONGEST, tables: true }, // zoomed to 200 %
    ],
  },
  {
    name: 'tablet',
    sizes: [[820, 1180]],
    fits: [
      {
        sizes: [
          [820, 1180],
          [768, 1024],
        ],
        least: 36, // the columns of three others are narrow, and high
        languages: LONGEST,
        tables: true,
      },
    ],
  },
  {
    name: 'wide',
    sizes: [[1440, 900]],
    fits: [
      {
        sizes: [
          [1440, 900],
          [1280, 720],
          [2560, 1440],
        ],
        least: 24,
        languages: LONGEST,
        tables: true,
      },
    ],
  },
];

async function misfits(page: Page, { sizes, least, languages }: Fit): Promise<string[]> {
  const found: string[] = [];
  for (const size of sizes) {
    await resize(page, size);
    for (const { what, where } of await faults(page, least, languages))
      found.push(`${size.join('x')} ${what}: ${where}`);
  }
  return found;
}

// Without CIV_LONG axe looks at every state in one layout, by turns.
const isDue = (state: State, layout: Layout) =>
  ALL ||
  state.only === layout.name ||
  STATES.indexOf(state) % LAYOUTS.length === LAYOUTS.indexOf(layout);

// Each screen and each kind of dialog once.
const MAIN = new RegExp(
  `^(${[
    'home|home-options|home-settings|games|rules|friends|gate|room-host|lobby|device|table-unknown',
    'play|effects|choose-embargo|choose-oligarchy|draft-keep|curtain|score|reference|menu|end-tie',
    'replay-open|live-turn|live-talk|live-end',
  ].join('|')})$`,
);
const tagOf = (state: State, layout: Layout) =>
  MAIN.test(state.name) && isDue(state, layout) ? '@main' : [];

test.use({
  loaded: true,
  serviceWorkers: 'block',
  contextOptions: { reducedMotion: 'reduce' },
});

for (const layout of LAYOUTS) {
  const [[width, height]] = layout.sizes;
  test.describe(layout.name, () => {
    test.use({ viewport: { width, height } });
    for (const state of STATES.filter((one) => isFor(one, width, height)))
      test(state.name, { tag: tagOf(state, layout) }, async ({ page, brief }) => {
        await visit(page, state);
        if (isDue(state, layout))
          for (const size of layout.sizes) {
            await resize(page, size);
            await expectAccessible(page);
          }
        if (brief) return;
        const found: string[] = [];
        for (const fit of layout.fits)
          if (state.table || !fit.tables) found.push(...(await misfits(page, fit)));
        expect(found).toEqual([]);
        // Around the table text is in rem: at twice the size of letters it is still all there.
        if (!state.table && layout.name === 'wide') {
          const large = await page.addStyleTag({ content: 'html{font-size:200%}' });
          await resize(page, [1280, 900]);
          expect(await faults(page, 24)).toEqual([]);
          await large.evaluate((style: HTMLElement) => style.remove());
        }
      });
  });
}
