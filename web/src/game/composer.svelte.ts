// A decision being made: which actions the player has put together so far, what they would lead to,
// and what may be chosen next. What is legal and what it leads to comes from the engine; here is
// only the order in which things are tapped.
import { type Preview, preview } from '../engine/engine';
import {
  type Card,
  type Effect,
  type Guide,
  LETTERS,
  type Letter,
  type Message,
  type View,
} from '../engine/types';
import { count, EFFECTS_OF, inCardOrder, less, letterOf, type Named, parse } from './actions';

// Where the cards that a verb names lie.
export type Zone = 'hand' | 'own' | 'discard' | 'pack' | 'centre';

export class Composer {
  readonly base: Preview;
  readonly seat: number;
  #done = $state<string[]>([]); // whole choices
  // Before each choice: how many actions there were, to step back by, and what could be seen.
  #steps: { begin: number; shown: Preview }[] = [];
  picked = $state<Named[]>([]); // of a set that is not complete
  aiming = $state<Effect | null>(null); // an effect whose target is to be chosen
  // What is to be chosen when this is done, if it is legal then.
  next: string | null = null;
  #after = $state.raw<Preview | null>(null); // after `done`, where it can be known

  constructor(base: Preview, seat: number) {
    this.base = base;
    this.seat = seat;
  }

  get actions(): string[] {
    return this.#done;
  }

  // The table as it would be: after the choices made, or as it is.
  get shown(): Preview {
    return this.#after ?? this.base;
  }

  get view(): View {
    return this.shown.view;
  }

  get guide(): Guide {
    return this.shown.guide;
  }

  get idle(): boolean {
    return this.#done.length === 0 && this.picked.length === 0 && this.aiming === null;
  }

  // All choices are made: to be confirmed.
  get complete(): boolean {
    return this.#done.length > 0 && (this.#after === null || !this.#asks(this.#after));
  }

  get reveals(): boolean {
    return this.#done.length > 0 && this.#after === null;
  }

  // What the first action does, unless it only names one of several cards.
  get offer(): Message | null {
    const { legal, offers } = this.base.guide;
    const [action] = this.#done;
    const isPart = this.base.guide.choose !== null && this.#done.length > 1;
    return isPart ? null : (offers[legal.indexOf(action)] ?? null);
  }

  // All that is named beside that.
  get chosenNames(): Message | null {
    const rest = this.#done.slice(this.offer ? 1 : 0);
    const all = rest.flatMap((action) => parse(action).named ?? []);
    const cards = all.filter((one): one is Card => one.length > 1);
    const domains = all.filter((one): one is Letter => one.length === 1);
    if (all.length === 0) return null;
    const names = cards.length > 0 ? { cards } : { domains };
    return { key: 'table.chosen', args: { names } };
  }

  // The effect under way.
  get effect(): Effect | null {
    if (this.aiming) return this.aiming;
    const choice = this.base.view.choice;
    if (choice) return choice.effect;
    return this.#done.length > 0 ? parse(this.#done[0]).effect : null;
  }

  // The legal actions of the choice that is open now.
  get legal(): string[] {
    if (this.complete) return [];
    const { legal } = this.guide;
    return this.aiming ? legal.filter((action) => parse(action).effect === this.aiming) : legal;
  }

  // What the cards to be named now are asked for, and where they lie.
  get zone(): Zone | null {
    return this.complete || this.aiming ? null : zoneOf(this.shown);
  }

  // The cards, or Domains, that may be chosen now, repeats listed.
  get options(): Named[] {
    if (this.zone === null) return [];
    const set = this.guide.choose;
    if (set) return less(set.cards, this.picked);
    return this.legal.flatMap((action) => parse(action).named ?? []);
  }

  isOption(zone: Zone, named: Named): boolean {
    return this.zone === zone && this.options.includes(named);
  }

  // Whether a card could be named instead of the one that completed the choice.
  isInstead(zone: Zone, named: Named): boolean {
    const last = this.#steps.at(-1);
    if (!this.complete || !last || parse(this.#done[last.begin]).effect) return false;
    return (
      zoneOf(last.shown) === zone &&
      (last.shown.guide.choose?.left ?? 1) === 1 &&
      last.shown.guide.legal.some((action) => parse(action).named === named)
    );
  }

  // Whether what was named lies in the hand.
  get fromHand(): boolean {
    return this.#done.every((action) => (parse(action).named?.length ?? 0) > 1);
  }

  // How often a card of a zone is chosen: picked for a set, or named by the choice just made.
  chosen(zone: Zone, named: Named): number {
    if (this.zone === zone && this.guide.choose) return count(this.picked, named);
    if (this.zone !== null) return 0;
    const verbs: Record<Zone, string[]> = {
      hand: ['play', 'discard', 'give'],
      own: ['take', 'discard'],
      discard: ['recover'],
      pack: ['keep'],
      centre: ['claim'],
    };
    return this.#done.filter((action) => {
      const parts = parse(action);
      return parts.named === named && verbs[zone].includes(parts.verb);
    }).length;
  }

  // What has been named of a set of one's own cards or Domains that is not complete.
  // An effect that shows something hidden has no preview; what it costs goes all the same.
  get going(): Named[] {
    if (this.zone === 'own') return this.picked;
    if (!this.reveals) return [];
    const { effect } = parse(this.#done[0]);
    return LETTERS.filter((letter) => effect && EFFECTS_OF[letter].discard === effect);
  }

  // At whom the effect under way is aimed.
  get aimedAt(): number | null {
    return this.#done.length > 0 ? parse(this.#done[0]).seat : null;
  }

  isTarget(seat: number, domain: Letter | null): boolean {
    return this.aiming !== null && this.legal.some((action) => this.#aims(action, seat, domain));
  }

  isUsable(effect: Effect): boolean {
    return (
      this.idle &&
      this.base.view.step === 'effects' &&
      this.base.guide.legal.some((action) => parse(action).effect === effect)
    );
  }

  // Puts back a card or a Domain that was named; the others of its set stay.
  unname(named: Named): void {
    if (this.picked.length === 0) {
      const last = this.#steps.at(-1);
      const { left } = last?.shown.guide.choose ?? { left: 0 };
      const set = this.#done.slice(last?.begin).slice(0, left);
      this.back();
      if (left > 1) this.picked = set.flatMap((action) => parse(action).named ?? []);
      if (!this.picked.includes(named)) this.picked = [];
    }
    const at = this.picked.lastIndexOf(named);
    if (at >= 0) this.picked = this.picked.toSpliced(at, 1);
  }

  // Names a card or a Domain of a zone.
  name(named: Named, zone: Zone): void {
    if (this.isInstead(zone, named)) this.back();
    if (!this.isOption(zone, named)) return;
    const set = this.guide.choose;
    if (!set) {
      this.#choose([this.legal.find((action) => parse(action).named === named)!]);
      return;
    }
    this.picked = [...this.picked, named];
    if (this.picked.length < set.left) return;
    const verb = this.view.choice!.verb;
    const actions = inCardOrder(this.picked).map((one) => `${verb} ${one}`);
    this.picked = [];
    this.#choose(actions);
  }

  aim(seat: number, domain: Letter | null): void {
    const action = this.legal.find((one) => this.#aims(one, seat, domain));
    if (this.aiming && action) this.take(action);
  }

  // One of the legal actions as a whole.
  take(action: string): void {
    this.aiming = null;
    this.#choose([action]);
  }

  use(effect: Effect): void {
    const actions = this.base.guide.legal.filter((action) => parse(action).effect === effect);
    if (!this.idle || actions.length === 0) return;
    if (actions.length === 1) this.take(actions[0]);
    else this.aiming = effect;
  }

  // One step back; false if there was none to go.
  back(): boolean {
    this.next = null;
    if (this.picked.length > 0) {
      this.picked = this.picked.slice(0, -1);
    } else if (this.#done.length > 0) {
      const { begin } = this.#steps.pop()!;
      const { effect } = parse(this.#done[begin]);
      this.#done = this.#done.slice(0, begin);
      this.#look();
      // An effect that was aimed is aimed again, unless there was only one target.
      const ways = this.base.guide.legal.filter((one) => parse(one).effect === effect);
      if (begin === 0 && effect && ways.length > 1) this.aiming = effect;
    } else if (this.aiming) {
      this.aiming = null;
    } else {
      return false;
    }
    return true;
  }

  clear(): void {
    this.#done = [];
    this.#steps = [];
    this.picked = [];
    this.aiming = null;
    this.next = null;
    this.#after = null;
  }

  #aims(action: string, seat: number, domain: Letter | null): boolean {
    const parts = parse(action);
    return (parts.seat ?? this.seat) === seat && parts.named === domain;
  }

  #asks(after: Preview): boolean {
    return (
      after.view.seat === this.seat && after.view.step === 'choose' && after.guide.legal.length > 0
    );
  }

  #choose(actions: string[]): void {
    this.next = null;
    this.#steps.push({ begin: this.#done.length, shown: this.shown });
    this.#done = [...this.#done, ...actions];
    this.#look();
    this.#goOn();
  }

  #look(): void {
    this.#after =
      this.#done.length > 0 ? preview($state.snapshot(this.base.view) as View, this.#done) : null;
  }

  // Makes the choices that leave no choice.
  #goOn(): void {
    if (this.#done.length === 0 || this.complete) return;
    const set = this.guide.choose;
    if (!set || set.cards.length !== set.left) return;
    const verb = this.view.choice!.verb;
    this.#done = [...this.#done, ...inCardOrder(set.cards).map((one) => `${verb} ${one}`)];
    this.#look();
    this.#goOn();
  }
}

// Where the cards lie that are to be named next.
function zoneOf({ view, guide }: Preview): Zone | null {
  switch (view.step) {
    case 'draft':
      return 'pack';
    case 'claim':
      return 'centre';
    case 'play':
      return 'hand';
    case 'choose': {
      if (view.choice!.verb === 'recover') return 'discard';
      if (view.choice!.verb === 'take') return 'own';
      return guide.choose?.cards[0]?.length === 1 ? 'own' : 'hand';
    }
    default:
      return null;
  }
}

// The cards of one column as it is and as it would be.
export interface Placed {
  card: Card;
  state: 'here' | 'ghost' | 'leaving';
  key: string; // the same as long as the card is there, whatever comes before it
}

// `picked` is what has been named of a set that is not complete: cards, or the Domain, of which the
// oldest card goes.
export function columnOf(
  now: View,
  then: View,
  seat: number,
  domain: Letter,
  picked: Named[] = [],
): Placed[] {
  const of = (view: View) => view.tables[seat].filter((card) => letterOf(card) === domain);
  const before = of(now);
  let after = of(then);
  for (const one of picked)
    if (letterOf(one) === domain)
      after = less(after, [inCardOrder(after).find((card) => card.startsWith(one))!]);
  const leaving = less(before, after);
  const ghosts = less(after, before);
  const here = less(before, leaving);
  const placed: Omit<Placed, 'key'>[] = [
    ...leaving.map((card) => ({ card, state: 'leaving' as const })),
    ...here.map((card) => ({ card, state: 'here' as const })),
    ...ghosts.map((card) => ({ card, state: 'ghost' as const })),
  ];
  const order = { leaving: 0, here: 1, ghost: 2 };
  placed.sort((a, b) => Number(a.card[1]) - Number(b.card[1]) || order[a.state] - order[b.state]);
  const seen = new Map<Card, number>();
  return placed.map((one) => {
    const nth = (seen.get(one.card) ?? 0) + 1;
    seen.set(one.card, nth);
    return { ...one, key: `${one.card}${nth}` };
  });
}
