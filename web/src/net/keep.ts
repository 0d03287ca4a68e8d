// The game of a finished table: looked back at, and kept on the devices of those who played it.
import { fault, loadEngine, look } from '../engine/engine';
import type { GameRecord } from '../engine/types';
import { type Game, load, remove, save, tableGame } from '../game/store';
import { type Answer, recordOf, tableOf, whoAmI } from './api';
import { knownDeal, rememberDeal } from './deals';
import type { OnlineTable } from './table.svelte';
import type { Chair } from './types';

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
export function discard({ id, table }: Game): void {
  remove(id);
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
  chairs: Chair[],
  me: string | undefined,
): Promise<Answer<Game>> {
  await loadEngine();
  const sits = chairs.findIndex(({ person }) => person !== null && person.id === me);
  const sat = {
    // Who left has played, too.
    seats: chairs.map(({ person, bot }) => (person || !bot ? 'human' : bot)),
    names: chairs.map(({ person }) => person?.name ?? ''),
    viewer: sits < 0 ? null : sits,
  };
  const answer = tableGame(table, record, sat, fault);
  if (!answer.ok) return { ...answer, status: 200 };
  // Where it cannot be saved, it lasts as long as the page.
  if (sits >= 0 && !deleted().includes(table)) save(answer.game);
  return { ok: true, value: answer.game };
}

function kept(table: string): Answer<Game> | null {
  const game = load(table);
  return game?.table === table ? { ok: true, value: game } : null;
}

// When the game at an open table is over.
export async function keep(table: OnlineTable): Promise<Answer<Game>> {
  const known = kept(table.id);
  if (known) return known;
  const record = await recordOf(table.id);
  if (!record.ok) return record;
  const answer = await take(table.id, record.value, table.state.chairs, table.me?.id);
  const deal = knownDeal(table.id);
  if (deal && table.seat !== null)
    rememberDeal(table.id, { ...deal, seen: tells(record.value, table) });
  return answer;
}

// Whether a record is that of the game that was seen at the table: from another deck, other cards
// would have come to this hand.
function tells(record: GameRecord, table: OnlineTable): boolean {
  const seen = table.game;
  if (!seen) return false;
  const told = look({ record, seat: table.seat, you: true, from: seen.from });
  return told.ok && JSON.stringify(told.story) === JSON.stringify(seen.story);
}

// By a link: perhaps from somebody who was never here.
export async function gameOf(id: string): Promise<Answer<Game>> {
  await loadEngine();
  const known = kept(id);
  if (known) return known;
  const [record, table, who] = await Promise.all([recordOf(id), tableOf(id), whoAmI()]);
  if (!record.ok) return record;
  return table.ok
    ? take(id, record.value, table.value.chairs, who.ok ? who.value.person.id : undefined)
    : table;
}
