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

// With the earlier news that are known from before. What is told begins among the last of them; if
// it does not, because something was taken back or missed, its first moment says what is earlier.
export function withNews(known: Pacts | null, told: Pacts): Pacts {
  const [first] = told.news;
  if (!known || !first) return told;
  const both = overlap(known.news, told.news);
  const earlier =
    both > 0 ? known.news.slice(0, -both) : known.news.filter(({ at }) => at < first.at);
  return { ...told, news: [...earlier, ...told.news] };
}

// How many of the last of one list are the first of the other.
function overlap(known: object[], told: object[]): number {
  const [last, first] = [known, told].map((list) => list.map((one) => JSON.stringify(one)));
  let both = Math.min(last.length, first.length);
  while (last.slice(last.length - both).some((one, i) => one !== first[i])) both--;
  return both;
}
