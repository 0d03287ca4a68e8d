// What is wrong on the page as it is: text that is cut, what scrolls sideways or lies outside, and
// what is too small to be pressed.
import type { Page } from '@playwright/test';
import { type InPlace, teach } from './inplace';

// Where cutting is right.
const MAY_BE_CUT = [
  '.pname, .tname, .who b, .rw, .c-why', // names are as long as people like them
  '.share input', // nobody reads a link
  '.which legend, .r-editions th', // only heard
  '.chr', // the player's sheet says it in full
  '.fx .ft span', // the tooltip says it in full
  // two lines of what the log says in full; what is to be chosen is never cut
  '.bar:not(.asked) .say, .bar:not(.asked) .say *',
  '.danger span, .danger span *, .recap:not(.against) *, .goal *', // a sheet says it in full
];

interface Fault {
  what: string;
  where: string;
}

// What is wrong on the page as it is, or in each of these languages one after the other: in one
// go, since the way between test and page takes longer than looking.
export async function faults(
  page: Page,
  least: number,
  languages: readonly string[] = [],
): Promise<Fault[]> {
  await teach(page);
  return page.evaluate(
    async ([least, cut, languages]) => {
      const { spoken, settle } = (window as unknown as { inplace: InPlace }).inplace;
      const all: Fault[] = [];
      for (const language of languages.length > 0 ? languages : ['']) {
        if (language) await spoken(language);
        if (language) await settle();
        for (const { what, where } of look(least, cut))
          all.push({ what: language ? `${language} ${what}` : what, where });
      }
      return all;

      function look(least: number, cut: string): Fault[] {
        const found: Fault[] = [];
        const name = (element: Element) => {
          const classes = element.className.toString().replace(/ +/g, '.');
          const text = element.textContent?.trim().slice(0, 50);
          return `${element.tagName.toLowerCase()}.${classes} "${text}"`;
        };
        const open = document.querySelector('dialog[open]');
        const seen = [...(open ?? document.body).querySelectorAll<HTMLElement>('*')].filter(
          (element) =>
            element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
            !element.closest('.sr, svg, [inert], option') &&
            (open || !element.closest('dialog')),
        );
        if (document.scrollingElement!.scrollWidth > innerWidth + 1)
          found.push({
            what: 'sideways',
            where: `${document.scrollingElement!.scrollWidth} > ${innerWidth}`,
          });
        const hides = (style: CSSStyleDeclaration, axis: 'X' | 'Y') =>
          ['hidden', 'clip'].includes(style[`overflow${axis}`]);
        // Of what can be seen in it.
        const extent = (element: Element) => {
          const range = document.createRange();
          const boxes = [...element.childNodes]
            .filter((node) => !(node instanceof Element && node.matches('.sr')))
            .map((node) => {
              range.selectNode(node);
              return range.getBoundingClientRect();
            })
            .filter(({ width, height }) => width > 0 || height > 0);
          return {
            left: Math.min(...boxes.map(({ left }) => left)),
            top: Math.min(...boxes.map(({ top }) => top)),
            right: Math.max(...boxes.map(({ right }) => right)),
            bottom: Math.max(...boxes.map(({ bottom }) => bottom)),
          };
        };
        // The same ancestors are asked for by all that is in them.
        const outers = new Map<
          Element,
          { scrolls: boolean; x: boolean; y: boolean; box: DOMRect }
        >();
        const outerOf = (element: Element) => {
          const known = outers.get(element);
          if (known) return known;
          const style = getComputedStyle(element);
          const scrolls = (value: string) => value === 'auto' || value === 'scroll';
          const outer = {
            scrolls: scrolls(style.overflowX) || scrolls(style.overflowY),
            x: hides(style, 'X'),
            y: hides(style, 'Y'),
            box: element.getBoundingClientRect(),
          };
          outers.set(element, outer);
          return outer;
        };
        for (const element of seen) {
          const says = [...element.childNodes].some(
            (node) => node.nodeType === Node.TEXT_NODE && node.textContent!.trim() !== '',
          );
          if (!says || element.matches(cut)) continue;
          const style = getComputedStyle(element);
          if (
            style.display !== 'inline' &&
            (element.scrollWidth > element.clientWidth + 1 ||
              (hides(style, 'Y') && element.scrollHeight > element.clientHeight + 2))
          )
            found.push({ what: 'cut', where: name(element) });
          const text = extent(element);
          if (element.closest('.fan')) continue; // a picture
          if (element.closest('.bar') && text.top < -1)
            found.push({ what: 'above the screen', where: name(element) });
          for (let up = element.parentElement; up; up = up.parentElement) {
            const { scrolls, x, y, box } = outerOf(up);
            if (scrolls) break;
            if (
              (x && (text.left < box.left - 1 || text.right > box.right + 1)) ||
              (y && text.bottom > box.bottom + 3)
            ) {
              found.push({ what: `outside ${up.className}`, where: name(element) });
              break;
            }
          }
        }
        for (const element of seen) {
          if (!element.matches('button, a[href], input, select, summary, textarea')) continue;
          const { width, height } = (element.closest('label') ?? element).getBoundingClientRect();
          if (
            getComputedStyle(element).display === 'inline' ||
            element.matches('[aria-disabled=true], [aria-hidden=true]')
          )
            continue;
          if (Math.round(width) < least || Math.round(height) < least)
            found.push({
              what: `small: ${Math.round(width)}×${Math.round(height)}`,
              where: name(element),
            });
        }
        // Cards to choose from are on the screen, and none hides the Age of another.
        for (const card of seen.filter((element) =>
          element.matches('.hand .card, .chooser .card'),
        )) {
          const { left, right, top, bottom } = card.getBoundingClientRect();
          if (left < 0 || right > innerWidth || top < 0 || bottom > innerHeight)
            found.push({ what: 'off the screen', where: name(card) });
          const age = card.querySelector('.c-age')?.getBoundingClientRect();
          const above =
            age &&
            document
              .elementFromPoint((age.left + age.right) / 2, (age.top + age.bottom) / 2)
              ?.closest('.card');
          if (above && above !== card) found.push({ what: 'hidden by a card', where: name(card) });
        }
        for (const table of seen.filter((element) =>
          element.matches('table'),
        ) as HTMLTableElement[]) {
          const left = (cell: Element) => Math.round(cell.getBoundingClientRect().left);
          const head = [...table.rows[0].cells].map(left);
          for (const row of table.rows)
            if ([...row.cells].some((cell, i) => Math.abs(left(cell) - head[i]) > 1))
              found.push({ what: 'askew', where: name(row) });
        }
        return found;
      }
    },
    [least, MAY_BE_CUT.join(), languages] as const,
  );
}
