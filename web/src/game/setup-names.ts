import { t } from '../text/text.svelte';
import type { Seat } from './setup';

// The names of a table, with words for people who gave none.
export function namesOf({ seats, names }: { seats: Seat[]; names: string[] }): string[] {
  const alone = seats.filter((seat) => seat === 'human').length === 1;
  const unnamed = (seat: number) => (alone ? t('options.you') : t('options.player', { number: seat + 1 }));
  return seats.map((seat, i) => names[i] || (seat === 'human' ? unnamed(i) : t('options.bot', { number: i + 1 })));
}
