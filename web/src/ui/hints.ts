import type { Judgement } from '../bots/pool';

// Of what was looked at most, the likeliest to win first, as the chances are shown.
export function bestOf(
  judgements: Judgement[],
  seat: number,
): { action: string; chance: number }[] {
  return judgements
    .slice(0, 3)
    .map(({ action, chances }) => ({ action, chance: chances[seat] }))
    .sort((a, b) => b.chance - a.chance);
}
