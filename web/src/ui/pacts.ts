// Pacts as a table shows them: what stands between whom, and where there is room for it.
import type { Broken, Message, News, Offered, Pact } from '../engine/types';
import { isHeard } from '../game/pace';
import { others, type Scene } from '../game/scene';
import { say, t } from '../text/text.svelte';
import { isPartner } from './seat';
import type { Layout } from './size';

// Something between two seats, or an offer that waits for an answer here.
export interface Tie {
  key: string;
  seats: [number, number];
  line: Message;
  pact?: Pact;
  asked?: Offered; // by whoever looks
  torn?: Broken;
  offer?: Offered; // to whoever looks
}

export interface Place {
  from: number; // quarters of the others' panels
  to: number;
  row: number; // from the lowest up
  high: number; // in rows
}
export type Placed = Tie & Place;

interface Hung {
  ties: Placed[];
  more: (Place & { count: number }) | null; // those that find no room
}

export const offersTo = ({ parley, seats }: Scene): Offered[] =>
  parley?.offers.filter(
    ({ yours, by }) => yours && isHeard({ seats }, { what: 'said', seat: by }),
  ) ?? [];

// What was broken is seen for a round.
const tornIn = ({ parley, now: { view } }: Scene): Broken[] =>
  parley?.broken.filter(({ turn }) => view.turn - turn < view.players) ?? [];

export function tiesOf(scene: Scene): Tie[] {
  const { parley, bottom } = scene;
  const viewer = scene.me ?? scene.viewer ?? null;
  if (!parley) return [];
  return [
    ...offersTo(scene).map((offer) => ({
      key: `o${offer.id}`,
      seats: [offer.by, bottom] as [number, number],
      line: offer.line,
      offer,
    })),
    ...parley.pacts.map((pact) => ({
      key: `p${pact.id}`,
      seats: pact.seats,
      line: pact.line,
      pact,
    })),
    ...parley.offers
      .filter(({ by }) => by === viewer)
      .flatMap((asked) =>
        asked.to.map((seat) => ({
          key: `a${asked.id}-${seat}`,
          seats: [asked.by, seat] as [number, number],
          line: asked.line,
          asked,
        })),
      ),
    ...tornIn(scene).map((torn) => ({
      key: `t${torn.id}`,
      seats: [torn.by, torn.with] as [number, number],
      line: torn.line,
      torn,
    })),
  ];
}

// Where an offer may lie under whoever makes it, with room for its words: wider than the panel of
// one of three, a little narrower than that of one of two, the widest first.
function offered(left: number, columns: number): [number, number][] {
  const all = 4 * columns - 1;
  const widths = columns > 2 ? [6, 5] : [4, 3];
  return widths.flatMap((width) =>
    [left, left + 4 - width, left - 1]
      .filter((from) => from >= 0 && from + width - 1 <= all)
      .map((from): [number, number] => [from, from + width - 1]),
  );
}

// Where a tie may lie, in quarters of the others' panels, the best place first.
function places(
  { offer, pact, asked, seats }: Tie,
  columns: number[],
  wide: boolean,
): [number, number][] {
  const [a, b = a] = seats.map((seat) => columns.indexOf(seat)).filter((column) => column >= 0);
  const [left, right] = [4 * Math.min(a, b), 4 * Math.max(a, b)];
  const together = (pact ?? asked)?.say === 'together'; // with somebody's name
  if (offer) return wide ? offered(left, columns.length) : [[0, 4 * columns.length - 1]];
  if (left !== right) return [together ? [left + 2, right + 1] : [left + 3, right]];
  return together || !wide ? [[left, left + 3]] : [[left + 1, left + 2]];
}

const meet = (a: Place, b: Place): boolean =>
  a.from <= b.to && b.from <= a.to && a.row < b.row + b.high && b.row < a.row + a.high;

// Each under those whom it binds, one above the other where they would meet, in so many rows. An
// offer takes two of them, and lies over what is in its way until it is answered. What finds no
// room is counted.
export function placed(scene: Scene, wide: boolean, rows: number): Hung {
  const columns = others(scene);
  let ties: Placed[] = [];
  const isFree = (place: Place) => !ties.some((one) => meet(one, place));
  const inRows = (count: number, where: [number, number][], high: number): Place[] =>
    Array.from({ length: count }).flatMap((_, row) =>
      where.map(([from, to]) => ({ from, to, row, high })),
    );
  const all = tiesOf(scene);
  // On a tablet an offer is as wide as the table: there it lies above the lowest row.
  const highest = Math.max(0, wide ? rows - 2 : Math.min(rows - 1, 1));
  for (const tie of all.filter(({ offer }) => !offer)) {
    const place = inRows(rows, places(tie, columns, wide), 1).find(isFree);
    if (place) ties.push({ ...tie, ...place });
  }
  for (const tie of all.filter(({ offer }) => offer)) {
    const where = places(tie, columns, wide);
    const lowest = inRows(highest + 1, where, 2).find(isFree);
    const over = inRows(all.length * 2, where, 2).filter(
      (place) => place.row >= highest && !ties.some((one) => one.offer && meet(one, place)),
    );
    const covered = (place: Place) => ties.filter((one) => meet(one, place)).length;
    const place =
      lowest ??
      over
        .filter(({ row }) => row === over[0].row)
        .reduce((best, one) => (covered(one) < covered(best) ? one : best));
    ties = [...ties.filter((one) => !meet(one, place)), { ...tie, ...place }];
  }
  const count = all.length - ties.length;
  if (count === 0) return { ties, more: null };
  const quarters = Array.from({ length: 4 * columns.length }, (_, i) => i).toReversed();
  const end = inRows(
    all.length * 2,
    quarters.map((quarter) => [quarter, quarter]),
    1,
  ).find(isFree)!;
  return { ties, more: { ...end, count } };
}

// People, and the bots that answer.
const listens = ({ seats, parley }: Scene, seat: number): boolean =>
  seats[seat] === 'human' || !!parley?.characters[seat];

// From this level on bots make pacts (civ/diplomacy/character.h).
export const TALKING = 3;
export const isSilent = (seats: string[], seat: number): boolean =>
  Number(seats[seat].replace('level', '')) < TALKING;

export const ROW = 36; // in pixels

// The room between the others and one's own columns that is kept for it in every game in which
// there may be pacts, so that nothing moves when one is made. A tablet, where an offer needs all of
// the width, has one row and opens it for more; a short one has none to spare before there is one.
// There and on low screens an offer lies over the lower edge of the panels, too.
export function kept(scene: Scene, layout: Layout, height: number): number {
  if (!scene.parley || scene.parley.characters.length === 0) return 0;
  if (scene.seats.filter((_, seat) => listens(scene, seat)).length < 2) return 0;
  if (layout === 'tablet') {
    const asked = offersTo(scene).length;
    const rest = tiesOf(scene).length - asked;
    if (height < 1100) return asked + rest > 0 ? ROW : 0;
    return ROW * (asked > 0 ? 2 + Math.min(rest, 1) : Math.max(1, Math.min(rest, 2)));
  }
  return layout === 'wide' ? (height > 880 ? 2 * ROW : ROW) : 0;
}

// On a phone: what is shown at the line of a seat. What binds two others is shown once, where there
// is less.
export function tiesAt(scene: Scene, seat: number): Tie[] {
  const at = new Map<number, Tie[]>(others(scene).map((one) => [one, []]));
  const ties = tiesOf(scene).filter(({ offer }) => !offer);
  const mine = ({ seats }: Tie) => seats.includes(scene.bottom);
  for (const tie of [...ties.filter(mine), ...ties.filter((one) => !mine(one))]) {
    const lines = tie.seats.flatMap((one) => (at.has(one) ? [at.get(one)!] : []));
    lines.reduce((best, line) => (line.length < best.length ? line : best)).push(tie);
  }
  return at.get(seat) ?? [];
}

// With how many players somebody has broken faith; how often with each is not kept for long.
export const betrayedBy = ({ parley }: Scene, seat: number): number =>
  new Set(parley?.broken.filter(({ by }) => by === seat).map((one) => one.with)).size;

// What the bar tells while nothing else is to be said there: what was said last, and in the
// beginning of one's turn what others have broken or answered since the last one.
export function newsIn(scene: Scene): News | null {
  const news = scene.parley?.news.filter((one) => isHeard(scene, one)) ?? [];
  if (!scene.composer) {
    const last = news.at(-1);
    return last && last.at >= (scene.told?.end ?? 0) ? last : null;
  }
  if (!scene.composer.idle || scene.now.view.step !== 'play') return null;
  // Who comes next answers before anything else has happened.
  const own = scene.story.findLast(({ seat }) => seat === scene.me)?.end ?? 0;
  const since = news.filter(({ at, seat }) => at >= own && seat !== scene.me);
  return (
    since.findLast(({ what }) => what === 'broken') ??
    since.findLast(({ what, say }) => what === 'said' && (say === 'yes' || say === 'no')) ??
    null
  );
}

// All that stands between players, in words.
export function pactsRead(scene: Scene): string {
  const lines = tiesOf(scene).map(({ line }) => say(line, scene.names));
  return lines.length > 0 ? lines.join(' ') : t('pacts.none');
}

// Whether there is somebody to be talked to: any other who answers where there are pacts, one's
// partner where there are signals.
export function canTalk(scene: Scene, seat: number): boolean {
  const { parley, say: speak, me, now } = scene;
  if (!parley || !speak || me === null || scene.lookingBack || !listens(scene, seat)) return false;
  if (parley.characters.length > 0) return now.view.turn > 0 && now.view.step !== 'over';
  return isPartner(now.view.teams, me, seat) && parley.possible.length > 0;
}
