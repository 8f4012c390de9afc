import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'run.js');
let root: string;
let project: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'gov-check-'));
  project = join(root, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function gov(args: readonly string[], input = ''): { code: number | null; out: string; err: string } {
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(root, 'home'), GOV_HOME: join(root, 'gov'), NO_COLOR: '1' };
  const run = spawnSync(process.execPath, [BIN, 'check', ...args], { cwd: project, env, input, encoding: 'utf8' });
  return { code: run.status, out: run.stdout, err: run.stderr };
}

describe('one call', () => {
  it.each([
    ['rm -rf build', 'allow', 0],
    ['rm -rf "$TARGET"', 'ask', 1],
    ['rm -rf /etc', 'deny', 2],
  ])('%s: %s, exit code %i if asked for', (command, answer, code) => {
    const run = gov(['--exit-code', '--', command]);
    expect([run.out.split('  ')[0], run.code, run.err]).toEqual([answer, code, '']);
    expect(gov(['--', command]).code).toBe(0);
  });

  it('prints what it found as JSON', () => {
    const { out, code } = gov(['--json', '--', 'rm -rf /etc']);
    const result = JSON.parse(out);
    expect(code).toBe(0);
    expect(Object.keys(result)).toEqual([
      'decision',
      'reason',
      'rules',
      'commands',
      'files',
      'dests',
      'effects',
      'unknowns',
      'trace',
      'ms',
    ]);
    expect(result).toMatchObject({
      decision: 'deny',
      rules: [{ id: 'fs.delete-outside', effect: 'deny', layer: 'builtin' }],
      commands: [{ name: 'rm', argv: ['rm', '-rf', '/etc'] }],
      files: [{ op: 'delete', real: '/etc', zone: 'system' }],
    });
    expect(result.ms).toBeGreaterThan(0);
  });

  it('judges other tools by their input', () => {
    const write = JSON.stringify({ file_path: '/etc/motd', content: 'x' });
    expect(JSON.parse(gov(['--json', '--tool', 'Write', '--input', write]).out).decision).toBe('deny');
    expect(JSON.parse(gov(['--json', '--tool', 'Read', '--input', '{"file_path":"a.ts"}']).out).decision).toBe('allow');
  });

  it('words that a shell has split are one command again', () => {
    expect(JSON.parse(gov(['--json', '--', 'rm', '-rf', 'a b;c']).out).files).toMatchObject([{ path: 'a b;c' }]);
  });

  it('explains: command underlined, its effects with their zones, the rules', () => {
    const { out } = gov(['--explain', '--', 'cd src && rm -rf /etc/x']);
    expect(out).toMatch(/^deny {2}/);
    expect(out).toContain('    cd src && rm -rf /etc/x\n              ~~~~~~~~~~~~~\n');
    expect(out).toMatch(/delete \/etc\/x {2}system/);
    expect(out).toMatch(/\n {2}deny fs\.delete-outside/);
  });

  it('never lets control characters through to the terminal', () => {
    const { out } = gov(['--explain', '--', "echo '\u001b[2J\u202e' > /etc/x"]);
    expect(out).not.toMatch(/[\u001b\u202e]/);
  });

  it.each([
    [[], 'nothing to check'],
    [['--input', '{'], '--input is not JSON'],
    [['--input', '[]'], '--input is not a JSON object'],
    [['--input', '{}', '--', 'ls'], 'not both'],
    [['--batch', 'no-such-file'], 'there is no file `no-such-file`'],
    [['--no-such-flag'], 'no-such-flag'],
  ])('usage: %j', (args, message) => {
    const run = gov(args);
    expect([run.code, run.out]).toEqual([64, '']);
    expect(run.err).toContain(message);
  });
});

describe('a batch', () => {
  const world = {
    home: '/home/dev',
    workspace: '/home/dev/project',
    files: { '.env': 'K=1' },
    symlinks: { out: '/etc' },
  };
  const line = (id: string, command: string, more: object = {}) =>
    JSON.stringify({ id, tool: 'Bash', input: { command }, world, ...more });

  it('answers every line in order, the broken ones with deny and why', () => {
    const lines = [
      line('ok', 'rm -rf build'),
      '{"id": "broken", ',
      line('bad', 'rm -rf out/x'),
      '[]',
      JSON.stringify({ id: 'no-tool', input: {} }),
      JSON.stringify({ id: 'no-input', tool: 'Bash', input: 'ls' }),
      JSON.stringify({ id: 'bad-world', tool: 'Bash', input: { command: 'ls' }, world: 7 }),
      JSON.stringify({ id: 'odd', tool: 'Bash', input: { command: ['ls'] }, world }),
      line('cwd', 'rm ../../x', { cwd: '/home/dev/project/a/b' }),
    ];
    writeFileSync(join(project, 'calls.jsonl'), `${lines.join('\n')}\n\n`);
    const { out, code, err } = gov(['--batch', 'calls.jsonl']);
    const answers = out
      .trim()
      .split('\n')
      .map((l) => JSON.parse(l));
    expect([code, err]).toEqual([0, '']);
    expect(answers.map((a) => [a.id, a.decision, a.error !== undefined])).toEqual([
      ['ok', 'allow', false],
      [null, 'deny', true],
      ['bad', 'deny', false],
      [null, 'deny', true],
      ['no-tool', 'deny', true],
      ['no-input', 'deny', true],
      ['bad-world', 'deny', true],
      ['odd', 'deny', false],
      ['cwd', 'allow', false],
    ]);
    expect(answers[2]).toEqual({ id: 'bad', decision: 'deny', rules: ['fs.delete-outside'], ms: answers[2].ms });
  });

  it('reads standard input, and --json changes nothing', () => {
    const { out } = gov(['--batch', '-', '--json'], `${line('a', 'ls')}\n`);
    expect(
      out
        .trim()
        .split('\n')
        .map((l) => JSON.parse(l).id),
    ).toEqual(['a']);
  });
});
