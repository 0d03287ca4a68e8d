import { expect, test } from 'vitest';
import { isLocal, linkTo } from './link';

test.each(['localhost', 'civ.localhost', '127.0.0.1', '127.1.2.3', '[::1]'])(
  '%s is this device',
  (host) => {
    expect(isLocal(host)).toBe(true);
  },
);

test.each(['192.168.1.20', 'example.org', 'localhost.example.org', '127.0.0.1.example.org'])(
  '%s is not',
  (host) => {
    expect(isLocal(host)).toBe(false);
  },
);

test('a link is the page with another ending', () => {
  expect(linkTo('#/table/k7w2', 'https://example.org/civ/?x=1#/lobby', null)).toBe(
    'https://example.org/civ/#/table/k7w2',
  );
});

test('at the server itself a link has the address for others, if there is one', () => {
  const page = 'http://localhost:8104/#/friends';
  expect(linkTo('#/table/k7w2', page, 'http://192.168.1.20:8104')).toBe(
    'http://192.168.1.20:8104/#/table/k7w2',
  );
  expect(linkTo('#/table/k7w2', page, 'http://192.168.1.20')).toBe(
    'http://192.168.1.20/#/table/k7w2',
  );
  expect(linkTo('#/table/k7w2', page, null)).toBe('http://localhost:8104/#/table/k7w2');
});

test('elsewhere the address by which somebody came is the right one', () => {
  expect(linkTo('#/table/k7w2', 'https://example.org/', 'http://192.168.1.20:8104')).toBe(
    'https://example.org/#/table/k7w2',
  );
});
