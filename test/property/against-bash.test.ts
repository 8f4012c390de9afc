import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { programs } from '../../src/programs/index.ts';
import { analyseShell } from '../../src/shell/analyse.ts';
import { fixtureWorld } from '../../src/world/fixture.ts';
import { overlay } from '../../src/world/overlay.ts';
import { SNIPPETS } from '../cases/shell/snippets.ts';
import { runs } from './runs.ts';

// Text that nobody would write, and what the real shell makes of it: each name that bash looks a program up by must be
// among the commands that the analysis found, or some command or the text itself must count as unknown. There is no
// program that bash could find here: PATH is empty, and texts that name paths or end processes are left out.

/** Nothing of it may reach beyond the scratch directory, whatever it is cut into. */
const SAFE = SNIPPETS.filter((text) => !/\/|~|kill|exec|ulimit|HOME|BIN|PWD|set -[nu]|enable|hash/.test(text));

/** Stretches that change what the text around them is. */
const BITS = [
  ...["'", '"', '\\', '\n', ';', '&', '&&', '|', '||', '`', '$(', ')', '(', '{ ', '; }', '<<<', '>', '<(', '>(', ' # '],
  ...[
    '<<E\n',
    '\nE\n',
    '<<-E\n\t',
    '\r',
    '\u00a0',
    '$',
    "$'",
    '!',
    '{',
    '}',
    ';;',
    '\\\n',
    '=',
    '[[ ',
    ' ]]',
    '((',
    '))',
  ],
  ...['*', 'x=<(q)', 'coproc ', 'time ', '! ', 'function ', 'a[$(q)]=1', '${x:-', '${x#', '$((', '$[', ']'],
];

type Edit = readonly ['cut' | 'twice' | 'splice' | 'put', at: number, length: number, other: number];
const edit: fc.Arbitrary<Edit> = fc.tuple(
  fc.constantFrom('cut', 'twice', 'splice', 'put', 'put'),
  fc.nat(1000),
  fc.integer({ min: 1, max: 7 }),
  fc.nat(10_000),
);
const mutant = fc
  .tuple(fc.constantFrom(...SAFE), fc.array(edit, { minLength: 1, maxLength: 3 }))
  .map(([text, edits]) => `${edits.reduce(edited, text)}\nzlast a\n`)
  .filter((text) => !/\/|~|kill|exec|ulimit|enable|hash|builtin|ENV/.test(text));

function edited(text: string, [kind, where, length, other]: Edit): string {
  const at = where % (text.length + 1);
  const [before, after] = [text.slice(0, at), text.slice(at)];
  switch (kind) {
    case 'cut':
      return before + after.slice(length);
    case 'twice':
      return before + text.slice(Math.max(0, at - length));
    case 'splice':
      return before + SAFE[other % SAFE.length] + after;
    case 'put':
      return before + BITS[other % BITS.length] + after;
  }
}

let root = '';
let bash = '';
beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gov-against-')));
  bash = realpathSync(execFileSync('/bin/sh', ['-c', 'command -v bash']).toString().trim());
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** `spawnSync` has the option as `spawn` does, its types do not. */
const OWN_GROUP: object = { detached: true };

/** The names by which bash looked for programs; each was found nowhere. */
function looked(text: string): readonly string[] {
  const work = join(root, 'work');
  const log = join(root, 'log');
  rmSync(work, { recursive: true, force: true });
  mkdirSync(join(work, 'dir', 'sub'), { recursive: true });
  writeFileSync(log, '');
  const before = `command_not_found_handle() { printf '%s\\0' "$1" >> '${log}'; return 127; }; ulimit -f 64 -t 2`;
  // A function that calls itself through a pipe would go on for ever, each time as another process.
  const env = { PATH: '/nonexistent', HOME: join(work, 'dir'), LC_ALL: 'C.UTF-8', FUNCNEST: '20' };
  const args = ['--norc', '--noprofile', '-c', `${before}\n${text}`];
  const { pid } = spawnSync(bash, args, {
    cwd: work,
    env,
    timeout: 3000,
    killSignal: 'SIGKILL',
    input: '',
    ...OWN_GROUP,
  });
  try {
    // What it left in the background ends with it: all of them at once, so that none starts another.
    process.kill(-pid, 'SIGKILL');
  } catch {
    // Nothing is left.
  }
  return [...new Set(readFileSync(log, 'utf8').split('\0'))].filter((name) => name !== '');
}

/** What of this the analysis knows nothing of; null where it says itself that something is unknown. */
function overlooked(text: string): readonly string[] | null {
  const names = looked(text);
  const work = join(root, 'work');
  const files = { 'dir/sub/.keep': '' };
  const world = overlay(fixtureWorld({ home: join(work, 'dir'), workspace: work, files, env: {} }));
  const { commands, unknowns } = analyseShell(text, { cwd: [work], programs, world });
  if (unknowns.length > 0 || commands.some((c) => c.name === null || /[${*?[]/.test(c.argv[0] ?? ''))) return null;
  const known = new Set(commands.flatMap((c) => [c.name, c.argv[0]]));
  // `1<(q)` is `1` with a redirection to bash and one word to the parser; no program is called by a number.
  return names.filter((name) => !known.has(name) && !/^\d+$/.test(name));
}

it('whatever bash makes of broken text, no command of it is overlooked', { timeout: 600_000 }, () => {
  let compared = 0;
  // The same texts each time, unless more are asked for: a text that fails is a case for the table of snippets.
  const seed = process.env['GOV_PROPERTY_RUNS'] ? {} : { seed: 20_261_201 };
  fc.assert(
    fc.property(mutant, (text) => {
      const names = overlooked(text);
      if (names !== null) compared++;
      expect(names ?? []).toEqual([]);
    }),
    { numRuns: runs(400), ...seed },
  );
  expect(compared).toBeGreaterThan(150);
});
