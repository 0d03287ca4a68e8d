import type { Judgement } from '../bots/pool';
import type { Message } from '../engine/types';
import { parse } from '../game/actions';
import { HINTS } from '../game/scene';

// Of what was looked at most, the likeliest to win first, as the chances are shown.
export function bestOf(
  judgements: Judgement[],
  seat: number,
): { action: string; chance: number; reasons: Message[] }[] {
  return judgements
    .slice(0, HINTS)
    .map(({ action, chances, reasons = [] }) => ({ action, chance: chances[seat], reasons }))
    .sort((a, b) => b.chance - a.chance);
}

// What is offered. Where an effect or the draft asks for cards the engine names only the card.
export const lineOf = (action: string, offer: Message): Message =>
  offer.key === 'card'
    ? { key: 'table.hint-named', args: { verb: parse(action).verb, card: { list: [offer] } } }
    : offer;
