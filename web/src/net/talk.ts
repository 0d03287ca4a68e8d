// Talk at a table.

import { t } from '../text/text.svelte';
import { server } from './api';
import type { OnlineTable } from './table.svelte';
import type { Line } from './types';

// Quick phrases are read by everybody in their own language.
export const phrase = (key: string): string => t(`phrase.${key}` as 'phrase.hello');
const isKnown = (key: string) => phrase(key) !== `phrase.${key}`; // a newer server may have more
export const wordsOf = (line: Pick<Line, 'text' | 'phrase'>): string =>
  line.text ?? (isKnown(line.phrase!) ? phrase(line.phrase!) : '…');

// What one hears: all but those who are muted.
export const heard = (chat: Line[], muted: string[]): Line[] =>
  chat.filter((line) => !muted.includes(line.person.id));

// What others have said after line number `seen`.
export function unreadOf(table: Pick<OnlineTable, 'chat' | 'muted' | 'me'>, seen: number): Line[] {
  return heard(table.chat, table.muted).filter(
    (line) => line.n > seen && line.person.id !== table.me?.id,
  );
}

let phrases: Promise<string[]> | null = null;

// The quick phrases that the server knows; none as long as it cannot be asked.
export async function quickPhrases(): Promise<string[]> {
  phrases ??= server().then((answer) =>
    answer.ok ? answer.value.phrases : Promise.reject(answer.error),
  );
  try {
    return (await phrases).filter(isKnown);
  } catch {
    phrases = null;
    return [];
  }
}
