// Judges one game in a worker.
import { Engine } from '../../../bindings/wasm/civ.mjs';

self.onmessage = ({ data: { module, record } }: MessageEvent) => {
  const steps = new Engine(module).review(record);
  let next = steps.next();
  for (; !next.done; next = steps.next()) postMessage({ step: next.value });
  postMessage({ judged: next.value });
};
