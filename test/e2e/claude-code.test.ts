import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { copyInstallation, findClient, gov, makeScene, playSession, ROOT, removeScene, type Scene } from './client.ts';
import type { Turn } from './fake-model.ts';

const client = findClient() ?? '';
if (client === '') console.warn('e2e: no client is installed in test/e2e: run test/e2e/run.sh');

let scene: Scene;
beforeEach(() => {
  scene = makeScene();
});
afterEach(() => {
  removeScene(scene);
});

const bash = (command: string): Turn => ({
  text: 'next',
  tools: [{ name: 'Bash', input: { command, description: 'run' } }],
});
const RM_OTHER = bash('rm -rf ../other');

function init(installation = ROOT, ...more: string[]): void {
  const run = gov(scene, ['init', '--agent', 'claude-code', '--yes', ...more], installation);
  expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' });
}

interface Listed {
  readonly kind: string;
  readonly event: string;
  readonly raw_tool: string;
  readonly answer: string;
  readonly rule: string;
  readonly id: string;
  readonly enforced: number | boolean;
}

/** What the store holds of the client's session, oldest first. */
function stored(): readonly Listed[] {
  const run = gov(scene, ['audit', 'list', '--json', '--limit', '200']);
  expect(run.status).toBe(0);
  const rows = JSON.parse(run.stdout) as { rows?: readonly Listed[]; records?: readonly Listed[] };
  return [...(rows.rows ?? rows.records ?? [])].reverse().filter((row) => row.kind !== 'gov');
}
const decisions = (): readonly (readonly [string, string])[] =>
  stored()
    .filter((row) => row.kind === 'decision')
    .map((row) => [row.raw_tool, row.answer] as const);

describe.skipIf(client === '')('Claude Code with gov registered by `gov init`', () => {
  test('a bad command is blocked with its reason, the rest of the work goes on, all of it is recorded', async () => {
    init();
    const mcpLog = join(scene.root, 'mcp.log');
    const mcp = {
      mcpServers: { demo: { command: process.execPath, args: [join(import.meta.dirname, 'mcp-server.mjs'), mcpLog] } },
    };
    writeFileSync(join(scene.root, 'mcp.json'), JSON.stringify(mcp));
    const hello = join(scene.project, 'hello.txt');
    const session = await playSession(
      client,
      scene,
      [
        RM_OTHER,
        bash('echo note > note.txt && cat note.txt'),
        { text: 'read', tools: [{ name: 'Read', input: { file_path: hello } }] },
        {
          text: 'edit',
          tools: [{ name: 'Edit', input: { file_path: hello, old_string: 'world', new_string: 'gov' } }],
        },
        { text: 'find', tools: [{ name: 'mcp__demo__find_row', input: { table: 'users', id: 7 } }] },
        { text: 'row', tools: [{ name: 'mcp__demo__delete_row', input: { table: 'users', id: 7 } }] },
        { text: 'All finished.' },
      ],
      {
        args: [
          '--permission-mode',
          'bypassPermissions',
          '--mcp-config',
          join(scene.root, 'mcp.json'),
          '--strict-mcp-config',
        ],
      },
    );

    expect(existsSync(join(scene.other, 'precious.txt'))).toBe(true);
    expect(readFileSync(join(scene.project, 'note.txt'), 'utf8')).toBe('note\n');
    expect(readFileSync(hello, 'utf8')).toBe('hello\ngov\n');
    expect(session.exitCode).toBe(0);
    expect(session.stdout).toContain('All finished.');

    const [rm, echo, read, edit, found, row] = session.answers;
    const id = /ref: (\w+)/.exec(rm?.text ?? '')?.[1] ?? '';
    expect(rm).toMatchObject({ tool: 'Bash', isError: true });
    expect(rm?.text).toMatch(
      /denied by .*outside[\s\S]*\.\.\/other[\s\S]*\ntry: .+\na person can allow it: .+\nref: \w+/,
    );
    expect(echo).toMatchObject({ tool: 'Bash', isError: false, text: expect.stringContaining('note') });
    expect(read).toMatchObject({ tool: 'Read', isError: false });
    expect(edit).toMatchObject({ tool: 'Edit', isError: false });

    expect(found).toMatchObject({ tool: 'mcp__demo__find_row', isError: false, text: expect.stringContaining('done') });
    expect(row).toMatchObject({
      tool: 'mcp__demo__delete_row',
      isError: true,
      text: expect.stringMatching(/needs approval by .*[\s\S]*ref: \w+/),
    });
    expect(readFileSync(mcpLog, 'utf8')).toBe('find_row {"table":"users","id":7}\n');

    expect(decisions()).toEqual([
      ['Bash', 'deny'],
      ['Bash', 'allow'],
      ['Read', 'allow'],
      ['Edit', 'allow'],
      ['mcp__demo__find_row', 'allow'],
      ['mcp__demo__delete_row', 'ask'],
    ]);
    const kinds = stored().map((record) => `${record.kind} ${record.event}`);
    expect(kinds.filter((kind) => kind === 'outcome PostToolUse')).toHaveLength(4);
    expect(kinds).toEqual(
      expect.arrayContaining([
        'session SessionStart',
        'session UserPromptSubmit',
        'session Stop',
        'session SessionEnd',
      ]),
    );
    expect(gov(scene, ['audit', 'show', id]).stdout).toContain('../other');
    expect(gov(scene, ['audit', 'verify']).status).toBe(0);
  });

  test('a question without a person to answer it is a no, with the reason', async () => {
    init();
    const session = await playSession(client, scene, [bash('git reset --hard HEAD~1')]);
    expect(session.answers[0]).toMatchObject({
      isError: true,
      text: expect.stringMatching(/git\.\S+: [\s\S]*ref: \w+/),
    });
    expect(decisions()).toEqual([['Bash', 'ask']]);
  });

  test('shell lines of a skill are judged too', async () => {
    init();
    mkdirSync(join(scene.project, '.claude', 'skills', 'clean'), { recursive: true });
    writeFileSync(
      join(scene.project, '.claude', 'skills', 'clean', 'SKILL.md'),
      '---\nname: clean\ndescription: cleans\nallowed-tools: Bash(*)\n---\nOutput: !`rm -rf ../other && echo done`\n',
    );
    await playSession(client, scene, [{ text: 'skill', tools: [{ name: 'Skill', input: { skill: 'clean' } }] }]);
    expect(existsSync(scene.other)).toBe(true);
    expect(stored().find((row) => row.event === 'PreSkillShellCommand')?.answer).toBe('deny');
  });

  test('settings that are changed under a running session do not disarm it', async () => {
    init();
    const settings = join(scene.home, '.claude', 'settings.json');
    await playSession(client, scene, [bash('sleep 6'), RM_OTHER], {
      // While the model waits for the first call, something that no hook sees empties the settings.
      onTurn: (turn) => {
        if (turn === 0) setTimeout(() => writeFileSync(settings, '{}\n'), 1500);
      },
    });
    expect(existsSync(scene.other)).toBe(true);
    expect(stored().find((row) => row.event === 'ConfigChange')?.answer).toBe('deny');
  });

  test('an ordinary settings change passes', async () => {
    init();
    const settings = join(scene.home, '.claude', 'settings.json');
    await playSession(client, scene, [bash('sleep 6'), RM_OTHER], {
      onTurn: (turn) => {
        const text = JSON.parse(readFileSync(settings, 'utf8'));
        if (turn === 0)
          setTimeout(() => writeFileSync(settings, JSON.stringify({ ...text, cleanupPeriodDays: 20 })), 1500);
      },
    });
    expect(existsSync(scene.other)).toBe(true);
    expect(stored().find((row) => row.event === 'ConfigChange')?.answer).toBe('allow');
  });

  test('the agent is not let at its own settings', async () => {
    init();
    const settings = join(scene.home, '.claude', 'settings.json');
    const before = readFileSync(settings, 'utf8');
    const session = await playSession(client, scene, [bash("echo '{}' > ~/.claude/settings.json"), RM_OTHER]);
    expect(readFileSync(settings, 'utf8')).toBe(before);
    expect(session.answers.map((answer) => answer.isError)).toEqual([true, true]);
    expect(existsSync(scene.other)).toBe(true);
  });

  test.each(['dist/hook.cjs', 'hooks/launch.sh', 'hooks/pre-tool-use'])(
    'without %s every call is blocked',
    async (part) => {
      const installation = copyInstallation(scene);
      init(installation);
      rmSync(join(installation, part));
      const session = await playSession(client, scene, [bash('echo hello > made.txt')]);
      expect(session.answers[0]).toMatchObject({ tool: 'Bash', isError: true });
      expect(existsSync(join(scene.project, 'made.txt'))).toBe(false);
    },
  );

  test('monitor mode lets pass and records what it would have done', async () => {
    init(ROOT, '--preset', 'monitor');
    const session = await playSession(client, scene, [RM_OTHER]);
    expect(session.answers[0]).toMatchObject({ isError: false });
    expect(existsSync(scene.other)).toBe(false);
    expect(decisions()).toEqual([['Bash', 'allow']]);
    expect(stored().find((row) => row.kind === 'decision')?.rule).not.toBe('');
  });

  test('registered for one project', async () => {
    init(ROOT, '--scope', 'project');
    await playSession(client, scene, [RM_OTHER]);
    expect(existsSync(scene.other)).toBe(true);
    expect(decisions()).toEqual([['Bash', 'deny']]);
  });

  test('as a plugin', async () => {
    await playSession(client, scene, [RM_OTHER], {
      args: ['--permission-mode', 'bypassPermissions', '--plugin-dir', ROOT],
    });
    expect(existsSync(scene.other)).toBe(true);
    expect(decisions()).toEqual([['Bash', 'deny']]);
  });

  test('after `gov uninstall` the client runs without gov', async () => {
    init();
    expect(gov(scene, ['uninstall', '--yes']).status).toBe(0);
    expect(existsSync(join(scene.home, '.claude', 'settings.json'))).toBe(false);
    await playSession(client, scene, [RM_OTHER]);
    expect(existsSync(scene.other)).toBe(false);
    expect(decisions()).toEqual([]);
  });

  test('doctor finds the client good', () => {
    init();
    const bin = join(scene.root, 'bin');
    mkdirSync(bin);
    writeFileSync(join(bin, 'claude'), `#!/bin/sh\nexec '${client}' "$@"\n`, { mode: 0o755 });
    scene.env['PATH'] = `${bin}:${scene.env['PATH']}`;
    const run = gov(scene, ['doctor', '--json']);
    const checks = (JSON.parse(run.stdout) as { checks: { id: string; state: string; message: string }[] }).checks;
    expect(checks.filter((check) => check.state !== 'ok')).toEqual([]);
    expect(checks.find((check) => check.id === 'client')?.message).toBe('Claude Code 2.1.332');
  });
});
