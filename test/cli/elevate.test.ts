import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { govPaths } from '../../src/base/gov-paths.ts';
import { bash, makePlace, type Place, ROOT, records, removePlace, runHook } from '../process/place.ts';
import { hasTerminals, openTerminal, type Terminal } from '../support/terminal.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => {
  removePlace(place);
});

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** The built `gov`, without a terminal. */
function gov(args: readonly string[], more: NodeJS.ProcessEnv = {}): Run {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(ROOT, 'bin', 'run.js'), ...args], {
    cwd: place.workspace,
    env: { ...place.env, ...more },
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  return { status, stdout, stderr };
}

/** The code in the message that an agent got. */
function codeOfDenied(command: string): string {
  const { stderr } = runHook(place, bash(place, command));
  return /gov elevate approve ([0-9A-Z]{4})\n/.exec(stderr)?.[1] ?? `no code in: ${stderr}`;
}

const acts = (): readonly string[] =>
  records(place)
    .filter((record) => record.kind === 'gov')
    .map((record) => (record.body['call'] as { rawEvent: string }).rawEvent);

describe('only a person', () => {
  test.each([
    ['elevate approve', ['elevate', 'approve', 'K7QF']],
    ['resume', ['resume']],
  ])('%s: without a terminal, or under an agent, it refuses', (_, args) => {
    expect(gov(args)).toMatchObject({ status: 64, stdout: '', stderr: expect.stringMatching(/person|runs under/) });
    expect(gov(args, { CLAUDECODE: '1' })).toMatchObject({
      status: 64,
      stderr: expect.stringContaining('this process runs under Claude Code'),
    });
  });
});

test('a request in words is recorded and listed, and grants nothing', () => {
  runHook(place, bash(place, 'ls'));
  const asked = gov([
    'elevate',
    'request',
    'fs.delete-outside',
    '--for',
    '5m',
    '--session',
    'test-session',
    '--reason',
    'a leftover',
    '--json',
  ]);
  const { code } = JSON.parse(asked.stdout) as { code: string };
  expect(code).toMatch(/^[0-9A-Z]{4}$/);
  const listed = JSON.parse(gov(['elevate', 'list', '--json']).stdout) as { requests: unknown[]; grants: unknown[] };
  expect(listed).toMatchObject({
    requests: [{ code, rules: ['fs.delete-outside'], session: 'test-session', reason: 'a leftover' }],
    grants: [],
  });
  expect(runHook(place, bash(place, 'rm -rf ~/other')).exitCode).toBe(2);
  expect(acts()).toEqual(['elevate-request']);
});

test.each([
  [['elevate', 'request', 'no.rule', '--reason', 'r'], 'no rule in force is called `no.rule`'],
  [['elevate', 'request', 'guard.own-files', '--reason', 'r'], 'is a hard rule: nothing lifts it'],
  [['elevate', 'request', 'fs.delete-outside'], 'reason'],
  [['elevate', 'request', '--reason', 'r'], 'name a rule, --tag or --decision'],
  [['elevate', 'request', 'fs.delete-outside', '--for', 'long', '--reason', 'r'], '`long` is no duration'],
  [['elevate', 'deny', 'ZZZZ'], 'nothing that can be approved has the code `ZZZZ`'],
  [['elevate', 'drop', 'ZZZZ'], 'no grant has the code `ZZZZ`'],
  [['elevate', 'show', 'ZZZZ'], 'no request and no grant has the code `ZZZZ`'],
])('gov %j is refused in a sentence', (args, message) => {
  runHook(place, bash(place, 'ls'));
  const run = gov(args);
  expect({ status: run.status, stdout: run.stdout }).toEqual({ status: 64, stdout: '' });
  expect(run.stderr).toContain(message);
});

test('a request that was denied can no longer be listed, and the agent hears why', () => {
  const code = codeOfDenied('rm -rf ~/other');
  expect(gov(['elevate', 'show', code]).stdout).toContain('rm -rf ~/other');
  expect(gov(['elevate', 'deny', code], { CLAUDECODE: '1' })).toMatchObject({ status: 64, stdout: '' });
  const denied = gov(['elevate', 'deny', code, '--note', 'use git clean']);
  expect(denied).toMatchObject({ status: 0, stdout: `Denied ${code}. The agent is told when it tries again.\n` });
  expect(JSON.parse(gov(['elevate', 'list', '--json']).stdout)).toEqual({ requests: [], grants: [] });
  const again = runHook(place, bash(place, 'rm -rf ~/other'));
  expect(again.stderr).toMatch(/\na person \(.*Z\) said no to this call: use git clean\n/);
  const newer = codeOfDenied('rm -rf ~/other');
  expect(gov(['elevate', 'deny', newer, '--reason', 'as before']).status).toBe(0);
  expect(runHook(place, bash(place, 'rm -rf ~/other')).stderr).toContain(' said no to this call: as before\n');
});

test('gov stop blocks the next call, gov status says so in its first line, and both are recorded', () => {
  const stopped = gov(['stop', '--reason', 'look first']);
  expect(stopped).toMatchObject({ status: 0, stderr: '' });
  expect(stopped.stdout).toMatch(/^STOPPED {2}Every agent on this machine is blocked/);
  const run = runHook(place, bash(place, 'ls'));
  expect([run.exitCode, run.stderr.includes(': look first\n')]).toEqual([2, true]);
  expect(gov(['status']).stdout.split('\n')[0]).toMatch(
    /^STOPPED {3}every agent on this machine \(.*: look first\); gov resume$/,
  );
  expect(gov(['status'], { FORCE_COLOR: '1' }).stdout.split('\n')[0]).toMatch(/^\x1b\[1m\x1b\[31mSTOPPED/);
  expect(acts()).toEqual(['stopped']);
});

test.each<[string, string, string | null, string]>([
  ['its whole id', 'test-session', 'test-session', ''],
  ['the beginning of its id', 'test-s', 'test-session', ''],
  ['the whole id of one that is the beginning of another', 'test-other', 'test-other', ''],
  ['the beginning of several', 'test-', null, 'gov: several sessions begin with `test-`'],
  ['an id that no record has', 'tset', 'tset', 'gov: no call of a session with this id was recorded so far'],
])('gov stop --session with %s', (_, given, want, said) => {
  const call = bash(place, 'ls');
  for (const session of ['test-session', 'test-other', 'test-other-2'])
    expect(runHook(place, call.replace('"test-session"', `"${session}"`)).exitCode).toBe(0);
  const { status, stderr } = gov(['stop', '--session', given, '--json']);
  expect([status, stderr.split(/;|\n/)[0]]).toEqual([want === null ? 64 : 0, want === null ? '' : said]);
  const { stops } = JSON.parse(gov(['status', '--json']).stdout) as { stops: { session: string }[] };
  expect(stops.map(({ session }) => session)).toEqual(want === null ? [] : [want]);
  expect(runHook(place, call).exitCode).toBe(want === 'test-session' ? 2 : 0);
  if (want === null) expect(gov(['stop', '--session', given]).stderr).toContain(said);
});

test('gov stop works where the store can not be read, and says that it could not look', () => {
  expect(runHook(place, bash(place, 'ls')).exitCode).toBe(0);
  writeFileSync(govPaths(place.env).database, 'no database');
  const { status, stderr } = gov(['stop', '--session', 'test-session']);
  expect([status, stderr.includes('the store can not be read')]).toEqual([0, true]);
  expect(runHook(place, bash(place, 'ls')).stderr).toContain('stop');
});

test('gov stop is recorded from a directory that was deleted, where other commands say so in one line', () => {
  const inNowhere = (...args: readonly string[]) => {
    const script = 'mkdir gone && cd gone && rmdir ../gone && exec "$@"';
    const run = spawnSync('sh', ['-c', script, 'sh', process.execPath, join(ROOT, 'bin', 'run.js'), ...args], {
      cwd: place.workspace,
      env: place.env,
      encoding: 'utf8',
    });
    return [run.status, run.stderr];
  };
  expect(inNowhere('stop')).toEqual([0, '']);
  expect(acts()).toEqual(['stopped']);
  const want = 'gov: the current directory does not exist any more\n     change to another one\n';
  expect(inNowhere('check', '--', 'ls')).toEqual([64, want]);
});

test('a fault inside of gov is no act of a person in the report', () => {
  expect(runHook(place, 'garbage').exitCode).toBe(2);
  gov(['stop', '--session', 'nobody']);
  const { acts: told } = JSON.parse(gov(['audit', 'report', '--json']).stdout) as { acts: object[] };
  expect(told).toEqual([{ name: 'stopped', count: 1 }]);
  const lines = gov(['audit', 'list']).stdout.split('\n');
  expect(lines.map((line) => line.slice(35))).toEqual([
    'gov                    stopped',
    'gov                      [gov.bad-payload]',
    '',
  ]);
  const replayed = gov(['replay', 'nobody', '--no-interactive']).stdout;
  expect(replayed).toMatch(/ gov +stopped\n/);
});

test('what waits stands in gov status, and gov audit show takes the code', () => {
  const code = codeOfDenied('rm -rf ~/other');
  const canary = bash(place, 'rm -rf ~/other').replace('"test-session"', '"gov-verify-1"');
  expect(runHook(place, canary).exitCode).toBe(2);
  const status = JSON.parse(gov(['status', '--json']).stdout) as { waiting: string[]; sessions: { session: string }[] };
  expect([status.waiting, status.sessions.map(({ session }) => session)]).toEqual([[code], ['test-session']]);
  expect(gov(['status']).stdout).toContain(`waiting   ${code}: gov elevate list\n`);
  for (const text of [code, code.toLowerCase()]) expect(gov(['audit', 'show', text]).stdout).toMatch(/^decision \S+/);
  const shown = JSON.parse(gov(['audit', 'show', code, '--json']).stdout) as { row: { id: string } };
  expect(shown.row.id.slice(-4).toUpperCase()).toBe(code);
  const asked = gov(['elevate', 'request', 'fs.delete-outside', '--reason', 'r', '--json']).stdout;
  const request = JSON.parse(asked) as { code: string; id: string };
  expect(gov(['audit', 'show', request.code]).stdout).toContain(request.id);
  expect(gov(['audit', 'show', 'ZZZZ'])).toMatchObject({ status: 64, stdout: '' });
  gov(['elevate', 'deny', code]);
  expect((JSON.parse(gov(['status', '--json']).stdout) as { waiting: string[] }).waiting).toEqual([request.code]);
});

test('how sessions stand', () => {
  const states = () =>
    (JSON.parse(gov(['status', '--json']).stdout) as { sessions: { session: string; state: string }[] }).sessions.map(
      ({ session, state }) => [session, state],
    );
  runHook(place, bash(place, 'ls'));
  expect(states()).toEqual([['test-session', 'active']]);
  for (let i = 0; i < 20; i++) runHook(place, bash(place, `rm -rf ~/other-${i}`));
  const paused = runHook(place, bash(place, 'ls'));
  expect(paused.stderr).toMatch(/^denied by limits\/limits\.denials: This session is paused/);
  expect(states()).toEqual([['test-session', 'paused']]);
  gov(['stop', '--session', 'test-session']);
  expect(states()).toEqual([['test-session', 'stopped']]);
});

describe.skipIf(!hasTerminals)('at a terminal', () => {
  const open: Terminal[] = [];
  afterEach(() => {
    for (const terminal of open.splice(0)) terminal.close();
  });
  const atTerminal = (args: string, ...talk: Parameters<Terminal['run']>[1][]): Promise<string> => {
    const terminal = openTerminal(place.root, String(open.length), place.workspace, place.env);
    open.push(terminal);
    return terminal.run(`LC_ALL=C.UTF-8 ${process.execPath} ${join(ROOT, 'bin', 'run.js')} ${args}`, ...talk);
  };

  test('denied, approved with the code, the retry passes, the third is denied', async () => {
    const command = 'rm -rf ~/other';
    const code = codeOfDenied(command);
    const screen = await atTerminal(
      `elevate approve ${code}`,
      [/Reason:/, 'a leftover directory'],
      [/Allow this\? \[y\/N\]/, 'yes'],
    );
    expect(screen).toContain('rm -rf ~/other');
    expect(screen).toMatch(/This would lift\n {2}deny {2}filesystem\/fs\.delete-outside/);
    expect(screen).toMatch(
      /uses {4}1\n {2}where {3}this very call; session test-session\n {2}reason {2}a leftover directory/,
    );
    expect(screen).toMatch(/Allowed\. The agent can try again\.\nended 0$/);
    expect([runHook(place, bash(place, command)).exitCode, runHook(place, bash(place, command)).exitCode]).toEqual([
      0, 2,
    ]);
    expect(acts()).toEqual(['elevate-approved', 'elevate-used']);
  });

  test('anything but yes leaves it as it was', async () => {
    const code = codeOfDenied('rm -rf ~/other');
    const screen = await atTerminal(`elevate approve ${code} --reason x`, [/Allow this\?/, 'no']);
    expect(screen).toMatch(/ended 1$/);
    expect(acts()).toEqual([]);
  });

  test('stopped by a key while watching, and let go on by a person', async () => {
    runHook(place, bash(place, 'echo before'));
    const watching = await atTerminal(
      'tail',
      [/s stops every agent/, 's'],
      [/STOPPED {2}every agent is blocked: gov resume/, 'q'],
    );
    expect(watching).toMatch(/\d\d:\d\d:\d\d {2}claude-code {2}test-se… {2}✓ allow {4}Bash {8}echo before\n/);
    expect(watching).toMatch(/\nSTOPPED {2}every agent is blocked at its next call; go on with: gov resume\nended 0$/);
    expect(runHook(place, bash(place, 'ls')).exitCode).toBe(2);
    expect(await atTerminal('resume', [/Let them go on\?/, 'yes'])).toMatch(/They can go on\.\nended 0$/);
    expect(runHook(place, bash(place, 'ls')).exitCode).toBe(0);
    expect(acts()).toEqual(['stopped', 'resumed']);
  });
});
