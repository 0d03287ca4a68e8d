// The small game that the peers play, with about as many cards in sight as a game of CIV for two:
// who is to move plays a card of their hidden hand and draws another. It goes on for ever: of the
// cards on a table the oldest goes back under the deck.

export const SEATS = [0, 1];
const HAND = 3;
const TABLE = 14;

export function shuffledDeck() {
  const deck = Array.from({ length: 104 }, (_, i) => `${'MSACER'[i % 6]}${1 + (i % 3)}`);
  for (let i = deck.length - 1; i > 0; --i) {
    const j = Math.floor(Math.random() * (i + 1));
    [deck[i], deck[j]] = [deck[j], deck[i]];
  }
  return deck;
}

export const deal = (deck) => deck.splice(0, HAND);

// All three are lists of cards. Whether it was legal.
export function play(card, hand, table, deck) {
  const at = hand.indexOf(card);
  if (at < 0) return false;
  hand.splice(at, 1);
  table.push(card);
  if (table.length > TABLE) deck.push(table.shift());
  hand.push(deck.shift());
  return true;
}
