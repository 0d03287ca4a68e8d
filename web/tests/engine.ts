// The engine for the tests, as the page has it.
import { readFileSync } from 'node:fs';
import { Engine } from '../../bindings/wasm/civ.mjs';

export const file = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url));
export const load = (name: 'civ' | 'bots') =>
  new Engine(new WebAssembly.Module(file(`build-wasm/${name}.wasm`)));
export const engine = load('civ');
