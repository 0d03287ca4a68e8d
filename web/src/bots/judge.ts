// A game judged beside the page, step by step, in a worker of its own.
import type { GameRecord, Refusal, Review, ReviewStep } from '../engine/types';
import { loadBots } from './pool';

export type Judged = { ok: true; review: Review } | Refusal;

// Tells each step and at last the whole; gives back what stops it at once.
export function judge(
  record: GameRecord,
  on: { step: (step: ReviewStep) => void; done: (review: Review) => void; failed: () => void },
): () => void {
  let worker: Worker | null = null;
  let stopped = false;
  const stop = () => {
    stopped = true;
    worker?.terminate();
  };
  const fail = () => {
    if (stopped) return;
    stop();
    on.failed();
  };
  loadBots().then((module) => {
    if (stopped) return;
    worker = new Worker(new URL('./judge-worker.ts', import.meta.url), { type: 'module' });
    worker.onerror = worker.onmessageerror = fail;
    worker.onmessage = ({ data }: MessageEvent<{ step: ReviewStep } | { judged: Judged }>) => {
      if ('step' in data) return on.step(data.step);
      if (!data.judged.ok) return fail();
      stop();
      on.done(data.judged.review);
    };
    worker.postMessage({ module, record });
  }, fail);
  return stop;
}
