import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Ancestor, ancestorsOf } from '../../../src/register/ancestors.ts';
import { agentAbove, requireNoAgent, requirePerson, type Standing } from '../../../src/register/person.ts';

test.each([
  [{}, null],
  [{ CLAUDECODE: '1' }, 'Claude Code'],
  [{ CLAUDECODE: '' }, null],
  [{ COPILOT_CLI: '1' }, 'Copilot CLI'],
  [{ GEMINI_SESSION_ID: 'x' }, 'Gemini CLI'],
  [{ AI_AGENT: 'something-new' }, 'an agent'],
])('%j is %s', (env, agent) => {
  expect(agentAbove(env)).toBe(agent);
});

const above = (...lines: readonly (readonly string[])[]): readonly Ancestor[] =>
  lines.map((argv, i) => ({ pid: 100 - i, argv, env: {} }));
const AT_HOME: Standing = {
  env: {},
  terminal: true,
  ancestors: above(['-zsh'], ['/usr/bin/tmux', 'new', '-s', 'claude'], ['/sbin/init']),
};

describe('who may change the protection', () => {
  interface Row {
    readonly name: string;
    readonly standing: Partial<Standing>;
    /** Code for what needs a person, and for what only must not be done by an agent; '' passes. */
    readonly person: string;
    readonly noAgent: string;
  }
  const agent = { person: 'usage-under-agent', noAgent: 'usage-under-agent' };
  test.each<Row>([
    { name: 'a person at a terminal', standing: {}, person: '', noAgent: '' },
    { name: 'no terminal', standing: { terminal: false }, person: 'usage-no-person', noAgent: '' },
    { name: 'an agent by its marker', standing: { env: { CLAUDECODE: '1' } }, ...agent },
    { name: 'the same without a terminal', standing: { env: { CLAUDECODE: '1' }, terminal: false }, ...agent },
    {
      name: 'the marker taken away, but not from the shell above',
      standing: { ancestors: [{ pid: 9, argv: ['bash', '-c', 'env -u CLAUDECODE gov'], env: { CLAUDECODE: '1' } }] },
      ...agent,
    },
    { name: 'its program above', standing: { ancestors: above(['bash'], ['/home/dev/.local/bin/claude']) }, ...agent },
    { name: 'its program by name', standing: { ancestors: above(['bash'], ['codex', 'exec']) }, ...agent },
    {
      name: 'its package run by Node',
      standing: { ancestors: above(['bash'], ['node', '/usr/lib/node_modules/@openai/codex/bin/codex.js']) },
      ...agent,
    },
    {
      name: 'a terminal that a program types into',
      standing: { ancestors: above(['bash'], ['expect', '-f', 'x.exp'], ['systemd']) },
      person: 'usage-no-person',
      noAgent: '',
    },
    {
      name: 'a recorded terminal',
      standing: { ancestors: above(['sh', '-c', 'gov'], ['script', '-qc', 'gov']) },
      person: 'usage-no-person',
      noAgent: '',
    },
    {
      name: 'a directory of that name',
      standing: { ancestors: above(['vim', 'notes/claude.md']) },
      person: '',
      noAgent: '',
    },
    { name: 'a file of that name', standing: { ancestors: above(['less', 'claude']) }, person: '', noAgent: '' },
  ])('$name', ({ standing, person, noAgent }) => {
    const codeOf = (check: (what: string, at: Standing) => void): string => {
      try {
        check('`gov x`', { ...AT_HOME, ...standing });
        return '';
      } catch (error) {
        return (error as { code: string }).code;
      }
    };
    expect([codeOf(requirePerson), codeOf(requireNoAgent)]).toEqual([person, noAgent]);
  });
});

test('the processes above, with what they were started with, from a /proc of our own', () => {
  const proc = mkdtempSync(join(tmpdir(), 'gov-proc-'));
  const make = (pid: number, name: string, parent: number, cmdline: string, environ: string): void => {
    mkdirSync(join(proc, String(pid)));
    writeFileSync(join(proc, String(pid), 'stat'), `${pid} (${name}) S ${parent} 1 1 0`);
    writeFileSync(join(proc, String(pid), 'cmdline'), cmdline);
    writeFileSync(join(proc, String(pid), 'environ'), environ);
  };
  make(30, 'gov', 20, 'node\0gov\0', 'A=1\0');
  make(20, 'a) S 77 (b', 10, 'bash\0-c\0x y\0', 'CLAUDECODE=1\0B=x=y\0=odd\0');
  make(10, 'init', 0, '/sbin/init\0', '');
  rmSync(join(proc, '10', 'environ'));
  try {
    expect(ancestorsOf(30, proc)).toEqual([
      { pid: 20, argv: ['bash', '-c', 'x y'], env: { CLAUDECODE: '1', B: 'x=y' } },
      { pid: 10, argv: ['/sbin/init'], env: null },
    ]);
  } finally {
    rmSync(proc, { recursive: true, force: true });
  }
});
