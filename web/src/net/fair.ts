// Whether the deck of a game was shuffled by the rules of docs/fair-deal.md, found out from its
// record, here and now. SHA-256 comes as a package, because browsers have it only for pages of
// https.
import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, hexToBytes } from '@noble/hashes/utils.js';
import type { Card, GameRecord } from '../engine/types';
import type { Deal } from '../game/deal';
import type { Known } from './deals';

export interface Checked {
  deal: Deal;
  hash: boolean; // the secret fits the hash
  // Of this device: it was there, and its number is in the record; it saw another hash; its number
  // is not in the record; it saw the hash and gave no number; it was not there.
  here: 'same' | 'other' | 'missing' | 'watched' | 'absent';
  first: boolean; // follows from secret and numbers
  deck: boolean;
  seen: boolean; // nothing is known here that was otherwise in the game
  // proven: to whoever sits here. fits: as far as a record alone can say. missing: right, but
  // without the number of this device. alone: right, but the server was the only one who shuffled.
  verdict: 'proven' | 'fits' | 'missing' | 'alone' | 'wrong';
}

const AGES: Record<string, number>[] = [
  { M1: 8, R1: 8, E1: 4, S1: 4, C1: 4 },
  { M2: 8, R2: 8, E2: 4, S2: 8, C2: 4 },
  { M3: 4, E3: 8, S3: 8, C3: 8, U3: 16 },
];
const IN_BOX = 3; // of each Age, with two or three players
const NONE = '0'.repeat(64);

function* numbers(seed: Uint8Array): Generator<number> {
  const block = new Uint8Array(36);
  block.set(seed);
  for (let i = 0; ; i++) {
    new DataView(block.buffer).setUint32(32, i);
    const hash = sha256(block);
    const eight = new DataView(hash.buffer, hash.byteOffset);
    for (let at = 0; at < 32; at += 4) yield eight.getUint32(at);
  }
}

export function fairDeal(
  players: number,
  { secret, randoms }: Pick<Deal, 'secret' | 'randoms'>,
): { first: number; deck: Card[] } {
  const parts = [
    new TextEncoder().encode('civ-deal/1'),
    ...[secret, ...randoms].map((number) => hexToBytes(number ?? NONE)),
  ];
  const stream = numbers(sha256(Uint8Array.from(parts.flatMap((part) => [...part]))));
  const below = (n: number): number => {
    const end = Math.floor(2 ** 32 / n) * n;
    for (;;) {
      const number = stream.next().value;
      if (number < end) return number % n;
    }
  };
  const first = below(players);
  const deck = AGES.flatMap((age) => {
    const pile = Object.entries(age).flatMap(([card, copies]) => Array<string>(copies).fill(card));
    for (let i = pile.length; i > 1; i--) {
      const j = below(i);
      [pile[i - 1], pile[j]] = [pile[j], pile[i - 1]];
    }
    return players === 4 ? pile : pile.slice(0, -IN_BOX);
  });
  return { first, deck: deck as Card[] };
}

// `known`: what this device saw before the deal.
export function check(
  { players, first, deck }: Pick<GameRecord, 'players' | 'first' | 'deck'>,
  deal: Deal,
  known: Known | null,
): Checked {
  const right = fairDeal(players, deal);
  const found = {
    hash: bytesToHex(sha256(hexToBytes(deal.secret))) === deal.hash,
    here: seenHere(deal, known),
    first: right.first === first,
    deck: right.deck.join() === deck.join(),
    seen: known?.seen !== false,
  };
  return { deal, ...found, verdict: verdictOf(found, deal) };
}

function seenHere(deal: Deal, known: Known | null): Checked['here'] {
  if (!known) return 'absent';
  if (known.hash !== deal.hash) return 'other';
  if (known.random === null) return 'watched';
  return deal.randoms.includes(known.random) ? 'same' : 'missing';
}

function verdictOf(
  { hash, here, first, deck, seen }: Omit<Checked, 'deal' | 'verdict'>,
  deal: Deal,
): Checked['verdict'] {
  if (!hash || !first || !deck || !seen || here === 'other') return 'wrong';
  if (here === 'same') return 'proven';
  if (here === 'missing') return 'missing';
  return deal.randoms.some((random) => random !== null) ? 'fits' : 'alone';
}
