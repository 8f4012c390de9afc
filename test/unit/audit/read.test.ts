import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { beforeAll, describe, expect, test } from 'vitest';
import { exportLines } from '../../../src/audit/read/export.ts';
import { openStore, type Store } from '../../../src/audit/read/store.ts';
import { Database } from '../../../src/audit/sqlite.ts';
import { openWriter } from '../../../src/audit/write/writer.ts';
import { GovError } from '../../../src/base/errors.ts';
import type { GovPaths } from '../../../src/base/gov-paths.ts';
import { filterOf } from '../../../src/cli/audit-query.ts';
import { RENDER, REPORT_FORMATS } from '../../../src/report/formats/index.ts';
import { numbersOf } from '../../../src/report/numbers.ts';
import { callOf, decisionOf, draftOf, hitOf, scratchPaths } from './draft.ts';

const START = Date.UTC(2026, 0, 5, 9);
const NOW = Date.UTC(2026, 0, 15);

function withFilled<T>(use: (store: Store, paths: GovPaths) => T): T {
  const paths = scratchPaths();
  const writer = openWriter(paths);
  const id = (n: number): string => `1ke6p0000${n}${'a'.repeat(10)}`;
  const add = (n: number, command: string, session: string, agent: string, over = {}): void => {
    const call = callOf(command, { session, agent, callId: `c-${command}` });
    writer.append(draftOf(command, { id: id(n), at: START + n * 3_600_000, call, ...over }));
  };
  const deny = {
    decision: decisionOf('deny', [hitOf('git.push-force'), hitOf('core.notice', 'warn')]),
    answer: 'deny',
  };
  add(1, 'git push', 'alpha', 'claude-code', deny);
  add(2, 'apply', 'alpha', 'codex', { decision: decisionOf('ask', [hitOf('infra.apply', 'ask')]), answer: 'ask' });
  add(3, 'apply', 'alpha', 'codex', { kind: 'outcome', facts: null, decision: null, answer: '' });
  add(4, 'ls', 'al%', 'claude-code', { decision: decisionOf('halt', [hitOf('core.stop', 'halt')]), answer: 'halt' });
  writer.close();
  const store = openStore(paths.database);
  try {
    return use(store, paths);
  } finally {
    store.close();
  }
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof GovError) return error.code;
    throw error;
  }
  return 'no error';
}

describe('filters', () => {
  test.each([
    [{}, [4, 3, 2, 1]],
    [{ decision: 'blocked' }, [4, 1]],
    [{ decision: 'ask, DENY' }, [2, 1]],
    [{ rule: 'git.push-force' }, [1]],
    [{ rule: 'core.notice' }, [1]],
    [{ rule: 'core.*' }, [4, 1]],
    [{ rule: '*.apply' }, [2]],
    [{ rule: 'push-force' }, []],
    [{ rule: 'git.push-forc?*' }, []],
    [{ agent: 'codex' }, [3, 2]],
    [{ session: 'alp' }, [3, 2, 1]],
    [{ session: 'al%' }, [4]],
    [{ session: 'lpha' }, []],
    [{ kind: 'outcome' }, [3]],
    [{ tool: 'Bash' }, [4, 3, 2, 1]],
    [{ tool: 'shell', program: 'git' }, [1]],
    [{ program: 'gi' }, []],
    [{ since: '2026-01-05T12:00Z' }, [4, 3]],
    [{ until: '2026-01-05 11:00' }, [1]],
    [{ since: 'yesterday' }, []],
    [{ since: '30d' }, [4, 3, 2, 1]],
  ])('%j', (flags, seqs) => {
    const rows = withFilled((store) => store.list(filterOf(flags, NOW), { limit: 10 }).rows);
    expect(rows.map((row) => row.seq)).toEqual(seqs);
  });

  test('what is no decision is refused', () => {
    expect(codeOf(() => filterOf({ decision: 'allow,maybe' }, NOW))).toBe('usage-decision');
  });
});

test('pages follow each other without gap or repetition, both ways', () => {
  withFilled((store) => {
    for (const order of ['newest', 'oldest'] as const) {
      const seen: number[] = [];
      let cursor: number | null = null;
      do {
        const page: ReturnType<Store['list']> = store.list({}, { limit: 2, order, cursor });
        seen.push(...page.rows.map((row) => row.seq));
        cursor = page.next;
      } while (cursor !== null);
      expect(seen).toEqual(order === 'newest' ? [4, 3, 2, 1] : [1, 2, 3, 4]);
    }
  });
});

describe('show', () => {
  test.each([
    ['1ke6p00002aaaaaaaaaa', 2],
    ['1ke6p00002', 2],
    ['1KE6P00002', 2],
    ['3', 3],
  ])('%s', (id, seq) => {
    expect(withFilled((store) => store.show(id).row.seq)).toBe(seq);
  });

  test.each([
    ['1ke6p', 'usage-ambiguous'],
    ['zzz', 'usage-no-record'],
    ['', 'usage-no-record'],
    ['99', 'usage-no-record'],
    ["' OR 1=1 --", 'usage-no-record'],
    ['%', 'usage-no-record'],
  ])('%j: %s', (id, code) => {
    withFilled((store) => expect(codeOf(() => store.show(id))).toBe(code));
  });

  test('joins decision and outcome of one call', () => {
    withFilled((store) => {
      expect(store.show('2')).toMatchObject({ related: [{ seq: 3 }], outcome: { kind: 'outcome' } });
      expect(store.show('3')).toMatchObject({ related: [{ seq: 2 }], outcome: null });
      expect(store.show('1')).toMatchObject({ related: [], outcome: null });
    });
  });
});

test.each(REPORT_FORMATS)('report as %s: same store, same bytes', (format) => {
  withFilled((store) => {
    const render = (): string => RENDER[format](numbersOf(store, {}, { govVersion: '0', top: 10, verification: null }));
    const text = render();
    expect(text).toContain('git.push-force');
    expect(render()).toBe(text);
  });
});

test('exports: each record once, in sequence, in every format', () => {
  withFilled((store) => {
    const text = (format: 'jsonl' | 'json' | 'csv'): string =>
      [...exportLines(store, {}, format)].map((piece) => piece.text).join('');
    const lines = text('jsonl')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines.map((line) => line.seq)).toEqual([1, 2, 3, 4]);
    expect(lines[1].prev_hash).toBe(lines[0].hash);
    expect(JSON.parse(text('json'))).toEqual(lines);
    const csv = text('csv').split('\r\n');
    expect(csv).toHaveLength(6);
    expect(csv[0]?.split(',').slice(0, 4)).toEqual(['seq', 'spooled', 'id', 'kind']);
    expect([...exportLines(store, {}, 'jsonl', 2)].map((piece) => piece.seq)).toEqual([1, 2]);
    expect([...exportLines(store, { agent: 'nobody' }, 'json')].map((piece) => piece.text).join('')).toBe('[\n]\n');
  });
});

describe('stores that can’t be read', () => {
  let file: string;
  beforeAll(() => {
    file = `${process.cwd()}/nowhere/audit.db`;
  });

  test('missing', () => {
    expect(codeOf(() => openStore(file))).toBe('store-missing');
    expect(existsSync(file)).toBe(false);
  });

  test.each([
    ['junk', 'store-unreadable', (path: string) => writeFileSync(path, 'junk '.repeat(1000))],
    ['cut short', 'store-unreadable', (path: string) => writeFileSync(path, 'SQLite format 3\u0000')],
    [
      'newer',
      'store-newer',
      (path: string) => {
        const db = new Database(path);
        db.pragma('user_version=99');
        db.close();
      },
    ],
    [
      'not ours',
      'store-foreign',
      (path: string) => {
        rmSync(path);
        const db = new Database(path);
        db.exec('CREATE TABLE x (y)');
        db.close();
      },
    ],
  ])('%s: %s', (_, code, spoil) => {
    withFilled((store, paths) => {
      store.close();
      for (const end of ['-wal', '-shm']) rmSync(paths.database + end, { force: true });
      spoil(paths.database);
      expect(codeOf(() => openStore(paths.database))).toBe(code);
    });
  });
});
