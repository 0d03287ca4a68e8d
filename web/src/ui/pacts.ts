// Pacts as a table shows them: what stands between whom, and where there is room for it.
import type { Message, News, Offered, Pact, Parley } from '../engine/types';
import { isHeard } from '../game/pace';
import { others, type Scene } from '../game/scene';
import { talks } from '../game/setup';
import { say } from '../text/text.svelte';
import { isPartner } from './seat';
import type { Layout } from './size';

type Broken = Parley['broken'][number];

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

export interface Placed extends Tie {
  from: number; // quarters of the others' panels
  to: number;
  row: number;
}

export const offersTo = ({ parley, seats }: Scene): Offered[] =>
  parley?.offers.filter(
    ({ yours, by }) => yours && isHeard({ seats }, { what: 'said', seat: by } as News),
  ) ?? [];

// What was broken is seen for a round.
const tornIn = ({ parley, now: { view } }: Scene): Broken[] =>
  parley?.broken.filter(({ turn }) => view.turn - turn < view.players) ?? [];

export function tiesOf(scene: Scene): Tie[] {
  const { parley, me, bottom } = scene;
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
      .filter(({ by }) => by === me)
      .flatMap((asked) =>
        asked.to.map((seat) => ({
          key: `a${asked.id}-${seat}`,
          seats: [asked.by, seat] as [number, number],
          line: asked.line,
          asked,
        })),
      ),
    ...tornIn(scene).map((torn) => ({
      key: `t${torn.turn}-${torn.by}-${torn.with}-${torn.say}`,
      seats: [torn.by, torn.with] as [number, number],
      line: torn.line,
      torn,
    })),
  ];
}

// Where a tie may lie, in quarters of the others' panels, the best place first.
function places(
  { offer, pact, asked, seats }: Tie,
  columns: number[],
  wide: boolean,
): [number, number][] {
  const [a, b = a] = seats.map((seat) => columns.indexOf(seat)).filter((column) => column >= 0);
  const [left, right] = [4 * Math.min(a, b), 4 * Math.max(a, b)];
  const all = 4 * columns.length - 1;
  const together = (pact ?? asked)?.say === 'together'; // with somebody's name
  if (left !== right) return [together ? [left + 2, right + 1] : [left + 3, right]];
  const panel: [number, number] = [left, left + 3];
  if (offer && !wide) return [[0, all]];
  // An offer needs room for its words.
  if (offer && columns.length > 2)
    return [left + 5 <= all ? [left, left + 5] : [left - 2, left + 3], panel];
  return offer || together || !wide ? [panel] : [[left + 1, left + 2]];
}

// Each under those whom it binds, one above the other where they would meet. What lies there stays
// where it is when an offer comes.
export function placed(scene: Scene, wide: boolean): Placed[] {
  const columns = others(scene);
  const rows: boolean[][] = [];
  const free = (row: number, from: number, to: number) =>
    !rows[row]?.slice(from, to + 1).some(Boolean);
  const take = (row: number, from: number, to: number) => {
    rows[row] ??= [];
    for (let quarter = from; quarter <= to; quarter++) rows[row][quarter] = true;
  };
  const ties = tiesOf(scene);
  return [...ties.filter(({ offer }) => !offer), ...ties.filter(({ offer }) => offer)].map(
    (tie) => {
      const where = places(tie, columns, wide);
      let row = 0;
      let found: [number, number] | undefined;
      while (!found) {
        found = where.find(([from, to]) => free(row, from, to));
        if (!found) row++;
      }
      const [from, to] = found;
      take(row, from, to);
      return { ...tie, from, to, row };
    },
  );
}

// People, and the bots that answer.
const listens = ({ seats }: Scene, seat: number): boolean =>
  seats[seat] === 'human' || talks(seats[seat]);

export const ROW = 36; // in pixels: the least height of a row

// The height of each row, from the lowest up.
export function heights(ties: Placed[], wide: boolean): number[] {
  const rows: number[] = [];
  const card = wide ? 68 : 74;
  for (const { row, offer } of ties) rows[row] = Math.max(rows[row] ?? 0, offer ? card : ROW);
  return rows;
}

// The room between the others and one's own columns that is kept for it in every game in which
// there may be pacts, so that nothing moves when one is made; a short tablet has none to spare
// before there is one. What needs more lies over the lower edge of the panels.
export function kept(scene: Scene, layout: Layout, height: number): number {
  if (!scene.parley || scene.parley.characters.length === 0) return 0;
  if (scene.seats.filter((_, seat) => listens(scene, seat)).length < 2) return 0;
  if (layout === 'tablet') return height >= 1100 ? 2 * ROW : tiesOf(scene).length > 0 ? ROW : 0;
  return layout === 'wide' ? ROW : 0;
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

// What the bar tells while nothing else is to be said there: what was said last, and in the
// beginning of one's turn what others have broken or answered since the last one.
export function newsIn(scene: Scene): News | null {
  const news = scene.parley?.news.filter((one) => isHeard(scene, one)) ?? [];
  if (!scene.composer) {
    const last = news.at(-1);
    return last && last.at >= (scene.told?.end ?? 0) ? last : null;
  }
  if (!scene.composer.idle || scene.now.view.step !== 'play') return null;
  const own = scene.story.findLast(({ seat }) => seat === scene.me)?.end ?? 0;
  const since = news.filter(({ at, seat }) => at > own && seat !== scene.me);
  return (
    since.findLast(({ what }) => what === 'broken') ??
    since.findLast(({ what, say }) => what === 'said' && (say === 'yes' || say === 'no')) ??
    null
  );
}

// All that stands between players, in words.
export function pactsRead(scene: Scene): string | null {
  if (!scene.parley) return null;
  const lines = tiesOf(scene).map(({ line }) => say(line, scene.names));
  return lines.length > 0 ? lines.join(' ') : null;
}

// Whether there is somebody to be talked to: any other who answers where there are pacts, one's
// partner where there are signals.
export function canTalk(scene: Scene, seat: number): boolean {
  const { parley, say: speak, me, now } = scene;
  if (!parley || !speak || me === null || scene.lookingBack || !listens(scene, seat)) return false;
  if (parley.characters.length > 0) return now.view.turn > 0 && now.view.step !== 'over';
  return isPartner(now.view.teams, me, seat) && parley.possible.length > 0;
}
