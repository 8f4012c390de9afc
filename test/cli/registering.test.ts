import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';

const ROOT = resolve(import.meta.dirname, '../..');

let root: string;
let settings: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'gov-cli-'));
  settings = join(root, 'home', '.claude', 'settings.json');
  for (const dir of ['home', 'work', 'bin']) mkdirSync(join(root, dir));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

/** Runs the built `gov` in the scratch place, without a terminal. */
function gov(
  args: readonly string[],
  more: NodeJS.ProcessEnv = {},
): { readonly status: number | null; readonly stdout: string; readonly stderr: string } {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'bin', 'run.js'), ...args], {
    cwd: join(root, 'work'),
    env: { PATH: join(root, 'bin'), HOME: join(root, 'home'), GOV_HOME: join(root, 'gov'), GOV_DAEMON: 'off', ...more },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { status, stdout, stderr };
}

function given(text: string, mode = 0o600): string {
  mkdirSync(dirname(settings), { recursive: true });
  writeFileSync(settings, text, { mode });
  return text;
}

const now = (): string => readFileSync(settings, 'utf8');
const initialize = (...more: string[]): void => {
  const run = gov(['init', '--agent', 'claude-code', '--yes', ...more]);
  expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' });
};

const OTHERS =
  '{\n\t"model": "opus",\n\t"hooks": {\n\t\t"PreToolUse": [ {"matcher": "Bash", "hooks": [ {"type": "command", "command": "lint"} ] } ]\n\t}\n}';

describe('gov init', () => {
  describe('with rules from before', () => {
    const RULE =
      'apiVersion: gov/v1\nkind: Rules\nmetadata: { name: mine }\nrules:\n  - id: mine.no-shipit\n    title: T\n    severity: high\n    each: command\n    when: command.name == "shipit"\n    effect: deny\n';
    const rules = (): string => join(root, 'gov', 'config', 'rules', 'mine.yaml');
    const put = (text: string): void => {
      mkdirSync(dirname(rules()), { recursive: true });
      writeFileSync(rules(), text);
    };
    const decision = (): string => gov(['check', '--', 'shipit now']).stdout.split(' ')[0] as string;

    test('builds them', () => {
      put(RULE);
      expect(decision()).toBe('allow');
      const dry = gov(['init', '--agent', 'claude-code', '--dry-run', '--json']);
      expect([JSON.parse(dry.stdout).own_rules, decision()]).toEqual([1, 'allow']);
      initialize();
      expect(decision()).toBe('deny');
    });

    test('builds them anew where the bundle is older, and for the preset that is chosen', () => {
      put(RULE.replace('deny', 'ask'));
      initialize();
      expect(decision()).toBe('ask');
      put(RULE);
      initialize('--preset', 'strict');
      expect(decision()).toBe('deny');
    });

    test('names the place of a fault, changes nothing, and what was in force stays', () => {
      given(OTHERS);
      put(RULE);
      expect(gov(['policy', 'build']).status).toBe(0);
      put(RULE.replace('command.name', 'command.nam'));
      const run = gov(['init', '--agent', 'claude-code', '--yes']);
      expect([run.status, run.stderr]).toEqual([
        3,
        `gov: ${rules()}:9:19: a command has no \`nam\`\n     did you mean \`name\`?; \`gov policy check\` shows all; nothing was changed, and the rules in force stay\n`,
      ]);
      expect([now(), decision(), existsSync(join(root, 'gov', 'config', 'config.json'))]).toEqual([
        OTHERS,
        'deny',
        false,
      ]);
      expect(gov(['init', '--agent', 'claude-code', '--dry-run']).status).toBe(3);
    });

    test('clears away bundles whose rules are gone', () => {
      put(RULE);
      expect(gov(['policy', 'build']).status).toBe(0);
      rmSync(rules());
      initialize();
      expect(decision()).toBe('allow');
    });
  });

  test('of settings on one line, the change is shown with one value a line, and made as they are', () => {
    given('{"model":"opus","env":{"A":"1"}}');
    const { stdout } = gov(['init', '--dry-run']);
    expect(stdout).toContain('(shown with one value a line)');
    expect(stdout).toMatch(/^ {2}\+ {4}"PreToolUse": \[$/m);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThan(160);
    initialize();
    expect(now().split('\n')).toHaveLength(1);
    expect(gov(['uninstall', '--yes']).status).toBe(0);
    expect(now()).toBe('{"model":"opus","env":{"A":"1"}}');
  });

  test('--dry-run shows the change and makes none', () => {
    given(OTHERS);
    const run = gov(['init', '--dry-run']);
    expect(run.status).toBe(0);
    expect(run.stdout).toContain(`+\t\t"ConfigChange": [`);
    expect(run.stdout).toContain('Nothing was changed');
    expect(now()).toBe(OTHERS);
    expect(existsSync(join(root, 'gov'))).toBe(false);
  });

  test('registers, keeps other hooks, their order and the file mode, backs up, and does it once', () => {
    given(OTHERS, 0o640);
    initialize();
    const once = now();
    const parsed = JSON.parse(once);
    expect(Object.keys(parsed)).toEqual(['model', 'hooks']);
    expect(parsed.hooks.PreToolUse.map((g: { hooks: { command: string }[] }) => g.hooks[0]?.command)).toEqual([
      'lint',
      join(ROOT, 'hooks', 'pre-tool-use'),
    ]);
    expect(statSync(settings).mode & 0o777).toBe(0o640);
    const backups = join(root, 'gov', 'state', 'backups');
    expect(readdirSync(backups).map((name) => readFileSync(join(backups, name), 'utf8'))).toEqual([OTHERS]);
    initialize();
    expect(now()).toBe(once);
    expect(readdirSync(backups)).toHaveLength(1);
    expect(JSON.parse(readFileSync(join(root, 'gov', 'config', 'config.json'), 'utf8'))).toEqual({
      mode: 'enforce',
      preset: 'recommended',
    });
    expect(readFileSync(join(root, 'gov', 'config', 'node'), 'utf8')).toBe(`${process.execPath}\n`);
    expect(existsSync(join(root, 'gov', 'state', 'audit.db'))).toBe(true);
  });

  test.each([
    { name: 'there', path: 'dotfiles.json', made: true },
    { name: 'not there yet', path: 'dot/files.json', made: false },
  ])('a symbolic link to settings that are $name stays one', ({ path, made }) => {
    const real = join(root, path);
    if (made) writeFileSync(real, '{}\n');
    mkdirSync(dirname(settings), { recursive: true });
    symlinkSync(real, settings);
    initialize();
    expect(lstatSync(settings).isSymbolicLink()).toBe(true);
    expect(readFileSync(real, 'utf8')).toContain('pre-tool-use');
  });

  test.each([
    { name: 'a comment', text: '{\n  // mine\n}\n', says: /settings\.json:2:3: the file holds a comment/ },
    { name: 'broken JSON', text: '{"a": }', says: /settings\.json:1:7: / },
    {
      name: 'a field that makes the client drop the file',
      text: '{"hooks":{"PreToolUse":[{"hooks":[{"type":"command","command":"x","timeout":"10"}]}]}}',
      says: /`hooks\.PreToolUse\[0\]\.hooks\[0\]\.timeout` is not a positive number/,
    },
    { name: 'hooks that are switched off', text: '{"disableAllHooks":true}', says: /`disableAllHooks` is set/ },
    { name: 'a list', text: '[]', says: /not a JSON object|is gone/ },
  ])('refuses settings with $name, and changes nothing', ({ text, says }) => {
    given(text);
    const run = gov(['init', '--agent', 'claude-code', '--yes']);
    expect(run.status).not.toBe(0);
    expect(run.status).not.toBe(2);
    expect(run.stderr).toMatch(says);
    expect(now()).toBe(text);
  });

  test('without a terminal it wants --yes', () => {
    const run = gov(['init', '--agent', 'claude-code']);
    expect(run).toMatchObject({ status: 64, stderr: expect.stringContaining('--yes') });
    expect(existsSync(settings)).toBe(false);
  });

  test('under an agent it refuses, --yes or not', () => {
    for (const command of ['init', 'uninstall']) {
      const run = gov([command, '--agent', 'claude-code', '--yes'], { CLAUDECODE: '1' });
      expect(run).toMatchObject({ status: 64, stderr: expect.stringContaining('runs under Claude Code') });
    }
    expect(existsSync(settings)).toBe(false);
  });

  test('where no agent is found it says which there are', () => {
    expect(gov(['init', '--yes'])).toMatchObject({
      status: 64,
      stderr: expect.stringContaining('--agent claude-code'),
    });
  });

  test('one project', () => {
    initialize('--scope', 'project');
    expect(existsSync(join(root, 'work', '.claude', 'settings.json'))).toBe(true);
    expect(existsSync(settings)).toBe(false);
  });

  test('the managed scope names the machine-wide file', () => {
    const run = gov(['init', '--agent', 'claude-code', '--scope', 'managed', '--dry-run', '--json']);
    const file =
      process.platform === 'darwin'
        ? '/Library/Application Support/ClaudeCode/managed-settings.d/50-gov.json'
        : '/etc/claude-code/managed-settings.d/50-gov.json';
    expect(JSON.parse(run.stdout).files[0]).toMatchObject({ file, scope: 'managed' });
  });

  test('monitor mode is a choice that is written down', () => {
    initialize('--preset', 'monitor');
    expect(JSON.parse(readFileSync(join(root, 'gov', 'config', 'config.json'), 'utf8'))).toEqual({
      mode: 'monitor',
      preset: 'monitor',
    });
    initialize();
    expect(JSON.parse(readFileSync(join(root, 'gov', 'config', 'config.json'), 'utf8')).mode).toBe('monitor');
    initialize('--preset', 'strict');
    expect(JSON.parse(readFileSync(join(root, 'gov', 'config', 'config.json'), 'utf8'))).toEqual({
      mode: 'enforce',
      preset: 'strict',
    });
  });
});

describe('gov uninstall', () => {
  test.each([
    { name: 'tabs and no last line end', text: OTHERS },
    { name: 'odd white space', text: '{ "a" :1 ,\n\n   "b":[ ]}\n\n' },
    { name: 'empty', text: '' },
  ])('gives the file back byte for byte: $name', ({ text }) => {
    given(text);
    initialize();
    expect(now()).not.toBe(text);
    expect(gov(['uninstall', '--yes']).status).toBe(0);
    expect(now()).toBe(text);
  });

  test('takes the file away that gov made', () => {
    initialize();
    expect(gov(['uninstall', '--yes']).status).toBe(0);
    expect(existsSync(settings)).toBe(false);
  });

  test('keeps what was changed in between', () => {
    given(OTHERS);
    initialize();
    writeFileSync(settings, now().replace('"opus"', '"sonnet"'));
    expect(gov(['uninstall', '--yes']).status).toBe(0);
    expect(now()).toBe(OTHERS.replace('"opus"', '"sonnet"'));
  });

  test('keeps what was changed before a second init', () => {
    given(OTHERS);
    initialize();
    writeFileSync(settings, now().replace('"opus"', '"sonnet"'));
    initialize();
    expect(gov(['uninstall', '--yes']).status).toBe(0);
    expect(now()).toBe(OTHERS.replace('"opus"', '"sonnet"'));
  });

  test('--scope: only those settings', () => {
    initialize();
    initialize('--scope', 'project');
    const project = join(root, 'work', '.claude', 'settings.json');
    expect(gov(['uninstall', '--scope', 'managed', '--yes']).stdout).toBe('gov is registered nowhere there.\n');
    expect(gov(['uninstall', '--scope', 'project', '--yes']).status).toBe(0);
    expect([existsSync(settings), existsSync(project)]).toEqual([true, false]);
    expect(gov(['uninstall', '--scope', 'elsewhere', '--yes']).status).toBe(64);
    expect(gov(['uninstall', '--scope', 'user', '--yes']).status).toBe(0);
    expect(existsSync(settings)).toBe(false);
  });

  test('--dry-run changes nothing', () => {
    initialize();
    const before = now();
    expect(gov(['uninstall', '--dry-run']).status).toBe(0);
    expect(gov(['uninstall'])).toMatchObject({
      status: 64,
      stderr:
        'gov: without a terminal nothing is taken out unasked\n     look at `gov uninstall --dry-run`, then say --yes\n',
    });
    expect(now()).toBe(before);
  });

  test('says when there is nothing to do', () => {
    expect(gov(['uninstall', '--yes'])).toMatchObject({ status: 0, stdout: 'gov is registered nowhere.\n' });
    expect(gov(['uninstall'])).toMatchObject({ status: 0, stdout: 'gov is registered nowhere.\n' });
  });

  test('works when the store does not', () => {
    initialize();
    rmSync(join(root, 'gov', 'state'), { recursive: true });
    writeFileSync(join(root, 'gov', 'state'), '');
    const run = gov(['uninstall', '--yes']);
    expect(run).toMatchObject({ status: 0, stderr: expect.stringContaining('not recorded') });
    expect(existsSync(settings)).toBe(false);
  });
});

describe('several agents', () => {
  test('all that are found are registered, fired at, looked after, and taken out byte for byte', () => {
    const codex = join(root, 'home', '.codex', 'hooks.json');
    const gemini = join(root, 'home', '.gemini', 'settings.json');
    const before = '{"theme":"dark"}';
    given(OTHERS);
    for (const file of [codex, gemini]) mkdirSync(dirname(file), { recursive: true });
    writeFileSync(gemini, before);
    const run = gov(['init', '--yes', '--json']);
    const { files } = JSON.parse(run.stdout) as { files: { agent: string; file: string; changed: boolean }[] };
    expect(files.map(({ agent, file, changed }) => [agent, file, changed])).toEqual([
      ['claude-code', settings, true],
      ['codex', codex, true],
      ['gemini-cli', gemini, true],
    ]);
    const { ok, canaries } = JSON.parse(gov(['verify', '--json']).stdout) as {
      ok: boolean;
      canaries: { agent: string; canary: string; fault: string }[];
    };
    expect(canaries.map(({ agent, canary, fault }) => [agent, canary, fault])).toEqual(
      ['claude-code', 'codex', 'gemini-cli'].flatMap((agent) => [
        [agent, 'block', ''],
        [agent, 'allow', ''],
      ]),
    );
    expect(ok).toBe(true);
    const doctor = () =>
      (
        JSON.parse(gov(['doctor', '--json']).stdout) as { checks: { id: string; state: string; message: string }[] }
      ).checks
        .filter(({ id, state }) => state !== 'ok' && id !== 'client')
        .map(({ id, message }) => `${id}: ${message}`);
    expect(doctor()).toEqual([
      expect.stringMatching(/^trust: Codex skips gov's hooks in .*hooks\.json, for nobody trusted/),
    ]);
    writeFileSync(join(root, 'work', '.keep'), '');
    mkdirSync(join(root, 'work', '.gemini'));
    writeFileSync(join(root, 'work', '.gemini', 'settings.json'), '{"hooksConfig":{"enabled":false}}');
    expect(doctor()).toContainEqual(
      expect.stringMatching(/^switched-off: .*`hooksConfig\.enabled` is false: hooks do not run$/),
    );
    expect(gov(['init', '--yes', '--json']).status).toBe(0);
    expect(gov(['uninstall', '--agent', 'codex', '--yes']).status).toBe(0);
    expect([existsSync(codex), now() === OTHERS]).toEqual([false, false]);
    expect(gov(['uninstall', '--yes']).status).toBe(0);
    expect([readFileSync(gemini, 'utf8'), now()]).toEqual([before, OTHERS]);
    expect(doctor()).toContainEqual('registered: Gemini CLI is used here, and gov is not registered in it');
  });

  test('of Codex the person hears what is left to do', () => {
    const run = gov(['init', '--agent', 'codex', '--yes']);
    expect([run.status, run.stderr]).toEqual([0, '']);
    expect(run.stdout).toContain('type /hooks and trust those of gov');
    expect(gov(['init', '--agent', 'codex', '--scope', 'managed', '--dry-run'])).toMatchObject({
      status: 64,
      stderr: expect.stringContaining('Codex has no scope `managed`'),
    });
  });

  test('settings that Codex would refuse whole are not written', () => {
    const file = join(root, 'home', '.codex', 'hooks.json');
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, '{"$schema":"x"}');
    const run = gov(['init', '--agent', 'codex', '--yes']);
    expect([run.status, readFileSync(file, 'utf8')]).toEqual([70, '{"$schema":"x"}']);
    expect(run.stderr).toContain('Codex refuses the whole file because of `$schema`');
  });
});

describe('gov status', () => {
  test('before and after', () => {
    const before = JSON.parse(gov(['status', '--json']).stdout);
    expect(before).toMatchObject({
      config: { mode: 'enforce', preset: 'recommended' },
      configFault: '',
      policy: { fault: '' },
      store: { exists: false },
      registrations: [],
    });
    expect(before.policy.rules).toBeGreaterThan(20);
    initialize();
    const after = JSON.parse(gov(['status', '--json']).stdout);
    expect(after).toMatchObject({
      store: { exists: true },
      registrations: [{ agent: 'claude-code', scope: 'user', file: settings, present: true }],
    });
    expect(gov(['status']).stdout).toContain(`hooks     claude-code, user: ${settings}`);
  });
});

describe('gov verify', () => {
  const canaries = (): {
    ok: boolean;
    canaries: { canary: string; exitCode: number; fault: string }[];
    problem: string;
  } => JSON.parse(gov(['verify', '--json']).stdout);

  test('both canaries through the installed hook', () => {
    initialize();
    const run = canaries();
    expect(run.canaries.map(({ canary, exitCode, fault }) => ({ canary, exitCode, fault }))).toEqual([
      { canary: 'block', exitCode: 2, fault: '' },
      { canary: 'allow', exitCode: 0, fault: '' },
    ]);
    expect(run.ok).toBe(true);
    expect(gov(['verify']).status).toBe(0);
  });

  test('monitor mode blocks nothing, and says so', () => {
    initialize('--preset', 'monitor');
    const run = gov(['verify']);
    expect(run).toMatchObject({ status: 0, stdout: expect.stringContaining('Monitor mode: nothing is blocked.') });
  });

  test('registered nowhere', () => {
    expect(canaries()).toMatchObject({ ok: false, problem: expect.stringContaining('gov init') });
    expect(gov(['verify']).status).toBe(1);
  });

  test('the hooks were taken out by hand', () => {
    initialize();
    writeFileSync(settings, '{}');
    expect(canaries()).toMatchObject({
      ok: false,
      canaries: [{ fault: expect.stringContaining('hold no hook of gov') }],
    });
  });

  test('a hook that does not block', () => {
    initialize();
    const fake = join(root, 'hooks', 'pre-tool-use');
    mkdirSync(dirname(fake));
    writeFileSync(fake, '#!/bin/sh\nexit 0\n', { mode: 0o755 });
    writeFileSync(settings, now().replaceAll(join(ROOT, 'hooks', 'pre-tool-use'), fake));
    const run = canaries();
    expect(run.ok).toBe(false);
    expect(run.canaries.map((canary) => canary.fault)).toEqual([
      expect.stringContaining('ended with 0, not 2'),
      'it answered, and nothing is recorded',
    ]);
  });

  test('a program that is gone', () => {
    initialize();
    writeFileSync(settings, now().replaceAll(join(ROOT, 'hooks'), '/nonexistent/hooks'));
    expect(canaries().canaries[0]?.fault).toContain('does not start');
  });
});

describe('gov doctor', () => {
  /** A client of a version, in PATH. */
  function client(version: string): void {
    writeFileSync(join(root, 'bin', 'claude'), `#!/bin/sh\necho '${version} (Claude Code)'\n`, { mode: 0o755 });
  }
  function checks(more: NodeJS.ProcessEnv = {}): { readonly status: number | null; readonly found: readonly string[] } {
    const run = gov(['doctor', '--json'], more);
    const list = (JSON.parse(run.stdout) as { checks: { id: string; state: string; message: string; fix: string }[] })
      .checks;
    for (const check of list) expect(check.fix !== '').toBe(check.state !== 'ok');
    return {
      status: run.status,
      found: list
        .filter((check) => check.state !== 'ok')
        .map((check) => `${check.state} ${check.id}: ${check.message}`),
    };
  }

  test('nothing to find', () => {
    initialize();
    client('2.1.332');
    expect(checks()).toEqual({ status: 0, found: [] });
    expect(gov(['doctor']).stdout).toContain(`in the user settings ${settings}`);
  });

  test('it only looks: no store is made, and none written to', () => {
    const state = join(root, 'gov', 'state');
    expect(gov(['doctor']).stdout).toContain('audit.db will be made by the first call');
    expect(existsSync(join(root, 'gov'))).toBe(false);
    initialize();
    const listed = (): string => gov(['audit', 'list', '--json']).stdout;
    const before = listed();
    expect(gov(['doctor']).stdout).toContain('audit.db takes records');
    expect(listed()).toBe(before);
    chmodSync(state, 0o777);
    expect(checks().found).toContainEqual(expect.stringMatching(/^bad store: .*can be written by others/));
    expect(statSync(state).mode & 0o777).toBe(0o777);
  });

  interface Sick {
    readonly name: string;
    readonly breaks: () => NodeJS.ProcessEnv | undefined;
    readonly finds: RegExp;
  }
  const config = (name: string): string => join(root, 'gov', 'config', name);
  test.each<Sick>([
    {
      name: 'not registered',
      breaks: () => void rmSync(settings),
      finds: /^bad registered: .*(?:is gone|registers gov)/,
    },
    {
      name: 'one event less',
      breaks: () => void writeFileSync(settings, now().replace('"ConfigChange"', '"SomethingElse"')),
      finds: /^bad registered: .*ConfigChange is gone/,
    },
    {
      name: 'one of two registrations taken out by hand',
      breaks: () => {
        initialize('--scope', 'project');
        writeFileSync(join(root, 'work', '.claude', 'settings.json'), '{}');
        return undefined;
      },
      finds: /^bad registered: .*work\/\.claude\/settings\.json: gov's hook for PreToolUse is gone/,
    },
    {
      name: 'path moved',
      breaks: () => void writeFileSync(settings, now().replaceAll(join(ROOT, 'hooks'), '/gone/hooks')),
      finds: /^bad path-moved: .*\/gone\/hooks\/pre-tool-use/,
    },
    {
      name: 'settings that do not parse',
      breaks: () => void writeFileSync(settings, `${now()},`),
      finds: /^bad settings: .*settings\.json:\d+:\d+: .*drops the whole file/,
    },
    {
      name: 'project settings that do not parse',
      breaks: () => inProject('settings.json', '{'),
      finds: /^bad settings: .*work\/\.claude\/settings\.json:1:2/,
    },
    {
      name: 'a pipe in the place of project settings',
      breaks: () => {
        mkdirSync(join(root, 'work', '.claude'), { recursive: true });
        spawnSync('mkfifo', [join(root, 'work', '.claude', 'settings.json')]);
        return undefined;
      },
      finds: /^bad settings: .*work\/\.claude\/settings\.json.*not a plain file/,
    },
    {
      name: 'project settings of a size that nobody writes',
      breaks: () => inProject('settings.json', `{"a": "${'x'.repeat(9_000_000)}"}`),
      finds: /^bad settings: .*work\/\.claude\/settings\.json.*larger than/,
    },
    {
      name: 'a wrong-typed field',
      breaks: () => void writeFileSync(settings, now().replace('"timeout": 20', '"timeout": "20"')),
      finds: /^bad settings: .*timeout` is not a positive number/,
    },
    {
      name: 'switched off in a stronger file',
      breaks: () => inProject('settings.local.json', '{"disableAllHooks": true}'),
      finds: /^bad switched-off: .*settings\.local\.json: `disableAllHooks` is set/,
    },
    {
      name: 'safe mode in settings',
      breaks: () => inProject('settings.json', '{"env": {"CLAUDE_CODE_SAFE_MODE": "1"}}'),
      finds: /^bad switched-off: .*CLAUDE_CODE_SAFE_MODE/,
    },
    {
      name: 'safe mode in the environment',
      breaks: () => ({ CLAUDE_CODE_SAFE_MODE: '1' }),
      finds: /^bad environment: CLAUDE_CODE_SAFE_MODE is set/,
    },
    {
      name: 'bare mode in the environment',
      breaks: () => ({ CLAUDE_CODE_SIMPLE: '1' }),
      finds: /^bad environment: CLAUDE_CODE_SIMPLE is set/,
    },
    {
      name: 'client too old',
      breaks: () => client('2.1.197') as undefined,
      finds: /^bad client: Claude Code 2\.1\.197/,
    },
    {
      name: 'client not found',
      breaks: () => void rmSync(join(root, 'bin', 'claude')),
      finds: /^warn client: no `claude` in PATH/,
    },
    {
      name: 'Node that is gone',
      breaks: () => void writeFileSync(config('node'), '/nonexistent/node\n'),
      finds: /^warn node: .*\/nonexistent\/node, which is gone/,
    },
    { name: 'Node that is too old', breaks: () => oldNode(), finds: /^bad node: .*v18\.20\.0/ },
    {
      name: 'configuration broken',
      breaks: () => void writeFileSync(config('config.json'), '{'),
      finds: /^bad config: .*not JSON/,
    },
    {
      name: 'monitor mode',
      breaks: () => void writeFileSync(config('config.json'), '{"mode":"monitor"}', { mode: 0o600 }),
      finds: /^warn config: monitor mode/,
    },
    {
      name: 'unknown preset',
      breaks: () => void writeFileSync(config('config.json'), '{"preset":"nonesuch"}'),
      finds: /^bad policy: .*nonesuch/,
    },
    {
      name: 'list of registrations broken',
      breaks: () => void writeFileSync(config('installed.json'), '[]'),
      finds: /^bad registered: .*not a list of registrations/,
    },
    {
      name: 'store that can not be written',
      breaks: () => {
        rmSync(join(root, 'gov', 'state'), { recursive: true });
        writeFileSync(join(root, 'gov', 'state'), '');
        return undefined;
      },
      finds: /^bad store: records can't be written/,
    },
  ])('$name', ({ breaks, finds }) => {
    initialize();
    client('2.1.332');
    const { status, found } = checks(breaks() ?? {});
    expect(found).toContainEqual(expect.stringMatching(finds));
    expect(status).toBe(found.some((line) => line.startsWith('bad')) ? 1 : 0);
  });

  function inProject(name: string, text: string): undefined {
    mkdirSync(join(root, 'work', '.claude'), { recursive: true });
    writeFileSync(join(root, 'work', '.claude', name), text);
    return undefined;
  }
  function oldNode(): undefined {
    const node = join(root, 'bin', 'node18');
    writeFileSync(node, '#!/bin/sh\necho v18.20.0\n');
    chmodSync(node, 0o755);
    writeFileSync(config('node'), `${node}\n`);
    return undefined;
  }
});
