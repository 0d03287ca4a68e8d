// Every state of the page, brought about once and looked at from all sides in place: no rule is
// broken that axe can check, in either theme; in every layout and language everything that can be
// read has its place, nothing scrolls sideways, and what can be pressed is large enough.
// CIV_LONG=1 runs axe in all layouts, and on a phone on its side.
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
  sizes: Size[]; // axe looks at all of them
  fits: Fit[];
}

// Besides the smallest phones, the languages with the longest words say enough.
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
        sizes: [[320, 640]],
        least: 44,
        languages: LANGUAGES,
        tables: false,
      },
      {
        sizes: [
          [390, 844],
          [360, 640],
        ],
        least: 44,
        languages: ALL ? LANGUAGES : ['fr', 'ro'],
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

const layoutsOf = (state: State) => LAYOUTS.filter(({ sizes: [size] }) => isFor(state, ...size));

// Without CIV_LONG axe looks at every state in one layout, by turns.
const isDue = (state: State, layout: Layout) => {
  const layouts = layoutsOf(state);
  return ALL || layouts[STATES.indexOf(state) % layouts.length] === layout;
};

// Each screen and each kind of dialog once.
const MAIN = new RegExp(
  `^(${[
    'home|home-options|home-settings|games|rules|friends|gate|room-host|lobby|device|table-unknown',
    'learn|lesson-tried',
    'play|effects|choose-embargo|choose-oligarchy|draft-keep|curtain|score|reference|menu|end-tie',
    'replay-open|live-turn|live-talk|live-end',
  ].join('|')})$`,
);

test.use({
  loaded: true,
  serviceWorkers: 'block',
  contextOptions: { reducedMotion: 'reduce' },
});

async function expectFits(page: Page, state: State, layout: Layout): Promise<void> {
  const found: string[] = [];
  for (const fit of layout.fits)
    if (state.table || !fit.tables) found.push(...(await misfits(page, fit)));
  expect(found).toEqual([]);
  if (state.table || layout.name !== 'wide') return;
  // Around the table text is in rem: at twice the size of letters it is still all there.
  const large = await page.addStyleTag({ content: 'html{font-size:200%}' });
  await resize(page, [1280, 900]);
  expect(await faults(page, 24)).toEqual([]);
  await large.evaluate((style: HTMLElement) => style.remove());
}

for (const state of STATES)
  for (const layouts of state.apart ? layoutsOf(state).map((one) => [one]) : [layoutsOf(state)]) {
    const due = layouts.filter((layout) => isDue(state, layout));
    const title = state.apart ? `${state.name}, ${layouts[0].name}` : state.name;
    const tag = MAIN.test(state.name) && due.length > 0 ? '@main' : [];
    test(title, { tag }, async ({ page, brief }) => {
      const looked = brief ? due : layouts;
      await resize(page, looked[0].sizes[0]);
      await visit(page, state);
      for (const layout of looked) {
        for (const size of due.includes(layout) ? layout.sizes : []) {
          await resize(page, size);
          await expectAccessible(page);
        }
        if (!brief) await expectFits(page, state, layout);
      }
    });
  }
