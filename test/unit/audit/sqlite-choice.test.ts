import { expect, test } from 'vitest';
import { sqliteFor } from '../../../src/audit/sqlite-choice.ts';

const missing = Object.assign(new Error('not there'), { code: 'MODULE_NOT_FOUND' });
const broken = Object.assign(new Error('wrong binary'), { code: 'ERR_DLOPEN_FAILED' });

test.each([
  ['20.19.0', null, 'better-sqlite3', true],
  ['22.12.0', null, 'better-sqlite3-13', false],
  ['24.21.0', null, 'better-sqlite3-13', false],
  ['24.21.0', missing, 'better-sqlite3', true],
])('Node %s, version 13 %o: %s', (node, fault, name, wantsAddon) => {
  const chosen = sqliteFor(node, (wanted) => {
    if (fault && wanted === 'better-sqlite3-13') throw fault;
    return wanted;
  });
  expect(chosen).toEqual({ Database: name, wantsAddon });
});

test('a version 13 that is there and broken is not passed over', () => {
  expect(() =>
    sqliteFor('24.21.0', () => {
      throw broken;
    }),
  ).toThrow('wrong binary');
});
