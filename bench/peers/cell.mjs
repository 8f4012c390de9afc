// One guard in a place of its own, started by run.mjs inside a mount and network namespace where /home is a scratch
// directory, everything else on that mount is read-only, and there is no network. Reads {payload, cwd, world} lines,
// lays the world out, runs the guard once in a new process, and answers with a line of how it ended and what it cost.
//   node cell.mjs GUARD   GUARD is JSON: {command: [...], env: {...}}
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createInterface } from 'node:readline';
import { HOME, WORKSPACE } from './payload.mjs';

/** run.mjs puts these into the scratch directory. Without them /home is somebody's, and nothing here may touch it. */
const MARK = '/home/.gov-bench-peers';
const EMPTY_REPOSITORY = `${MARK}/git`;
if (!existsSync(EMPTY_REPOSITORY)) throw new Error(`${MARK} is missing: this is not a scratch /home`);

const { command, env } = JSON.parse(process.argv[2] ?? '');
const childEnv = {
  PATH: process.env.PATH,
  LANG: 'C.UTF-8',
  SHELL: '/bin/bash',
  HOME,
  USER: 'dev',
  LOGNAME: 'dev',
  CLAUDE_PROJECT_DIR: WORKSPACE,
  ...env,
};
/**
 * Bash's `times` has the CPU of the child alone in milliseconds, where proc(5) has hundredths of a second; its own start
 * is outside of what is measured. The guard does not inherit descriptor 3.
 */
const TIMED = 'a=$EPOCHREALTIME; "$@" 3>&-; c=$?; b=$EPOCHREALTIME; { echo "$a $b"; times; } >&3; exit $c';
const TIMEOUT_MS = 60_000;

let laid = [];
for await (const line of createInterface({ input: process.stdin })) {
  const { payload, cwd, world } = JSON.parse(line);
  lay(cwd, world);
  process.stdout.write(`${JSON.stringify(once(payload, cwd))}\n`);
}

/** The workspace afresh: an empty repository and the case's own files. */
function lay(cwd, world) {
  for (const path of [WORKSPACE, ...laid]) rmSync(path, { recursive: true, force: true });
  laid = world.map(({ path }) => path);
  cpSync(EMPTY_REPOSITORY, `${WORKSPACE}/.git`, { recursive: true });
  mkdirSync(cwd, { recursive: true });
  for (const { path, content, target } of world) {
    mkdirSync(dirname(path), { recursive: true });
    if (target === undefined) writeFileSync(path, content);
    else symlinkSync(target, path);
  }
}

function once(payload, cwd) {
  const run = spawnSync('bash', ['-c', TIMED, 'timed', ...command], {
    cwd,
    env: childEnv,
    input: JSON.stringify(payload),
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    timeout: TIMEOUT_MS,
    killSignal: 'SIGKILL',
    maxBuffer: 1 << 26,
  });
  const [span = '', , children = ''] = String(run.output?.[3] ?? '').split('\n');
  const [from, to] = span.split(' ').map(Number);
  const cpu = [...children.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + Number(m) * 60 + Number(s), 0);
  return {
    status: run.status,
    stdout: String(run.stdout ?? ''),
    stderr: String(run.stderr ?? '').slice(0, 2000),
    timedOut: run.error?.code === 'ETIMEDOUT',
    wallMs: (to - from) * 1000,
    cpuMs: cpu * 1000,
  };
}
