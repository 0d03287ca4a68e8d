// What the engine says of somebody's turn names whom it aims at. Whoever reads it is "you" there.
import type { Message, Value } from '../engine/types';

const TO_YOU: Record<string, string> = {
  'offer.copy': 'review.you-copy',
  'offer.inquisition': 'review.you-inquisition',
  'offer.embargo': 'review.you-embargo',
  'offer.democracy': 'review.you-democracy',
  'reason.stops': 'review.you-stops',
  'reason.denies': 'review.you-denies',
  'reason.inquisition': 'review.you-shown',
};

// As it is said to that seat, of a turn of another one. Among several the reader has a word of the
// list: see `namesFor`.
export function toReader(message: Message, seat: number, reader: number | null): Message {
  if (reader === null || reader === seat) return message;
  const args: Record<string, Value> = Object.fromEntries(
    Object.entries(message.args).map(([name, value]) => [
      name,
      typeof value === 'object' && 'list' in value
        ? { list: value.list.map((one) => toReader(one, seat, reader)) }
        : value,
    ]),
  );
  const { name } = args;
  const aimed = typeof name === 'object' && 'seat' in name && name.seat === reader;
  // There "you" is the one who attacks.
  const key = message.key === 'offer.attack' ? 'review.attack' : aimed && TO_YOU[message.key];
  return { key: key || message.key, args };
}

export const namesFor = (names: string[], reader: number | null, you: string): string[] =>
  names.map((name, seat) => (seat === reader ? you : name));
