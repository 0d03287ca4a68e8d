// What is loaded when it is needed. Asked for again, it is there; what failed is tried again.
import { fetchTexts, loadTexts, type More } from './text/text.svelte';

const LEAST = 5; // milliseconds that are worth beginning something

// Emblems and icons that the start page does without.
let drawn: Promise<void> | null = null;
function drawIcons(): Promise<void> {
  drawn ??= import('virtual:sprite').then(
    ({ default: icons }) =>
      document.querySelector('.sprite')!.insertAdjacentHTML('beforeend', icons),
    (error) => {
      drawn = null;
      throw error;
    },
  );
  return drawn;
}

// Styles that did not come. Vite asks for each only once, so whatever is loaded next asks again.
const missingStyles = new Set<string>();

export function noteMissingStyles(): void {
  const note = ({ target }: Event) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== 'stylesheet') return;
    missingStyles.add(target.href);
    target.remove();
  };
  document.addEventListener('error', note, true);
}

function loadMissingStyles(): Promise<unknown> {
  const hrefs = [...missingStyles];
  missingStyles.clear();
  const load = (href: string) =>
    new Promise((onload, onerror) => {
      const link = document.createElement('link');
      document.head.append(
        Object.assign(link, { rel: 'stylesheet', crossOrigin: '', href, onload, onerror }),
      );
    });
  return Promise.all(hrefs.map(load));
}

export async function withTexts<T>(screen: Promise<T>, ...texts: More[]): Promise<T> {
  const others = [loadTexts(...texts), drawIcons(), loadMissingStyles()];
  const [loaded] = await Promise.all([screen, ...others]);
  return loaded;
}

async function engine() {
  const engine = await import('./engine/engine');
  await engine.loadEngine();
  return engine;
}

// A screen with the engine that it asks.
export async function withEngine<T extends object>(screen: Promise<T>) {
  const [loaded, { deal, fault }] = await Promise.all([withTexts(screen, 'game'), engine()]);
  return { ...loaded, deal, fault };
}

export async function loadGame() {
  const { default: Table, deal, fault } = await withEngine(import('./screens/Table.svelte'));
  return { Table, deal, fault };
}

// Fetches all of that, the engine first, and then runs the scripts, each in a task of its own. The
// document names what is needed, and before it what that needs (tools/prerender.ts). Styles wait
// until they are asked for: they would have all that is shown styled again.
export async function fetchGame(idle: () => Promise<{ timeRemaining(): number }>): Promise<void> {
export const loadCheck = () => withTexts(import('./ui/online/DealCheck.svelte'), 'online');

  const names = document.querySelector<HTMLTemplateElement>('#later');
  const links = [...(names?.content.children ?? [])] as HTMLLinkElement[];
  let rest = await idle();
  const others = Promise.all([engine(), fetchTexts('game')]);
  others.catch(() => {}); // is awaited below
  for (const link of links) {
    if (rest.timeRemaining() < LEAST) rest = await idle();
    document.head.append(link);
  }
  await others;
  for (const { rel, href } of links)
    if (rel === 'modulepreload') {
      await idle();
      await import(/* @vite-ignore */ href);
    }
}

// The bots come when the table is there: the first card can be played without them.
export async function loadTable() {
  const game = await loadGame();
  void import('./bots/pool').then(({ loadBots }) => loadBots()).catch(() => {});
  return game;
}

export const loadBranch = () => withTexts(import('./review/Branch.svelte'), 'review');

export const loadCoach = () => withTexts(import('./learn/Coach.svelte'), 'learn');

export const loadReplay = () => withEngine(import('./screens/Replay.svelte'));
