import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { registrar as codex, hooksAreOff, trustFor, untrusted } from '../../../src/agents/codex/register.ts';
import { registrar as gemini, switchedOff } from '../../../src/agents/gemini-cli/register.ts';
import { agents } from '../../../src/agents/index.ts';
import type { Registrar } from '../../../src/agents/registrar.ts';
import { launcherIn, shellCommand } from '../../../src/agents/shell-hooks.ts';

const DIR = '/opt/gov/hooks';
const both: readonly (readonly [string, Registrar, string])[] = [
  ['codex', codex, 'PreToolUse'],
  ['gemini-cli', gemini, 'BeforeTool'],
];
const merged = (registrar: Registrar, text: string | null, dir = DIR): string =>
  registrar.merge(text, dir, 'settings.json');

describe.each(both)('%s', (name, registrar, gate) => {
  test('every event gets one group, and what is before the call is closed if the launcher is gone', () => {
    const { hooks } = JSON.parse(merged(registrar, null)) as {
      hooks: Record<string, { hooks: { command: string }[] }[]>;
    };
    const lines = Object.entries(hooks).map(([event, groups]) => [event, groups[0]?.hooks[0]?.command.split(' ')[0]]);
    expect(lines).toMatchSnapshot();
    expect(hooks[gate]?.[0]?.hooks[0]?.command).toBe(
      `/opt/gov/hooks/pre-tool-use ${name} || { [ $? = 2 ] || echo 'gov: its launcher is gone or broken: the call is blocked; run gov doctor' >&2; exit 2; }`,
    );
    expect(registrar.fault(JSON.parse(merged(registrar, null)))).toBeNull();
  });

  test.each([
    '{}\n',
    '{"hooks":{}}',
    `{\n\t"hooks": {\n\t\t"${gate}": [ {"matcher": "x", "hooks": [ {"type": "command", "command": "lint"} ] } ]\n\t}\n}`,
    '{ "description" :"mine" ,\n\n "hooks":{ "Other":[ ]}}\n\n',
  ])('goes in once and comes out again byte for byte: %j', (text) => {
    const once = merged(registrar, text);
    expect(merged(registrar, once)).toBe(once);
    expect(registrar.remove(once, 'f').replace(/,?\s*"hooks":\s*\{\}/, '')).toBe(
      text.replace(/,?\s*"hooks":\s*\{\}/, ''),
    );
    expect(registrar.remove(merged(registrar, once, '/elsewhere/hooks'), 'f')).toBe(registrar.remove(once, 'f'));
  });

  test('an installation elsewhere takes the place of the old one', () => {
    const moved = merged(registrar, merged(registrar, null), '/new/place/hooks');
    expect(moved).not.toContain('/opt/gov');
    expect(registrar.starts(JSON.parse(moved))).toHaveLength(1);
  });

  test('what it would give a hook, its own decoder understands', () => {
    const payload = registrar.payload('rm -rf ~', { session: 's', cwd: '/w', id: 'c' });
    const decoded = agents.find((agent) => agent.name === name)?.decode(payload, {});
    expect(decoded).toMatchObject({
      ok: true,
      call: {
        agent: name,
        event: 'PreToolUse',
        tool: 'shell',
        session: 's',
        cwd: '/w',
        input: { command: 'rm -rf ~' },
      },
    });
  });

  test('without one of its hooks it is not in force', () => {
    const settings = JSON.parse(merged(registrar, null)) as { hooks: Record<string, unknown> };
    delete settings.hooks[gate];
    expect(registrar.fault(settings)).toBe(`gov's hook for ${gate} is gone`);
  });
});

describe('a command line for a shell', () => {
  test.each(['/opt/gov/hooks', "/home/o'neil/my tools/hooks", '/a $(b)/hooks'])('%s', (dir) => {
    for (const event of ['PreToolUse', 'PostToolUse', 'Stop'] as const) {
      const launcher = launcherIn({ command: shellCommand(event, 'codex', dir) }, 'codex');
      expect(launcher?.startsWith(`${dir}/`)).toBe(true);
      expect(launcherIn({ command: shellCommand(event, 'codex', dir) }, 'gemini-cli')).toBeNull();
    }
  });
  test.each(['lint codex', '/x/hooks/other codex', 'pre-tool-use codex', 'echo /x/hooks/pre-tool-use codex', ''])(
    'not ours: %s',
    (command) => expect(launcherIn({ command }, 'codex')).toBeNull(),
  );

  interface End {
    readonly name: string;
    /** Null: there is no launcher. */
    readonly script: string | null;
    readonly status: number;
    readonly stderr: RegExp;
  }
  test.each<End>([
    { name: 'passes', script: 'exit 0', status: 0, stderr: /^$/ },
    { name: 'denies', script: 'echo no >&2; exit 2', status: 2, stderr: /^no\n$/ },
    { name: 'crashes', script: 'kill -9 $$', status: 2, stderr: /gov: its launcher is gone or broken/ },
    { name: 'ends with 1', script: 'exit 1', status: 2, stderr: /gov: its launcher is gone or broken/ },
    { name: 'is gone', script: null, status: 2, stderr: /gov: its launcher is gone or broken/ },
  ])('the hook $name: the agent gets 0, or 2 with a reason', ({ script, status, stderr }) => {
    const dir = join(mkdtempSync(join(tmpdir(), 'gov-shell-hooks-')), "o'neil s", 'hooks');
    mkdirSync(dir, { recursive: true });
    if (script !== null) {
      writeFileSync(join(dir, 'pre-tool-use'), `#!/bin/sh\n${script}\n`);
      chmodSync(join(dir, 'pre-tool-use'), 0o755);
    }
    for (const shell of ['sh', 'bash']) {
      const run = spawnSync(shell, ['-c', shellCommand('PreToolUse', 'codex', dir)], { encoding: 'utf8' });
      expect([run.status, run.stdout]).toEqual([status, '']);
      expect(run.stderr).toMatch(stderr);
    }
    expect(spawnSync('sh', ['-c', shellCommand('Stop', 'codex', '/nowhere/hooks')]).status).toBe(0);
  });
});

describe('Gemini CLI: switched off', () => {
  test.each<[unknown, string | null]>([
    [{}, null],
    [{ hooksConfig: { enabled: true, disabled: ['other'] } }, null],
    [{ hooks: { disabled: ['gov'] } }, null],
    [{ hooksConfig: { enabled: false } }, '`hooksConfig.enabled` is false'],
    [{ hooksConfig: { disabled: ['gov'] } }, '`hooksConfig.disabled` names gov'],
    [
      { hooksConfig: { disabled: [shellCommand('PreToolUse', 'gemini-cli', DIR)] } },
      '`hooksConfig.disabled` names gov',
    ],
  ])('%j: %s', (settings, want) => expect(switchedOff(settings)).toBe(want));
});

describe('Codex', () => {
  test.each([
    ['{"$schema":"x"}', 'Codex refuses the whole file because of `$schema`'],
    ['{"description":"mine"}', null],
  ])('%s', (text, want) => expect(codex.fault(JSON.parse(merged(codex, text)))).toBe(want));

  const FILE = '/home/dev/.codex/hooks.json';
  const needed = trustFor(JSON.parse(merged(codex, null)), FILE);
  const toml = needed.map(({ key, hash }) => `[hooks.state."${key}"]\ntrusted_hash = "${hash}"\n`).join('\n');

  test('needs the trust of each hook, under the hash that Codex 0.171 itself gives (`hooks/list` of its app-server)', () => {
    expect(new Map(needed.map(({ key, hash }) => [key.slice(FILE.length), hash]))).toEqual(
      new Map([
        [':pre_tool_use:0:0', 'sha256:37c3fe3a101325a08ba701718c7b2429e8d073307649627b7ad508838388933a'],
        [':permission_request:0:0', 'sha256:c1cfeeb06c13938122d54b0ceb8b943f2b53b120fb9b7066c67b302c028fcd23'],
        [':post_tool_use:0:0', 'sha256:573ac12f95bbe542095ea9f4dec85c3088f900ac8d7320f5ab3f982c125070f1'],
        [':user_prompt_submit:0:0', 'sha256:e31608b17b692fde6243e09af53f10e5e5bebf43630517f036848f9edd246ce4'],
        [':session_start:0:0', 'sha256:5e9414b14542582c73e8b57a3de2171eeac133671ecac7b38b0f977a3210190f'],
        [':session_end:0:0', 'sha256:14bbe2474f1596d6c2beefcaacfeb84b39f2c4661eabcd4561e5dfc22dbdbe17'],
        [':subagent_start:0:0', 'sha256:45d3a9775837dbf9b5df828cf19d9f17bc07d7340e0484101b0a000bf7eaab96'],
        [':subagent_stop:0:0', 'sha256:4ba07a0f14a91f3446de41d58df0ba2b338bf68126130dff25d78c20e10d14e9'],
        [':stop:0:0', 'sha256:33c0fe4a38de6a0f6b149bbac96daec2b7466c11af59e0772d95ae89868e50c3'],
      ]),
    );
  });

  test.each<[string, string, readonly string[]]>([
    ['trusted', toml, []],
    ['among other things', `model = "x"\n\n${toml}\n[projects."/x"]\ntrust_level = "trusted"\n`, []],
    ['literal keys', toml.replace(/\[hooks\.state\."([^"]+)"\]/g, "[hooks.state.'$1']"), []],
    ['nothing', '', needed.map(({ event }) => event)],
    ['one with another hash', toml.replace(needed[2]?.hash ?? '', `sha256:${'0'.repeat(64)}`), ['PostToolUse']],
    ['one switched off', toml.replace(/\n$/, '\nenabled = false\n'), ['Stop']],
  ])('%s', (_, text, want) => {
    expect(untrusted(needed, text).map(({ event }) => event)).toEqual(want);
  });

  test.each([
    ['[features]\nhooks = false\n', true],
    ['[features]\nx = true\nhooks=false', true],
    ['features.hooks = false', true],
    ['[features]\nhooks = true\n[other]\nhooks = false', false],
    ['', false],
  ])('hooks off in %j: %s', (text, want) => expect(hooksAreOff(text)).toBe(want));
});
