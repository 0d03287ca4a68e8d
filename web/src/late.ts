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

export async function withTexts<T>(screen: Promise<T>, ...texts: More[]): Promise<T> {
  const [loaded] = await Promise.all([screen, loadTexts(...texts), drawIcons()]);
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

export const loadCheck = () => withTexts(import('./ui/online/DealCheck.svelte'), 'online');

export const loadCoach = () => withTexts(import('./learn/Coach.svelte'), 'learn');

export const loadReplay = () => withEngine(import('./screens/Replay.svelte'));
