import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { programs } from '../../../src/programs/index.ts';
import { analyseShell } from '../../../src/shell/analyse.ts';
import { fixtureWorld } from '../../../src/world/fixture.ts';
import { overlay } from '../../../src/world/overlay.ts';
import { FORMS } from './forms.ts';
import { SNIPPETS } from './snippets.ts';

const STUBS = ['p', 'q', 'rm', 'mkdir', 'cat', 'bash', 'sh', 'seq'];
/** Stubs that also do what their name says, since the snippets need it. */
const REAL: Readonly<Record<string, string>> = { mkdir: '/bin/mkdir', cat: '/bin/cat', bash: '', sh: '' };
const FILES = { 'a.txt': '', 'b.txt': '', 'dir/c.txt': '', 'dir/sub/.keep': '', '-x': '', 'sp ace.txt': '' };

interface Seen {
  readonly cwd: string;
  readonly argv: readonly string[];
}

let root = '';
let bash = '';

beforeAll(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'gov-bash-')));
  bash = realpathSync(execFileSync('/bin/sh', ['-c', 'command -v bash']).toString().trim());
  mkdirSync(join(root, 'bin'));
  mkdirSync(join(root, 'home'));
  for (const name of STUBS) {
    const real = name in REAL ? `exec ${REAL[name] || bash} "$@"` : 'exit 0';
    // One write per call: the stages of a pipeline append at the same time.
    const log = `printf '%s\\0' "$PWD" "\${0##*/}" "$@" $'\\001' >> '${root}/log'`;
    writeFileSync(join(root, 'bin', name), `#!${bash}\nunset BASH_ENV\n${log}\n${real}\n`);
    chmodSync(join(root, 'bin', name), 0o755);
  }
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs the snippet in bash, in a fresh directory, and says which stubs were called. */
function observe(snippet: string): readonly Seen[] {
  rmSync(join(root, 'work'), { recursive: true, force: true });
  rmSync(join(root, 'log'), { force: true });
  mkdirSync(join(root, 'work', 'dir', 'sub'), { recursive: true });
  for (const [path, text] of Object.entries(FILES)) writeFileSync(join(root, 'work', path), text);
  writeFileSync(join(root, 'log'), '');
  const env = { PATH: join(root, 'bin'), HOME: join(root, 'home'), BIN: join(root, 'bin'), LC_ALL: 'C.UTF-8' };
  spawnSync(bash, ['--norc', '--noprofile', '-c', snippet], { cwd: join(root, 'work'), env, timeout: 5000, input: '' });
  return readFileSync(join(root, 'log'), 'utf8')
    .split('\u0001\0')
    .filter((r) => r !== '')
    .map((record) => {
      const [cwd = '', ...argv] = record.split('\0').slice(0, -1);
      return { cwd, argv };
    });
}

function predict(snippet: string): readonly Seen[] {
  const files = Object.fromEntries(Object.entries(FILES));
  const spec = { home: join(root, 'home'), workspace: join(root, 'work'), files, env: { BIN: join(root, 'bin') } };
  const world = overlay(fixtureWorld(spec));
  const result = analyseShell(snippet, { cwd: [join(root, 'work')], programs, world });
  return result.commands.map((c) => ({ cwd: c.cwd ?? '${unknown}', argv: c.argv }));
}

/** A predicted word as a pattern: unknown stretches are anything, shell patterns what they match. */
function covers(predicted: string, seen: string): boolean {
  if (predicted === seen) return true;
  const source = predicted
    .split(/(\$\{[^}]*(?:\$\([^)]*\)[^}]*|\$\{[^}]*\}[^}]*)*\}|\*|\?|\[[^\]]+\])/)
    .map((part) =>
      /^\$\{.*\}$/s.test(part) || part === '*'
        ? '[\\s\\S]*'
        : part === '?' || /^\[.+\]$/s.test(part)
          ? '.'
          : literal(part),
    )
    .join('');
  return new RegExp(`^${source}$`).test(seen);
}

function literal(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Words of a prediction against words seen; an unknown or pattern word may be any number of them. */
function coversAll(predicted: readonly string[], seen: readonly string[]): boolean {
  const [first, ...rest] = predicted;
  if (first === undefined) return seen.length === 0;
  if (seen.length > 0 && covers(first, seen[0] as string) && coversAll(rest, seen.slice(1))) return true;
  if (!/\$\{|[*?[]/.test(first)) return false;
  if (coversAll(rest, seen)) return true;
  return seen.length > 0 && coversAll(predicted, seen.slice(1));
}

function isPredicted(predicted: readonly Seen[], seen: Seen): boolean {
  const [name = '', ...args] = seen.argv;
  return predicted.some((p) => {
    const [first = '', ...rest] = p.argv;
    const command = first.slice(first.lastIndexOf('/') + 1);
    return covers(p.cwd, seen.cwd) && coversAll([command, ...rest], [name, ...args]);
  });
}

describe('what bash runs is among what the analysis says', () => {
  let exact = 0;
  let all = 0;
  it.each([...SNIPPETS, ...FORMS])('%s', (snippet) => {
    const seen = observe(snippet);
    const predicted = predict(snippet);
    for (const one of seen) {
      all++;
      if (predicted.some((p) => p.cwd === one.cwd && JSON.stringify(p.argv) === JSON.stringify(one.argv))) exact++;
    }
    const missed = seen.filter((one) => !isPredicted(predicted, one));
    expect(missed, JSON.stringify(predicted)).toEqual([]);
  });

  it('says most of it exactly', () => {
    expect(all).toBeGreaterThan(300);
    expect(exact / all).toBeGreaterThan(0.85);
  });
});
