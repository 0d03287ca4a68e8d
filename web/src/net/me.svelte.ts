// Who this browser is on the server, its tables there, and where it is its turn: for tables that
// are not looked at just now.
import { settings } from '../game/settings.svelte';
import { botNames, listed } from '../game/setup-names';
import { sound } from '../game/sounds';
import { t } from '../text/text.svelte';
import { type Answer, enter, enterByCode, ownTables, whoAmI } from './api';
import { badge, notify } from './notice';
import type { Person, Summary } from './types';

const KEY = 'civ.online'; // has this browser been here?
const SEEN = 10_000; // milliseconds from one question to the next
const HIDDEN = 30_000;
const SOON = 4_000; // after a game, when a rematch is likely
const FRESH = 10 * 60_000; // so long

class Me {
  person = $state.raw<Person | null>(null);
  tables = $state.raw<Summary[]>([]); // newest first, without those that are over
  now = $state(0); // time of service when they were told
  joins = ''; // the table at which a chair is wanted as soon as it is there
  open = $state.raw<{ id: string; turn: boolean } | null>(null); // the table that this tab shows
  away = $state(false); // nobody looks at this tab
}
export const me = new Me();

// Tables that one has left before the game: whoever made one still has it on the server.
const LEFT = 'civ.left';
const KEPT = 50;

function leftTables(): string[] {
  try {
    const ids: unknown = JSON.parse(localStorage.getItem(LEFT) ?? '[]');
    return Array.isArray(ids) ? ids.filter((id) => typeof id === 'string') : [];
  } catch {
    return [];
  }
}

// It is one's own again with a chair there.
export function leftTable(id: string): void {
  me.tables = me.tables.filter((table) => table.id !== id);
  try {
    const others = leftTables().filter((one) => one !== id);
    localStorage.setItem(LEFT, JSON.stringify([...others, id].slice(-KEPT)));
  } catch {
    // then it is listed
  }
}

export const isUnderWay = ({ status }: Summary): boolean =>
  status === 'waiting' || status === 'dealing' || status === 'running';

export function seatOf(table: Summary, person: Person | null = me.person): number | null {
  const seat = table.chairs.findIndex((chair) => chair.person?.id === person?.id && !chair.left);
  return person === null || seat < 0 ? null : seat;
}

export function isMyTurn(table: Summary, person: Person | null = me.person): boolean {
  const seat = seatOf(table, person);
  return table.status === 'running' && seat !== null && (table.waits ?? []).includes(seat);
}

export function namesAt({ chairs }: Summary): string[] {
  const bots = botNames(chairs.map(({ person, bot }) => (person ? null : bot)));
  return chairs.map(({ person }, seat) => person?.name ?? bots[seat] ?? '');
}

// Everybody else at the table.
export const othersAt = (table: Summary, person: Person | null = me.person): string[] =>
  namesAt(table).filter((name, seat) => name && seat !== seatOf(table, person));

export function beenOnline(): boolean {
  try {
    return localStorage.getItem(KEY) !== null;
  } catch {
    return false;
  }
}

function remember(answer: Answer<{ person: Person }>): Answer<{ person: Person }> {
  if (answer.ok) me.person = answer.value.person;
  else if (answer.status === 401) me.person = null;
  try {
    if (me.person) localStorage.setItem(KEY, '1');
    else if (!answer.ok && answer.status === 401) localStorage.removeItem(KEY);
  } catch {
    // then the start page does not ask for tables
  }
  return answer;
}

// Who I am, asked once.
export async function known(): Promise<Answer<{ person: Person }>> {
  return me.person ? { ok: true, value: { person: me.person } } : remember(await whoAmI());
}

export function forget(): void {
  me.person = null;
  me.tables = [];
  fresh = false;
}

// Also under another name.
export async function introduce(
  name: string,
  password?: string,
): Promise<Answer<{ person: Person }>> {
  const answer = remember(await enter(name, password));
  if (answer.ok) settings.table.name = name;
  return answer;
}

// As the person whose code it is.
export async function becomeBy(code: string): Promise<Answer<{ person: Person }>> {
  const answer = await enterByCode(code);
  if (!answer.ok) return answer; // whoever this was before
  forget();
  return remember(answer);
}

let timer: ReturnType<typeof setTimeout> | undefined;
let fresh = false; // a game has just ended
// Tables at which it is my turn, as said; null: nothing asked yet.
let told: Set<string> | null = null;

// Asks for the own tables now, and again from time to time as long as a game is under way, or a
// rematch may come.
export async function refresh(): Promise<Answer<unknown>> {
  clearTimeout(timer);
  const who = await known();
  if (!who.ok) {
    if (who.status !== 401 && (me.tables.length > 0 || fresh)) again();
    return who;
  }
  const answer = await ownTables();
  clearTimeout(timer);
  if (answer.ok) {
    me.now = answer.value.now ?? 0;
    fresh = answer.value.tables.some(
      ({ status, changed }) => status === 'over' && me.now - changed < FRESH,
    );
    const left = leftTables();
    me.tables = answer.value.tables
      .filter((table) => isUnderWay(table) && (seatOf(table) !== null || !left.includes(table.id)))
      .sort((a, b) => Number(isMyTurn(b)) - Number(isMyTurn(a)));
    announce();
  } else if (answer.status === 401) {
    forget();
  }
  if (me.tables.length > 0 || fresh) again();
  return answer;
}

function again(): void {
  timer = setTimeout(refresh, document.visibilityState === 'hidden' ? HIDDEN : fresh ? SOON : SEEN);
}

// Once for each time that it becomes my turn; what was so when the page was opened can be seen.
function announce(): void {
  const mine = me.tables.filter((table) => isMyTurn(table));
  for (const table of mine)
    if (told && !told.has(table.id) && table.id !== me.open?.id) tell(table.id, othersAt(table));
  // What the open table has not told yet it tells itself.
  const open = told && me.open && !told.has(me.open.id) ? me.open.id : null;
  told = new Set(mine.map(({ id }) => id).filter((id) => id !== open));
}

function tell(id: string, others: string[]): void {
  sound('turn');
  if (settings.notify) void notify(id, t('table.title-turn'), listed(others));
}

// At how many tables it is my turn. The one that is open says so itself.
const elsewhere = () =>
  me.tables.filter((table) => isMyTurn(table) && table.id !== me.open?.id).length;

// The table that this tab shows says whether it is my turn there.
export function myTurn(on: boolean, id: string): void {
  if (me.open?.id !== id) return; // it is being left
  const before = me.open.turn;
  me.open = { id, turn: on };
  if (before && !on) told?.delete(id);
  if (!on || before) return;
  const knew = told?.has(id); // who comes by a notification
  told?.add(id);
  if (!knew && document.visibilityState === 'hidden' && settings.notify) {
    const table = me.tables.find((one) => one.id === id);
    void notify(id, t('table.title-turn'), table ? listed(othersAt(table)) : '');
  }
}

export function opened(id: string): void {
  me.open = { id, turn: false };
}

export function notOpen(id: string): void {
  if (me.open?.id === id) me.open = null;
  void refresh();
}

// Once, when the start page is there.
export function watchTurns(): void {
  $effect.root(() => {
    $effect(() => badge(elsewhere(), elsewhere() + Number(me.away && me.open?.turn === true)));
  });
  const look = () => (me.away = document.visibilityState === 'hidden');
  look();
  document.addEventListener('visibilitychange', () => {
    if (!look() && beenOnline()) void refresh();
  });
  if (beenOnline()) void refresh();
}
