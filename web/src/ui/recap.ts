// What others have done since a player's last turn.
import type { Card, Letter, Message, Value } from '../engine/types';
import { less, letterOf } from '../game/actions';
import type { Scene } from '../game/scene';

export interface Happening {
  seat: number; // who did it
  line: Message;
  hit: boolean; // it was done to the one who looks
}

// What follows from something else that is told, or changes nothing that matters later.
const LEFT_OUT = [
  'story.end',
  'story.hand-size',
  'story.coin-back',
  'story.embargo-over',
  'story.nothing-then',
  'story.pass',
  'story.centre',
  'story.age',
];

export const matters = ({ key }: Message): boolean => !LEFT_OUT.includes(key);

const isSeat = (value: Value | undefined, seat: number): boolean =>
  typeof value === 'object' && 'seat' in value && value.seat === seat;

// Somebody else's effect aimed at the seat, or a card that an Attack took from it. Who copies an
// effect takes nothing away.
const hits = ({ key, args }: Message, seat: number): boolean =>
  (isSeat(args.target, seat) && key !== 'story.copy') ||
  (key === 'story.remove' && isSeat(args.name, seat));

type Told = Pick<Scene, 'me' | 'now' | 'story' | 'told'>;

function since({ me, now, story, told }: Told) {
  const seen = story.filter(({ end }) => end <= (told?.end ?? 0));
  // A turn of one's own that is under way is not the last one.
  const under = now.guide.turnOf === me ? now.view.turn : 0;
  const last = seen.findLast(({ seat, turn }) => seat === me && turn !== under)?.turn ?? 0;
  return { seen, under, news: seen.filter((one) => one.seat !== me && one.turn > last) };
}

export function recap(scene: Told): Happening[] {
  const { me } = scene;
  if (me === null || scene.now.view.turn === 0) return [];
  return since(scene).news.flatMap(({ seat, lines }) =>
    lines.filter(matters).map((line) => ({ seat, line, hit: hits(line, me) })),
  );
}

// One thing that was done to the one who looks, in a sentence, and in a few words where there are
// several.
export interface Hit {
  seat: number; // who did it
  said: Message;
  brief: Message;
}

const lettersOf = (value: Value | undefined): Letter[] =>
  typeof value === 'object' && 'cards' in value ? value.cards.map(letterOf) : [];

// What the one who looks has lost: Ages make no difference to that.
export function hitsOf(scene: Told): Hit[] {
  const found: Hit[] = [];
  let taken: Letter[] = [];
  for (const { seat, line, hit } of recap(scene)) {
    if (!hit) continue;
    const name = { seat };
    const { domain, need, card, cards } = line.args;
    const add = (effect: 'attack' | 'embargo' | 'democracy', args: Message['args']) =>
      found.push({
        seat,
        said: { key: `recap.hit-${effect}`, args: { name, ...args } },
        brief: {
          key: 'recap.brief',
          args: { effect: { effect }, domains: args.domain },
        },
      });
    if (line.key === 'story.remove')
      add('attack', { domain: { domain: letterOf((card as { card: Card }).card) } });
    else if (line.key === 'story.embargo') add('embargo', { domain });
    else if (line.key === 'story.democracy') add('democracy', { domain, need });
    else if (line.key === 'story.inquisition') taken = lettersOf(cards);
    else if (line.key === 'story.give') found.push(swapped(seat, taken, lettersOf(cards)));
  }
  return found;
}

// An Inquisition that is over.
function swapped(seat: number, taken: Letter[], given: Letter[]): Hit {
  const lost = less(taken, given);
  const got = { domains: less(given, taken) };
  const effect = { effect: 'inquisition' as const };
  const args = { count: lost.length, lost: { domains: lost }, got };
  return {
    seat,
    said: { key: 'recap.hit-inquisition', args: { name: { seat }, ...args } },
    brief: { key: 'recap.brief-swap', args: { effect, ...args } },
  };
}

// Whether the one who looks has done something since.
export function hasActed(scene: Told): boolean {
  const { seen, under } = since(scene);
  return under !== 0 && seen.some(({ seat, turn }) => seat === scene.me && turn === under);
}

// The cards that an Inquisition has left, until the one who looks acts.
export function gotBack(scene: Told): Card[] {
  if (scene.me === null || hasActed(scene)) return [];
  return recap(scene).flatMap(({ hit, line: { key, args } }) =>
    hit && key === 'story.give' && typeof args.cards === 'object' && 'cards' in args.cards
      ? args.cards.cards
      : [],
  );
}
