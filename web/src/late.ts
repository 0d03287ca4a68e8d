// What is loaded when it is needed. Asked for again, it is there; what failed is tried again.
import { fetchTexts, loadTexts, type More } from './text/text.svelte';

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

// Fetches all of that, and runs as little of it as can be: scripts and styles, which the document
// names (tools/prerender.ts), are read and not run.
export async function fetchGame(idle: () => Promise<unknown>): Promise<void> {
  const names = document.querySelector<HTMLTemplateElement>('#later');
  for (const name of [...(names?.content.children ?? [])]) {
    await idle();
    document.head.append(name);
  }
  await idle();
  await engine();
  await idle();
  await fetchTexts('game');
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
