// What the main thread of a page did while something happened, from Chromium's own trace.
import type { Page } from '@playwright/test';

export interface Work {
  // The longest task, in milliseconds of processor time, which a busy machine does not stretch.
  longest: number;
  longestWall: number;
  total: number; // processor time of all tasks
  wall: number; // how long it was watched
  restyled: number; // elements, at most at once
}

interface Event {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  dur?: number;
  tdur?: number;
  args: { name?: string; elementCount?: number };
}

export async function watchMain(page: Page, happens: () => Promise<void>): Promise<Work> {
  const browser = page.context().browser()!;
  const begin = performance.now();
  await browser.startTracing(page, {
    categories: [
      'toplevel',
      '__metadata',
      'devtools.timeline',
      'disabled-by-default-cpu_profiler.nothing',
    ],
  });
  await happens();
  const wall = performance.now() - begin;
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as {
    traceEvents: Event[];
  };
  const mains = new Set(
    traceEvents
      .filter((one) => one.name === 'thread_name' && one.args.name === 'CrRendererMain')
      .map((one) => `${one.pid}/${one.tid}`),
  );
  const tasks = traceEvents.filter(
    (one) => one.ph === 'X' && one.name.endsWith('RunTask') && mains.has(`${one.pid}/${one.tid}`),
  );
  const cpu = tasks.map((one) => (one.tdur ?? one.dur ?? 0) / 1000);
  return {
    longest: Math.max(0, ...cpu),
    longestWall: Math.max(0, ...tasks.map((one) => (one.dur ?? 0) / 1000)),
    total: cpu.reduce((sum, one) => sum + one, 0),
    wall,
    restyled: Math.max(0, ...traceEvents.map((one) => one.args?.elementCount ?? 0)),
  };
}
