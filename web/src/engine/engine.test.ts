import { readFile } from 'node:fs/promises';
import { afterEach, expect, test, vi } from 'vitest';

const WASM = new URL('../../../build-wasm/civ.wasm', import.meta.url);
const answer = async () =>
  new Response(await readFile(WASM), { headers: { 'Content-Type': 'application/wasm' } });

afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetModules();
});

test('whoever asks for the engine, it is loaded once', async () => {
  const fetched = vi.fn(answer);
  vi.stubGlobal('fetch', fetched);
  const { loadEngine, deal } = await import('./engine');
  await Promise.all([loadEngine(), loadEngine()]);
  await loadEngine();
  expect(fetched).toHaveBeenCalledTimes(1);
  expect(deal({ players: 2, setup: 'basic', edition: 'en', teams: false }).players).toBe(2);
});

test('an engine that could not be loaded can be asked for again', async () => {
  const fetched = vi.fn(answer).mockRejectedValueOnce(new TypeError('no network'));
  vi.stubGlobal('fetch', fetched);
  const { loadEngine, deal } = await import('./engine');
  const both = await Promise.allSettled([loadEngine(), loadEngine()]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await loadEngine();
  expect(fetched).toHaveBeenCalledTimes(2);
  expect(deal({ players: 3, setup: 'basic', edition: 'en', teams: false }).players).toBe(3);
});
