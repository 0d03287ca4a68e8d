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

// To look at how it stands between players, even if nothing was said yet.
export const toldWithTalk = (record: GameRecord): GameRecord => ({
  ...record,
  comments: { talk: talkOf(record) },
});

// As it was after so many actions.
export const talkUntil = (record: GameRecord, at: number): GameRecord =>
  having(
    record,
    talkOf(record).filter((said) => said.at <= at),
  );

// After actions were taken back: what was said stays said.
export const talkKept = (record: GameRecord): GameRecord =>
  having(
    record,
    talkOf(record).map((said) => ({ ...said, at: Math.min(said.at, record.actions.length) })),
  );

export type Tied = Extract<Note, { mark: string }>;

export const notesOf = (news: News[]): Tied[] =>
  news.map(({ at, what, line }) => ({ at, line, mark: what === 'broken' ? 'knot-cut' : 'knot' }));
