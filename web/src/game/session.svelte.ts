// A game on this device: who decides next, the bots' turns, taking back, the curtain between two
// people, saving.
import { Pool, type Thought } from '../bots/pool';
import { look } from '../engine/engine';
import type { GameRecord, Look, Message, Told, View } from '../engine/types';
import { Composer } from './composer.svelte';
import { forced, momentOf, Pace, saidToo } from './pace';
import type { Play, Scene } from './scene';
import { settings } from './settings.svelte';
import { namesOf } from './setup-names';
import { play } from './sounds';
import { type Game, save, standsOf } from './store';

// A choice of several cards is told as one, so it goes quicker.
const SAME_CHOICE = 0.3;

export class Session implements Play {
  game: Game;
  #look = $state.raw<Look>()!;
  #past = $state.raw<{ look: Look; at: number } | null>(null); // while one looks back
  story = $state.raw<Told[]>([]);
  headings = $state.raw<Look['headings']>([]);
  #composer = $state.raw<Composer | null>(null);
  me = $state<number | null>(null);
  curtain = $state<number | null>(null); // to whom the device is to be handed
  thinking = $state<number | null>(null);
  #moment = $state.raw<Scene['moment']>(null);
  hint = $state.raw<Thought | 'thinking' | null>(null);
  // For the live region, which tells each of them once.
  said = $state.raw<{ number: number; text: string }[]>([]);
  paused = $state(false); // the game is open in another tab
  failed = $state(false); // a bot could not be loaded, or does not answer
  unsaved = $state.raw<Message | null>(null); // why the game could not be stored
  ending = $state(false); // the turn is about to end by itself
  #pool = new Pool();
  #adviser = new Pool();
  #pace = new Pace();
  #turn = 0; // of the loop that is allowed to go on
  #release: (() => void) | null = null;

  constructor(game: Game) {
    this.game = game;
    const people = this.people;
    this.me = people.length === 1 ? people[0] : null;
    this.#refresh(true);
  }

  get people(): number[] {
    return this.game.seats.flatMap((who, seat) => (who === 'human' ? [seat] : []));
  }

  // The same list as long as the language is the same, so that what has been told need not be told
  // again.
  readonly names = $derived.by(() => namesOf(this.game));

  get seats(): string[] {
    return this.game.seats;
  }

  get bottom(): number {
    return this.me ?? this.people[0] ?? 0;
  }

  get now(): Look {
    return this.#past?.look ?? this.#look;
  }

  // Who looks back decides nothing there.
  get composer(): Composer | null {
    return this.#past ? null : this.#composer;
  }

  get ahead(): Scene['ahead'] {
    return this.#past?.look ?? this.composer?.shown ?? this.#look;
  }

  get over(): boolean {
    return this.#look.view.step === 'over';
  }

  // Beside others it would be advice for one of them.
  get hints(): boolean {
    return this.people.length === 1 && settings.hints;
  }

  get lookingBack(): boolean {
    return this.#past !== null;
  }

  get told(): Told | null {
    const at = this.#past?.at ?? this.game.record.actions.length;
    return this.story.findLast((told) => told.end <= at) ?? null;
  }

  get moment(): Scene['moment'] {
    return this.#past ? null : this.#moment;
  }

  get canUndo(): boolean {
    return (
      this.#look.back !== null &&
      this.#look.view.seat === this.me &&
      this.me !== null &&
      !this.#past
    );
  }

  // Begins or goes on. A game that is open in another tab is taken over from it.
  start(): void {
    this.paused = false;
    void navigator.locks
      ?.request(
        `civ.game.${this.game.id}`,
        { steal: true },
        () => new Promise<void>((resolve) => (this.#release = resolve)),
      )
      .catch(() => this.#pause());
    void this.#run();
  }

  stop(): void {
    this.#turn++;
    this.#pool.stop();
    this.#adviser.stop();
    this.#release?.();
  }

  // The person at the curtain has the device now.
  lift(): void {
    this.me = this.curtain;
    this.curtain = null;
    this.#refresh(true);
    void this.#run();
  }

  confirm(): void {
    const actions = this.composer?.complete ? [...this.composer.actions] : [];
    if (actions.length > 0) this.#act(actions);
  }

  end(): void {
    if (this.composer?.idle && this.#look.guide.legal.includes('end')) this.#act(['end']);
  }

  undo(): void {
    if (!this.canUndo) return;
    this.#write(this.game.record.actions.slice(0, this.#look.back!));
    this.#refresh(true);
    void this.#run(true);
  }

  lookBack(at: number | null): void {
    const answer =
      at === null ? null : look({ record: this.game.record, at, seat: this.me, you: true });
    this.#past = answer?.ok ? { look: answer, at: at! } : null;
  }

  hurry(): void {
    this.#pace.hurry();
  }

  async advise(): Promise<void> {
    if (!this.composer || this.hint === 'thinking') return;
    this.composer.clear();
    this.hint = 'thinking';
    const turn = this.#turn;
    try {
      const thought = await this.#adviser.think($state.snapshot(this.#look.view) as View, 'master');
      if (turn === this.#turn && this.hint === 'thinking') this.hint = thought;
    } catch {
      this.failed = true;
      this.hint = null;
    }
  }

  // Does what the hint says, as far as the player's own choosing goes.
  follow(action: string): void {
    const { composer } = this;
    this.hint = null;
    if (!composer) return;
    composer.clear();
    const [, named] = action.split(' ');
    if (action === 'end') this.end();
    else if (composer.zone && named) composer.name(named as never, composer.zone);
    else composer.take(action);
  }

  #act(actions: string[]): void {
    this.#write([...this.game.record.actions, ...actions]);
    this.#refresh();
    void this.#run();
  }

  #write(actions: string[]): void {
    const record: GameRecord = { ...this.game.record, actions, result: null };
    this.game = { ...this.game, record };
  }

  #refresh(whole = false): void {
    const { record } = this.game;
    // What was told last may have gone on since.
    const told = whole ? [] : this.story.slice(0, -1);
    const from = told.at(-1)?.end ?? 0;
    const answer = look({ record, seat: this.me, you: true, from });
    if (!answer.ok) throw new Error(`${answer.error.key} ${JSON.stringify(answer.error.args)}`);
    this.#composer = null;
    this.hint = null;
    if (whole) this.#past = null; // else who looks back goes on with it while others act
    this.#look = answer;
    const headings = answer.headings.filter((one) => one.begin >= from);
    this.headings = [
      ...(whole ? [] : this.headings.filter((one) => one.begin < from)),
      ...headings,
    ];
    const before = whole ? record.actions.length : (this.story.at(-1)?.end ?? 0);
    this.story = [...told, ...answer.story];
    if (answer.view.result)
      this.game = {
        ...this.game,
        record: { ...record, result: answer.view.result },
        finished: true,
      };
    this.game = { ...this.game, stands: standsOf(answer.guide, this.game.viewer) };
    this.unsaved = save(this.game);
    this.#tell(before);
  }

  // Says and shows what happened since.
  #tell(before: number): void {
    const news = this.story.filter((told) => told.end > before);
    if (news.length === 0) return;
    const { result } = this.#look.view;
    play(
      result ? (this.me !== null && !result.winners.includes(this.me) ? 'lost' : 'won') : 'card',
    );
    this.said = saidToo(this.said, news, this.names);
    this.#moment = momentOf(news);
  }

  async #run(taken = false): Promise<void> {
    const turn = ++this.#turn;
    const goesOn = () => turn === this.#turn && !this.paused;
    this.thinking = null;
    this.ending = false;
    while (goesOn() && !this.over) {
      const { view } = this.#look;
      const seat = view.seat!;
      const bot = this.game.seats[seat];
      if (bot !== 'human') {
        this.thinking = seat;
        const action = await this.#ask(seat, bot);
        if (!goesOn() || !action) return;
        this.thinking = null;
        this.#write([...this.game.record.actions, action]);
        this.#refresh();
        continue;
      }
      if (seat !== this.me) {
        await this.#pace.wait(this.me === null ? 0 : 1);
        if (!goesOn()) return;
        this.me = null;
        this.said = []; // in it is what only the one before may know
        this.#refresh(true);
        this.curtain = seat;
        return;
      }
      const actions = taken ? null : forced(this.#look);
      this.#composer = new Composer(this.#look, seat);
      if (view.step === 'play') play('turn');
      if (!actions) return;
      this.ending = actions[0] === 'end';
      await this.#pace.wait();
      if (!goesOn()) return;
      this.ending = false;
      this.#write([...this.game.record.actions, ...actions]);
      this.#refresh();
    }
    this.thinking = null;
  }

  // A bot's next action, when it has been thought of and what was told before has been shown.
  async #ask(seat: number, bot: string): Promise<string | null> {
    try {
      const seen = look({ record: this.game.record, seat });
      if (!seen.ok) throw new Error(seen.error.key);
      const choosing = seen.view.step === 'choose' && seen.view.choice!.from !== null;
      const [thought] = await Promise.all([
        seen.guide.legal.length === 1
          ? { action: seen.guide.legal[0] }
          : this.#pool.think(seen.view, bot),
        this.#pace.wait(choosing ? SAME_CHOICE : 1),
      ]);
      return thought.action;
    } catch {
      this.failed = true;
      if (this.thinking === seat) this.thinking = null;
      return null;
    }
  }

  #pause(): void {
    this.paused = true;
    this.#turn++;
    this.#composer = null;
  }
}
