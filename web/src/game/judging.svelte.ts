// The review of a finished game, made beside the page and kept with the game. It is made as long as
// an address says that the game is looked at: whoever goes elsewhere has stopped it.
import { judge } from '../bots/judge';
import type { Review, ReviewStep } from '../engine/types';
import { type Game, keepReview } from './store';

export class Judging {
  readonly id: string;
  review = $state.raw<Review | null>(null);
  steps = $state.raw<ReviewStep[]>([]); // as far as it is
  failed = $state(false);
  #stop = () => {};

  constructor(game: Game) {
    this.id = game.id;
    this.review = game.review;
    if (!this.review) this.#begin(game);
  }

  get all(): number {
    return this.steps[0]?.all ?? 0;
  }

  stop(): void {
    this.#stop();
  }

  #begin({ id, record }: Game): void {
    this.#stop = judge(record, {
      step: (step) => (this.steps = [...this.steps, step]),
      done: (review) => {
        this.review = review;
        void keepReview(id, review);
      },
      failed: () => (this.failed = true),
    });
  }
}

let current: Judging | null = null;

function leave(): void {
  if (location.hash.split('/')[2] === current?.id) return;
  current?.stop();
  current = null;
  removeEventListener('hashchange', leave);
}

// The same one as long as the game is looked at; one that failed is tried again.
export function judging(game: Game): Judging {
  if (current?.id === game.id && !current.failed) return current;
  current?.stop();
  addEventListener('hashchange', leave);
  current = new Judging(game);
  return current;
}
