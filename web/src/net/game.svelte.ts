// A game at a table of the server. What one decides is shown at once, as the engine foresees it
// from the view, and is undone if the server refuses it; what others do is told at a pace one can
// follow.
import { type Preview, parley, preview } from '../engine/engine';
import type {
  Card,
  Holding,
  Look,
  Message,
  Pacts,
  Parley,
  Talk,
  Told,
  View,
} from '../engine/types';
import { Loop, type Recalled } from '../game/loop.svelte';
import { isHeard, SAME_CHOICE } from '../game/pace';
import { isSameTalk } from '../game/pacts';
import type { Note } from '../game/scene';
import { viewAt } from './api';
import { notesOf } from './notes';
import { NO_PACTS } from './pacts';
import type { OnlineTable } from './table.svelte';
import type { GameState, Happened } from './types';

// Who is so far behind what happens is shown how it stands.
const BEHIND = 8;

// The pacts as they were then.
interface News {
  game: GameState;
  pacts: Pacts | null;
  speaker?: number; // who has said something; nothing else has happened
}

interface Shown extends Preview, News {}

const sameView = (a: View, b: View) => JSON.stringify(a) === JSON.stringify(b);

export class OnlineGame extends Loop {
  readonly table: OnlineTable;
  readonly thinking = null;
  readonly hints = false; // there are others
  #shown = $state.raw<Shown>()!;
  // Decided here, and not yet told back; what may follow on each other is foreseen.
  #pending = $state.raw<string[][]>([]);
  #base = 0; // actions before them
  #sent = false;
  #picked = $state.raw<{ round: number; card: Card } | null>(null); // and not yet told back
  refused = $state.raw<Message | null>(null); // why what was decided has been undone
  #queue: News[] = []; // told, and not shown yet
  #telling = $state(false);
  #saying: Talk[] = []; // and not yet answered by the server
  #taken = false; // back: who did that wants to choose
  readonly #unlisten: () => void;

  // Of a table that has a game.
  constructor(table: OnlineTable) {
    super();
    this.table = table;
    this.#show(this.#news(table.game!), true);
    this.#unlisten = table.listen((message) => {
      if (message.type === 'hello') {
        if (!this.#ends) this.#take(true);
      } else if ('game' in message && message.game) {
        this.#taken = message.type === 'back';
        this.#take(this.#taken);
      } else if ('pacts' in message && message.pacts) {
        this.#talk((message as Happened).seat!);
      }
    });
  }

  stop(): void {
    this.#unlisten();
    this.#queue = [];
    this.stopLoop();
  }

  get names(): string[] {
    return this.table.names;
  }

  get seats(): string[] {
    return this.table.seats;
  }

  get me(): number | null {
    return this.table.seat;
  }

  get bottom(): number {
    return this.me ?? 0;
  }

  readonly notes = $derived.by((): Note[] =>
    [...notesOf(this.table), ...this.talkNotes].sort((a, b) => a.at - b.at),
  );

  get story(): Told[] {
    return this.#shown.game.story;
  }

  get headings(): Look['headings'] {
    return this.#shown.game.headings;
  }

  // As far as it is known from here: with what was decided, and what that leads to unless it shows
  // something hidden.
  readonly #hoped = $derived.by((): { shown: Preview; actions: string[] } => {
    for (const pending of [this.#pending, this.#pending.slice(0, -1)]) {
      const actions = pending.flat();
      const shown = actions.length > 0 && preview(this.#shown.view, actions);
      if (shown) return { shown, actions };
    }
    return { shown: this.#shown, actions: [] };
  });

  protected get present(): Preview {
    return this.#hoped.shown;
  }

  protected get pacts(): Pacts | null {
    return this.table.state.options.pacts ? (this.#shown.pacts ?? NO_PACTS) : null;
  }

  // Those told know nothing of what was decided here since.
  protected parleyOf(pacts: Pacts): Parley {
    return parley(this.#shown.view, pacts, this.seats, this.#hoped.actions);
  }

  // The same is not said, nor an offer answered, twice before the server has answered.
  protected async utter(talk: Talk): Promise<void> {
    const isAgain = (one: Talk) =>
      talk.offer === undefined ? isSameTalk(one, talk) : one.offer === talk.offer;
    if (this.#saying.some(isAgain)) return;
    this.#saying.push(talk);
    const error = await this.table.ask({ type: 'talk', talk });
    this.#saying = this.#saying.filter((one) => one !== talk);
    if (error) this.refused = error;
  }

  #news(game: GameState): News {
    return { game, pacts: this.table.pacts };
  }

  // Something was said, of which what is told last is the moment. One's own words wait for nothing
  // else.
  #talk(speaker: number): void {
    const { game } = this.#queue.at(-1) ?? this.#shown;
    const news = { ...this.#news(game), speaker };
    if (speaker === this.me && this.#queue.length === 0) this.#show(news);
    else this.#add(news);
  }

  protected get actions(): number {
    return this.#shown.game.actions;
  }

  protected get here(): boolean {
    return this.table.connection !== 'elsewhere';
  }

  // In the draft the engine lets one seat keep a card after the other. At a table all choose at
  // once, and have as many cards for everybody who looks.
  protected shownAs(preview: Preview): Preview {
    const { draft } = this.table.state;
    const { view } = preview;
    if (view.step !== 'draft' || !draft) return preview;
    const hands = view.hands.map((hand, seat): Holding => {
      const kept = draft.round - 1 + Number(draft.picked[seat]);
      return 'cards' in hand ? hand : { ...hand, backs: Array(kept).fill(1) }; // of Age I
    });
    return { ...preview, view: { ...view, hands } };
  }

  get sending(): boolean {
    return this.#pending.length > 0;
  }

  get over(): boolean {
    return this.#shown.view.step === 'over' || this.table.state.result?.by === 'forfeit';
  }

  // The end is known, and is told.
  get #ends(): boolean {
    const { game } = this.table;
    const last = this.#queue.at(-1)?.game ?? this.#shown.game;
    return game?.view.step === 'over' && last.view.step === 'over' && last.actions === game.actions;
  }

  get canSkip(): boolean {
    return super.canSkip && this.#telling;
  }

  // The card of one's own pack that is kept in this round, unless one thinks better of it.
  get kept(): Card | null {
    const round = this.table.state.draft?.round;
    if (this.#picked && this.#picked.round === round) return this.#picked.card;
    return this.table.you?.pick ?? null;
  }

  // How many actions are left if one's last is taken back; null if that needs somebody else's yes,
  // or cannot be.
  protected get back(): number | null {
    const { game, view } = this.#shown;
    const last = game.story.at(-1);
    if (
      this.sending ||
      !last ||
      last.seat !== this.me ||
      view.seat !== this.me ||
      this.table.state.options.takebacks === 'never'
    )
      return null;
    return last.begin >= game.final ? last.begin : null;
  }

  // The same further back, for everybody to agree to.
  get askableBack(): number | null {
    const { game } = this.#shown;
    if (
      this.me === null ||
      this.over ||
      this.sending ||
      this.table.state.options.takebacks !== 'ask' ||
      this.back !== null
    )
      return null;
    const own = game.story.findLast((told) => told.seat === this.me);
    return own && own.begin >= game.final ? own.begin : null;
  }

  undo(): void {
    if (this.canUndo) void this.askBack(this.back!);
  }

  async askBack(to: number): Promise<void> {
    this.refused = await this.table.ask({ type: 'take-back', builds: this.table.number, to });
  }

  // What stood between players then is not told, and its room is kept.
  protected async recall(at: number): Promise<Recalled | null> {
    const answer = await viewAt(this.table.id, at);
    if (answer.ok)
      return { ...preview(answer.value.view, [])!, ...(this.pacts && { pacts: NO_PACTS }) };
    this.refused = answer.error;
    return null;
  }

  protected decide(actions: string[]): void {
    this.refused = null;
    this.#taken = false;
    const [verb, card] = actions[0].split(' ');
    if (verb === 'keep') {
      void this.#pick(card as Card);
      return;
    }
    this.withdraw();
    if (this.#pending.length === 0) this.#base = this.#shown.game.actions;
    // A card that is given shows something to its new owner, and nothing may follow on that in one
    // list.
    this.#pending = [
      ...this.#pending,
      ...(verb === 'give' ? actions.map((action) => [action]) : [actions]),
    ];
    void this.#send();
    this.#offer();
  }

  async #pick(card: Card): Promise<void> {
    const { draft } = this.table.state;
    if (!draft) return;
    const picked = { round: draft.round, card };
    this.#picked = picked;
    this.composer?.clear();
    const error = await this.table.ask({ type: 'pick', ...picked });
    if (this.#picked === picked) this.#picked = null;
    // Whether a round is over may be known late.
    if (error && error.key !== 'error.table.round') this.refused = error;
  }

  // One after another: each builds on what came before.
  async #send(): Promise<void> {
    if (this.#sent || this.#pending.length === 0) return;
    this.#sent = true;
    const error = await this.table.ask({
      type: 'act',
      builds: this.table.number,
      actions: this.#pending[0],
    });
    this.#sent = false;
    if (error && this.#pending.length > 0) {
      this.refused = error;
      this.#pending = [];
      this.#offer();
    } else {
      void this.#send();
    }
  }

  // A newer game is there. `leap`: it is not the next thing that somebody did.
  #take(leap: boolean): void {
    const game = this.table.game;
    if (!game) return;
    if (this.#pending.length > 0) {
      this.#settle(game);
      leap = true; // what is told has been seen
    }
    this.#add(this.#news(game), leap);
  }

  #add(news: News, leap = false): void {
    this.#queue.push(news);
    if (leap || this.#queue.length > BEHIND || document.visibilityState === 'hidden') {
      this.#queue = [];
      this.#show(
        news,
        leap && this.#pending.length === 0 && news.game.actions < this.#shown.game.actions,
      );
      this.catchUp();
    } else {
      void this.#tell();
    }
  }

  // Takes out of what was decided here what has happened. If something else has, all of it is void.
  #settle(game: GameState): void {
    let pending = this.#pending;
    while (
      pending.length > 0 &&
      pending[0].every((action, i) => game.log[this.#base - game.from + i] === action)
    ) {
      this.#base += pending[0].length;
      pending = pending.slice(1);
    }
    this.#pending = game.actions === this.#base ? pending : [];
  }

  async #tell(): Promise<void> {
    if (this.#telling) return;
    this.#telling = true;
    while (this.#queue.length > 0) {
      const news = this.#queue.shift()!;
      this.#show(news);
      if (news.game.view.step === 'over') break;
      const pause = this.#pauseAfter(news);
      if (pause > 0) await this.wait(pause);
    }
    this.#telling = false;
    this.#offer();
  }

  // For others to be seen, or heard by those who listen.
  #pauseAfter({ game, speaker }: News): number {
    if ((speaker ?? game.story.at(-1)?.seat) === this.me) return 0;
    if (speaker !== undefined) return isHeard(this, { what: 'said', seat: speaker }) ? 1 : 0;
    return game.view.step === 'choose' ? SAME_CHOICE : 1;
  }

  #show({ game, pacts }: News, whole = false): void {
    const before = this.#shown?.game.actions ?? game.actions;
    this.#shown = { ...preview(game.view, [])!, game, pacts };
    if (whole) this.begin();
    else this.tell(before);
    this.hear();
    this.#offer();
  }

  // What may be decided now. A choice that was begun stays as long as what it is made of is the
  // same.
  #offer(): void {
    const { view, guide } = this.present;
    const decides =
      this.me !== null && view.seat === this.me && view.step !== 'over' && guide.legal.length > 0;
    const foreseen =
      this.#pending.length === 0 || preview(this.#shown.view, this.#pending.flat()) !== null;
    const isBehind = this.#queue.some(({ speaker }) => speaker === undefined);
    if (!decides || !foreseen || isBehind) this.withdraw();
    else if (!this.offered || !sameView(this.offered.base.view, view))
      this.offer(this.#taken || this.kept !== null);
  }
}
