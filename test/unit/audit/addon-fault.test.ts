import { expect, test } from 'vitest';
import { ADDON_HELP, addonFault } from '../../../src/audit/addon-fault.ts';

const coded = (code: string, message: string): Error => Object.assign(new Error(message), { code });
const NOT_THERE = 'the compiled part of better-sqlite3 is not installed';

test.each<[name: string, error: unknown, message: string | null]>([
  ['no addon', new Error('Could not locate the bindings file. Tried:\n → /x'), NOT_THERE],
  ['no package', coded('MODULE_NOT_FOUND', "Cannot find module 'better-sqlite3'\nRequire stack:"), NOT_THERE],
  [
    'made for another Node',
    coded('ERR_DLOPEN_FAILED', "The module '/x/better_sqlite3.node'\nwas compiled against a different Node.js version"),
    "the compiled part of better-sqlite3 does not load: The module '/x/better_sqlite3.node' was compiled against a different Node.js version",
  ],
  ['another package', coded('MODULE_NOT_FOUND', "Cannot find module 'yaml'"), null],
  ['another addon', coded('ERR_DLOPEN_FAILED', "The module '/x/other.node'"), null],
  ['a full disk', coded('SQLITE_FULL', 'database or disk is full'), null],
  ['no error', undefined, null],
])('%s', (_, error, message) => {
  const fault = addonFault(error);
  expect(fault?.message ?? null).toBe(message);
  if (fault) expect([fault.code, fault.help]).toEqual(['store-addon-missing', ADDON_HELP]);
});
