import { expect, test, vi } from 'vitest';
import { later, takeOver } from './turns';

test('each part of the start page has a task of its own', async () => {
  const seen: string[] = [];
  const pause = async () => void seen.push('pause');
  later(() => seen.push('head'));
  later(() => {
    seen.push('form');
    later(() => seen.push('more')); // a part may have parts
  });
  await takeOver(pause);
  expect(seen).toEqual(['pause', 'head', 'pause', 'form', 'pause', 'more', 'pause']);
});

test('a part that fails is reported, and the others come all the same', async () => {
  const reported = vi.fn();
  vi.stubGlobal('reportError', reported);
  const seen: string[] = [];
  const broken = new Error('broken');
  later(() => {
    throw broken;
  });
  later(() => seen.push('form'));
  await takeOver(async () => {});
  expect(seen).toEqual(['form']);
  expect(reported).toHaveBeenCalledExactlyOnceWith(broken);
});
