// The puzzles, which one comes next, and how the player does (docs/puzzles.md).
import type { Puzzling } from '../game/settings';
import lines from './puzzles.txt?raw';

export const PUZZLES = lines.trimEnd().split('\n');

const DAY = 86_400_000;
const STRIDE = 223; // a prime: each line has its day, and days that follow each other differ
const KEPT = { days: 7, seen: 200 };
const UP = 0.03;
const DOWN = 0.05;

// The day, by UTC: the same everywhere.
export const dayOf = (time: number): number => Math.floor(time / DAY);

export const ofDay = (day: number): number => (day * STRIDE) % PUZZLES.length;

// A puzzle keeps its name when others come or go.
export function nameOf(puzzle: string): string {
  let hash = 0;
  for (const letter of puzzle) hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) >>> 0;
  return hash.toString(36);
}

// The easiest first: by the level that finds it, then by the length of the answer.
const RANKED = PUZZLES.map((line, index) => {
  const answer = line.slice(line.search(/ (play|skip)/)).split(';')[0];
  return { index, hard: Number(line[0]) * 100 + answer.split(',').length };
})
  .sort((a, b) => a.hard - b.hard || a.index - b.index)
  .map(({ index }) => index);

// Of those that were not seen lately the one nearest to the player's strength.
export function nextFor({ strength, seen }: Puzzling): number {
  const wanted = strength * (RANKED.length - 1);
  const far = (place: number) => Math.abs(place - wanted);
  const places = RANKED.map((_, place) => place);
  const fresh = places.filter((place) => !seen.includes(nameOf(PUZZLES[RANKED[place]])));
  const from = fresh.length > 0 ? fresh : places;
  return RANKED[from.reduce((best, place) => (far(place) < far(best) ? place : best))];
}

// After the first try at a puzzle, which may be one's own day's.
export function afterTry(kept: Puzzling, index: number, right: boolean): Puzzling {
  const row = right ? kept.row + 1 : 0;
  return {
    ...kept,
    strength: Math.min(1, Math.max(0, kept.strength + (right ? UP : -DOWN))),
    row,
    best: Math.max(kept.best, row),
    seen: [...kept.seen, nameOf(PUZZLES[index])].slice(-KEPT.seen),
  };
}

export const afterDay = (kept: Puzzling, day: number): Puzzling =>
  kept.days.includes(day) ? kept : { ...kept, days: [...kept.days, day].slice(-KEPT.days) };
