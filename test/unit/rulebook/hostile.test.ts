import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { compilePolicy } from '../../../src/rulebook/compile.ts';
import { printFinding } from '../../../src/rulebook/finding.ts';
import { readSources } from '../../../src/rulebook/source-files.ts';

const many = (n: number, of: (i: number) => string, between = '\n'): string =>
  Array.from({ length: n }, (_, i) => of(i)).join(between);
const HEAD = 'apiVersion: gov/v1\nkind: Rules\nmetadata: { name: p }\n';
const LIBRARY = 'apiVersion: gov/v1\nkind: Library\nmetadata: { name: p }\n';

/** Files of up to 2 MB that once took from half a minute to hours, or ended in a stack overflow. */
test.each<[name: string, text: string, code: string, message: RegExp]>([
  ['keys of a map', many(150_000, (i) => `k${i}: 1`), 'yaml-syntax', /more than 2000 keys/],
  ['anchors', many(100_000, (i) => `k${i}: &a${i} 1`), 'yaml-syntax', /more than 2000 keys/],
  ['unknown keys of a kind', HEAD + many(150_000, (i) => `k${i}: 1`), 'yaml-syntax', /more than 2000 keys/],
  ['the same key', HEAD + many(100_000, () => 'a: 1'), 'yaml-syntax', /more than 2000 keys|unique/],
  ['documents', '---\n'.repeat(300_000), 'yaml-syntax', /more than 1000 documents/],
  ['documents of no kind', 'a: 1\n---\n'.repeat(100_000), 'yaml-syntax', /more than 1000 documents/],
  ['tags', many(150_000, () => '- !x 1'), 'yaml-syntax', /tag of YAML/],
  [
    'items of a list',
    `${LIBRARY}lists:\n  a: { items: [${many(400_000, () => 'x', ',')}] }`,
    'duplicate-item',
    /twice/,
  ],
  ['brackets', `a: ${'['.repeat(200_000)}`, 'yaml-syntax', /./],
  [
    'macros',
    many(
      15,
      (j) =>
        LIBRARY.replace('p }', `p${j} }`) +
        `macros: { ${many(1000, (i) => `k${j}_${i}: { params: { x: string }, expr: "true" }`, ', ')} }\n`,
      '---\n',
    ),
    'wrong-value',
    /more than 1000 macros/,
  ],
])(
  'too many %s: told, and soon',
  (_, text, code, message) => {
    const { findings } = compilePolicy([{ path: 'a.yaml', text, layer: 'project' }]);
    expect(findings[0]).toMatchObject({ code, message: expect.stringMatching(message), severity: 'error' });
    expect(findings.length).toBeLessThan(2500);
  },
  20_000,
);

test('a key that stands twice is shown where it stands', () => {
  const { findings } = compilePolicy([{ path: 'a.yaml', text: `${HEAD}rules: []\nmetadata: { name: q, name: r }\n` }]);
  expect(findings.map(({ code, message, at }) => [code, message, at.line, at.column])).toEqual([
    ['yaml-syntax', 'map keys must be unique', 5, 1],
    ['yaml-syntax', 'map keys must be unique', 5, 22],
  ]);
});

test('a file whose name would act on a terminal', () => {
  const { findings } = compilePolicy([{ path: 'a\u001b[2J\u202e\n.yaml', text: 'a: 1\n' }]);
  expect(findings.map(printFinding).join('\n').split('\n')[1]).toBe(' --> a\\x1b[2J\\u202e\\n.yaml:1:1');
});

describe('files', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'gov-sources-'));
    mkdirSync(join(dir, 'sub'));
    writeFileSync(join(dir, 'sub', 'a.yaml'), 'a: 1\n');
  });
  afterEach(() => rmSync(dir, { recursive: true, force: true }));

  test('directories that lead back to themselves are read once', () => {
    for (const name of ['x', 'y', 'z']) symlinkSync('.', join(dir, 'sub', name));
    symlinkSync('..', join(dir, 'sub', 'up'));
    expect(readSources([dir]).map(({ path }) => path)).toEqual([join(dir, 'sub', 'a.yaml')]);
  });

  test('a pipe among them is refused, not waited for', () => {
    execFileSync('mkfifo', [join(dir, 'sub', 'b.yaml')]);
    expect(() => readSources([dir])).toThrow(/b\.yaml` is not a plain file/);
  });
});
