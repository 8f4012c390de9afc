import { describe, expect, it } from 'vitest';
import { known } from '../../../src/model/value.ts';
import { scanAwk } from '../../../src/programs/awk-program.ts';
import { scanEx } from '../../../src/programs/ex-commands.ts';
import { foldPerl, insertedByPerl } from '../../../src/programs/in-place.ts';
import { foldJq } from '../../../src/programs/jq-fold.ts';
import { scanPowerShell } from '../../../src/programs/powershell-scan.ts';
import { formatPrintf } from '../../../src/programs/printf-format.ts';
import { foldSed, insertedBySed } from '../../../src/programs/sed-fold.ts';
import { scanSed } from '../../../src/programs/sed-script.ts';
import { xargsWords } from '../../../src/programs/split-value.ts';
import { classifyStatements } from '../../../src/programs/sql.ts';
import { tokenizeSql } from '../../../src/programs/sql-tokens.ts';
import { trSet } from '../../../src/programs/text-folds.ts';
import { scanCmd } from '../../../src/programs/windows.ts';

const SIZE = 60_000;
const PIECES = [
  'a',
  '[',
  '(',
  '/',
  '\\',
  '"',
  "'",
  ';',
  '\n',
  's/a/',
  'w x\n',
  '| ',
  '> ',
  '$(',
  '`',
  '%s',
  '!',
  '{',
  '$.*',
  'print ',
  'getline < ',
  ' ',
  '<#',
  "f('x','y'), ",
  "execute 'x' || ",
];

const SCANNERS: readonly (readonly [string, (text: string) => unknown])[] = [
  ['sed program', (text) => scanSed(text)],
  ['sed fold', (text) => foldSed('s/^.*a$/b/g', text)],
  ['sed fold program', (text) => foldSed(text, 'a')],
  ['sed fold of sets', (text) => foldSed('s/^\\([a-z ]*\\)x.*$/\\1/g', text)],
  ['sed insertions', (text) => insertedBySed(text)],
  ['perl fold', (text) => foldPerl('s/a+b*c/d/', text)],
  ['perl fold program', (text) => foldPerl(text, 'a')],
  ['perl insertions', (text) => insertedByPerl(text)],
  ['jq program', (text) => foldJq(text, '{"a":1}', new Map())],
  ['jq document', (text) => foldJq('.a = 1', text, new Map())],
  ['awk program', (text) => scanAwk(text)],
  ['ex commands', (text) => scanEx(text, 'vim')],
  ['PowerShell text', (text) => scanPowerShell(text, '/home/dev')],
  ['cmd line', (text) => scanCmd(text, '/home/dev')],
  ['SQL', (text) => classifyStatements(tokenizeSql(`select ${text}`, 'psql').statements)],
  ['printf format', (text) => formatPrintf(text, [known('a')])],
  ['tr set', (text) => trSet(text)],
  ['words of xargs', (text) => xargsWords(known(text))],
];

describe('scanners of program text take linear time', () => {
  it.each(SCANNERS)('%s', (_name, scan) => {
    for (const piece of PIECES) {
      const text = piece.repeat(Math.ceil(SIZE / piece.length));
      const start = performance.now();
      scan(text);
      expect(performance.now() - start, piece).toBeLessThan(1500);
    }
  });
});
