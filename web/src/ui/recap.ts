// What others have done since a player's last turn.
import type { Card, Message, Value } from '../engine/types';
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
];

const isSeat = (value: Value | undefined, seat: number): boolean =>
  typeof value === 'object' && 'seat' in value && value.seat === seat;

// Somebody else's effect aimed at the seat, or a card that an Attack took from it.
const hits = ({ key, args }: Message, seat: number): boolean =>
  isSeat(args.target, seat) || (key === 'story.remove' && isSeat(args.name, seat));

type Told = Pick<Scene, 'me' | 'now' | 'story' | 'told' | 'lookingBack'>;

function since({ me, now, story, told, lookingBack }: Told) {
  const seen = lookingBack ? story.filter(({ end }) => end <= (told?.end ?? 0)) : story;
  // A turn of one's own that is under way is not the last one.
  const under = now.guide.turnOf === me ? now.view.turn : 0;
  const last = seen.findLast(({ seat, turn }) => seat === me && turn !== under)?.turn ?? 0;
  return { seen, under, news: seen.filter((one) => one.seat !== me && one.turn > last) };
}

export function recap(scene: Told): Happening[] {
  const { me } = scene;
  if (me === null || scene.now.view.turn === 0) return [];
  return since(scene).news.flatMap(({ seat, lines }) =>
    lines
      .filter(({ key }) => !LEFT_OUT.includes(key))
      .map((line) => ({ seat, line, hit: hits(line, me) })),
  );
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
