// With the real engine: previews are its answers.
import { beforeAll, describe, expect, test } from 'vitest';
import { random, search } from '../../tests/games';
import { loadRealEngine } from '../../tools/real-engine';
import { look, preview } from '../engine/engine';
import type { Look } from '../engine/types';
import { inCardOrder, less, parse } from './actions';
import { Composer } from './composer.svelte';

beforeAll(loadRealEngine);

// The first moment of some game at which an action that begins so is legal, for its seat.
function at(begin: string, players = 3): { composer: Composer; look: Look } {
  let seat = -1;
  const record = search({ players }, 70, ({ state, legal }) => {
    seat = state.seat;
    return legal.some((action) => action.startsWith(begin)) && state.hands[seat].length > 2;
  });
  const answer = look({ record, seat, you: true });
  if (!answer.ok) throw new Error(answer.error.key);
  return { composer: new Composer(answer, seat), look: answer };
}

describe('a decision', () => {
  test('of one card is complete at once, shows what it leads to, and can be taken back', () => {
    const { composer, look } = at('play');
    const card = parse(look.guide.legal[0]).named!;
    composer.name(card, 'hand');
    expect(composer.actions).toEqual([`play ${card}`]);
    expect(composer.complete).toBe(true);
    expect(less(composer.view.tables[composer.seat], look.view.tables[composer.seat])).toEqual([
      card,
    ]);
    expect(composer.back()).toBe(true);
    expect(composer.idle).toBe(true);
    expect(composer.back()).toBe(false);
  });

  test('of one card switches to another one without a step back', () => {
    const { composer, look } = at('play');
    const [one, other] = look.guide.legal.map((action) => parse(action).named!);
    composer.name(one, 'hand');
    expect(composer.isInstead('hand', other)).toBe(true);
    composer.name(other, 'hand');
    expect(composer.actions).toEqual([`play ${other}`]);
    expect(composer.back()).toBe(true);
    expect(composer.idle).toBe(true);
  });

  test('that shows something hidden says whom it is aimed at and what it costs', () => {
    const { composer } = at('inquisition');
    composer.use('inquisition');
    const { seat } = parse(composer.actions[0] ?? composer.legal[0]);
    if (!composer.complete) composer.aim(seat!, null);
    expect(composer.reveals).toBe(true);
    expect(composer.aimedAt).toBe(seat);
    expect(composer.going).toEqual(['R']);
  });

  test('of a set may be named in any order and is written in card order', () => {
    const { composer } = at('purge');
    composer.use('purge');
    const cards = composer.guide.choose!.cards;
    const two = inCardOrder([cards[0], cards.at(-1)!]);
    composer.name(two[1], 'hand');
    expect(composer.complete).toBe(false);
    composer.name(two[0], 'hand');
    expect(composer.actions).toEqual(['purge', `discard ${two[0]}`, `discard ${two[1]}`]);
    expect(composer.complete).toBe(true);
  });

  test('of several cards names them all when it is to be confirmed', () => {
    const { composer } = at('purge');
    composer.use('purge');
    const begun = composer.base.guide.offers[composer.base.guide.legal.indexOf('purge')];
    while (!composer.complete) composer.name(composer.options[0], composer.zone!);
    expect(composer.offer).toEqual(begun);
    const cards = composer.actions.slice(1).map((action) => parse(action).named);
    expect(cards.length).toBe(2);
    expect(composer.chosenNames).toEqual({ key: 'table.chosen', args: { names: { cards } } });

    // The same where the choice stands by itself, after something hidden was seen.
    const after = preview(composer.base.view, ['purge'])!;
    const later = new Composer(after, composer.seat);
    while (!later.complete) later.name(later.options[0], later.zone!);
    expect(later.offer).toBeNull();
    expect(later.chosenNames).toEqual(composer.chosenNames);
  });

  test('of several cards keeps the others when one is put back', () => {
    const { composer } = at('purge');
    composer.use('purge');
    const { cards } = composer.guide.choose!;
    composer.name(cards[0], 'hand');
    composer.name(cards.at(-1)!, 'hand');
    composer.unname(cards[0]);
    expect(composer.actions).toEqual(['purge']);
    expect(composer.picked).toEqual([cards.at(-1)]);
    composer.unname(cards.at(-1)!);
    expect(composer.picked).toEqual([]);
    expect(composer.actions).toEqual(['purge']);
  });

  test('that is aimed lights every target and no other', () => {
    const { composer, look } = at('embargo');
    const ways = look.guide.legal.filter((action) => action.startsWith('embargo'));
    composer.use('embargo');
    expect(composer.aiming).toBe('embargo');
    for (let seat = 0; seat < 3; seat++)
      for (const domain of ['M', 'R', 'E', 'S', 'C', 'U'] as const)
        expect(composer.isTarget(seat, domain)).toBe(ways.includes(`embargo ${seat} ${domain}`));
    const { seat, named } = parse(ways[0]);
    composer.aim(seat!, named as 'M');
    expect(composer.actions).toEqual([ways[0]]);
    composer.back();
    expect(composer.aiming).toBe('embargo');
  });

  test('that reveals something is complete and shows the table as it is', () => {
    const { composer, look } = at('breakthrough');
    composer.use('breakthrough');
    expect(composer.complete).toBe(true);
    expect(composer.reveals).toBe(true);
    expect(composer.view).toEqual(look.view);
  });

  test('is legal to its end, whatever is named', () => {
    const chance = random(1);
    for (const effect of [
      'assassination',
      'purge',
      'development',
      'monopoly',
      'experiment',
      'research',
      'oligarchy',
      'republic',
    ] as const) {
      const { composer, look: base } = at(effect, 4);
      composer.use(effect);
      while (!composer.complete)
        composer.name(composer.options[chance(composer.options.length)], composer.zone!);
      expect(composer.effect).toBe(effect);
      expect(composer.view.step).toBe('effects');
      expect(base.view.step).toBe('effects');
      while (composer.back());
      expect(composer.idle).toBe(true);
      expect(composer.view).toEqual(base.view);
    }
  }, 60_000);
});
