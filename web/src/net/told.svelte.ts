// The game as it is told: a `hello` has its last turns, messages go on from there, and what was
// before comes when it comes.
import type { View } from '../engine/types';
import type { GameState, Story } from './types';

// The story before that of a `hello`, once it is there.
export class Earlier {
  story = $state.raw<Story | null>(null);
}

export class ToldGame implements GameState {
  readonly actions: number;
  readonly final: number;
  readonly view: View;
  readonly late: GameState; // as it came on the line
  readonly #earlier: Earlier;

  constructor(late: GameState, earlier: Earlier) {
    this.actions = late.actions;
    this.final = late.final;
    this.view = late.view;
    this.late = late;
    this.#earlier = earlier;
  }

  readonly #whole = $derived.by((): GameState => {
    const before = this.#earlier.story;
    return before ? merged({ ...this.late, ...before, from: 0 }, this.late) : this.late;
  });

  get from(): number {
    return this.#whole.from;
  }

  get log(): GameState['log'] {
    return this.#whole.log;
  }

  get headings(): GameState['headings'] {
    return this.#whole.headings;
  }

  get story(): GameState['story'] {
    return this.#whole.story;
  }
}

// What has come since replaces what was told from there on.
export function merged(old: GameState, news: GameState): GameState {
  const from = Math.min(old.from, news.from);
  return {
    ...news,
    from,
    log: [...old.log.slice(0, news.from - from), ...news.log],
    headings: [...old.headings.filter((one) => one.begin < news.from), ...news.headings],
    story: [...old.story.filter((one) => one.begin < news.from), ...news.story],
  };
}
