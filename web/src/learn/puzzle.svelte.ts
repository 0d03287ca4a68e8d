// A puzzle: an ordinary table on this device, of which nothing is there but what one player sees.
// One turn is played, and the engine says whether it is the right one.
import { judge, type Posed, type Preview, pose, preview } from '../engine/engine';
import type { Look, Message, Told, View } from '../engine/types';
import { Loop } from '../game/loop.svelte';
import { labelsOf, namesOf } from '../game/setup-names';
import { NAMES } from './lessons';

const ME = 0;

interface Verdict {
  right: boolean;
  why: Message[];
}

export class PuzzleGame extends Loop {
  readonly posed: Posed;
  readonly me = ME;
  readonly bottom = ME;
  readonly hints = false;
  readonly over = false; // what it comes to is said by the page
  readonly thinking = null;
  readonly story: Told[] = [];
  readonly headings: Look['headings'] = [];
  readonly seats: string[];
  readonly names = $derived.by(() => namesOf(this.#seated));
  verdict = $state.raw<Verdict | null>(null);
  shown = $state(false); // the answer was asked for
  turn = $state.raw<string[]>([]); // what has been done, and the end of it
  readonly #text: string;
  #before: number[] = []; // by decision: so many actions
  #present = $state.raw<Preview>()!;

  constructor(text: string) {
    super();
    this.#text = text;
    this.posed = pose(text);
    this.seats = this.posed.view.hands.map((_, seat) => (seat === ME ? 'human' : 'level8'));
    this.again();
  }

  get #seated() {
    return { seats: this.seats as never, names: [...NAMES, 'Cora'].slice(0, this.seats.length) };
  }

  get labels(): string[] {
    return labelsOf(this.#seated);
  }

  protected get present(): Preview {
    return this.#present;
  }

  protected get actions(): number {
    return this.turn.length;
  }

  protected get back(): number | null {
    return this.verdict ? null : (this.#before.at(-1) ?? null);
  }

  protected get here(): boolean {
    return true;
  }

  // Who could win, and what would stop it, is the question.
  protected override shownAs(shown: Preview): Preview {
    if (this.verdict) return shown;
    return { ...shown, guide: { ...shown.guide, threats: shown.guide.threats.map(() => null) } };
  }

  // What is done, or the answer, one action after the other.
  get steps(): Message[] {
    return this.turn.map((action, i) => {
      const { guide } = i === 0 ? this.posed : ahead(this.posed.view, this.turn.slice(0, i))!;
      return guide.offers[guide.legal.indexOf(action)];
    });
  }

  decide(actions: string[]): void {
    const turn = [...this.turn, ...actions];
    const answer = judge(this.#text, turn);
    if (answer.over) {
      this.withdraw();
      this.turn = turn;
      this.verdict = spoken(answer);
    } else {
      this.#before.push(this.turn.length);
      this.#go(turn);
    }
  }

  undo(): void {
    const left = this.back;
    if (left === null) return;
    this.#before.pop();
    this.#go(this.turn.slice(0, left));
  }

  again(): void {
    this.verdict = null;
    this.shown = false;
    this.#before = [];
    this.#go([]);
  }

  // The table as the answer leaves it, and why.
  show(): void {
    this.again();
    this.withdraw();
    const { answer } = this.posed;
    this.#present = ahead(this.posed.view, answer.slice(0, -1))!;
    this.turn = answer;
    this.shown = true;
    const told = judge(this.#text, answer);
    this.verdict = told.over ? spoken(told) : null;
  }

  stop(): void {
    this.stopLoop();
  }

  protected recall(at: number): Preview | null {
    return ahead(this.posed.view, this.turn.slice(0, at));
  }

  #go(turn: string[]): void {
    this.withdraw();
    this.turn = turn;
    this.#present = turn.length > 0 ? ahead(this.posed.view, turn)! : this.posed;
    this.begin();
    this.offer(true);
  }
}

// Whoever solves it is not called by a name.
const spoken = (told: Verdict): Verdict => ({
  ...told,
  why: told.why.map((one) => (isMine(one) ? { key: 'puzzles.leads', args: {} } : one)),
});
const isMine = ({ key, args: { names } }: Message): boolean =>
  key === 'ending.leader' &&
  typeof names === 'object' &&
  'seats' in names &&
  names.seats.every((seat) => seat === ME);

function ahead(view: View, actions: string[]): Preview | null {
  return actions.length > 0 ? preview($state.snapshot(view) as View, actions) : preview(view, []);
}
