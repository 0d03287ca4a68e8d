// One bot in a worker: asked about a view, it answers with what it thinks, or as a coach.
import { Engine } from '../../../bindings/wasm/civ.mjs';

let engine: Engine | null = null;

self.onmessage = (event: MessageEvent) => {
  const message = event.data;
  if (message.module) engine = new Engine(message.module);
  else {
    const { id, by, request } = message;
    postMessage({ id, thought: by === 'coach' ? engine!.coach(request) : engine!.think(request) });
  }
};
