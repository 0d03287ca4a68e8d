// The game of a finished table: looked back at, and kept on the devices of those who played it.
import { fault, loadEngine, look } from '../engine/engine';
import type { GameRecord, View } from '../engine/types';
import { type Game, load, remove, save, tableGame } from '../game/store';
import { type Answer, recordOf, tableOf, whoAmI } from './api';
import { knownDeal, rememberDeal } from './deals';
import type { OnlineTable } from './table.svelte';
import type { GameState, TableState } from './types';

const KEY = 'civ.deleted'; // tables whose games are not wanted here
const MOST = 200;

function deleted(): string[] {
  try {
    const tables = JSON.parse(localStorage.getItem(KEY) ?? '[]');
    return Array.isArray(tables) ? tables : [];
  } catch {
    return [];
  }
}

// For good: it does not come back when its table is opened again.
export async function discard({ id, table }: Pick<Game, 'id' | 'table'>): Promise<void> {
  await remove(id);
  if (!table) return;
  try {
    localStorage.setItem(KEY, JSON.stringify([...deleted().slice(1 - MOST), table]));
  } catch {
    // No room, or not allowed: then nothing is kept anyway.
  }
}

async function take(
  table: string,
  record: GameRecord,
  { chairs, options }: Pick<TableState, 'chairs' | 'options'>,
  me: string | undefined,
): Promise<Answer<Game>> {
  await loadEngine();
  const sits = chairs.findIndex(({ person }) => person !== null && person.id === me);
  const sat = {
    // Who left has played, too.
    seats: chairs.map(({ person, bot }) => (person || !bot ? 'human' : bot)),
    names: chairs.map(({ person }) => person?.name ?? ''),
    viewer: sits < 0 ? null : sits,
    pacts: options.pacts === true,
  };
  const answer = tableGame(table, record, sat, fault);
  if (!answer.ok) return { ...answer, status: 200 };
  // Where it cannot be saved, it lasts as long as the page.
  if (sits >= 0 && !deleted().includes(table)) await save(answer.game);
  return { ok: true, value: answer.game };
}

async function kept(table: string): Promise<Answer<Game> | null> {
  const game = await load(table);
  return game?.table === table ? { ok: true, value: game } : null;
}

// When the game at an open table is over.
export async function keep(table: OnlineTable): Promise<Answer<Game>> {
  const known = await kept(table.id);
  if (known) return known;
  const record = await recordOf(table.id);
  if (!record.ok) return record;
  const answer = await take(table.id, record.value, table.state, table.me?.id);
  const deal = knownDeal(table.id);
  if (deal && table.seat !== null && table.game)
    rememberDeal(table.id, { ...deal, seen: tells(record.value, table.seat, table.game) });
  return answer;
}

// Whether a record is that of the game that was seen at the table: the same was done, and the same
// cards are held. From another deck, other cards would have come to this hand. How it is told does
// not matter: the server may be newer than this page.
export function tells(record: GameRecord, seat: number, game: GameState): boolean {
  const last = look({ record, seat });
  if (!last.ok || record.actions.length !== game.actions) return false;
  const done = game.log.every((action, i) => isSame(record.actions[game.from + i], action));
  return done && cardsOf(last.view, seat) === cardsOf(game.view, seat);
}

// What others keep or give back unseen is told as its back: "give ?2".
function isSame(action: string, told: string): boolean {
  return action === told || action.replace(/ [MRESCU](?=\d$)/, ' ?') === told;
}

function cardsOf({ hands, tables, discard }: View, seat: number): string {
  const hand = hands[seat];
  const own = 'cards' in hand ? hand.cards : [];
  return [own, ...tables, discard].map((cards) => [...cards].sort().join(' ')).join();
}

// By a link: perhaps from somebody who was never here.
export async function gameOf(id: string): Promise<Answer<Game>> {
  await loadEngine();
  const known = await kept(id);
  if (known) return known;
  const [record, table, who] = await Promise.all([recordOf(id), tableOf(id), whoAmI()]);
  if (!record.ok) return record;
  return table.ok
    ? take(id, record.value, table.value, who.ok ? who.value.person.id : undefined)
    : table;
}
