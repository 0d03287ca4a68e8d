import { afterEach, expect, test, vi } from 'vitest';

const LINK = 'http://192.168.1.7/#/table/k7w2';
const refuse = (name: string) => vi.fn(() => Promise.reject(new DOMException('', name)));

// A browser that has some of what can be used, and what was done with it.
function browser(navigator: object, copies: boolean) {
  const field = { style: {}, select: vi.fn(), remove: vi.fn() };
  const told = vi.fn();
  vi.stubGlobal('navigator', navigator);
  vi.stubGlobal('prompt', told);
  vi.stubGlobal('document', {
    baseURI: 'http://192.168.1.7/',
    activeElement: null,
    body: { append: vi.fn() },
    createElement: () => field,
    execCommand: () => copies,
  });
  return { field, told };
}

const share = async () => (await import('./share')).share(LINK, 'CIV');

afterEach(() => vi.unstubAllGlobals());

test('a link goes by what the device has for that', async () => {
  const native = vi.fn(() => Promise.resolve());
  browser({ share: native }, false);
  expect(await share()).toBe('shared');
  expect(native).toHaveBeenCalledExactlyOnceWith({ url: LINK, title: 'CIV' });
});

test('who thinks better of it finds nothing copied', async () => {
  const writeText = vi.fn();
  browser({ share: refuse('AbortError'), clipboard: { writeText } }, true);
  expect(await share()).toBe('shared');
  expect(writeText).not.toHaveBeenCalled();
});

test('else it is copied, also where the device refuses to share', async () => {
  for (const more of [{}, { share: refuse('NotAllowedError') }]) {
    const writeText = vi.fn(() => Promise.resolve());
    browser({ ...more, clipboard: { writeText } }, false);
    expect(await share()).toBe('copied');
    expect(writeText).toHaveBeenCalledExactlyOnceWith(LINK);
  }
});

test('without https it is copied the old way, or shown', async () => {
  const old = browser({}, true);
  expect(await share()).toBe('copied');
  expect(old.field).toMatchObject({ value: LINK });
  expect(old.field.remove).toHaveBeenCalled();
  const none = browser({ clipboard: { writeText: refuse('NotAllowedError') } }, false);
  expect(await share()).toBe('shown');
  expect(none.told).toHaveBeenCalledExactlyOnceWith('CIV', LINK);
});
