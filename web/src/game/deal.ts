// What the record of a game from a server says of its deal (docs/fair-deal.md). net/fair.ts checks
// it.
export interface Deal {
  hash: string;
  secret: string;
  randoms: (string | null)[]; // by seat
}

const isNumber = (value: unknown): value is string =>
  typeof value === 'string' && /^[0-9a-f]{64}$/.test(value);

// Null if nothing can be checked: a game from elsewhere, or a part is missing or misspelt.
export function dealIn(comments: unknown, players: number): Deal | null {
  const { hash, secret, randoms } =
    (comments as { deal?: Partial<Deal> } | null | undefined)?.deal ?? {};
  if (
    !isNumber(hash) ||
    !isNumber(secret) ||
    /^0*$/.test(secret) ||
    !Array.isArray(randoms) ||
    randoms.length !== players
  )
    return null;
  return randoms.every((random) => random === null || isNumber(random))
    ? { hash, secret, randoms }
    : null;
}
