// The server's HTTP part: who one is, and which tables there are. Errors are messages, for the
// player to read.
import type { GameRecord, Message, View } from '../engine/types';
import type { Person, ServerInfo, Story, Summary, TableOptions, Tables } from './types';

export type Answer<T> = { ok: true; value: T } | { ok: false; error: Message; status: number };

// Beside the page, wherever that is.
export const API = new URL('api/v1/', document.baseURI);

async function ask<T>(method: string, path: string, body?: object): Promise<Answer<T>> {
  try {
    const response = await fetch(new URL(path, API), {
      method,
      headers: body ? { 'Content-Type': 'application/json' } : {},
      body: body ? JSON.stringify(body) : undefined,
      cache: 'no-store',
    });
    const value = response.status === 204 ? null : await response.json();
    if (response.ok) return { ok: true, value };
    return { ok: false, error: value.error, status: response.status };
  } catch {
    // No network, or what answers is not our server.
    return { ok: false, error: { key: 'online.unreachable', args: {} }, status: 0 };
  }
}

export const server = () => ask<ServerInfo>('GET', 'server');
export const whoAmI = () => ask<{ person: Person }>('GET', 'session');
// A guest gives a name; the same again changes it.
export const enter = (name: string, password?: string) =>
  ask<{ person: Person }>('POST', 'session', { name, ...(password ? { password } : {}) });
export const leave = () => ask<null>('DELETE', 'session');
export const openTables = () => ask<Tables>('GET', 'tables');
export const ownTables = () => ask<Tables>('GET', 'tables?mine');
export const tableOf = (id: string) => ask<Summary>('GET', `tables/${encodeURIComponent(id)}`);
export const makeTable = (options: Partial<TableOptions>) =>
  ask<{ table: string }>('POST', 'tables', options);
export const recordOf = (id: string) =>
  ask<GameRecord>('GET', `tables/${encodeURIComponent(id)}/record`);
// A code with which another device goes on as the same person.
export const codeForDevice = () =>
  ask<{ code: string; seconds: number }>('POST', 'session/code', {});
export const enterByCode = (code: string) => ask<{ person: Person }>('POST', 'session', { code });
// What happened in so many actions from the beginning on.
export const storyOf = (id: string, to: number) =>
  ask<Story>('GET', `tables/${encodeURIComponent(id)}/story?to=${to}`);
// What one saw after so many actions.
export const viewAt = (id: string, at: number) =>
  ask<{ view: View }>('GET', `tables/${encodeURIComponent(id)}/view?at=${at}`);
