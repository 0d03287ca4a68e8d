// The small game on Colyseus: node colyseus.mjs PORT. A room's state is in memory. Patches are sent
// with every move rather than 20 times a second, as suits a game of turns.
import { Room, Server } from '@colyseus/core';
import { StateView, schema, t } from '@colyseus/schema';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { deal, play, SEATS, shuffledDeck } from './game.mjs';

const Seat = schema({ hand: t.array('string').view(), table: t.array('string') }, 'Seat');
const State = schema({ moves: t.number(), turn: t.number(), seats: t.array(Seat) }, 'State');

class Table extends Room {
  maxClients = SEATS.length;
  patchRate = null;
  deck = shuffledDeck();
  state = new State();

  onCreate() {
    this.state.moves = 0;
    this.state.turn = 0;
    for (const _ of SEATS) {
      const seat = new Seat();
      seat.hand.push(...deal(this.deck));
      this.state.seats.push(seat);
    }
    this.onMessage('play', (client, card) => {
      const { state } = this;
      const { hand, table } = state.seats[client.userData.seat];
      if (state.turn !== client.userData.seat || !play(card, hand, table, this.deck)) return;
      state.moves += 1;
      state.turn = 1 - state.turn;
      this.broadcastPatch();
    });
  }

  onJoin(client) {
    client.userData = { seat: this.clients.length - 1 };
    client.view = new StateView();
    client.view.add(this.state.seats[client.userData.seat]);
    this.broadcastPatch();
  }
}

const server = new Server({ transport: new WebSocketTransport(), greet: false });
server.define('small', Table);
await server.listen(Number(process.argv[2]), '127.0.0.1');
console.log('ready');
