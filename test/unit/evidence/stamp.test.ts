import { mkdtempSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { stampOf } from '../../../src/evidence/stamp.ts';

const dir = mkdtempSync(join(tmpdir(), 'gov-stamp-'));
afterAll(() => rmSync(dir, { recursive: true }));
const path = join(dir, 'a');

it.each<[string, () => void]>([
  ['writing', () => writeFileSync(path, 'two')],
  ['a time', () => utimesSync(path, 1, 1)],
  [
    'a file put in its place',
    () => {
      writeFileSync(`${path}.new`, 'one');
      renameSync(`${path}.new`, path);
    },
  ],
  ['its removal', () => rmSync(path)],
])('%s changes it', (_name, change) => {
  writeFileSync(path, 'one');
  const before = stampOf(path);
  expect(stampOf(path)).toBe(before);
  change();
  expect(stampOf(path)).not.toBe(before);
});

it.each([
  ['a path that is not whole', 'a', null],
  ['a file that is not there', join(dir, 'none'), ''],
  ['a path through a file', '/etc/passwd/x', null],
  ['a name that is no path', '/a\0b', null],
])('%s', (_name, of, want) => {
  expect(stampOf(of)).toBe(want);
});
