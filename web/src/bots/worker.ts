// One bot in a worker: asked for a view, it answers with what it thinks.
import { Engine } from '../../../bindings/wasm/civ.mjs';

let engine: Engine | null = null;

self.onmessage = (event: MessageEvent) => {
  const message = event.data;
  if (message.module) engine = new Engine(message.module);
  else postMessage({ id: message.id, thought: engine!.think(message.request) });
};
