// What is loaded when it is needed. Asked for again, it is there; what failed is tried again.
import { loadTexts, type More } from './text/text.svelte';

export async function withTexts<T>(screen: Promise<T>, ...texts: More[]): Promise<T> {
  const [loaded] = await Promise.all([screen, loadTexts(...texts)]);
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

// The bots come when the table is there: the first card can be played without them.
export async function loadTable() {
  const game = await loadGame();
  void import('./bots/pool').then(({ loadBots }) => loadBots()).catch(() => {});
  return game;
}

export const loadBranch = () => withTexts(import('./review/Branch.svelte'), 'review');

export const loadCoach = () => withTexts(import('./learn/Coach.svelte'), 'learn');

export const loadReplay = () => withEngine(import('./screens/Replay.svelte'));
