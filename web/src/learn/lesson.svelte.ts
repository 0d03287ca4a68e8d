// A lesson: an ordinary table on this device whose others play from a script. What does not lead
// where a step leads is shown beside what does, and can be taken back.
import { look, type Preview, preview } from '../engine/engine';
import type { Card, GameRecord, Letter, Look, Message, Told, Value, View } from '../engine/types';
import { EFFECTS, LETTERS } from '../engine/types';
import { parse } from '../game/actions';
import { Loop } from '../game/loop.svelte';
import { settings } from '../game/settings.svelte';
import { labelsOf, namesOf } from '../game/setup-names';
import { EMBLEMS } from '../text/emblems';
import { reached } from './goal';
import { type Lesson, ME, NAMES, recordOf, type Step } from './lessons';

const SEATS = { seats: ['human', 'level1', 'level1'] as const, names: NAMES };

// What a lesson's texts may name, by the same words in all of them.
const camel = (name: string) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase());
const WORDS: Record<string, Value> = {
  one: { seat: 1 },
  names: { seats: [1, 2] },
  ...Object.fromEntries(LETTERS.map((domain) => [EMBLEMS[domain], { domain }])),
  ...Object.fromEntries(EFFECTS.map((effect) => [camel(effect), { effect }])),
};
export const worded = (key: string): Message => ({ key, args: WORDS });

export class LessonGame extends Loop {
  readonly lesson: Lesson;
  readonly me = ME;
  readonly bottom = ME;
  readonly hints = false;
  readonly over = false; // what a lesson ends with is said by the lesson
  readonly seats: string[] = [...SEATS.seats];
  readonly names = $derived.by(() => namesOf({ ...SEATS, seats: [...SEATS.seats] }));
  thinking = $state<number | null>(null);
  story = $state.raw<Told[]>([]);
  headings = $state.raw<Look['headings']>([]);
  stage = $state(0); // of the steps; as many as there are when all are done
  wrong = $state.raw<string[] | null>(null); // what was done instead of what the step asks for
  #record: GameRecord;
  #look = $state.raw<Look>()!;
  #begun: number[]; // by step: the actions before it
  #run = 0; // of the others

  constructor(lesson: Lesson) {
    super();
    this.lesson = lesson;
    this.#record = recordOf(lesson.name);
    this.#begun = [this.actions];
    this.#refresh(true);
    this.offer(true);
  }

  get labels(): string[] {
    return labelsOf({ ...SEATS, seats: [...SEATS.seats] });
  }

  get done(): boolean {
    return this.stage === this.lesson.steps.length;
  }

  get step(): Step | null {
    return this.lesson.steps[this.stage] ?? null;
  }

  protected get present(): Preview {
    return this.#look;
  }

  protected get actions(): number {
    return this.#record.actions.length;
  }

  protected get back(): number | null {
    return this.canGoBack ? this.#begun[this.stage] : null;
  }

  protected get here(): boolean {
    return true;
  }

  get canGoBack(): boolean {
    return !!this.wrong || (!!this.composer && (!this.composer.idle || this.stage > 0));
  }

  // The legal actions that lead, or begin to lead, where the step leads.
  readonly meant: string[] = $derived.by(() => {
    const { step } = this;
    if (!step || !this.composer) return [];
    const { view, guide } = this.#look;
    return guide.legal.filter((action) => {
      if (action === step.want[0]) return true;
      const then = guide.reveals.includes(action) ? null : ahead(view, [action]);
      return then !== null && reached(step.goal, then);
    });
  });

  // What was chosen, or done, does not lead there.
  get tried(): boolean {
    const { composer, step } = this;
    if (this.wrong) return true;
    if (!composer || !step || composer.idle) return false;
    const effects = this.meant.map((action) => parse(action).effect);
    if (composer.aiming) return !effects.includes(composer.aiming);
    const { actions } = composer;
    if (actions.length === 0) return false; // some cards of a set
    if (!composer.complete) return !this.meant.includes(actions[0]);
    return composer.reveals
      ? !this.meant.includes(actions[0])
      : !reached(step.goal, composer.shown);
  }

  // What was tried, and what is meant, as the engine offers it and as it would be.
  get comparison(): { told: Message[]; after: Preview | null }[] {
    const { step } = this;
    const tried = this.wrong ?? this.composer?.actions ?? [];
    if (!step || tried.length === 0) return [];
    const before = this.before;
    return [tried, step.want].map((actions) => ({
      told: named(actions) ?? [before.guide.offers[before.guide.legal.indexOf(actions[0])]],
      after: ahead(before.view, actions),
    }));
  }

  // The table when the step began.
  get before(): Preview {
    const at = this.#begun[this.stage] ?? this.actions;
    if (at === this.actions) return this.#look;
    return this.recall(at)!;
  }

  // One choice, the whole try, or the step before.
  goBack(): void {
    if (!this.canGoBack || (!this.wrong && this.composer?.back())) return;
    this.#return(this.wrong ? this.stage : this.stage - 1);
  }

  again(): void {
    this.#return(0);
  }

  undo(): void {
    this.goBack();
  }

  // Chooses what is meant; it is confirmed like every other choice.
  show(): void {
    const { step } = this;
    if (this.wrong) this.#return(this.stage);
    const { composer } = this;
    if (!step || !composer) return;
    composer.clear();
    if (!composer.guide.choose) composer.take(step.want[0]);
    const rest = step.want.slice(composer.actions.length);
    for (const action of rest) {
      if (composer.zone) composer.name(parse(action).named!, composer.zone);
    }
  }

  skip(): void {
    const { step } = this;
    if (this.wrong) this.#return(this.stage);
    if (step && this.composer) this.decide(step.want);
  }

  stop(): void {
    this.#run++;
    this.stopLoop();
  }

  decide(actions: string[]): void {
    const { step } = this;
    if (!step) return;
    this.#write([...this.#record.actions, ...actions]);
    if (reached(step.goal, this.#look)) void this.#goOn(step);
    else this.wrong = actions;
  }

  // A lesson that ends with a victory is no game that has been played.
  protected tell(before: number): void {
    const { newcomer } = settings;
    super.tell(before);
    settings.newcomer = newcomer;
  }

  protected recall(at: number): Preview | null {
    const answer = look({ record: this.#record, at, seat: ME, you: true });
    return answer.ok ? answer : null;
  }

  async #goOn({ others = [] }: Step): Promise<void> {
    const run = ++this.#run;
    const last = this.stage === this.lesson.steps.length - 1;
    const script = [...others];
    while (this.#look.view.seat !== ME && !(last && script.length === 0)) {
      if (this.#look.view.seat === null) break;
      this.thinking = this.#look.view.seat;
      await this.wait();
      if (run !== this.#run) return;
      this.#write([...this.#record.actions, this.#scripted(script)]);
    }
    this.thinking = null;
    this.stage++;
    this.#begun[this.stage] = this.actions;
    if (!this.done) this.offer(true);
    else if (!settings.lessons.includes(this.lesson.name)) settings.lessons.push(this.lesson.name);
  }

  // What somebody else does: as written, or, if that cannot be, the first that can.
  #scripted(script: string[]): string {
    const seen = look({ record: this.#record, seat: this.#look.view.seat });
    if (!seen.ok) throw new Error(seen.error.key);
    const { legal } = seen.guide;
    const next = script.shift();
    if (next && legal.includes(next)) return next;
    return legal.includes('end') ? 'end' : legal[0];
  }

  #return(stage: number): void {
    this.#run++;
    this.thinking = null;
    this.wrong = null;
    this.stage = stage;
    this.#begun.length = stage + 1;
    this.#write(this.#record.actions.slice(0, this.#begun[stage]), true);
    this.offer(true);
  }

  #write(actions: string[], whole = false): void {
    this.#record = { ...this.#record, actions };
    this.#refresh(whole);
  }

  #refresh(whole: boolean): void {
    const before = this.story.at(-1)?.end ?? 0;
    const answer = look({ record: this.#record, seat: ME, you: true, from: this.#begun[0] });
    if (!answer.ok) throw new Error(`${answer.error.key} ${JSON.stringify(answer.error.args)}`);
    this.withdraw();
    this.#look = answer;
    this.headings = answer.headings;
    this.story = answer.story;
    if (whole) this.begin();
    else this.tell(before);
  }
}

// Of a choice of several cards, or after an effect: all that is named, by what happens to it.
function named(actions: string[]): Message[] | null {
  const parts = actions.map(parse);
  if (parts.length === 1) return null;
  const verbs = [...new Set(parts.filter(({ effect }) => !effect).map(({ verb }) => verb))];
  return verbs.map((verb) => {
    const all = parts.flatMap((part) => (part.verb === verb ? (part.named ?? []) : []));
    const cards = all.filter((one): one is Card => one.length > 1);
    const domains = all.filter((one): one is Letter => one.length === 1);
    const names = cards.length > 0 ? { cards } : { domains };
    return { key: 'danger.then', args: { verb, names } };
  });
}

function ahead(view: View, actions: string[]): Preview | null {
  return preview($state.snapshot(view) as View, actions);
}
