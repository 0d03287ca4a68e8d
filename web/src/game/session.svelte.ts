// A game on this device: who decides next, the bots' turns, taking back, the curtain between two
// people, saving.
import { Pool } from '../bots/pool';
import { dealAnew, look, type Preview } from '../engine/engine';
import type { GameRecord, Look, Message, Pacts, Talk, Told, View } from '../engine/types';
import { Coach, type Speech, thrownAway } from './coach';
import { Loop, type Recalled } from './loop.svelte';
import { SAME_CHOICE } from './pace';
import { talkKept, toldWithTalk, withSaid } from './pacts';
import { HINTS, type Note } from './scene';
import { hasCoach } from './settings';
import { settings } from './settings.svelte';
import { labelsOf, namesOf } from './setup-names';
import { type Game, save, standsOf } from './store';

export class Session extends Loop {
  game: Game;
  #look = $state.raw<Look>()!;
  #pacts = $state.raw<Pacts | null>(null);
  story = $state.raw<Told[]>([]);
  headings = $state.raw<Look['headings']>([]);
  me = $state<number | null>(null);
  curtain = $state<number | null>(null); // to whom the device is to be handed
  thinking = $state<number | null>(null);
  paused = $state(false); // the game is open in another tab
  failed = $state(false); // a bot could not be loaded, or does not answer
  speech = $state.raw<Speech | null>(null); // of the coach
  unsaved = $state.raw<Message | null>(null); // why the game could not be stored
  #pool = new Pool();
  #adviser = new Pool();
  #coach = new Coach((at) => this.#pactsAt(at));
  #asked = 0; // the turn in which it has asked before the end
  #resume = () => {}; // for the others, who wait until it has been heard
  #turn = 0; // of the loop that is allowed to go on
  #agreed = 0; // how often somebody here has said yes
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

  // Beside others it would be advice, too.
  get coached(): boolean {
    return this.people.length === 1 && hasCoach(settings);
  }

  get asks(): boolean {
    return this.#question !== null;
  }

  get reading(): boolean {
    return this.speech !== null && !this.speech.held;
  }

  get #question(): ReturnType<typeof thrownAway> {
    const { view, guide } = this.#look;
    return this.coached && view.turn !== this.#asked
      ? thrownAway(guide, this.me!, this.parley?.breaks)
      : null;
  }

  protected get present(): Preview {
    return this.#look;
  }

  protected get pacts(): Pacts | null {
    return this.#pacts;
  }

  get notes(): Note[] {
    return this.talkNotes;
  }

  // What is looked at, with what was said where that is wanted.
  get #record(): GameRecord {
    const { record, pacts } = this.game;
    return pacts ? toldWithTalk(record) : record;
  }

  // After so many actions, with all that has been said since.
  #pactsAt(at: number): Pacts | undefined {
    if (!this.#pacts) return undefined;
    const actions = this.game.record.actions.slice(0, at);
    const record = talkKept({ ...this.#record, actions, result: null });
    const answer = look({ record, seat: null });
    return answer.ok ? answer.pacts : undefined;
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
    this.#coach.stop();
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
      const thought = await this.#adviser.think(
        $state.snapshot(this.#look.view) as View,
        'master',
        HINTS,
        this.#pacts ?? undefined,
      );
      if (turn === this.#turn && this.hint === 'thinking') this.hint = thought;
    } catch {
      this.failed = true;
      this.hint = null;
    }
  }

  // What was held back is done.
  endAnyway(): void {
    const held = this.speech?.held;
    if (held) this.decide(held);
  }

  // The coach has been heard.
  playOn(): void {
    this.speech = null;
    this.#resume();
  }

  // Nor does anybody wait who hurries.
  hurry(): void {
    super.hurry();
    if (this.reading) this.playOn();
  }

  // Back to where something else would have been better. What could not be known there is dealt
  // anew, so that nothing has been learnt by it.
  takeBack(): void {
    if (this.speech?.about !== 'turn' || this.speech.held) return;
    const { deck, actions } = dealAnew(this.game.record, this.speech.remark.at, this.me!);
    const record = { ...this.game.record, deck };
    this.game = { ...this.game, record, deal: null, takenBack: this.game.takenBack + 1 };
    this.#write(actions);
    this.#refresh(true);
    void this.#run(true);
  }

  protected decide(actions: string[]): void {
    if (this.coached && this.#isHeld(actions)) return;
    const { reveals } = this.#look.guide;
    this.#write([...this.game.record.actions, ...actions]);
    if (actions.some((one) => reveals.includes(one))) this.#coach.done(this.game.record.actions);
    this.#refresh();
    void this.#run();
  }

  // Asks once in a turn before it ends. With the last turn of the game it would be too late for a
  // remark.
  #isHeld(held: string[]): boolean {
    const { view, guide } = this.#look;
    if (!held.includes('end')) return false;
    const question = this.#question;
    if (question) this.speech = { about: 'threat', held, ...question };
    else if (guide.lastTurn && view.turn !== this.#asked) void this.#lastWord(held);
    else return false;
    this.#asked = view.turn;
    this.ending = false; // not by itself any more
    return true;
  }

  async #lastWord(held: string[]): Promise<void> {
    const turn = this.#turn;
    const remark = await this.#coach.would([...this.game.record.actions, ...held]);
    if (turn !== this.#turn) return;
    if (remark) this.speech = { about: 'turn', held, remark };
    else this.decide(held);
  }

  protected utter(talk: Talk): void {
    if (talk.say === 'yes') this.#agreed++;
    this.#note(this.me!, talk);
  }

  // Whatever is being decided goes on.
  #note(seat: number, talk: Talk): void {
    const { record } = this.game;
    const said = { at: record.actions.length, seat, ...talk };
    this.game = { ...this.game, record: withSaid(record, said) };
    const answer = look({ record: this.#record, seat: this.me });
    if (answer.ok) this.#pacts = answer.pacts ?? null;
    void save(this.game).then((why) => (this.unsaved = why));
    this.hear();
  }

  protected recall(at: number): Recalled | null {
    const answer = look({ record: this.#record, at, seat: this.me, you: true });
    return answer.ok ? answer : null;
  }

  #write(actions: string[]): void {
    const record: GameRecord = { ...this.game.record, actions, result: null };
    this.game = { ...this.game, record: talkKept(record) };
  }

  #refresh(whole = false): void {
    const { record } = this.game;
    // What was told last may have gone on since.
    const told = whole ? [] : this.story.slice(0, -1);
    const from = told.at(-1)?.end ?? 0;
    const answer = look({ record: this.#record, seat: this.me, you: true, from });
    if (!answer.ok) throw new Error(`${answer.error.key} ${JSON.stringify(answer.error.args)}`);
    this.withdraw();
    this.speech = null;
    this.#look = answer;
    this.#pacts = answer.pacts ?? null;
    const headings = answer.headings.filter((one) => one.begin >= from);
    this.headings = [
      ...(whole ? [] : this.headings.filter((one) => one.begin < from)),
      ...headings,
    ];
    const before = this.story.at(-1)?.end ?? 0;
    this.story = [...told, ...answer.story];
    if (answer.view.result && !this.game.finished && this.coached && settings.coach === null)
      settings.coached++;
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
    this.hear();
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
        if (this.coached && this.#look.guide.turnOf !== this.me) await this.#listen(goesOn);
        if (!goesOn()) return;
        if (!(await this.#botActs(seat, bot, goesOn))) return;
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
      if (this.coached && this.#look.guide.turnOf === seat)
        this.#coach.decides($state.snapshot(view) as View, this.actions);
      this.offer(taken);
      return;
    }
    this.thinking = null;
  }

  // False if that leads nowhere. What was thought of before a pact was made might break it, so the
  // bot is asked again then; its own yes it has thought of.
  async #botActs(seat: number, bot: string, goesOn: () => boolean): Promise<boolean> {
    const agreed = this.#agreed;
    const isStale = () => agreed !== this.#agreed;
    this.thinking = seat;
    const thought = await this.#ask(seat, bot);
    if (!goesOn() || !thought) return false;
    this.thinking = null;
    if (isStale()) return true;
    if (thought.say) {
      this.#note(seat, thought.say);
      await this.wait(settings.botsTalk ? 1 : 0);
      if (!goesOn()) return false;
      if (isStale()) return true;
    }
    this.#write([...this.game.record.actions, thought.action]);
    this.#refresh();
    return true;
  }

  // While the coach speaks, the others wait.
  async #listen(goesOn: () => boolean): Promise<void> {
    const remark = await this.#coach.remark();
    if (!remark || !goesOn()) return;
    this.speech = { about: 'turn', held: null, remark };
    await new Promise<void>((resolve) => (this.#resume = resolve));
  }

  // A bot's next action, when it has been thought of and what was told before has been shown.
  async #ask(seat: number, bot: string): Promise<{ action: string; say?: Talk } | null> {
    try {
      const seen = look({ record: this.#record, seat });
      if (!seen.ok) throw new Error(seen.error.key);
      const choosing = seen.view.step === 'choose' && seen.view.choice!.from !== null;
      const { pacts } = seen;
      const asked = pacts?.offers.some(({ to }) => to.includes(seat));
      const [thought] = await Promise.all([
        seen.guide.legal.length === 1 && !asked
          ? { action: seen.guide.legal[0] }
          : this.#pool.think(seen.view, bot, 0, pacts),
        this.wait(choosing ? SAME_CHOICE : 1),
      ]);
      return thought;
    } catch {
      this.failed = true;
      if (this.thinking === seat) this.thinking = null;
      return null;
    }
  }

  #pause(): void {
    this.paused = true;
    this.speech = null;
    this.#turn++;
    this.thinking = null;
    this.withdraw();
  }
}
