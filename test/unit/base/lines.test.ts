import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { linesOf } from '../../../src/base/lines.ts';

const dir = mkdtempSync(join(tmpdir(), 'gov-lines-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Longer than one read, with characters of more than one byte on every boundary. */
const LONG = `a${'ü€😀'.repeat(400_000)}`;

test.each<readonly [string, string, readonly string[]]>([
  ['nothing', '', []],
  ['a last line without its end', 'a\nb', ['a', 'b']],
  ['empty lines', '\n\na\n', ['', '', 'a']],
  ['a line longer than what is read at once', `${LONG}\nb\n`, [LONG, 'b']],
])('%s', (_, content, lines) => {
  const file = join(dir, 'x');
  writeFileSync(file, content);
  expect([...linesOf(file)]).toEqual(lines);
});
