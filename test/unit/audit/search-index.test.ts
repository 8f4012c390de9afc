import { copyFileSync, existsSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { openStore, type Store } from '../../../src/audit/read/store.ts';
import { Database } from '../../../src/audit/sqlite.ts';
import { eraseBodies } from '../../../src/audit/tend/erase.ts';
import { planPrune, prune } from '../../../src/audit/tend/prune.ts';
import { dropSearchIndex, openSearchIndex, searchIndexFile } from '../../../src/audit/tend/search-index.ts';
import { openWriter } from '../../../src/audit/write/writer.ts';
import type { GovPaths } from '../../../src/base/gov-paths.ts';
import { callOf, decisionOf, draftOf, scratchPaths } from './draft.ts';

const AT = Date.UTC(2026, 0, 5);
let paths: GovPaths;
let file: string;

beforeEach(() => {
  paths = scratchPaths();
  file = searchIndexFile(paths);
});

function append(...commands: readonly string[]): void {
  const writer = openWriter(paths);
  for (const command of commands) writer.append(draftOf(command, { at: AT, call: callOf(command, { callId: null }) }));
  writer.close();
}

function withStore<T>(use: (store: Store) => T): T {
  const store = openStore(paths.database);
  try {
    return use(store);
  } finally {
    store.close();
  }
}

/** Extends the index and asks it. */
function candidates(text: string, from = 1): readonly number[] | null {
  return withStore((store) => {
    const index = openSearchIndex(store, file);
    if (index === null) return null;
    index.extend(from);
    const found = index.candidates(text, from);
    index.close();
    return found;
  });
}

test.each<readonly [string, readonly number[] | null]>([
  ['curl', [1, 3]],
  ['CURL', [1, 3]],
  ['url -s', [1]],
  ['"quoted"', [2]],
  ['50% \\d', [2]],
  ['é語\u{1f600}', [3]],
  ['nowhere', []],
  ['cu', null],
  ['', null],
  ['a\0bc', null],
])('%j', (text, seqs) => {
  append('curl -s https://a.example', 'echo "quoted" 50% \\done', 'curl é語\u{1f600}x');
  expect(candidates(text)).toEqual(seqs);
});

test('it takes in what came since, and further back only where that is asked for', () => {
  append('first thing', 'second thing');
  expect(candidates('thing', 2)).toEqual([2]);
  // The first is not in it: it can't tell about that.
  withStore((store) => {
    const index = openSearchIndex(store, file);
    expect(index?.missing(1)).toBe(1);
    expect(index?.candidates('thing', 1)).toBeNull();
    index?.close();
  });
  append('third thing');
  expect(candidates('thing', 3)).toEqual([3]);
  expect(candidates('thing', 1)).toEqual([1, 2, 3]);
});

test('progress is told to the end', () => {
  append(...Array.from({ length: 12 }, (_, i) => `echo ${i}`));
  const told: (readonly [number, number])[] = [];
  withStore((store) => {
    const index = openSearchIndex(store, file);
    index?.extend(1, (done, all) => told.push([done, all]));
    index?.close();
  });
  expect(told.at(-1)).toEqual([12, 12]);
});

test('the file is for its owner alone, and holds no text', () => {
  append('a-word-that-is-long-enough');
  candidates('word');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readFileSync(file).includes('a-word-that')).toBe(false);
});

describe('an index that is none, or not of this store, is made anew', () => {
  test.each<readonly [string, () => void]>([
    ['no database', () => writeFileSync(file, 'x'.repeat(5000))],
    ['cut short', () => writeFileSync(file, readFileSync(file).subarray(0, 6000))],
    ['another chain', () => change("UPDATE meta SET value = 'x' WHERE key = 'chain'")],
    ['another version', () => change("UPDATE meta SET value = 99 WHERE key = 'version'")],
  ])('%s', (_, spoil) => {
    append('curl x', 'ls');
    expect(candidates('curl')).toEqual([1]);
    spoil();
    expect(candidates('curl')).toEqual([1]);
  });

  function change(sql: string): void {
    const db = new Database(file);
    db.exec(sql);
    db.close();
  }
});

test('two that extend it at once take in each record once', () => {
  append('curl x', 'curl y');
  const a = openStore(paths.database);
  const b = openStore(paths.database);
  const [one, two] = [openSearchIndex(a, file), openSearchIndex(b, file)];
  one?.extend(1);
  two?.extend(1);
  expect([one?.candidates('curl', 1), two?.candidates('curl', 1)]).toEqual([
    [1, 2],
    [1, 2],
  ]);
  for (const open of [one, two, a, b]) open?.close();
});

describe('what is taken out of the store is taken out of the index', () => {
  test('an erased record', () => {
    append('echo zebra-crossing', 'ls');
    expect(candidates('zebra')).toEqual([1]);
    const entry = withStore((store) => store.show('1'));
    eraseBodies(paths, entry, { now: AT, by: 'dev', reason: 'x' });
    expect(existsSync(file)).toBe(false);
    expect(candidates('zebra')).toEqual([]);
    expect(pieces().filter((piece) => 'zebra-crossing'.includes(piece))).toEqual([]);
  });

  test('a pruned record', () => {
    append('echo zebra-crossing', 'ls');
    expect(candidates('zebra')).toEqual([1]);
    const now = AT + 10 * 86_400_000;
    const plan = withStore((store) => planPrune(store, { keep: 1 }, now));
    prune(paths, plan, { now, by: 'dev' });
    expect(existsSync(file)).toBe(false);
    expect(candidates('zebra')).toEqual([]);
    expect(pieces().filter((piece) => 'zebra-crossing'.includes(piece))).toEqual([]);
  });

  /** Every three-letter piece that the index holds. */
  function pieces(): string[] {
    const db = new Database(file);
    db.exec('CREATE VIRTUAL TABLE temp.v USING fts5vocab(main, said, row)');
    const terms = db.prepare('SELECT term FROM temp.v').pluck().all() as string[];
    db.close();
    return terms;
  }
});

describe('after an older copy of the store was put back', () => {
  const copy = (): string => `${paths.database}.copy`;
  const keep = (): void => copyFileSync(paths.database, copy());
  const putBack = (): void => {
    for (const end of ['-wal', '-shm']) rmSync(`${paths.database}${end}`, { force: true });
    copyFileSync(copy(), paths.database);
  };

  test('other records stand under the same numbers', () => {
    append('echo first');
    keep();
    append('curl zebra', 'curl zebra');
    expect(candidates('zebra')).toEqual([2, 3]);
    putBack();
    expect(candidates('zebra')).toEqual([]);
    append('ls', 'curl zebra', 'ls');
    expect(candidates('zebra')).toEqual([3]);
  });

  test('and that one is longer by now', () => {
    append('echo first');
    keep();
    append('curl zebra');
    expect(candidates('zebra')).toEqual([2]);
    putBack();
    append('ls', 'curl zebra');
    expect(candidates('zebra')).toEqual([3]);
  });
});

test('a symbolic link in its place is taken away, and what it leads to stays', () => {
  append('echo zebra');
  const other = `${file}.other`;
  writeFileSync(other, 'precious');
  symlinkSync(other, file);
  expect(candidates('zebra')).toBeNull();
  eraseBodies(
    paths,
    withStore((store) => store.show('1')),
    { now: AT, by: 'dev', reason: 'x' },
  );
  expect(existsSync(file)).toBe(false);
  expect(readFileSync(other, 'utf8')).toBe('precious');
  symlinkSync('/nonexistent/x', file);
  dropSearchIndex(file);
  expect(existsSync(file)).toBe(false);
});

test('one that is dropped is overwritten first, and need not be there', () => {
  append('curl x');
  candidates('curl');
  const open = new Database(file, { readonly: true });
  dropSearchIndex(file);
  expect(() => open.prepare('SELECT * FROM meta').all()).toThrow();
  open.close();
  dropSearchIndex(file);
});

const letters = fc.constantFrom(
  'a',
  'A',
  'b',
  'k',
  '\u212a',
  'é',
  'É',
  'ß',
  '語',
  '\u{1f600}',
  ' ',
  '"',
  "'",
  '\\',
  '%',
  '_',
  '*',
  '\n',
  '\0',
  '\u001b',
  '1',
  '.',
  '-',
  '{',
  ':',
);
const words = fc
  .array(fc.oneof(letters, fc.string({ unit: 'binary', maxLength: 2 })), { maxLength: 12 })
  .map((l) => l.join(''));

test('with the index and without it the same is found', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(words, words, words), { minLength: 1, maxLength: 6 }),
      words,
      fc.nat(),
      (calls, other, pick) => {
        paths = scratchPaths();
        file = searchIndexFile(paths);
        const writer = openWriter(paths);
        for (const [command, text, reason] of calls) {
          const result = { text, exitCode: 0, failed: false, interrupted: false, durationMs: 1 };
          const input = { command, deep: { list: [1.5, true, null, text] } };
          const call = callOf(command, { result, input, rawTool: reason });
          writer.append(draftOf(command, { at: AT, call, decision: { ...decisionOf('allow'), reason } }));
        }
        writer.close();
        const all = calls.flat();
        const whole = all[pick % all.length] ?? '';
        const piece = whole.slice(pick % 3, (pick % 3) + 3 + (pick % 5));
        withStore((store) => {
          const index = openSearchIndex(store, file);
          index?.extend(1);
          for (const text of [piece, piece.toUpperCase(), piece.toLowerCase(), whole, other, '1.5', 'true']) {
            const seqs = (among?: readonly number[]): number[] =>
              [...store.each(among === undefined ? { text } : { text, among })].map((row) => row.seq);
            const named = index?.candidates(text, 1) ?? null;
            if (named !== null) expect(seqs(named), JSON.stringify([text, calls])).toEqual(seqs());
          }
          index?.close();
        });
      },
    ),
    { numRuns: 120 },
  );
}, 60_000);
