import { expect, test } from 'vitest';
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
