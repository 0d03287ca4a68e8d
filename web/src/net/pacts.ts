// The pacts of a table, of which a server tells the last news.
import type { Pacts } from '../engine/types';

// Before anything was said.
export const NO_PACTS: Pacts = {
  ids: 0,
  offers: [],
  pacts: [],
  broken: [],
  repeated: [],
  news: [],
};

// With the earlier news that are known from before.
export function withNews(known: Pacts | null, told: Pacts): Pacts {
  const [first] = told.news;
  const earlier = first ? (known?.news.filter(({ at }) => at < first.at) ?? []) : [];
  return { ...told, news: [...earlier, ...told.news] };
}
