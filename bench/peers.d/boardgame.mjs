// The small game on boardgame.io: node boardgame.mjs PORT [FOLDER]. Without a folder it keeps games
// in memory, as is its default; with one it stores them by FlatFile, which comes with it.
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { deal, play, SEATS, shuffledDeck } from './game.mjs';

const require = createRequire(import.meta.url);
const { INVALID_MOVE, PlayerView } = require('boardgame.io/core');

export const game = {
  name: 'small',
  setup: () => {
    const deck = shuffledDeck();
    return {
      moves: 0,
      secret: { deck },
      players: Object.fromEntries(SEATS.map((seat) => [seat, { hand: deal(deck) }])),
      tables: SEATS.map(() => []),
    };
  },
  playerView: PlayerView.STRIP_SECRETS,
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    play: {
      move: ({ G, playerID }, card) => {
        if (!play(card, G.players[playerID].hand, G.tables[playerID], G.secret.deck))
          return INVALID_MOVE;
        G.moves += 1;
      },
      client: false, // a client cannot know which card it draws
    },
  },
};

async function serve(port, folder) {
  const { FlatFile, Origins, Server } = require('boardgame.io/server');
  const db = folder && new FlatFile({ dir: folder });
  await Server({ games: [game], origins: [Origins.LOCALHOST], ...(db && { db }) }).run(port);
  console.log('ready');
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
  await serve(Number(process.argv[2]), process.argv[3]);
