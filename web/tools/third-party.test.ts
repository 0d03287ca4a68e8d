import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { noticeOf, written } from './third-party';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'civ-third-party-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const describePackage = (fields: object) =>
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '1.2.3', ...fields }));

test('a package has its name, version, licence and text', () => {
  describePackage({ name: 'one', license: 'MIT' });
  writeFileSync(join(folder, 'LICENCE.md'), 'Permission is hereby granted');
  expect(noticeOf(folder)).toEqual({
    name: 'one',
    version: '1.2.3',
    licence: 'MIT',
    text: 'Permission is hereby granted',
  });
});

test('a package without a licence, or without its text, fails the build', () => {
  describePackage({ name: 'one', license: 'MIT' });
  expect(() => noticeOf(folder)).toThrow('one 1.2.3 is in the page and has no licence');
  writeFileSync(join(folder, 'LICENSE'), 'Permission is hereby granted');
  describePackage({ name: 'one' });
  expect(() => noticeOf(folder)).toThrow('one 1.2.3 is in the page and has no licence');
});

test('packages with the same text share it', () => {
  const notice = { version: '1', licence: 'MIT', text: 'Permission is hereby granted\n' };
  const text = written(['one', 'two'].map((name) => ({ ...notice, name })));
  expect(text).toContain('one 1 (MIT)\ntwo 1 (MIT)\n\nPermission is hereby granted\n');
  expect(text.split('Permission')).toHaveLength(2);
});
