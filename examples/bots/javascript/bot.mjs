// A small bot for CIV in JavaScript: plays for Hegemony in the Domain that it has most of.
// Needs Node and no packages.
//
//     civ arena --bot mine="node examples/bots/javascript/bot.mjs" --bots mine,random --ms 100
//
// One JSON object a line comes in, one goes out (docs/bot-protocol.md). Print nothing else to
// standard output; standard error is yours.

import { createInterface } from 'node:readline';

// What is worth doing with a turn besides playing a card, best first.
const LIKED = [
  'holy-book',
  'divine-right',
  'development',
  'monopoly',
  'experiment',
  'research',
  'oligarchy',
  'republic',
  'copy',
];

// How many cards of a Domain there are in a list.
const count = (cards, domain) => cards.filter((card) => card[0] === domain).length;

// A number for each legal action: the highest is taken.
function worth(view, seat, action) {
  const [verb, ...rest] = action.split(' ');
  const domain = rest.at(-1)?.[0];
  switch (verb) {
    case 'play':
    case 'keep':
    case 'claim':
    case 'recover':
      return 10 + count(view.tables[seat], domain) + count(view.hands[seat].cards, domain);
    case 'take': // back to the hand: what is missed least
    case 'discard':
    case 'give':
      return 10 - count(view.tables[seat], domain);
    case 'embargo':
    case 'democracy': // against somebody who is about to win
      return count(view.tables[Number(rest[0])], domain) >= 6 ? 4 : -2;
    case 'attack':
    case 'inquisition':
    case 'breakthrough': // they cost a card
      return -1;
    default: // end, skip, and what is neither liked nor disliked
      return LIKED.includes(verb) ? 3 - LIKED.indexOf(verb) / 10 : 0;
  }
}

const longest = (view, of) =>
  Math.max(...[...'MRESCU'].map((domain) => count(view.tables[of], domain)));

// An answer to the first offer, in a game with pacts: yes to a truce, and to acting together
// against who leads.
function say(message) {
  const offer = message.pacts?.offers.find((one) =>
    message.possible.some((talk) => talk.offer === one.id),
  );
  if (!offer) return {};
  const all = message.view.tables.map((_, of) => longest(message.view, of));
  const agrees = offer.say === 'truce' || all[offer.against] === Math.max(...all);
  return { say: { say: agrees ? 'yes' : 'no', offer: offer.id } };
}

let seat = 0;

function answer(message) {
  if (message.cmd === 'start') {
    seat = message.seat;
    return { ok: true };
  }
  if (message.cmd !== 'decide') return null; // the end of a game asks for no answer
  const worths = message.legal.map((action) => worth(message.view, seat, action));
  return { action: message.legal[worths.indexOf(Math.max(...worths))], ...say(message) };
}

for await (const line of createInterface({ input: process.stdin })) {
  const reply = answer(JSON.parse(line));
  if (reply) process.stdout.write(`${JSON.stringify(reply)}\n`);
}
