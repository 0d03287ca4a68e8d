// What players have said to each other, as a record keeps it, and what of it the log notes. What
// it means is for the engine to say.
import type { GameRecord, News, Said, Talk } from '../engine/types';
import type { Note } from './scene';

const fields = (talk: Talk): string => JSON.stringify(Object.entries(talk).sort());

export const isSameTalk = (a: Talk, b: Talk): boolean => fields(a) === fields(b);

export const talkOf = (record: GameRecord): Said[] => record.comments?.talk ?? [];

const having = (record: GameRecord, talk: Said[]): GameRecord =>
  talk.length > 0 || record.comments
    ? { ...record, comments: { ...record.comments, talk } }
    : record;

export const withSaid = (record: GameRecord, said: Said): GameRecord =>
  having(record, [...talkOf(record), said]);

const SILENCE = { talk: [] };

// To look at how it stands between players, even if nothing was said yet. As long as nothing is, it
// is the same record to the engine, which goes on from what it has seen.
export const toldWithTalk = (record: GameRecord): GameRecord =>
  record.comments?.talk ? record : { ...record, comments: SILENCE };

// As it was after so many actions.
export const talkUntil = (record: GameRecord, at: number): GameRecord =>
  having(
    record,
    talkOf(record).filter((said) => said.at <= at),
  );

// After actions were taken back: what was said stays said.
export function talkKept(record: GameRecord): GameRecord {
  const { length } = record.actions;
  const talk = talkOf(record);
  if (talk.every((said) => said.at <= length)) return record;
  return having(
    record,
    talk.map((said) => ({ ...said, at: Math.min(said.at, length) })),
  );
}

export type Tied = Extract<Note, { mark: string }>;

export const notesOf = (news: News[]): Tied[] =>
  news.map(({ at, what, line }) => ({ at, line, mark: what === 'broken' ? 'knot-cut' : 'knot' }));
