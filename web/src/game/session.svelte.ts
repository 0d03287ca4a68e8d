// A game on this device: who decides next, the bots' turns, taking back, the curtain between two
// people, saving.
import { Pool } from '../bots/pool';
import { look, type Preview } from '../engine/engine';
import type { GameRecord, Look, Message, Told, View } from '../engine/types';
import { Loop } from './loop.svelte';
import { SAME_CHOICE } from './pace';
import { settings } from './settings.svelte';
import { labelsOf, namesOf } from './setup-names';
import { type Game, save, standsOf } from './store';

export class Session extends Loop {
  game: Game;
  #look = $state.raw<Look>()!;
  story = $state.raw<Told[]>([]);
  headings = $state.raw<Look['headings']>([]);
  me = $state<number | null>(null);
  curtain = $state<number | null>(null); // to whom the device is to be handed
  thinking = $state<number | null>(null);
  paused = $state(false); // the game is open in another tab
  failed = $state(false); // a bot could not be loaded, or does not answer
  unsaved = $state.raw<Message | null>(null); // why the game could not be stored
  #pool = new Pool();
  #adviser = new Pool();
  #turn = 0; // of the loop that is allowed to go on
  #tabs: BroadcastChannel | null = null; // in which the same game may be open

  constructor(game: Game) {
    super();
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

  get labels(): string[] {
    return labelsOf(this.game);
  }

  get seats(): string[] {
    return this.game.seats;
  }

  get bottom(): number {
    return this.me ?? this.people[0] ?? 0;
  }

  get over(): boolean {
    return this.#look.view.step === 'over';
  }

  // Beside others it would be advice for one of them.
  get hints(): boolean {
    return this.people.length === 1 && settings.hints;
  }

  protected get present(): Preview {
    return this.#look;
  }

  protected get actions(): number {
    return this.game.record.actions.length;
  }

  protected get back(): number | null {
    return this.me !== null && this.#look.view.seat === this.me ? this.#look.back : null;
  }

  protected get here(): boolean {
    return !this.paused;
  }

  // Begins or goes on. A game that is open in another tab is taken over from it.
  start(): void {
    this.paused = false;
    this.#tabs?.close();
    this.#tabs = new BroadcastChannel(`civ.game.${this.game.id}`);
    this.#tabs.onmessage = () => this.#pause();
    this.#tabs.postMessage('taken over');
    void this.#run();
  }

  stop(): void {
    this.#turn++;
    this.stopLoop();
    this.#pool.stop();
    this.#adviser.stop();
    this.#tabs?.close();
  }

  // The person at the curtain has the device now.
  lift(): void {
    this.me = this.curtain;
    this.curtain = null;
    this.#refresh(true);
    void this.#run();
  }

  undo(): void {
    if (!this.canUndo) return;
    this.#write(this.game.record.actions.slice(0, this.back!));
    this.#refresh(true);
    void this.#run(true);
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

  protected decide(actions: string[]): void {
    this.#write([...this.game.record.actions, ...actions]);
    this.#refresh();
    void this.#run();
  }

  protected recall(at: number): Preview | null {
    const answer = look({ record: this.game.record, at, seat: this.me, you: true });
    return answer.ok ? answer : null;
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
    this.withdraw();
    this.#look = answer;
    const headings = answer.headings.filter((one) => one.begin >= from);
    this.headings = [
      ...(whole ? [] : this.headings.filter((one) => one.begin < from)),
      ...headings,
    ];
    const before = this.story.at(-1)?.end ?? 0;
    this.story = [...told, ...answer.story];
    if (answer.view.result)
      this.game = {
        ...this.game,
        record: { ...record, result: answer.view.result },
        finished: true,
      };
    this.game = { ...this.game, stands: standsOf(answer.guide, this.game.viewer) };
    void save(this.game).then((why) => (this.unsaved = why));
    if (whole)
      this.begin(); // else who looks back goes on with it while others act
    else this.tell(before);
  }

  async #run(taken = false): Promise<void> {
    const turn = ++this.#turn;
    const goesOn = () => turn === this.#turn && !this.paused;
    this.thinking = null;
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
        await this.wait(this.me === null ? 0 : 1);
        if (!goesOn()) return;
        this.me = null;
        this.said = []; // in it is what only the one before may know
        this.#refresh(true);
        this.curtain = seat;
        return;
      }
      this.offer(taken);
      return;
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
        this.wait(choosing ? SAME_CHOICE : 1),
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
    this.thinking = null;
    this.withdraw();
  }
}
