// The coach of a game against bots (docs/analysis.md): what the player does in a turn is judged
// beside the page, and at most one thing is said of it.
import { Pool } from '../bots/pool';
import type { Guide, Mistake, Pacts, Parley, Threat, View } from '../engine/types';

const TIME = 1500; // milliseconds that the others wait for it at most

// Of the turn that is over, or about to be.
export interface Remark extends Mistake {
  at: number; // after so many actions,
  view: View; // where the player saw this
  played: string[];
}

// What it says; `held` are the actions that wait for an answer.
export type Speech =
  | { about: 'threat'; held: string[]; seat: number; threat: Threat }
  | { about: 'turn'; held: string[] | null; remark: Remark };

// Something certain that the end of the turn would throw away: a win, or what stops a Hegemony that
// is known to come, without breaking a pact.
export function thrownAway(
  guide: Guide,
  me: number,
  breaks: Parley['breaks'] = {},
): { seat: number; threat: Threat } | null {
  if (!guide.legal.includes('end') || guide.wins) return null;
  for (const seat of [me, ...guide.threats.keys()]) {
    const threat = guide.threats[seat];
    const stops = threat?.stops.filter(({ action }) => !breaks[action]) ?? [];
    if (threat?.proven && (seat === me || stops.some(({ now }) => now)))
      return { seat, threat: { ...threat, stops } };
  }
  return null;
}

// Actions that could be planned together: judged when nothing leads back behind them.
interface Stretch {
  at: number;
  view: View;
  judged: Promise<Remark | null> | null;
}

export class Coach {
  #pool = new Pool();
  #stretches: Stretch[] = []; // of this turn
  #pactsAt: (at: number) => Pacts | undefined;

  // `pactsAt` tells the pacts after so many actions, with all that has been said since.
  constructor(pactsAt: (at: number) => Pacts | undefined) {
    this.#pactsAt = pactsAt;
  }

  // The player is to decide, after so many actions.
  decides(view: View, at: number): void {
    const known = this.#stretches.filter((one) => one.view.turn === view.turn && one.at <= at);
    this.#stretches = known;
    if (known.length > 0 && !known.at(-1)!.judged) return;
    known.push({ at, view, judged: null });
    this.#pool.coach(view, [], this.#pactsAt(at)).catch(() => {});
  }

  // So it went on, past the point of no return. All actions of the game.
  done(actions: string[]): void {
    const last = this.#stretches.at(-1);
    if (last && !last.judged) last.judged = this.#judge(last, actions);
  }

  // What it would say if the turn were over with this. All actions of the game.
  would(actions: string[]): Promise<Remark | null> {
    const last = this.#stretches.at(-1);
    return inTime(last && !last.judged ? this.#judge(last, actions) : null);
  }

  // What it says of the turn, once: the worst that there was, if that is known in time.
  async remark(): Promise<Remark | null> {
    const turn = this.#stretches;
    this.#stretches = [];
    if (turn.length === 0) return null;
    const all = await inTime(Promise.all(turn.map(({ judged }) => judged)));
    const found = (all ?? []).filter((one) => one !== null);
    return found.sort((a, b) => b.lost - a.lost)[0] ?? null;
  }

  stop(): void {
    this.#pool.stop();
  }

  async #judge({ view, at }: Stretch, actions: string[]): Promise<Remark | null> {
    const played = actions.slice(at);
    const mistake = await this.#pool.coach(view, played, this.#pactsAt(at)).catch(() => null);
    return mistake && { ...mistake, at, view, played };
  }
}

async function inTime<T>(answer: Promise<T> | null): Promise<T | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => (timer = setTimeout(resolve, TIME, null)));
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}
