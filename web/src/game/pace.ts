// How long things are shown, what is told of them, and what needs no choosing.
import type { Preview } from '../engine/engine';
import type { Effect, Message, News, Told } from '../engine/types';
import { say } from '../text/text.svelte';
import { inCardOrder } from './actions';
import type { RunningGame, Scene } from './scene';
import { settings } from './settings.svelte';

// How long an action of somebody else is shown before the next, in milliseconds.
const PAUSES = { slow: 1700, normal: 950, fast: 400, instant: 0 };

// A choice of several cards is told as one, so it goes quicker.
export const SAME_CHOICE = 0.3;

// As many sentences stay in the live region, so that a quick game leaves time to hear them all.
const REMEMBERED = 60;

export class Pace {
  // Ends the pause that there is.
  hurry: () => void = () => {};

  wait(share = 1): Promise<void> {
    const time = PAUSES[settings.pace] * share;
    if (time === 0) return Promise.resolve();
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, time);
      this.hurry = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }
}

// Whoever is new here sees the button before it is pressed for them.
const endsAlone = (): boolean => settings.autoEnd && !settings.newcomer;

// What is to be done if there is no choice at all. Which card is played or kept is never decided
// for somebody, even where all are alike; and of several cards to be named none is named before
// the others, even where the order in which they are written leaves no choice for the first.
export function forced({ view, guide: { legal, choose } }: Preview): string[] | null {
  if (/^(play|keep) /.test(legal[0])) return null;
  if (!choose) return legal.length === 1 && (legal[0] !== 'end' || endsAlone()) ? legal : null;
  const { cards, left } = choose;
  if (cards.length > left && new Set(cards).size > 1) return null;
  return inCardOrder(cards.slice(0, left)).map((card) => `${view.choice?.verb} ${card}`);
}

// One more thing for the live region to say.
export function saidToo(
  said: RunningGame['said'],
  lines: Message[],
  names: string[],
): RunningGame['said'] {
  const text = lines.map((line) => say(line, names)).join(' ');
  return [...said.slice(1 - REMEMBERED), { number: (said.at(-1)?.number ?? 0) + 1, text }];
}

// The effect that was used last in what is told.
export function momentOf(news: Told[]): Scene['moment'] {
  const used = news.findLast((told) => told.effect);
  return used ? { seat: used.seat, effect: used.effect as Effect, at: used.begin } : null;
}

// What bots say is only noted, for those who want that. What is broken everybody is told.
export const isHeard = (
  scene: Pick<Scene, 'seats'>,
  { what, seat }: Pick<News, 'what' | 'seat'>,
): boolean => what !== 'said' || settings.botsTalk || scene.seats[seat!] === 'human';
