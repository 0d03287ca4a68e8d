// What a running game is wherever its truth lies: what is shown and told of it, what may be decided
// here, what is done by itself, and looking back. A `Session` has its record on this device, an
// `OnlineGame` at a server.
import { type Preview, parley } from '../engine/engine';
import type { Look, Pacts, Parley, Talk, Told } from '../engine/types';
import { Composer } from './composer.svelte';
import { forced, isHeard, momentOf, Pace, saidToo } from './pace';
import { isSameTalk, notesOf } from './pacts';
import type { Note, RunningGame, Scene } from './scene';
import { settings } from './settings.svelte';
import { sound } from './sounds';

export type Recalled = Preview & { pacts?: Pacts };
type Moment = Recalled & { at: number }; // after so many actions

export abstract class Loop implements RunningGame {
  abstract readonly names: string[];
  abstract readonly seats: string[];
  abstract readonly me: number | null;
  abstract readonly bottom: number;
  abstract readonly story: Told[];
  abstract readonly headings: Look['headings'];
  abstract readonly over: boolean;
  abstract readonly thinking: number | null;
  abstract readonly hints: boolean;
  hint = $state.raw<RunningGame['hint']>(null);
  said = $state.raw<RunningGame['said']>([]);
  ending = $state(false);
  breaking = $state.raw<RunningGame['breaking']>(null);
  #past = $state.raw<Moment | null>(null);
  #composer = $state.raw<Composer | null>(null);
  #moment = $state.raw<Scene['moment']>(null);
  #skipping = $state(false); // until the next decision here
  #spoken = 0; // actions that have been said
  #heard = 0; // news between players that have been
  #asked = 0; // of the moment that is looked back at
  #choice = 0; // of the one that is made by itself
  #next: string | null = null; // to be chosen after what was decided
  #telling = new Pace();
  #pause = new Pace(); // of its own: news from others must not shorten it

  // The table as it is, with what was decided here.
  protected abstract readonly present: Preview;
  protected abstract readonly actions: number; // so many led to what is told
  // How many are left if one's last is taken back; null where that cannot be.
  protected abstract readonly back: number | null;
  protected abstract decide(actions: string[]): void;
  protected abstract recall(at: number): Recalled | null | Promise<Recalled | null>;
  // False while the game goes on in another place.
  protected abstract readonly here: boolean;
  abstract undo(): void;

  // As it is shown at the table.
  protected shownAs(shown: Preview): Preview {
    return shown;
  }

  // How it stands between players; null where nobody can say anything.
  protected get pacts(): Pacts | null {
    return null;
  }

  // What cannot be said now is not, and nobody speaks who looks back.
  say(talk: Talk): void | Promise<void> {
    const possible = this.#past ? [] : (this.#parley?.possible ?? []);
    if (possible.some((one) => isSameTalk(one.talk, talk))) return this.utter(talk);
  }

  protected utter(_talk: Talk): void | Promise<void> {}

  // The pacts with what was decided here.
  protected parleyOf(pacts: Pacts): Parley {
    return parley(this.present.view, pacts, this.seats);
  }

  readonly #parley = $derived.by(() => this.pacts && this.parleyOf(this.pacts));
  readonly #shownParley = $derived.by(() => {
    if (!this.#past) return this.#parley;
    return this.#past.pacts ? parley(this.#past.view, this.#past.pacts, this.seats) : null;
  });
  protected readonly talkNotes: Note[] = $derived.by(() => notesOf(this.#parley?.news ?? []));

  get parley(): Parley | null {
    return this.#shownParley;
  }

  readonly #now = $derived.by(() => this.#past ?? this.shownAs(this.present));
  readonly #ahead = $derived.by(() => {
    const shown = this.composer?.shown;
    return shown && shown !== this.present ? this.shownAs(shown) : this.#now;
  });

  get labels(): string[] {
    return this.names;
  }

  get now(): Preview {
    return this.#now;
  }

  get ahead(): Preview {
    return this.#ahead;
  }

  // Who looks back decides nothing there.
  get composer(): Composer | null {
    return this.#past || this.over ? null : this.#composer;
  }

  get lookingBack(): boolean {
    return this.#past !== null;
  }

  // After so many actions it is shown.
  get shownAt(): number {
    return this.#past?.at ?? this.actions;
  }

  get told(): Told | null {
    return this.story.findLast((told) => told.end <= this.shownAt) ?? null;
  }

  get moment(): Scene['moment'] {
    return this.#past ? null : this.#moment;
  }

  get canUndo(): boolean {
    return this.back !== null && !this.#past;
  }

  // Something is being told that one need not wait for.
  get canSkip(): boolean {
    return !this.#skipping && !this.over && !this.composer && settings.pace !== 'instant';
  }

  confirm(): void {
    const { composer } = this;
    if (composer?.complete) this.#decide([...composer.actions], composer.next);
  }

  end(): void {
    if (this.composer?.idle && this.present.guide.legal.includes('end')) this.#decide(['end']);
  }

  // What breaks a pact is asked about first.
  #decide(actions: string[], next: string | null = null): void {
    this.#next = next;
    const lines = this.#parley?.breaks[actions[0]];
    if (lines) this.breaking = { lines, actions };
    else this.decide(actions);
  }

  keepWord(): void {
    this.breaking = null;
    this.composer?.clear();
  }

  breakWord(): void {
    const { breaking } = this;
    this.breaking = null;
    if (breaking) this.decide(breaking.actions);
  }

  advise(): void {}

  // Chooses what the hint says; it is confirmed like every other choice.
  follow(action: string): void {
    const { composer } = this;
    this.hint = null;
    if (!composer) return;
    composer.clear();
    const [, named] = action.split(' ');
    if (composer.zone && named) composer.name(named as never, composer.zone);
    else composer.take(action);
  }

  // Up to the next decision here.
  hurry(): void {
    this.#skipping = !this.#composer;
    this.#telling.hurry();
    this.#pause.hurry();
  }

  // Only the last question counts: an answer that comes late belongs to an earlier one.
  async lookBack(at: number | null): Promise<void> {
    const asked = ++this.#asked;
    const answer = at === null ? null : this.recall(at);
    const moment = answer instanceof Promise ? await answer : answer;
    if (asked === this.#asked) this.#past = moment && { ...moment, at: at! };
  }

  protected wait(share = 1): Promise<void> {
    return this.#skipping ? Promise.resolve() : this.#telling.wait(share);
  }

  // No longer waits for what is being told.
  protected catchUp(): void {
    this.#telling.hurry();
  }

  protected stopLoop(): void {
    this.withdraw();
    this.#telling.hurry();
  }

  // The player decides. `taken` back: who did that wants to choose.
  protected offer(taken: boolean): void {
    const { present } = this;
    this.#skipping = false;
    const composer = new Composer(present, this.me!);
    const next = present.guide.legal.find((action) => action === this.#next);
    this.#next = null;
    if (next) composer.take(next);
    this.#composer = composer;
    if (present.view.step === 'play') sound('turn');
    const alone = taken || next ? null : forced(present);
    void this.#goOn(alone && this.#parley?.breaks[alone[0]] ? null : alone);
  }

  protected get offered(): Composer | null {
    return this.#composer;
  }

  protected withdraw(): void {
    this.#choice++;
    this.#composer = null;
    this.hint = null;
    this.ending = false;
    this.breaking = null;
    this.#pause.hurry();
  }

  // Does what leaves no choice, when it has been seen for a moment.
  async #goOn(actions: string[] | null): Promise<void> {
    const choice = ++this.#choice;
    this.ending = actions?.[0] === 'end';
    if (!actions) return;
    await this.#pause.wait();
    if (choice === this.#choice && this.here) this.decide(actions);
  }

  // Nothing of what has happened so far is news.
  protected begin(): void {
    this.#asked++;
    this.#past = null;
    this.#skipping = false;
    this.#spoken = this.actions;
    this.#heard = this.#parley?.news.length ?? 0;
  }

  // Says what is new between players.
  protected hear(): void {
    const news = this.#parley?.news ?? [];
    const fresh = news.slice(this.#heard).filter((one) => isHeard(this, one));
    this.#heard = news.length;
    if (fresh.length > 0)
      this.said = saidToo(
        this.said,
        fresh.map(({ line }) => line),
        this.names,
      );
  }

  // Says and shows what happened since so many actions.
  protected tell(before: number): void {
    const news = this.story.filter((told) => told.end > before);
    if (news.length === 0) return;
    const { result } = this.present.view;
    if (result) settings.newcomer = false;
    const lost = this.me !== null && !result?.winners.includes(this.me);
    sound(result ? (lost ? 'lost' : 'won') : 'card');
    this.#moment = momentOf(news);
    this.#speak();
  }

  // A choice of several cards is said when it is complete, not with each of them anew.
  #speak(): void {
    const { view } = this.present;
    const news = this.story.filter((told) => told.end > this.#spoken);
    const chooses = view.step === 'choose' && view.seat !== this.me;
    while (chooses && news.at(-1)?.seat === view.seat) news.pop();
    if (news.length === 0) return;
    this.#spoken = news.at(-1)!.end;
    this.said = saidToo(
      this.said,
      news.flatMap(({ lines }) => lines),
      this.names,
    );
  }
}
