import { LETTERS, type Letter } from '../engine/types';
import { letterOf } from '../game/actions';
import { isDry } from '../game/ages';
import { columnOf } from '../game/composer.svelte';
import type { Scene } from '../game/scene';

// What every layout shows of a column of one's own: as it is, and as it would be after what is
// being composed.
export function ownColumn(scene: Scene, letter: Letter) {
  const { now, ahead, composer, bottom: seat } = scene;
  const d = LETTERS.indexOf(letter);
  const isHere = (one: { seat: number; domain: Letter }) =>
    one.seat === seat && one.domain === letter;
  const column = now.guide.columns[seat][d];
  const going = (composer?.going ?? []).filter((one) => letterOf(one) === letter);
  const then = ahead.guide.columns[seat][d];
  const after = { ...then, count: then.count - going.length };
  return {
    seat,
    composer,
    column,
    going,
    after,
    dry: isDry(now.view, letter),
    changed: after.count !== column.count,
    cards: columnOf(now.view, ahead.view, seat, letter, going),
    surcharge: ahead.view.democracies.filter(isHere),
    embargoes: ahead.view.embargoes.filter(isHere),
    coin: now.view.coin && isHere(now.view.coin) ? now.view.coin : null,
    // Whether the column is chosen as a whole.
    byDomain: composer?.isOption('own', letter) || composer?.isTarget(seat, letter),
  };
}
