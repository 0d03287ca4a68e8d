// A game looked back at: from any seat's eyes, or open once it is finished.
import { look, parley } from '../engine/engine';
import type { Look, Parley, Told } from '../engine/types';
import { notesOf, type Tied } from './pacts';
import type { Scene } from './scene';
import { labelsOf } from './setup-names';
import type { Game } from './store';

export type Eyes = number | 'open' | 'everyone'; // a seat's; all hands open; what everybody may see

export class Replay implements Scene {
  readonly game: Game;
  readonly #names: () => string[];
  readonly composer = null;
  readonly thinking = null;
  readonly lookingBack = false; // there is no other moment to go back to
  #at = $state(0);
  #onward = $state(false); // the last step went on by one thing told
  eyes = $state<Eyes>('everyone');
  #whole = $derived.by(() => this.#ask(undefined)); // for the story
  #now = $derived.by(() => this.#ask(this.at));

  readonly #parley = $derived.by(() => this.#parleyAt(this.at, this.#now));
  readonly #allParley = $derived.by(() => this.#parleyAt(undefined, this.#whole));
  readonly notes = $derived.by(() => notesOf(this.#allParley?.news ?? []));

  // Names are in the reader's language, which may change. It begins after so many actions, if that
  // is said.
  constructor(game: Game, names: () => string[], at?: number) {
    this.game = game;
    this.#names = names;
    // A finished game may be seen openly; of a running one nobody sees more than at the table.
    this.eyes = game.finished ? 'open' : (game.viewer ?? 'everyone');
    const { length } = game.record.actions;
    this.#at = Math.min(at ?? (game.finished ? 0 : length), length);
  }

  get names(): string[] {
    return this.#names();
  }

  get labels(): string[] {
    return labelsOf(this.game);
  }

  get at(): number {
    return this.#at;
  }

  set at(at: number) {
    this.#at = at;
    this.#onward = false;
  }

  get seats(): string[] {
    return this.game.seats;
  }

  get me(): number | null {
    return typeof this.eyes === 'number' ? this.eyes : null;
  }

  get viewer(): number | null {
    return this.eyes === 'open' ? this.game.viewer : this.me;
  }

  get bottom(): number {
    return this.me ?? this.game.viewer ?? 0;
  }

  get now(): Look {
    return this.#now;
  }

  get ahead(): Look {
    return this.#now;
  }

  get story(): Look['story'] {
    return this.#whole.story;
  }

  get headings(): Look['headings'] {
    return this.#whole.headings;
  }

  get parley(): Parley | null {
    return this.#parley;
  }

  // Pacts made and given up, broken or over, in the whole game.
  get ties(): Tied[] {
    return notesOf(
      (this.#allParley?.news ?? []).filter(
        ({ what, say }) => what !== 'said' || say === 'yes' || say === 'give-up',
      ),
    );
  }

  get length(): number {
    return this.game.record.actions.length;
  }

  // The end of what is told as one, which is where the scrubber rests.
  get told(): Told | null {
    return this.story.findLast((told) => told.end <= this.at) ?? null;
  }

  // An effect is seen to be used only when one goes on from before it; wherever else one comes
  // from, it is history.
  get moment(): Scene['moment'] {
    const told = this.told;
    return this.#onward && told?.effect && told.end === this.at
      ? { seat: told.seat, effect: told.effect, at: told.begin }
      : null;
  }

  lookBack(at: number): void {
    this.at = at;
  }

  step(by: 1 | -1): void {
    const ends = [0, ...this.story.map((told) => told.end)];
    const next = by > 0 ? ends.find((end) => end > this.at) : ends.findLast((end) => end < this.at);
    if (next === undefined) return;
    this.at = next;
    this.#onward = by > 0;
  }

  // To the beginning of a turn, or to the end of the game.
  stepTurn(by: 1 | -1): void {
    const begins = [0, ...this.headings.map(({ begin }) => begin), this.length];
    const next =
      by > 0
        ? begins.find((begin) => begin > this.at)
        : begins.findLast((begin) => begin < this.at);
    if (next !== undefined) this.at = next;
  }

  // With open hands a view is nobody's, and pacts are told as to the player.
  #parleyAt(at: number | undefined, { view, pacts }: Look): Parley | null {
    if (!pacts) return null;
    if (this.eyes !== 'open') return parley(view, pacts, this.seats);
    const closed = look({ record: this.game.record, at, seat: this.viewer });
    return closed.ok ? parley(closed.view, pacts, this.seats) : null;
  }

  #ask(at: number | undefined): Look {
    // The story speaks to the player, who may have given no name.
    const open = this.eyes === 'open';
    const seat = open ? this.game.viewer : this.me;
    const answer = look({
      record: this.game.record,
      at,
      seat,
      you: seat !== null && seat === this.game.viewer,
      open,
      from: at ?? 0,
    });
    if (!answer.ok) throw new Error(answer.error.key);
    return answer;
  }
}
