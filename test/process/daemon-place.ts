import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { govPaths } from '../../src/base/gov-paths.ts';
import { type DaemonState, daemonState } from '../../src/daemon/client.ts';
import { type HookRun, makePlace, type Place, ROOT } from './place.ts';

/** A place whose hooks ask a daemon; whatever daemon comes up there is ended with it. */
export interface WarmPlace extends Place {
  /** As `env`, for hooks that are to do without. */
  readonly cold: NodeJS.ProcessEnv;
  readonly daemonDir: string;
  readonly socket: string;
}

export function makeWarmPlace(): WarmPlace {
  const place = makePlace();
  const { GOV_DAEMON: _, ...env } = place.env;
  const daemonDir = join(place.govHome, 'state', 'daemon');
  return { ...place, env, cold: place.env, daemonDir, socket: join(daemonDir, 'socket') };
}

export async function removeWarmPlace(place: WarmPlace): Promise<void> {
  killDaemon(place);
  rmSync(place.root, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}

/** `kill -9`, by the number that the daemon wrote down. */
export function killDaemon(place: WarmPlace): void {
  try {
    process.kill(Number(readFileSync(join(place.daemonDir, 'pid'), 'utf8')), 'SIGKILL');
  } catch {
    // None is there, or it ended by itself.
  }
}

/** Starts the daemon of an installation and waits until it answers. */
export async function startedDaemon(place: WarmPlace, root = ROOT, idleMs = 60_000): Promise<ChildProcess> {
  const child = spawn(process.execPath, [join(root, 'dist', 'gov-daemon.cjs'), String(idleMs)], {
    env: { PATH: place.env['PATH'], HOME: place.home, GOV_HOME: place.govHome },
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await until(async () => (await state(place))?.pid === child.pid);
  return child;
}

export function state(place: Place): Promise<DaemonState | null> {
  return daemonState(govPaths({ GOV_HOME: place.govHome, HOME: place.home }));
}

/** Calls that the daemon took so far. */
export async function served(place: Place): Promise<number> {
  return (await state(place))?.served ?? -1;
}

export async function until(done: () => boolean | Promise<boolean>, ms = 20_000): Promise<void> {
  const end = performance.now() + ms;
  while (!(await done())) {
    if (performance.now() > end) throw new Error('it did not come about in time');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** As `runHook`, while other things go on in this process. */
export function hook(
  place: Place,
  stdin: string | Buffer,
  options: { readonly launcher?: string; readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<HookRun> {
  return new Promise((resolve, reject) => {
    const child = spawn(options.launcher ?? join(ROOT, 'hooks', 'pre-tool-use'), ['claude-code'], {
      cwd: options.cwd ?? place.workspace,
      env: options.env ?? place.env,
    });
    const out: Buffer[] = [];
    const err: Buffer[] = [];
    child.stdout.on('data', (chunk) => out.push(chunk));
    child.stderr.on('data', (chunk) => err.push(chunk));
    child.stdin.on('error', () => {});
    child.on('error', reject);
    child.on('close', (exitCode) =>
      resolve({ exitCode, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() }),
    );
    child.stdin.end(stdin);
  });
}
