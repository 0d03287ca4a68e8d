// Two people at a table, in the way of each server. A player knows
//   seen      how many moves of the game their newest view holds, -1 before the first
//   answered  how many the server has acknowledged to them
//   mine      whether it is their move
// and says so by news() whenever that changes, and by lost() when the connection breaks.
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Client as ColyseusClient } from '@colyseus/sdk';
import WebSocket from 'ws';
import { Engine } from '../../bindings/wasm/civ.mjs';
import { game } from './boardgame.mjs';
import { SEATS } from './game.mjs';

const require = createRequire(import.meta.url);
const { Client: BoardgameClient } = require('boardgame.io/client');
const { SocketIO } = require('boardgame.io/multiplayer');
const file = (name) => fileURLToPath(new URL(name, import.meta.url));

async function ask(address, body, token) {
  const answer = await fetch(address, {
    method: body ? 'POST' : 'GET',
    headers: {
      'Content-Type': 'application/json',
      ...(token && { Authorization: `Bearer ${token}` }),
    },
    body: body && JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${address}: ${answer.status} ${await answer.text()}`);
  return answer.json();
}

class Player {
  seen = -1;
  answered = 0;
  mine = false;
  news = () => {};
  lost = () => {};

  // Where the answer to a move is the new view.
  sees(moves, mine) {
    this.seen = moves;
    this.answered = moves;
    this.mine = mine;
    this.news();
  }
}

const engine = new Engine(new WebAssembly.Module(readFileSync(file('../../build-wasm/civ.wasm'))));

class CivPlayer extends Player {
  #socket;
  #seat;
  #view;
  #number = 0; // of the last event

  constructor(origin, { id, tokens }, seat) {
    super();
    this.#seat = seat;
    this.#socket = new WebSocket(`${origin.replace('http', 'ws')}/api/v1/tables/${id}/live`, {
      headers: { Authorization: `Bearer ${tokens[seat]}` },
    });
    this.#socket.on('message', (text) => this.#hear(JSON.parse(text)));
    this.#socket.on('error', () => {}); // it is closed, then
    this.#socket.on('close', (code) => this.lost(code));
  }

  #hear(message) {
    const { type, n, game: told, table } = message;
    if (type === 'refused') throw new Error(`refused: ${JSON.stringify(message)}`);
    if (type === 'ack' && message.id[0] === 'm') this.answered = Number(message.id.slice(1));
    if (type === 'commit') this.#command('contribute', { random: randomBytes(32).toString('hex') });
    if (type === 'hello' && this.#seat === 1 && table.status === 'waiting')
      this.#command('sit', { seat: 1 });
    if (type === 'sit' && this.#seat === 0) this.#command('start', {});
    if (n && type !== 'ack') this.#number = n;
    if (told) {
      this.seen = told.actions;
      this.#view = told.view;
      this.mine = told.view.seat === this.#seat && !told.view.result;
    }
    this.news();
  }

  #command(type, fields, id = type) {
    this.#socket.send(JSON.stringify({ type, id, ...fields }));
  }

  // Ends turns and keeps columns low, so that nobody wins for long.
  choose() {
    const { legal } = engine.answer({ cmd: 'legal', view: this.#view });
    const table = this.#view.tables[this.#seat];
    const height = (action) =>
      table.filter(([letter]) => letter === action.split(' ')[1]?.[0]).length;
    return legal.includes('end') ? 'end' : legal.sort((a, b) => height(a) - height(b))[0];
  }

  send(action, count) {
    this.#command('act', { builds: this.#number, actions: [action] }, `m${count}`);
  }

  close() {
    this.#socket.terminate();
  }
}

class BoardgamePlayer extends Player {
  #client;
  #seat;

  constructor(server, { id, credentials }, seat) {
    super();
    this.#seat = seat;
    this.#client = BoardgameClient({
      game,
      multiplayer: SocketIO({ server, socketOpts: { transports: ['websocket'] } }),
      matchID: id,
      playerID: `${seat}`,
      credentials: credentials[seat],
      debug: false,
    });
    let connected = false;
    this.#client.subscribe((state) => {
      if (state && connected && !state.isConnected) this.lost('disconnected');
      connected = state?.isConnected;
      if (state && connected) this.sees(state.G.moves, state.ctx.currentPlayer === `${seat}`);
    });
    this.#client.start();
  }

  choose() {
    return this.#client.getState().G.players[this.#seat].hand[0];
  }

  send(card) {
    this.#client.moves.play(card);
  }

  close() {
    this.#client.stop();
  }
}

class ColyseusPlayer extends Player {
  #room;
  #seat;

  constructor(room, seat) {
    super();
    this.#room = room;
    this.#seat = seat;
    room.reconnection.enabled = false;
    const look = (state) => this.sees(state.moves, state.turn === seat);
    room.onStateChange(look);
    room.onLeave((code) => this.lost(code));
    if (room.state.seats?.length) look(room.state); // it came before anybody listened
  }

  choose() {
    return this.#room.state.seats[this.#seat].hand[0];
  }

  send(card) {
    this.#room.send('play', card);
  }

  close() {
    this.#room.connection.close();
  }
}

const civ = {
  name: '`civ serve`',
  stores: 'SQLite, synced before the answer',
  command: (port, folder) => [
    process.env.CIV,
    ...['serve', '--port', port, '--data', folder, '--no-limits', '--log-level', 'warn'],
  ],
  async make(origin) {
    const person = (seat) => ask(`${origin}/api/v1/session`, { name: `Seat ${seat}`, bot: true });
    const tokens = (await Promise.all(SEATS.map(person))).map(({ token }) => token);
    const options = { players: 2, absence: 0 };
    const { table } = await ask(`${origin}/api/v1/tables`, options, tokens[0]);
    return { id: table, tokens };
  },
  join: async (origin, table) => SEATS.map((seat) => new CivPlayer(origin, table, seat)),
};

const boardgame = {
  async make(origin) {
    const { matchID: id } = await ask(`${origin}/games/small/create`, { numPlayers: 2 });
    const join = (playerID) =>
      ask(`${origin}/games/small/${id}/join`, { playerID, playerName: `Seat ${playerID}` });
    const credentials = [];
    for (const seat of SEATS) credentials.push((await join(`${seat}`)).playerCredentials);
    return { id, credentials };
  },
  async join(origin, table) {
    await ask(`${origin}/games/small/${table.id}`); // whether there is such a game
    return SEATS.map((seat) => new BoardgamePlayer(origin, table, seat));
  },
};

const colyseus = {
  name: 'Colyseus',
  stores: 'in memory',
  command: (port) => [process.execPath, file('colyseus.mjs'), port],
  make: async () => ({ id: null }),
  async join(origin, table) {
    const client = new ColyseusClient(origin);
    const first = await (table.id ? client.joinById(table.id) : client.create('small'));
    table.id = first.roomId;
    const rooms = [first, await client.joinById(table.id)];
    return rooms.map((room, seat) => new ColyseusPlayer(room, seat));
  },
};

export const PEERS = {
  civ,
  flatfile: {
    ...boardgame,
    name: 'boardgame.io, FlatFile',
    stores: 'files, written after the answer',
    // Else a file that a kill has torn ends the server when somebody asks for it.
    command: (port, folder) => [
      process.execPath,
      ...['--unhandled-rejections=none', file('boardgame.mjs'), port, folder],
    ],
  },
  memory: {
    ...boardgame,
    name: 'boardgame.io, as it comes',
    stores: 'in memory',
    command: (port) => [process.execPath, file('boardgame.mjs'), port],
  },
  colyseus,
};
