// What a browser remembers when somebody has played with this version of the page, as JSON: the
// entries of its localStorage, and those of its database as `games/ID` and `summaries/ID`: node
// tools/run.mjs tools/browser-store.ts FILE (tests/fixtures/README.md). The games are played by
// bots and written by the page's own code.
import { readFileSync, writeFileSync } from 'node:fs';
import type { Config, GameRecord, Look } from '../src/engine/types';
import { readSettings, writeSettings } from '../src/game/settings';
import type { Seat } from '../src/game/setup';
import { createStore, newGame, standsOf, tableGame } from '../src/game/store';
import { load } from '../tests/engine';

const engine = load('civ');
const bots = load('bots');

const entries = new Map<string, string>();
const keep = (key: string, text: string) => void entries.set(key, text);
const store = createStore(
  {
    list: async () => [],
    read: async () => null,
    remove: async () => {},
    write: async (id, game, summary) => {
      keep(`games/${id}`, game);
      keep(`summaries/${id}`, summary);
    },
  },
  null,
  null,
);
let now = Date.UTC(2026, 10, 16, 18);
Date.now = () => (now += 60_000);

const look = (record: GameRecord, seat: number | null): Look =>
  engine.look({ record, seat, you: true });

// Goes on with a record until it has so many actions, or is over.
function played(record: GameRecord, most: number): GameRecord {
  const actions = [...record.actions];
  for (;;) {
    const { view } = look({ ...record, actions }, null);
    if (view.result || actions.length === most) return { ...record, actions, result: view.result };
    const mine = look({ ...record, actions }, view.seat).view;
    actions.push(bots.think({ view: mine, bot: 'greedy', seed: actions.length }).action);
  }
}

function dealt(config: Partial<Config>, seed: number): GameRecord {
  const rules = { players: 2, setup: 'basic', edition: 'en', teams: false, ...config };
  return engine.look({ deal: rules, seed }).record;
}

async function kept(id: string, record: GameRecord, seats: Seat[], names: string[]): Promise<void> {
  const game = newGame(record, { seats, names });
  const stands = standsOf(look(record, game.viewer).guide, game.viewer);
  await store.save({ ...game, id, stands });
}

await kept(
  'running',
  played(dealt({ players: 3 }, 1), 40),
  ['human', 'level3', 'level5'],
  ['', 'Bran', 'Chiara'],
);
await kept(
  'finished',
  played(dealt({ edition: 'fr' }, 2), 10_000),
  ['human', 'level8'],
  ['Ștefan', 'Mei'],
);
await kept(
  'draft',
  played(dealt({ players: 4, setup: 'draft', teams: true, edition: 'es' }, 3), 6),
  ['human', 'level1', 'level2', 'level6'],
  ['Ana', 'Noor', 'Remus', 'Yara'],
);
await kept(
  'several',
  played(dealt({ players: 3, edition: 'pt' }, 4), 25),
  ['human', 'human', 'level4'],
  ['Ana', 'Zoë', 'Kofi'],
);

// At a table of a server, with two people's numbers in its deal.
const [deal] = JSON.parse(`${readFileSync('../tests/fair-deal.json')}`).filter(
  ({ players, randoms }: { players: number; randoms: (string | null)[] }) =>
    players === 3 && randoms[0] && randoms[1] && !randoms[2],
);
const { hash, secret, randoms } = deal;
const { first, deck } = deal;
const online = played({ ...dealt({ players: 3 }, 5), first, deck: deck.split(' ') }, 10_000);
const answer = tableGame(
  'k7w2m9',
  { ...online, comments: { deal: { hash, secret, randoms } } },
  { seats: ['human', 'human', 'level4'], names: ['Ana', 'Ben', ''], viewer: 0, pacts: true },
  () => null,
);
if (!answer.ok) throw new Error(answer.error.key);
await store.save(answer.game);

const settings = readSettings(null);
const table = {
  players: 4,
  levels: [2, 5, 8],
  setup: 'draft',
  teams: true,
  edition: 'ro',
  name: 'Ana',
  seats: ['human', 'human', 'level4', 'level7'],
  names: ['Ana', 'Zoë', '', ''],
} as const;
keep(
  'civ.settings',
  writeSettings(
    readSettings(
      JSON.stringify({
        ...settings,
        version: 1,
        theme: 'dark',
        pace: 'fast',
        autoEnd: false,
        sounds: true,
        hints: false,
        shortcuts: false,
        notify: true,
        table,
        online: {
          ...settings.online,
          players: 4,
          clock: 'quick',
          absence: 120,
          takeover: 6,
          bot: 7,
          listed: true,
          spectators: false,
          takebacks: 'turn',
          edition: 'fr',
        },
      }),
    ),
  ),
);
keep('civ.language', 'ro');
// Who one is on a server is in a cookie that no script can read; here is only that one was there.
keep('civ.online', '1');
keep('civ.deals', JSON.stringify({ k7w2m9: { hash, random: randoms[0], seen: true } }));
keep('civ.deleted', JSON.stringify(['p3x8q1']));

writeFileSync(process.argv[3], `${JSON.stringify(Object.fromEntries(entries), null, 1)}\n`);
