// Pictures of everything that the page can show, into test-results/shots/. Beside the single
// pictures there are contact sheets, several states each, to look through quickly. Wants a built
// page (npm run build), and for games with others build/civ or CIV_PROGRAM. Of a state that cannot
// be brought about there is no picture; failed.txt has all of them.
//
//   npm run shots [-- --language ro] [--only PATTERN] [--size 390x844] [--theme dark]
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Page } from '@playwright/test';
import { PROGRAM, Server } from '../tests/online-server';
import { isFor, STATES, type State, visit } from '../tests/states';
import { address, browser, end } from './built-page';

const { values } = parseArgs({
  args: process.argv.slice(3),
  options: {
    language: { type: 'string', default: 'en' },
    only: { type: 'string' },
    size: { type: 'string' },
    theme: { type: 'string' },
    out: { type: 'string', default: 'test-results/shots' },
  },
});

const SIZES = [
  { width: 1440, height: 900, themes: ['light', 'dark'], all: true, columns: 3 },
  { width: 390, height: 844, themes: ['light', 'dark'], all: true, columns: 8 },
  { width: 320, height: 640, themes: ['light'], all: false, columns: 8 },
  { width: 820, height: 1180, themes: ['light', 'dark'], all: true, columns: 5 },
  { width: 844, height: 390, themes: ['light'], all: false, columns: 4 },
  { width: 1280, height: 720, themes: ['light'], all: false, columns: 3 },
  { width: 2560, height: 1440, themes: ['light'], all: false, columns: 3 },
] as const;
const SHEET_WIDTH = 2000;
const SHEET_HEIGHT = 2000;

// Pictures in a grid, with their names, as many to a sheet as fit.
async function sheets(
  page: Page,
  folder: string,
  name: string,
  files: string[],
  columns: number,
  ratio: number,
): Promise<void> {
  const width = Math.floor(SHEET_WIDTH / columns) - 8;
  const rows = Math.max(1, Math.floor(SHEET_HEIGHT / (width * ratio + 30)));
  await page.setViewportSize({ width: SHEET_WIDTH, height: SHEET_HEIGHT });
  for (let i = 0; i < files.length; i += columns * rows) {
    const cells = files.slice(i, i + columns * rows).map((file) => {
      const picture = readFileSync(`${folder}/${file}.png`).toString('base64');
      return `<figure>
        <figcaption>${file}</figcaption>
        <img src="data:image/png;base64,${picture}" width="${width}">
      </figure>`;
    });
    const style = `
      body { margin: 4px; display: grid; grid-template-columns: repeat(${columns}, ${width}px) }
      body { gap: 4px 8px; font: 16px sans-serif; background: #fff }
      figure { margin: 0 }
      img { outline: 1px solid #888 }`;
    await page.setContent(`<style>${style}</style>${cells.join('')}`);
    await page.screenshot({
      path: `${folder}/sheet-${name}-${i / (columns * rows) + 1}.png`,
      fullPage: true,
    });
  }
}

const server = existsSync(PROGRAM) ? await Server.start({ page: 'dist' }) : null;
const failed: string[] = [];

for (const { width, height, themes, all, columns } of SIZES) {
  if (values.size && values.size !== `${width}x${height}`) continue;
  const context = await browser.newContext({
    viewport: { width, height },
    reducedMotion: 'reduce',
    serviceWorkers: 'block',
    hasTouch: width < 1180,
    baseURL: server ? `${server.origin}/` : address,
  });
  for (const theme of themes) {
    if (values.theme && values.theme !== theme) continue;
    const folder = `${values.out}/${width}x${height}-${theme}-${values.language}`;
    mkdirSync(folder, { recursive: true });
    const files: string[] = [];
    const wanted = (state: State) =>
      (all || state.table) &&
      isFor(state, width, height) &&
      (!values.only || new RegExp(values.only).test(state.name));
    for (const state of STATES.filter(wanted)) {
      const page = await context.newPage();
      page.setDefaultTimeout(10_000);
      page.on('pageerror', (error) =>
        failed.push(`${state.name} ${width}x${height} ${theme}: ${error.message}`),
      );
      const file = `${folder}/${state.name}.png`;
      rmSync(file, { force: true });
      try {
        await visit(page, state, { language: values.language, theme });
        await page.waitForTimeout(150); // fades
        await page.screenshot({ path: file });
        files.push(state.name);
      } catch (error) {
        failed.push(
          `${state.name} ${width}x${height} ${theme}: ${(error as Error).message.split('\n')[0]}`,
        );
      }
      await page.close();
    }
    const page = await context.newPage();
    await sheets(page, folder, theme, files, columns, height / width);
    await page.close();
    console.log(`${folder}: ${files.length} pictures`);
  }
  await context.close();
}
writeFileSync(`${values.out}/failed.txt`, failed.join('\n'));
if (failed.length > 0) console.error(failed.join('\n'));
await server?.stop();
await end(failed.length > 0 ? 1 : 0);
