// The real engine in unit tests, where nothing serves its file.
import { vi } from 'vitest';
import { loadEngine } from '../src/engine/engine';
import { file } from '../tests/engine';

export async function loadRealEngine(): Promise<void> {
  const headers = { 'content-type': 'application/wasm' };
  vi.stubGlobal('fetch', async () => new Response(file('build-wasm/civ.wasm'), { headers }));
  await loadEngine();
}
