// In every language everything that can be read has its place, nothing scrolls sideways, and what can be pressed is large enough.
// CIV_LONG=1 goes through all states; else through those that say most.
import { expect, type Page, test } from '@playwright/test';
import { isFor, STATES, visit } from './states';

const LANGUAGES = ['en', 'fr', 'es', 'pt', 'ro'];
const TELLING =
  /^(home-options|home-device|home-tables|friends-options|gate-password|room-host|room-ready|room-guest|lobby|lobby-none|lobby-device|device|live-(turn|draft-kept|question|lost|talk|phrases|muted|leave|left|gone|watching|end|deal|rematch)|games|play-blocked|effects|effects-used|choose-(development|development-play|research|oligarchy|embargo|inspiration|breakthrough)|threat-proven|full|hint|score|menu|end-tie|draft-keep|replay-open)$/;

// Where cutting is right.
const MAY_BE_CUT = [
  '.pname, .tname, .who b, .rw, .c-why', // names are as long as people like them
  '.share input', // nobody reads a link
  '.which legend', // only heard
  '.fx .ft span', // the tooltip says it in full
  '.psay, .psay *, .say, .say *', // two lines of what the log says in full
];

interface Fault {
  what: string;
  where: string;
}

// What is wrong on the page as it is.
function faults(page: Page, least: number): Promise<Fault[]> {
  return page.evaluate(
    ([least, cut]) => {
      const found: Fault[] = [];
      const name = (element: Element) =>
        `${element.tagName.toLowerCase()}.${element.className.toString().replace(/ +/g, '.')} "${element.textContent?.trim().slice(0, 50)}"`;
      const open = document.querySelector('dialog[open]');
      const seen = [...(open ?? document.body).querySelectorAll<HTMLElement>('*')].filter(
        (element) =>
          element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
          !element.closest('.sr, svg, [inert], option') &&
          (open || !element.closest('dialog')),
      );
      if (document.scrollingElement!.scrollWidth > innerWidth + 1)
        found.push({ what: 'sideways', where: `${document.scrollingElement!.scrollWidth} > ${innerWidth}` });
      const hides = (style: CSSStyleDeclaration, axis: 'X' | 'Y') => ['hidden', 'clip'].includes(style[`overflow${axis}`]);
      for (const element of seen) {
        const says = [...element.childNodes].some((node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim() !== '');
        if (!says || element.matches(cut as string)) continue;
        const style = getComputedStyle(element);
        if (
          style.display !== 'inline' &&
          (element.scrollWidth > element.clientWidth + 1 || (hides(style, 'Y') && element.scrollHeight > element.clientHeight + 2))
        )
          found.push({ what: 'cut', where: name(element) });
        const range = document.createRange();
        range.selectNodeContents(element);
        const text = range.getBoundingClientRect();
        for (let up = element.parentElement; up; up = up.parentElement) {
          const outer = getComputedStyle(up);
          if (['auto', 'scroll'].includes(outer.overflowX) || ['auto', 'scroll'].includes(outer.overflowY)) break;
          if (element.closest('.fan')) break; // a picture
          const box = up.getBoundingClientRect();
          if (
            (hides(outer, 'X') && (text.left < box.left - 1 || text.right > box.right + 1)) ||
            (hides(outer, 'Y') && text.bottom > box.bottom + 3)
          ) {
            found.push({ what: `outside ${up.className}`, where: name(element) });
            break;
          }
        }
      }
      for (const element of seen) {
        if (!element.matches('button, a[href], input, select, summary, textarea')) continue;
        const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
        if (getComputedStyle(element).display === 'inline' || element.matches('[aria-disabled=true]')) continue;
        if (Math.round(width) < (least as number) || Math.round(height) < (least as number))
          found.push({ what: `small: ${Math.round(width)}×${Math.round(height)}`, where: name(element) });
      }
      // Cards to choose from are on the screen, and none hides the Age of another.
      for (const card of seen.filter((element) => element.matches('.hand .card, .chooser .card'))) {
        const { left, right, top, bottom } = card.getBoundingClientRect();
        if (left < 0 || right > innerWidth || top < 0 || bottom > innerHeight) found.push({ what: 'off the screen', where: name(card) });
        const age = card.querySelector('.c-age')?.getBoundingClientRect();
        const above = age && document.elementFromPoint((age.left + age.right) / 2, (age.top + age.bottom) / 2)?.closest('.card');
        if (above && above !== card) found.push({ what: 'hidden by a card', where: name(card) });
      }
      for (const table of seen.filter((element) => element.matches('table')) as HTMLTableElement[]) {
        const left = (cell: Element) => Math.round(cell.getBoundingClientRect().left);
        const head = [...table.rows[0].cells].map(left);
        for (const row of table.rows)
          if ([...row.cells].some((cell, i) => Math.abs(left(cell) - head[i]) > 1)) found.push({ what: 'askew', where: name(row) });
      }
      return found;
    },
    [least, MAY_BE_CUT.join()],
  );
}

test.use({ serviceWorkers: 'block', contextOptions: { reducedMotion: 'reduce' } });

// The sizes of a group have the same layout, so that a state is brought about once.
const GROUPS = [
  {
    name: 'phone',
    sizes: [
      [390, 844],
      [360, 640],
    ],
    least: 44,
    tables: false,
  },
  {
    name: 'desktop',
    sizes: [
      [1440, 900],
      [1280, 720],
    ],
    least: 24,
    tables: true,
  },
  { name: 'zoomed to 200 %', sizes: [[720, 450]], least: 24, tables: true },
];

// Without CIV_LONG phones are looked at in every language, the rest in the one with the longest words.
const inShort = (group: string, language: string) => group === 'phone' || language === 'fr';

for (const { name, sizes, least, tables } of GROUPS)
  for (const language of LANGUAGES.filter((one) => process.env.CIV_LONG || inShort(name, one)))
    test(`${name} in ${language}`, async ({ page }) => {
      test.slow();
      const told: string[] = [];
      const [[width, height]] = sizes;
      for (const state of STATES.filter(
        (one) => isFor(one, width, height) && (one.table || !tables) && (process.env.CIV_LONG || TELLING.test(one.name)),
      )) {
        await page.setViewportSize({ width, height });
        await visit(page, state, { language });
        for (const [width, height] of sizes) {
          await page.setViewportSize({ width, height });
          await page.waitForTimeout(100);
          for (const { what, where } of await faults(page, least)) told.push(`${state.name} ${width}x${height} ${what}: ${where}`);
        }
      }
      expect([...new Set(told)]).toEqual([]);
    });

// Around the table text is in rem: at twice the size of letters it is still all there.
test('letters at 200 %', async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 900 });
  for (const state of STATES.filter((one) => !one.table)) {
    await visit(page, state);
    await page.addStyleTag({ content: 'html{font-size:200%}' });
    expect(await faults(page, 24), state.name).toEqual([]);
  }
});
