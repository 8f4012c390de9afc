import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Filter } from '../../../src/audit/read/filter.ts';
import { querySql, VIEWS } from '../../../src/audit/read/sql.ts';
import { openStore, type Store } from '../../../src/audit/read/store.ts';
import { openWriter } from '../../../src/audit/write/writer.ts';
import { govPaths } from '../../../src/base/gov-paths.ts';
import type { Facts } from '../../../src/model/facts.ts';
import { numbersOf } from '../../../src/report/numbers.ts';
import { callOf, decisionOf, draftOf, factsOf, hitOf } from './draft.ts';

const AT = Date.UTC(2026, 0, 5, 9);
let root: string;
let store: Store;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'gov-search-'));
  const paths = govPaths({ GOV_HOME: root });
  const writer = openWriter(paths);
  const add = (command: string, real: string, over: object = {}): void => {
    const call = callOf(command, over);
    const facts = factsOf(call, command.split(' '));
    const files: Facts['files'] = facts.files.map((file) => ({ ...file, real }));
    writer.append(draftOf(command, { at: AT, call, facts: { ...facts, files } }));
  };
  add('rm build', '/src/shop/build');
  add('rm build/a.js', '/src/shop/build/a.js');
  add('rm rebuild', '/src/shop/rebuild');
  add('echo "50% \\done"', '/src/other/[x]/a.js');
  const result = { text: 'Ünlike any_other', exitCode: 0, failed: false, interrupted: false, durationMs: 1 };
  add('make', '/tmp/x', { result });
  const hit = hitOf('git.push-force', 'deny', { message: 'in the trace alone' });
  const denied = { ...decisionOf('deny', [hit]), reason: 'because of "quotes"' };
  writer.append(draftOf('ls', { at: AT, decision: denied, answer: 'deny' }));
  writer.close();
  store = openStore(paths.database);
});
afterAll(() => {
  store.close();
  rmSync(root, { recursive: true, force: true });
});

describe('by path and by text', () => {
  test.each<readonly [Filter, readonly number[]]>([
    [{ path: '/src/shop/build' }, [1, 2]],
    [{ path: '/src/shop/build/' }, [1, 2]],
    [{ path: 'build' }, [1, 2, 6]],
    [{ path: './build' }, [1, 2, 6]],
    [{ path: 'build/a.js' }, [2]],
    [{ path: 'a.js' }, [2, 4]],
    [{ path: '*.js' }, [2, 4]],
    [{ path: '/src/*/a.js' }, [2, 4]],
    [{ path: '/src/other/[x]' }, [4]],
    [{ path: '/src/other/x' }, []],
    [{ path: '/src' }, [1, 2, 3, 4]],
    [{ path: '/' }, [1, 2, 3, 4, 5, 6]],
    [{ path: 'uild' }, []],
    [{ text: 'rm' }, [1, 2, 3]],
    [{ text: 'REBUILD' }, [3]],
    [{ text: '50% \\d' }, [4]],
    [{ text: '"50%' }, [4]],
    [{ text: '5_%' }, []],
    [{ text: 'Ünlike any_other' }, [5]],
    [{ text: 'any-other' }, []],
    [{ text: 'of "quotes"' }, [6]],
    [{ text: 'in the trace alone' }, []],
    [{ text: 'rm', path: 'rebuild' }, [3]],
  ])('%j', (filter, seqs) => {
    expect([...store.each(filter)].map((row) => row.seq)).toEqual(seqs);
    const report = numbersOf(store, filter, { govVersion: '0', top: 5, verification: null });
    expect(report.totals.records).toBe(seqs.length);
  });
});

describe('SQL', () => {
  test('every view can be read, and has the columns that are written down', () => {
    for (const view of VIEWS)
      expect(querySql(store, `SELECT * FROM ${view.name}`, 100).columns, view.name).toEqual(
        view.columns.map(([name]) => name),
      );
  });

  test.each<readonly [string, readonly unknown[]]>([
    ["SELECT seq, command FROM decisions WHERE answer = 'deny'", [[6, 'ls']]],
    ["SELECT count(*) FROM files WHERE path GLOB '/src/shop/*'", [[3]]],
    ['SELECT rule, effect, severity, decided FROM rules', [['git.push-force', 'deny', 'high', 1]]],
    ['WITH d AS (SELECT * FROM decisions) SELECT max(seq) FROM d;', [[6]]],
    ['select distinct program from commands order by 1', [['echo'], ['ls'], ['make'], ['rm']]],
    ['SELECT time FROM decisions LIMIT 1', [['2026-01-05 09:00:00']]],
  ])('%s', (sql, rows) => {
    expect(querySql(store, sql, 100).rows).toEqual(rows);
  });

  test('rows end at the limit', () => {
    expect(querySql(store, 'SELECT seq FROM decisions ORDER BY seq', 2)).toMatchObject({
      rows: [[1], [2]],
      more: true,
    });
    expect(querySql(store, 'SELECT seq FROM decisions', 6).more).toBe(false);
  });

  test.each([
    'DELETE FROM records',
    "UPDATE records SET rule = ''",
    'DROP TRIGGER records_stay',
    "INSERT INTO meta VALUES ('a', 'b') RETURNING key",
    "ATTACH '/tmp/x.db' AS x",
    "VACUUM INTO '/tmp/gov-should-not-be.db'",
    'PRAGMA query_only = OFF',
    'PRAGMA user_version',
    'CREATE TEMP TABLE x (a)',
    'SELECT 1; SELECT 2',
    "WITH x AS (SELECT 1) INSERT INTO meta SELECT 'a', 'b' FROM x RETURNING key",
    "SELECT load_extension('x')",
    'SELECT * FROM nowhere',
    'SELEC 1',
    '',
  ])('refused: %s', (sql) => {
    expect(() => querySql(store, sql, 10)).toThrow(expect.objectContaining({ code: 'usage-sql' }));
    expect(store.ends().last).toBe(6);
  });
});
