import { expect, test } from 'vitest';
import { bestOf, lineOf } from './hints';

test('hints stand in the order of the chances that they show', () => {
  const judged = (action: string, weight: number, chance: number) => ({
    action,
    weight,
    chances: [1 - chance, chance],
  });
  const judgements = [
    judged('play M1', 900, 0.44),
    judged('play R1', 300, 0.38),
    judged('end', 200, 0.39),
    judged('play S1', 1, 0.9), // hardly looked at
  ];
  expect(bestOf(judgements, 1)).toEqual([
    { action: 'play M1', chance: 0.44, reasons: [] },
    { action: 'end', chance: 0.39, reasons: [] },
    { action: 'play R1', chance: 0.38, reasons: [] },
  ]);
});

test('what is to be done with a card is said', () => {
  const card = {
    key: 'card',
    args: { domain: { domain: 'S' as const }, age: { age: 2 as const } },
  };
  expect(lineOf('discard S2', card)).toEqual({
    key: 'table.hint-named',
    args: { verb: 'discard', card: { list: [card] } },
  });
  expect(lineOf('give S2', card).args.verb).toBe('give');
  const play = { key: 'offer.play', args: {} };
  expect(lineOf('play S2', play)).toBe(play);
});
