// The log of a long game is no longer on the page than that of a short one.
import { render } from 'svelte/server';
import { beforeAll, expect, test, vi } from 'vitest';
import type { Told } from '../engine/types';
import type { Scene } from '../game/scene';
import { setLanguage } from '../text/text.svelte';
import Log from './Log.svelte';

beforeAll(async () => {
  vi.stubGlobal('document', { documentElement: {} });
  await setLanguage('en');
});

const told = (begin: number) =>
  ({ begin, end: begin + 1, seat: 0, effect: null, lines: [] }) as unknown as Told;

function written(length: number, looked?: number | null): { lines: number; html: string } {
  const story = Array.from({ length }, (_, i) => told(i));
  const headings = story.map(({ begin }) => ({
    begin,
    heading: { key: 'story.turn', args: { turn: begin, round: 1, you: 'yes', name: '' } },
  }));
  const scene = { story, headings, names: ['Ada'] } as unknown as Scene;
  const html = render(Log, {
    props: { scene, marked: looked == null ? looked : story[looked] },
  }).body;
  return { lines: html.match(/<li/g)!.length, html };
}

test('has at most so many lines, however long the game is', () => {
  const most = Math.max(...[30, 60, 79].map((length) => written(length).lines));
  for (let length = 80; length < 700; length += 13)
    expect(written(length).lines, `${length} told`).toBeLessThanOrEqual(most + 1);
});

test('writes the newest, and what is looked at with what came before it', () => {
  expect(written(300).html).toContain('>Turn 299,');
  const { html } = written(300, 100);
  expect(html).toContain('aria-current="step"');
  for (const turn of [61, 100, 299]) expect(html).toContain(`>Turn ${turn},`);
});

test('begins at the beginning where that is looked at', () => {
  const { html } = written(300, null);
  expect(html).toContain('>Turn 0,');
  expect(html).not.toContain('<button');
});

test('offers what came earlier, where there is more', () => {
  expect(written(30).html).not.toContain('<button');
  expect(written(300).html).toContain('<button');
});
