// T-06: padding hides a command or exhausts the analysis.
import { expect, test } from 'vitest';
import { judge } from '../support/judge.ts';

const BAD = 'rm -rf /home/dev/work';
const PADDED: readonly (readonly [string, string])[] = [
  ['a megabyte of arguments before it', `echo ${'a '.repeat(500_000)}; ${BAD}`],
  ['a megabyte of comment before it', `# ${'x'.repeat(1_000_000)}\n${BAD}`],
  ['ten thousand commands before it', `${'true; '.repeat(10_000)}${BAD}`],
  ['ten thousand commands after it', `${BAD}; ${'true; '.repeat(10_000)}`],
  ['a long here-document before it', `cat <<'EOF' > notes.md\n${'line\n'.repeat(100_000)}EOF\n${BAD}`],
  ['many blanks', `ls${'\t'.repeat(10_000)}; ${BAD}`],
];

test.each(PADDED)('%s', (_, command) => {
  expect(judge(command).answer).toBe('deny');
});

const NESTED: readonly (readonly [string, string])[] = [
  ['five hundred subshells', `${'('.repeat(500)}${BAD}${')'.repeat(500)}`],
  ['five hundred substitutions', `${'echo $('.repeat(500)}${BAD}${')'.repeat(500)}`],
];

test.each(NESTED)('%s', (_, command) => {
  expect(judge(command).answer).not.toBe('allow');
});
