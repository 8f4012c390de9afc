import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { govPaths } from '../../src/base/gov-paths.ts';
import { fillStore } from '../unit/replay/place.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'run.js');
let root: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'gov-replay-cli-'));
  fillStore(govPaths({ GOV_HOME: join(root, 'gov'), HOME: root }), ['alpha-1', 'beta']);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

function environment(): NodeJS.ProcessEnv {
  return { PATH: process.env['PATH'], HOME: root, GOV_HOME: join(root, 'gov'), LANG: 'C.UTF-8', TERM: 'xterm' };
}

function gov(...args: string[]): { code: number | null; out: string; err: string } {
  const run = spawnSync(process.execPath, [BIN, 'replay', ...args], { env: environment(), encoding: 'utf8' });
  return { code: run.status, out: run.stdout, err: run.stderr };
}

const SESSION = `alpha-1  from 2026-01-05 09:00:00 UTC
6 calls, 3 allowed, 1 asked, 1 denied, 1 watched
  0:00.0 · event            SessionStart
  0:00.4 ✓ allow Bash       npm test                                                                             failed
  0:06.6 ✓ allow Edit       src/cart.js                                                                           30 ms
  0:09.6 ✓ allow Bash       echo \\x1b[2J\\x1b]0;owned\\x07 \\u202egpj.exe\\u202c a\\u200bb \\u{e0041}\\u{e0042} …   no outcome
  0:10.3 ✗ deny  Bash       ssh build@ci.example 'cd /srv && sudo rm -rf data' && git push --force       git.force-push
         This call would rewrite the history of others.
 10:10.3 ? ask   Bash       terraform apply                                                        went on, infra.apply
         This call would change shared resources.
 10:18.3 ◦ watch Bash       rm -rf build                                                                      fs.delete
         denied by fs.delete
`;

describe('without a terminal it prints', () => {
  test('the sessions', () => {
    expect(gov()).toEqual({
      code: 0,
      out: `last record UTC   length   records  denied  asked  agent       where                            session
2026-01-05 09:10  10 min        10       1      1  claude-code /home/dev/project                beta
2026-01-05 09:10  10 min        10       1      1  claude-code /home/dev/project                alpha-1
`,
      err: '',
    });
  });
  test('a session', () => expect(gov('alpha-1')).toEqual({ code: 0, out: SESSION, err: '' }));
  test('a session by the beginning of its id', () => expect(gov('alp', '--no-interactive').out).toBe(SESSION));
  test('what a filter lets through', () => {
    const lines = SESSION.split('\n');
    expect(gov('alpha-1', '--filter', 'deny').out).toBe([...lines.slice(0, 2), ...lines.slice(6, 8), ''].join('\n'));
  });
  test('from a record on', () => {
    const lines = SESSION.split('\n');
    expect(gov('1ke6p000008alpha').out).toBe([...lines.slice(0, 2), ...lines.slice(8)].join('\n'));
  });
  test('the newest session', () => expect(gov('latest').out).toMatch(/^beta {2}from/));
  test('records in full', () => {
    const { out } = gov('alpha-1', '--full', '--filter', 'deny');
    expect(out).toContain("      ssh build@ci.example 'cd /srv && sudo rm -rf data' && git push --force\n");
    expect(out).toContain('      1~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~    4^^^^^^^^^^^^^^^\n');
    expect(out).toContain('delete   /srv/data  [system] recursive, force, can not be undone\n');
    expect(out).toContain('    1 more rules were looked at and did not fire\n');
  });
  test('at the recorded pace, many times as fast', () => {
    const started = performance.now();
    expect(gov('alpha-1', '--speed', '20', '--idle', '20').out).toBe(SESSION);
    // 0.4 + 6.2 + 3.0 + 0.7 + 20 (cut) + 8 s of the record, twentyfold.
    expect(performance.now() - started).toBeGreaterThan((38_300 / 20) * 0.95);
  });
  test('as JSON', () => {
    expect(JSON.parse(gov('--json').out)).toMatchObject({
      sessions: [{ id: 'beta', records: 10, denied: 1, asked: 1 }, { id: 'alpha-1' }],
    });
    const { session, steps } = JSON.parse(gov('alpha-1', '--json').out) as { session: string; steps: unknown[] };
    expect([session, steps.length]).toEqual(['alpha-1', 7]);
    expect(steps[4]).toMatchObject({ row: { seq: 7, answer: 'deny', rule: 'git.force-push' }, outcome: null });
  });
});

describe('what is asked wrongly', () => {
  test.each([
    [['nobody'], 64, 'gov: no session and no record begins with `nobody`'],
    [['alpha-1', '--speed', 'fast'], 64, 'gov: --speed `fast` is not a number from 0.01 to 10000'],
    [['alpha-1', '--speed', '0'], 64, 'gov: --speed `0` is not a number from 0.01 to 10000'],
    [['--port', '80'], 64, 'gov: all of the following must be provided when using --port: --web'],
  ])('%j', (args, code, first) => {
    const run = gov(...args);
    expect([run.code, run.out, run.err.split('\n')[0]]).toEqual([code, '', first]);
  });
  test('nothing was recorded yet', () => {
    const env = { ...environment(), GOV_HOME: join(root, 'nowhere') };
    const run = spawnSync(process.execPath, [BIN, 'replay'], { env, encoding: 'utf8' });
    expect([run.status, run.stderr.split(':')[1]]).toEqual([3, ' nothing has been recorded yet']);
  });
});

describe('--against', () => {
  test('says what other rules would have decided, as `gov policy replay` does', () => {
    const { code, out } = gov('alpha-1', '--against', 'monitor', '--gate', 'records == 6', '--json');
    expect([code, JSON.parse(out)]).toMatchObject([0, { gate: true, counts: { records: 6 } }]);
  });
  test('a gate that does not hold ends with 1', () => {
    const { code, out } = gov('alpha-1', '--against', 'recommended', '--gate', 'records == 0');
    expect([code, out.trimEnd().split('\n').pop()]).toEqual([1, 'gate does not hold: records == 0']);
  });
  test('a gate alone is refused', () => expect(gov('--gate', 'records == 0').code).toBe(64));
});

const IS_LINUX = process.platform === 'linux';

/** Runs the viewer on a terminal of its own (script(1)) and types keys; what the terminal got is returned. */
function typed(
  keys: readonly string[],
  more: NodeJS.ProcessEnv = {},
  args = '',
): Promise<{ code: number | null; screen: string }> {
  return new Promise((resolve) => {
    const log = join(mkdtempSync(join(root, 'tty-')), 'log');
    const child = spawn('script', ['-qefc', `stty rows 24 cols 80; ${process.execPath} ${BIN} replay ${args}`, log], {
      env: { ...environment(), SHELL: '/bin/sh', ...more },
      stdio: ['pipe', 'ignore', 'ignore'],
    });
    const seen = (): string => {
      try {
        return readFileSync(log, 'utf8');
      } catch {
        return '';
      }
    };
    let next = 0;
    const timer = setInterval(() => {
      // Keys that come before the viewer has the terminal would be echoed by it.
      if (!seen().includes('\x1b[?1049h') || next >= keys.length) return;
      child.stdin.write(keys[next++] as string);
    }, 150);
    child.on('close', (code) => {
      clearInterval(timer);
      resolve({ code, screen: seen() });
    });
  });
}

describe.runIf(IS_LINUX)('on a terminal', () => {
  const ENTER = '\x1b[?1049h\x1b[?25l\x1b[?7l';
  const LEAVE = '\x1b[0m\x1b[?7h\x1b[?25h\x1b[?1049l';
  test('it takes a screen of its own and gives it back', async () => {
    const { code, screen } = await typed(['j', '\r', ']', 'q', 'q']);
    expect(code).toBe(0);
    expect(screen.indexOf(ENTER)).toBeGreaterThanOrEqual(0);
    expect(screen.indexOf(LEAVE)).toBeGreaterThan(screen.indexOf(ENTER));
    expect(screen).toContain('git.force-push');
  });
  test('ctrl-c leaves too, from anywhere', async () => {
    const { code, screen } = await typed(['\r', '/', '\x03', '\x03']);
    expect([code, screen.includes(LEAVE)]).toEqual([0, true]);
  });
  test('nothing of a record gets to the terminal as a control sequence', async () => {
    const { screen } = await typed(['j', '\r', 'j', 'j', 'j', '\r', 'Q'], { NO_COLOR: '1' });
    expect(screen).toContain('\\x1b[2J\\x1b]0;owned\\x07');
    const sequences = new Set(screen.match(/\x1b(?:\[[?\d;]*[A-Za-z]|.)/g));
    const own = /^\x1b\[(?:\d+;1H|K|J|2J|H|0m|1m|2m|4m|7m|1;4m|\?(?:1049|25|7|2026)[hl])$/;
    expect([...sequences].filter((sequence) => !own.test(sequence))).toEqual([]);
    expect(screen).not.toMatch(/[\u202e\u200b\u{e0041}]/u);
  });
  test('without UTF-8 only ASCII is sent', async () => {
    const { screen } = await typed(['\r', 'Q'], { LANG: 'C', LC_ALL: 'C' });
    const drawn = screen.slice(screen.indexOf(ENTER), screen.indexOf(LEAVE));
    expect(drawn).toContain('x deny');
    expect(drawn).not.toMatch(/[^\x00-\x7f]/);
  });
  test('a named session is opened at once', async () => {
    const { screen } = await typed(['Q'], {}, '1ke6p000007beta');
    expect(screen).toContain('5/7');
  });
});

test.runIf(IS_LINUX)('a filter holds in the viewer from the start', async () => {
  const { screen } = await typed(['Q'], {}, 'alpha-1 --filter deny');
  expect(screen).toContain('filter: deny (1)');
});

describe('--web', () => {
  test('prints an address that works once, and ends when it is told to', async () => {
    const child = spawn(process.execPath, [BIN, 'replay', 'beta', '--web'], {
      env: environment(),
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const line = (): Promise<string> =>
      new Promise((resolve) => child.stdout.once('data', (data: Buffer) => resolve(String(data).trim())));
    const address = await line();
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]{43}#session=beta$/);
    const url = new URL(address);
    const first = await fetch(url, { redirect: 'manual' });
    const key = /^\/\?key=([\w-]+)$/.exec(first.headers.get('location') ?? '')?.[1] ?? '';
    const second = await fetch(url, { redirect: 'manual' });
    expect([first.status, second.headers.get('location')]).toEqual([303, '/']);
    const sessions = `${url.origin}/api/sessions`;
    expect((await fetch(sessions, { headers: { 'x-gov-key': key } })).status).toBe(200);
    expect((await fetch(sessions)).status).toBe(403);
    const page = await fetch(url.origin);
    expect(await page.text()).toContain('<title>gov replay</title>');
    const script = await fetch(`${url.origin}/viewer.js`);
    expect([script.status, (await script.text()).length > 5000]).toEqual([200, true]);
    const next = line();
    child.stdin.write('\n');
    expect((await next).startsWith(`${url.origin}/?token=`)).toBe(true);
    const code = new Promise((resolve) => child.once('close', resolve));
    child.kill('SIGINT');
    expect(await code).toBe(0);
  });
});

test('the help shows examples that work', () => {
  const help = gov('--help').out;
  expect(help).toContain('gov replay latest --no-interactive --filter held');
  expect(gov('latest', '--no-interactive', '--filter', 'held').code).toBe(0);
});
