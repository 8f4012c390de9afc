import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Database } from '../../src/audit/sqlite.ts';
import { govPaths } from '../../src/base/gov-paths.ts';
import { layersOf } from '../../src/rulebook/layers.ts';
import { publishLayers } from '../../src/rulebook/publish.ts';
import {
  bash,
  configure,
  copyInstallation,
  makePlace,
  type Place,
  payload,
  ROOT,
  records,
  removePlace,
  runHook,
} from './place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => {
  removePlace(place);
});

const isRoot = process.getuid?.() === 0;

interface Broken {
  readonly stdin: string | Buffer;
  readonly launcher?: string;
  readonly agent?: string;
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}
interface Row {
  readonly name: string;
  readonly skip?: boolean;
  /** Breaks something, and says how the hook is to be started. */
  readonly breaks: (at: Place) => Broken;
  /** What the one line on standard error must name. */
  readonly says: RegExp;
  /** False: gov is too broken to make a record even in monitor mode. */
  readonly recorded: boolean;
  /** The launcher itself is broken, and does not come as far as the configuration. */
  readonly blocksInMonitorModeToo?: true;
}

/** The launcher of a copy whose hook has something added: after its own first statements, before any input. */
function tampered(at: Place, code: string): string {
  const copy = copyInstallation(at);
  appendFileSync(join(copy, 'dist', 'hook.cjs'), `;${code};`);
  return join(copy, 'hooks', 'pre-tool-use');
}

function hello(at: Place, launcher?: string): Broken {
  return { stdin: bash(at, 'echo hello'), ...(launcher ? { launcher } : {}) };
}

const BAD_PAYLOAD = /^denied by gov\.bad-payload: /;

const ROWS: readonly Row[] = [
  { name: 'malformed JSON', breaks: () => ({ stdin: '{"session_id": ' }), says: BAD_PAYLOAD, recorded: true },
  { name: 'empty standard input', breaks: () => ({ stdin: '' }), says: BAD_PAYLOAD, recorded: true },
  { name: 'only white space', breaks: () => ({ stdin: ' \n' }), says: BAD_PAYLOAD, recorded: true },
  {
    name: 'two JSON values',
    breaks: (at) => ({ stdin: bash(at, 'ls') + bash(at, 'ls') }),
    says: BAD_PAYLOAD,
    recorded: true,
  },
  {
    name: 'bytes that are not UTF-8',
    breaks: (at) => ({ stdin: Buffer.from(bash(at, 'echo \u00e9'), 'latin1') }),
    says: BAD_PAYLOAD,
    recorded: true,
  },
  { name: '50 MB of zeros', breaks: () => ({ stdin: Buffer.alloc(50_000_000) }), says: BAD_PAYLOAD, recorded: true },
  {
    name: 'a valid payload of 50 MB',
    breaks: (at) => ({
      stdin: payload(at, {
        tool_name: 'Write',
        tool_input: { file_path: join(at.workspace, 'a'), content: 'x'.repeat(50_000_000) },
      }),
    }),
    says: /larger than/,
    recorded: true,
  },
  {
    name: 'no event',
    breaks: (at) => ({ stdin: payload(at, { hook_event_name: undefined }) }),
    says: BAD_PAYLOAD,
    recorded: true,
  },
  {
    name: 'unknown event',
    breaks: (at) => ({ stdin: payload(at, { hook_event_name: 'BeforeTheStorm' }) }),
    says: /`BeforeTheStorm`/,
    recorded: true,
  },
  {
    name: 'no tool',
    breaks: (at) => ({ stdin: payload(at, { tool_name: undefined }) }),
    says: BAD_PAYLOAD,
    recorded: true,
  },
  {
    name: 'no input',
    breaks: (at) => ({ stdin: payload(at, { tool_input: undefined }) }),
    says: BAD_PAYLOAD,
    recorded: true,
  },
  {
    name: 'no directory',
    breaks: (at) => ({ stdin: payload(at, { cwd: undefined }), env: { ...at.env, CLAUDE_PROJECT_DIR: undefined } }),
    says: BAD_PAYLOAD,
    recorded: true,
  },
  {
    name: 'command of a wrong type',
    breaks: (at) => ({ stdin: payload(at, { tool_input: { command: 7 } }) }),
    says: /no text `command`/,
    recorded: true,
  },
  {
    name: 'session of a wrong type',
    breaks: (at) => ({ stdin: payload(at, { session_id: [] }) }),
    says: BAD_PAYLOAD,
    recorded: true,
  },
  { name: 'unknown agent', breaks: (at) => ({ ...hello(at), agent: 'hal-9000' }), says: /`hal-9000`/, recorded: true },
  {
    name: 'policy bundle missing',
    breaks: (at) => {
      const copy = copyInstallation(at);
      for (const name of ['recommended', 'monitor', 'strict']) rmSync(join(copy, 'dist', 'policy', `${name}.json`));
      return hello(at, join(copy, 'hooks', 'pre-tool-use'));
    },
    says: /^denied by gov\.no-policy: /,
    recorded: true,
  },
  {
    name: 'policy bundle changed by one byte',
    breaks: (at) => {
      const copy = copyInstallation(at);
      const file = join(copy, 'dist', 'policy', 'recommended.json');
      writeFileSync(file, readFileSync(file, 'utf8').replace('"deny"', '"warn"'));
      return hello(at, join(copy, 'hooks', 'pre-tool-use'));
    },
    says: /^denied by gov\.no-policy: /,
    recorded: true,
  },
  {
    name: 'policy bundle cut off',
    breaks: (at) => {
      const copy = copyInstallation(at);
      const file = join(copy, 'dist', 'policy', 'recommended.json');
      writeFileSync(file, readFileSync(file, 'utf8').slice(0, 1000));
      return hello(at, join(copy, 'hooks', 'pre-tool-use'));
    },
    says: /^denied by gov\.no-policy: /,
    recorded: true,
  },
  {
    name: 'preset that does not exist',
    breaks: (at) => {
      configure(at, { preset: 'nonesuch', mode: readMode(at) });
      return hello(at);
    },
    says: /^denied by gov\.no-policy: /,
    recorded: true,
  },
  {
    name: 'hook not built',
    breaks: (at) => {
      const copy = copyInstallation(at);
      rmSync(join(copy, 'dist'), { recursive: true });
      return hello(at, join(copy, 'hooks', 'pre-tool-use'));
    },
    says: /dist\/hook\.cjs is missing: run `npm run build`/,
    recorded: false,
  },
  {
    name: 'bundle missing beside its starter',
    breaks: (at) => {
      const copy = copyInstallation(at);
      rmSync(join(copy, 'dist', 'hook.bundle.js'));
      return hello(at, join(copy, 'hooks', 'pre-tool-use'));
    },
    says: /the hook ended with status 1/,
    recorded: false,
  },
  {
    name: 'bundle is not JavaScript',
    breaks: (at) => {
      const copy = copyInstallation(at);
      writeFileSync(join(copy, 'dist', 'hook.bundle.js'), '(function () { garbage');
      return hello(at, join(copy, 'hooks', 'pre-tool-use'));
    },
    says: /the hook ended with status 1/,
    recorded: false,
  },
  {
    name: 'half of the launcher missing',
    breaks: (at) => {
      const copy = copyInstallation(at);
      rmSync(join(copy, 'hooks', 'launch.sh'));
      return hello(at, join(copy, 'hooks', 'pre-tool-use'));
    },
    says: /launcher is incomplete/,
    recorded: false,
    blocksInMonitorModeToo: true,
  },
  {
    name: 'exception in the event loop',
    breaks: (at) => hello(at, tampered(at, 'process.nextTick(() => { throw new Error("boom") })')),
    says: /internal fault: boom/,
    recorded: false,
  },
  {
    name: 'rejection that nobody handles',
    breaks: (at) => hello(at, tampered(at, 'Promise.reject(new Error("boom"))')),
    says: /internal fault: boom/,
    recorded: false,
  },
  {
    name: 'something that is no error is thrown',
    breaks: (at) => hello(at, tampered(at, 'process.nextTick(() => { throw null })')),
    says: /internal fault: null/,
    recorded: false,
  },
  {
    name: 'process killed',
    breaks: (at) => hello(at, tampered(at, 'process.kill(process.pid, "SIGKILL")')),
    says: /the hook ended with status 137/,
    recorded: false,
  },
  {
    name: 'process aborts',
    breaks: (at) => hello(at, tampered(at, 'process.abort()')),
    says: /the hook ended with status 134/,
    recorded: false,
  },
  {
    name: 'out of memory',
    breaks: (at) =>
      hello(
        at,
        tampered(
          at,
          'process.nextTick(() => { const a = []; require("node:v8").setFlagsFromString("--max-old-space-size=40"); for (;;) a.push(new Array(1e5).fill(1.5)) })',
        ),
      ),
    says: /the hook ended with status 13[0-9]/,
    recorded: false,
  },
  {
    name: 'Node that does not work',
    breaks: (at) => {
      const node = join(at.root, 'node');
      writeFileSync(node, '#!/bin/sh\nexit 1\n');
      chmodSync(node, 0o755);
      mkdirSync(join(at.govHome, 'config'), { recursive: true });
      writeFileSync(join(at.govHome, 'config', 'node'), `${node}\n`);
      return hello(at);
    },
    says: /the hook ended with status 1/,
    recorded: false,
  },
  {
    name: 'working directory deleted',
    breaks: (at) => {
      // The shell stands in a directory that it takes away before it becomes the launcher.
      const gone = join(at.workspace, 'gone');
      mkdirSync(gone);
      const script = join(at.root, 'in-deleted-directory');
      writeFileSync(script, `#!/bin/sh\nrmdir '${gone}'\nexec '${join(ROOT, 'hooks', 'pre-tool-use')}' "$@"\n`);
      chmodSync(script, 0o755);
      return { ...hello(at, script), cwd: gone };
    },
    says: /the working directory does not exist any more/,
    recorded: true,
  },
  {
    name: 'state directory can not be made',
    breaks: (at) => {
      mkdirSync(at.govHome, { recursive: true });
      writeFileSync(join(at.govHome, 'state'), 'a file where a directory must be');
      return hello(at);
    },
    says: /^denied by gov\.not-recorded: /,
    recorded: false,
  },
  {
    name: 'store belongs to somebody else',
    skip: !isRoot,
    breaks: (at) => {
      runHook(at, bash(at, 'echo first'));
      chownSync(join(at.govHome, 'state', 'audit.db'), 12345, 12345);
      return hello(at);
    },
    says: /^denied by gov\.not-recorded: /,
    recorded: false,
  },
  {
    name: 'store of another program',
    breaks: (at) => {
      const state = join(at.govHome, 'state');
      mkdirSync(state, { recursive: true, mode: 0o700 });
      const db = new Database(join(state, 'audit.db'));
      db.exec('CREATE TABLE bookmarks (url TEXT)');
      db.close();
      chmodSync(join(state, 'audit.db'), 0o600);
      return hello(at);
    },
    says: /^denied by gov\.not-recorded: /,
    recorded: false,
  },
];

/** The mode that a test has configured already. */
function readMode(at: Place): string {
  try {
    return JSON.parse(readFileSync(join(at.govHome, 'config', 'config.json'), 'utf8')).mode;
  } catch {
    return 'enforce';
  }
}

describe.each(['enforce', 'monitor'] as const)('%s', (mode) => {
  test.each(ROWS.filter((row) => !row.skip))('$name', ({ breaks, says, recorded, blocksInMonitorModeToo }) => {
    if (mode === 'monitor') configure(place, { mode: 'monitor', preset: 'recommended' });
    const { stdin, ...options } = breaks(place);
    const run = runHook(place, stdin, options);
    expect({ exitCode: run.exitCode, stderr: run.stderr }).toEqual({
      exitCode: mode === 'enforce' || blocksInMonitorModeToo ? 2 : 0,
      stderr: expect.stringMatching(mode === 'enforce' ? says : /\S/),
    });
    if (mode === 'enforce') expect(run.stdout).toBe('');
    if (recorded) expect(records(place).at(-1)).toMatchObject({ answer: mode === 'enforce' ? 'deny' : 'allow' });
  });
});

describe('what is only recorded never blocks, whatever breaks', () => {
  const launchers = ['post-tool-use', 'event'] as const;
  test.each(launchers.flatMap((launcher) => ROWS.filter((row) => !row.skip).map((row) => ({ launcher, ...row }))))(
    '$launcher: $name',
    ({ launcher, breaks }) => {
      const { stdin, ...options } = breaks(place);
      const name = options.launcher?.replace(/pre-tool-use$/, launcher) ?? join(ROOT, 'hooks', launcher);
      const script = options.launcher?.endsWith('in-deleted-directory');
      if (script) return; // It becomes pre-tool-use by its own text.
      const event = launcher === 'event' ? 'Stop' : 'PostToolUse';
      const text = typeof stdin === 'string' ? stdin.replace('"PreToolUse"', `"${event}"`) : stdin;
      expect(runHook(place, text, { ...options, launcher: name }).exitCode).toBe(0);
    },
  );
});

describe('a store that can not take the record now', () => {
  test('locked: the record waits in the spool, the decision stands, the next hook takes it in', async () => {
    runHook(place, bash(place, 'echo first'));
    const holder = await holdLock(join(place.govHome, 'state', 'audit.db'));
    const allowed = runHook(place, bash(place, 'echo second'));
    const denied = runHook(place, bash(place, 'rm -rf ~'));
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(allowed.exitCode).toBe(0);
    expect(allowed.stderr).toMatch(/spool/);
    expect(denied.exitCode).toBe(2);
    runHook(place, bash(place, 'echo third'));
    expect(records(place).map((r) => r.answer)).toEqual(['allow', 'allow', 'deny', 'allow']);
  });

  test.each([
    ['ask', 0, 'ask'],
    ['deny', 2, 'deny'],
  ])('locked, and the policy says %s: nothing passes, and the record says so', async (word, exitCode, answer) => {
    const rules = join(place.govHome, 'config', 'rules', 'presets');
    mkdirSync(rules, { recursive: true });
    const audit = `defaults: { audit: { on_failure: ${word} } }`;
    const set = `apiVersion: gov/v1\nkind: PolicySet\nname: mine\nimports: ["builtin:recommended"]\n${audit}\n`;
    writeFileSync(join(rules, 'mine.yaml'), set);
    const paths = govPaths(place.env);
    expect(publishLayers(paths, null, layersOf(paths, '/nonexistent'))).toMatchObject({ ok: true });
    configure(place, { preset: 'mine' });
    expect(runHook(place, bash(place, 'echo first'))).toMatchObject({ exitCode: 0, stdout: '' });
    const holder = await holdLock(join(place.govHome, 'state', 'audit.db'));
    const held = runHook(place, bash(place, 'echo second'));
    const denied = runHook(place, bash(place, 'rm -rf ~'));
    holder.kill('SIGKILL');
    await once(holder, 'exit');
    expect(held.exitCode).toBe(exitCode);
    expect(held.stdout + held.stderr).toContain('gov.only-spooled');
    expect(denied.exitCode).toBe(2);
    expect(denied.stderr).not.toContain('gov.only-spooled');
    expect(runHook(place, bash(place, 'echo third'))).toMatchObject({ exitCode: 0, stdout: '' });
    expect(records(place).map((r) => r.answer)).toEqual(['allow', answer, 'deny', 'allow']);
  });

  test('corrupt: nothing is answered unrecorded', () => {
    runHook(place, bash(place, 'echo first'));
    const file = join(place.govHome, 'state', 'audit.db');
    writeFileSync(file, Buffer.alloc(8192, 0x5a));
    const run = runHook(place, bash(place, 'echo second'));
    const waiting = spoolSize(place);
    expect([run.exitCode, waiting > 0]).toSatisfy(([code, spooled]) => code === 2 || (code === 0 && spooled === true));
    expect(run.stderr).not.toBe('');
  });

  test('no space left: every write of the process fails', () => {
    const script = join(place.root, 'no-space');
    writeFileSync(script, `#!/bin/sh\nulimit -f 0\nexec '${join(ROOT, 'hooks', 'pre-tool-use')}' "$@"\n`);
    chmodSync(script, 0o755);
    const run = runHook(place, bash(place, 'echo hello'), { launcher: script });
    expect(run.exitCode).toBe(2);
    expect(run.stderr).not.toBe('');
  });

  test('compiled part of better-sqlite3 missing', () => {
    const copy = copyInstallation(place, false);
    const run = runHook(place, bash(place, 'echo hello'), { launcher: join(copy, 'hooks', 'pre-tool-use') });
    expect(run.exitCode === 2 || spoolSize(place) > 0).toBe(true);
    expect(run.stderr).toMatch(/better-sqlite3/);
  });
});

describe('time', () => {
  test('standard input that is never closed is answered at the own deadline', async () => {
    const hook = spawn(join(ROOT, 'hooks', 'pre-tool-use'), ['claude-code'], { cwd: place.workspace, env: place.env });
    let stderr = '';
    hook.stderr.on('data', (chunk) => {
      stderr += chunk;
    });
    hook.stdin.write('{"session_id"');
    const started = performance.now();
    const [code] = await once(hook, 'exit');
    expect(code).toBe(2);
    expect(performance.now() - started).toBeLessThan(15_000);
    expect(stderr).toMatch(/^denied by gov\.bad-payload: .*not closed within/);
    expect(records(place).map((r) => r.answer)).toEqual(['deny']);
  });
});

describe('what is no fault', () => {
  test('HOME unset', () => {
    const env = { ...place.env, HOME: undefined };
    expect(runHook(place, bash(place, 'echo hello'), { env })).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(runHook(place, bash(place, 'rm -rf /'), { env }).exitCode).toBe(2);
  });

  test('store missing: it is made, for this user alone', () => {
    expect(runHook(place, bash(place, 'echo hello'))).toEqual({ exitCode: 0, stdout: '', stderr: '' });
    expect(records(place).map((r) => r.answer)).toEqual(['allow']);
    const modes = spawnSync(
      'stat',
      ['-c', '%a', join(place.govHome, 'state'), join(place.govHome, 'state', 'audit.db')],
      { encoding: 'utf8' },
    );
    if (process.platform === 'linux') expect(modes.stdout).toBe('700\n600\n');
  });

  test('launcher started through a symbolic link and a relative path', () => {
    const link = join(place.workspace, 'gov-link');
    spawnSync('ln', ['-s', join(ROOT, 'hooks', 'pre-tool-use'), link]);
    expect(runHook(place, bash(place, 'rm -rf ~'), { launcher: link }).exitCode).toBe(2);
    expect(runHook(place, bash(place, 'echo hello'), { launcher: './gov-link' }).exitCode).toBe(0);
    unlinkSync(link);
  });

  test('variables that would make Node run or print something else', () => {
    const evil = join(place.root, 'evil.cjs');
    writeFileSync(evil, 'process.exit(0)');
    const env = { ...place.env, NODE_OPTIONS: `--require ${evil}`, NODE_DEBUG: 'fs,module' };
    const run = runHook(place, bash(place, 'rm -rf ~'), { env });
    expect([run.exitCode, run.stdout]).toEqual([2, '']);
  });

  test.each(['GOV_MODE', 'GOV_ALLOW', 'GOV_MONITOR', 'GOV_DISABLE', 'GOV_PRESET'])(
    '%s in the environment loosens nothing',
    (name) => {
      for (const value of ['1', 'monitor', 'allow'])
        expect(runHook(place, bash(place, 'rm -rf ~'), { env: { ...place.env, [name]: value } }).exitCode).toBe(2);
    },
  );

  test('a broken configuration enforces, and says so', () => {
    configure(place, '{"mode": "monitor"');
    const run = runHook(place, bash(place, 'rm -rf ~'));
    expect(run.exitCode).toBe(2);
    const harmless = runHook(place, bash(place, 'echo hello'));
    expect(harmless.exitCode).toBe(0);
    expect(harmless.stderr).toMatch(/config\.json can't be used \(it is not JSON\)/);
  });

  test('monitor mode that others could have written enforces', () => {
    configure(place, { mode: 'monitor' });
    chmodSync(join(place.govHome, 'config', 'config.json'), 0o666);
    expect(runHook(place, bash(place, 'rm -rf ~')).exitCode).toBe(2);
  });
});

function spoolSize(at: Place): number {
  const run = spawnSync('find', [join(at.govHome, 'state', 'spool'), '-type', 'f'], { encoding: 'utf8' });
  return run.stdout.split('\n').filter((line) => line !== '').length;
}

/** Another process that holds the database's write lock until it is killed. */
async function holdLock(file: string): Promise<ChildProcess> {
  const code = `const { Database } = await import('./dist/audit/sqlite.js'); const db = new Database(${JSON.stringify(file)}); db.exec('BEGIN IMMEDIATE'); console.log('held'); setInterval(() => db.open, 1000);`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout as NodeJS.ReadableStream, 'data');
  return child;
}
