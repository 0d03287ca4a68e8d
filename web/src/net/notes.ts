// What happened at a table beside the rules, in words: who has left, is back, or has taken back.
import type { Note } from '../game/scene';
import { t } from '../text/text.svelte';
import type { OnlineTable } from './table.svelte';
import type { Absence } from './types';
import { winnersWithout } from './who';

type Known = Pick<OnlineTable, 'state' | 'names' | 'me'>;

// Whether the game ended with that departure, the last there was.
function ends({ state }: Known, seat: number): boolean {
  if (state.status === 'running') return winnersWithout(state, seat).length > 0;
  const last = state.notes?.findLast(({ type }) => type === 'leave');
  return state.result?.by === 'forfeit' && (!last || last.seat === seat);
}

// Also what that means for the game, unless it is over.
export function departure(table: Known, seat: number, why: Absence, over = false): string {
  const mine = table.state.chairs[seat].person?.id === table.me?.id;
  const has = mine ? t(`live.left-own-${why}`) : t(`live.left-${why}`, { name: table.names[seat] });
  return over || ends(table, seat) ? has : `${has} ${t('live.bot-plays')}`;
}

export const notesOf = (table: Known): Note[] =>
  (table.state.notes ?? []).map(({ at, type, seat, why }) => ({
    at,
    say: () => {
      if (type === 'leave') return departure(table, seat, why!);
      return type === 'return'
        ? t('live.returned', { name: table.names[seat] })
        : t('live.taken-back');
    },
  }));
