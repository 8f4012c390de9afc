import { chmodSync, chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { durationOf, readElevationSettings } from '../../../src/grants/approvers.ts';

const HOUR = 3_600_000;
const KEY = `${'A'.repeat(43)}=`;
let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gov-settings-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true, force: true });
});

function settings(user: unknown, machine: unknown) {
  const write = (name: string, value: unknown): string => {
    const file = join(dir, name);
    if (value !== null) writeFileSync(file, typeof value === 'string' ? value : JSON.stringify(value), { mode: 0o600 });
    return file;
  };
  write('elevation.json', user);
  return readElevationSettings({ config: dir }, write('machine.json', machine));
}

test.each([
  ['90s', 90_000],
  ['10m', 600_000],
  ['2 h', 2 * HOUR],
  ['1D', 24 * HOUR],
  ['0m', null],
  ['10', null],
  ['-1m', null],
  ['1m30s', null],
])('%s is %s', (text, ms) => {
  expect(durationOf(text)).toBe(ms);
});

const isRoot = process.getuid?.() === 0;

describe.skipIf(!isRoot)('the machine’s file bounds that of the user', () => {
  const ann = { name: 'ann', key: KEY };
  test.each([
    [null, null, 8 * HOUR, []],
    [{ max: '1h' }, null, HOUR, []],
    [{ max: '1h' }, { max: '2h' }, HOUR, []],
    [{ max: '3h' }, { max: '2h' }, 2 * HOUR, []],
    [{ max: '5d' }, null, 8 * HOUR, []],
    [{ approvers: [ann] }, null, 8 * HOUR, ['ann']],
    [{ approvers: [ann] }, { approvers: [] }, 8 * HOUR, []],
    [{ approvers: [] }, { approvers: [ann] }, 8 * HOUR, ['ann']],
  ])('%j below %j', (user, machine, maxMs, names) => {
    const found = settings(user, machine);
    expect([found.maxMs, found.approvers.map((item) => item.name)]).toEqual([maxMs, names]);
  });

  test('one that is not root’s is refused', () => {
    const machine = join(dir, 'machine.json');
    writeFileSync(machine, '{}');
    chownSync(machine, 12_345, 12_345);
    expect(() => readElevationSettings({ config: dir }, machine)).toThrowError(
      expect.objectContaining({ code: 'policy-elevation' }),
    );
  });
});

test.each([
  ['not JSON', '{'],
  ['no object', '[]'],
  ['a typing error', { maximum: '1h' }],
  ['no duration', { max: 'long' }],
  ['no key', { approvers: [{ name: 'ann', key: 'abc' }] }],
  ['no name', { approvers: [{ key: KEY }] }],
])('%s is refused: nothing is lifted on a guess', (_, user) => {
  expect(() => settings(user, null)).toThrowError(expect.objectContaining({ code: 'policy-elevation' }));
});

test('a file that others can write is refused', () => {
  writeFileSync(join(dir, 'elevation.json'), '{}');
  chmodSync(join(dir, 'elevation.json'), 0o666);
  expect(() => readElevationSettings({ config: dir }, join(dir, 'none'))).toThrowError('others may write');
});
