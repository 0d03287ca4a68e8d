// Bots that think beside the page. The strong ones think in several workers at once, each with its
// own chance, and their judgements are added up.
import wasm from '../../../build-wasm/bots.wasm?url';
import type { Refusal, View } from '../engine/types';

export interface Judgement {
  action: string;
  weight: number;
  chances: number[];
}

export interface Thought {
  action: string;
  judgements: Judgement[];
}

interface Request {
  view: View;
  bot: string;
  seed: number;
}

const STRONG = ['level7', 'level8', 'master'];

function workersFor(bot: string): number {
  if (!STRONG.includes(bot)) return 1;
  return Math.max(1, Math.min(4, (navigator.hardwareConcurrency ?? 2) - 1));
}

let module: Promise<WebAssembly.Module> | null = null;

// Loads the bots' module, so that the first of them does not have to wait for it.
export function loadBots(): Promise<WebAssembly.Module> {
  module ??= WebAssembly.compileStreaming(fetch(wasm)).catch((error) => {
    module = null; // so that another try can succeed
    throw error;
  });
  return module;
}

class Bot {
  #worker: Worker;
  #waiting = new Map<
    number,
    { resolve: (thought: Thought) => void; reject: (error: Error) => void }
  >();
  #next = 0;
  #stopped = false;

  constructor(module: WebAssembly.Module) {
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    this.#worker.onmessage = ({
      data,
    }: MessageEvent<{ id: number; thought: (Thought & { ok: true }) | Refusal }>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (data.thought.ok) waiting?.resolve(data.thought);
      else waiting?.reject(new Error(data.thought.error.key));
    };
    this.#worker.onerror = this.#worker.onmessageerror = () => this.stop();
    this.#worker.postMessage({ module });
  }

  think(request: Request): Promise<Thought> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      if (this.#stopped) throw new Error('the bot has stopped');
      this.#waiting.set(id, { resolve, reject });
      this.#worker.postMessage({ id, request });
    });
  }

  // Nobody waits for what will not come.
  stop(): void {
    this.#stopped = true;
    this.#worker.terminate();
    for (const { reject } of this.#waiting.values()) reject(new Error('the bot has stopped'));
    this.#waiting.clear();
  }
}

// Judgements of several searches of the same decision as one, the best first.
export function merge(thoughts: Thought[]): Thought {
  const sum = new Map<string, Judgement>();
  for (const { judgements } of thoughts) {
    for (const { action, weight, chances } of judgements) {
      const known = sum.get(action);
      if (!known) {
        sum.set(action, { action, weight, chances: [...chances] });
        continue;
      }
      const total = known.weight + weight;
      if (total > 0)
        known.chances = known.chances.map(
          (chance, seat) => (chance * known.weight + chances[seat] * weight) / total,
        );
      known.weight = total;
    }
  }
  const judgements = [...sum.values()].sort((a, b) => b.weight - a.weight);
  return { action: judgements[0]?.action ?? thoughts[0].action, judgements };
}

export class Pool {
  #bots: Bot[] = [];
  #stopped = false;

  async think(view: View, bot: string): Promise<Thought> {
    const module = await loadBots();
    const count = workersFor(bot);
    while (!this.#stopped && this.#bots.length < count) this.#bots.push(new Bot(module));
    const seeds = crypto.getRandomValues(new Uint32Array(count));
    try {
      const thoughts = await Promise.all(
        this.#bots.slice(0, count).map((one, i) => one.think({ view, bot, seed: seeds[i] })),
      );
      return count === 1 ? thoughts[0] : merge(thoughts);
    } catch (error) {
      this.#dismiss(); // one that failed is not asked again
      throw error;
    }
  }

  stop(): void {
    this.#stopped = true;
    this.#dismiss();
  }

  #dismiss(): void {
    for (const bot of this.#bots) bot.stop();
    this.#bots = [];
  }
}
