import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

interface Manifest {
  readonly commands: Readonly<Record<string, { readonly summary?: string; readonly examples?: readonly unknown[] }>>;
}

/** What stands before an example's command in the help. */
const INDENT = 4;
const WIDTH = 80;

test('summaries and examples fit into a terminal of 80 columns', () => {
  const { commands } = JSON.parse(readFileSync(join(ROOT, 'oclif.manifest.json'), 'utf8')) as Manifest;
  const long = Object.entries(commands).flatMap(([id, { summary = '', examples = [] }]) => [
    ...(summary.length > WIDTH ? [`${id}: ${summary}`] : []),
    ...examples
      .flatMap((example) => String(example).replaceAll('<%= config.bin %>', 'gov').split('\n'))
      .filter((line) => line.length + INDENT > WIDTH)
      .map((line) => `${id}: ${line}`),
  ]);
  expect(Object.keys(commands).length).toBeGreaterThan(40);
  expect(long).toEqual([]);
});
