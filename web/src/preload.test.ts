import { beforeEach, expect, test, vi } from 'vitest';

// As much of a document as there has to be.
class Link {
  rel = '';
  href = '';
  onload = () => {};
  onerror = () => {};
  replaceWith(other: Link) {
    head[head.indexOf(this)] = other;
  }
}
let head: Link[] = [];
let load: (...needed: string[]) => Promise<string>;

beforeEach(async () => {
  head = [];
  vi.stubGlobal('document', {
    createElement: () => new Link(),
    head: { append: (link: Link) => head.push(link) },
  });
  vi.resetModules();
  const { __vitePreload } = await import('./preload');
  load = (...needed) => __vitePreload(async () => 'loaded', needed, 'http://localhost/assets/a.js');
});

const names = () => head.map(({ rel, href }) => `${rel} ${href.split('/').at(-1)}`);

test('what is imported comes with its styles, and all of it is asked for once', async () => {
  const first = load('./b.js', './b.css');
  const second = load('./b.js', './b.css');
  let done = false;
  void second.then(() => {
    done = true;
  });
  await new Promise((resolve) => setTimeout(resolve));
  expect(done).toBe(false); // without its styles
  expect(names()).toEqual(['modulepreload b.js', 'stylesheet b.css']);
  head[1].onload();
  expect(await Promise.all([first, second])).toEqual(['loaded', 'loaded']);
  expect(await load('./b.css')).toBe('loaded');
  expect(head).toHaveLength(2);
});

test('a style that does not come is asked for again, in its place, by whoever needs it', async () => {
  const both = [load('./b.css'), load('./b.css', './c.css')];
  const [b, c] = head;
  b.onerror();
  c.onload();
  expect((await Promise.allSettled(both)).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ]);
  expect(await load('./c.css')).toBe('loaded');
  expect(head).toEqual([b, c]);
  const again = [load('./b.css'), load('./b.css')];
  expect(names()).toEqual(['stylesheet b.css', 'stylesheet c.css']);
  expect(head[0]).not.toBe(b);
  head[0].onload();
  expect(await Promise.all(again)).toEqual(['loaded', 'loaded']);
});
