import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

// The tarball that people install: packed, put into an empty prefix, and used from there.
const scratch = mkdtempSync(join(tmpdir(), 'gov-pack-'));
const prefix = join(scratch, 'prefix');
const workspace = join(scratch, 'work');
const node = dirname(dirname(process.execPath));
const env: NodeJS.ProcessEnv = {
  // How npm reaches its registry (proxies, certificates) is the machine's; what `npm test` set for itself is left out.
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.toLowerCase().startsWith('npm_'))),
  GOV_HOME: join(scratch, 'gov'),
  GOV_DAEMON: 'off',
  // Lets node-gyp compile against the Node that runs here, if its headers are installed with it.
  ...(existsSync(join(node, 'include', 'node', 'node.h')) ? { npm_config_nodedir: node } : {}),
};

beforeAll(() => {
  mkdirSync(workspace);
  // --ignore-scripts: dist/ is what the tests were built with; packing must not rebuild it under other tests' feet.
  const packed = execFileSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', scratch], {
    env,
    encoding: 'utf8',
  });
  const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
  execFileSync(
    'npm',
    [
      'install',
      '--global',
      '--prefix',
      prefix,
      '--no-audit',
      '--no-fund',
      '--allow-scripts=better-sqlite3',
      join(scratch, filename),
    ],
    { env, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
}, 400_000);

afterAll(() => rmSync(scratch, { recursive: true, force: true }));

function run(
  program: string,
  args: readonly string[],
  input = '',
): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(join(prefix, 'bin', program), args, { env, input, cwd: workspace, encoding: 'utf8' });
}

test('gov tells its version', () => {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8')) as { version: string };
  expect(run('gov', ['--version']).stdout).toContain(version);
});

test('gov check decides with the built-in rules', () => {
  const denied = run('gov', ['check', '--json', '--exit-code', '--', 'rm -rf /etc']);
  expect(denied.status).toBe(2);
  expect(JSON.parse(denied.stdout)).toMatchObject({ decision: 'deny' });
  expect(run('gov', ['check', '--exit-code', '--', 'ls']).status).toBe(0);
});

test('the installed hook blocks, and its record can be read', () => {
  const payload = {
    session_id: 's',
    cwd: workspace,
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    tool_input: { command: 'rm -rf /etc' },
  };
  const blocked = run('gov-hook', ['pre-tool-use', 'claude-code'], JSON.stringify(payload));
  expect(blocked).toMatchObject({ status: 2, stdout: '' });
  expect(blocked.stderr).toContain('fs.delete-outside');
  const listed = JSON.parse(run('gov', ['audit', 'list', '--json']).stdout) as unknown;
  expect(JSON.stringify(listed)).toContain('rm -rf /etc');
});
