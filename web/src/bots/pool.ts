// Bots that think beside the page. The strong ones think in several workers at once, each with its
// own chance, and their judgements are added up.
import wasm from '../../../build-wasm/bots.wasm?url';
import type { Message, Mistake, Pacts, Refusal, Talk, View } from '../engine/types';

export interface Judgement {
  action: string;
  weight: number;
  chances: number[];
  reasons?: Message[]; // where they were asked for
}

export interface Thought {
  action: string;
  judgements: Judgement[];
  say?: Talk; // before the action
}

// With pacts at a table where there is talk.
interface Question {
  view: View;
  bot: string;
  seed: number;
  why: number;
  pacts?: Pacts;
  keeps?: boolean; // advice to somebody who keeps them
}

type Asked =
  | { by: 'think'; request: Question }
  | { by: 'coach'; request: { view: View; played: string[]; pacts?: Pacts } };

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
    { resolve: (thought: unknown) => void; reject: (error: Error) => void }
  >();
  #next = 0;
  #stopped = false;

  constructor(module: WebAssembly.Module) {
    this.#worker = new Worker(new URL('./worker.ts', import.meta.url), { type: 'module' });
    this.#worker.onmessage = ({
      data,
    }: MessageEvent<{ id: number; thought: { ok: true } | Refusal }>) => {
      const waiting = this.#waiting.get(data.id);
      this.#waiting.delete(data.id);
      if (data.thought.ok) waiting?.resolve(data.thought);
      else waiting?.reject(new Error(data.thought.error.key));
    };
    this.#worker.onerror = this.#worker.onmessageerror = () => this.stop();
    this.#worker.postMessage({ module });
  }

  ask<T>(asked: Asked): Promise<T> {
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      if (this.#stopped) throw new Error('the bot has stopped');
      this.#waiting.set(id, { resolve: (thought) => resolve(thought as T), reject });
      this.#worker.postMessage({ id, ...asked });
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

// Judgements of several searches of the same decision as one, the best first. Where there are pacts
// each of them has decided whether to keep its word, which weights know nothing of: one of those is
// followed that would say the same.
export function merge(thoughts: Thought[], pacts = false): Thought {
  const sum = new Map<string, Judgement>();
  for (const { judgements } of thoughts) {
    for (const { action, weight, chances, reasons } of judgements) {
      const known = sum.get(action);
      if (!known) {
        sum.set(action, { action, weight, chances: [...chances], ...(reasons && { reasons }) });
        continue;
      }
      if (reasons) known.reasons = reasons; // the same, whoever says them
      const total = known.weight + weight;
      if (total > 0)
        known.chances = known.chances.map(
          (chance, seat) => (chance * known.weight + chances[seat] * weight) / total,
        );
      known.weight = total;
    }
  }
  const judgements = [...sum.values()].sort((a, b) => b.weight - a.weight);
  const [{ action, say }] = thoughts;
  const agree = thoughts.filter((one) => JSON.stringify(one.say) === JSON.stringify(say));
  const best = judgements.find(
    (one) => !pacts || agree.some(({ action }) => action === one.action),
  );
  return { action: best?.action ?? action, judgements, ...(say && { say }) };
}

export class Pool {
  #bots: Bot[] = [];
  #stopped = false;

  // With reasons for so many of the best actions: then it is advice, and keeps all pacts.
  async think(view: View, bot: string, why = 0, pacts?: Pacts): Promise<Thought> {
    const seeds = crypto.getRandomValues(new Uint32Array(workersFor(bot)));
    const keeps = why > 0;
    const thoughts = await this.#ask<Thought>(
      [...seeds].map((seed) => ({ by: 'think', request: { view, bot, seed, why, pacts, keeps } })),
    );
    return thoughts.length === 1 ? thoughts[0] : merge(thoughts, pacts !== undefined);
  }

  // What was wrong with what was done from a view, or null; with nothing done it only thinks ahead.
  // Nothing is better that would break a pact.
  async coach(view: View, played: string[], pacts?: Pacts): Promise<Mistake | null> {
    const [{ mistake }] = await this.#ask<{ mistake: Mistake | null }>([
      { by: 'coach', request: { view, played, pacts } },
    ]);
    return mistake;
  }

  async #ask<T>(all: Asked[]): Promise<T[]> {
    const module = await loadBots();
    while (!this.#stopped && this.#bots.length < all.length) this.#bots.push(new Bot(module));
    try {
      return await Promise.all(this.#bots.slice(0, all.length).map((bot, i) => bot.ask<T>(all[i])));
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
