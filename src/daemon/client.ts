import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import type { GovPaths } from '../base/gov-paths.ts';
import { makeId } from '../base/ids.ts';
import { spawnDaemon } from '../hook/start-daemon.ts';
import { fitsSocket, socketFile } from './place.ts';
import { questionBytes, readAnswer, viewOf } from './protocol.ts';

/** What a daemon says about itself. */
export interface DaemonState {
  readonly pid: number;
  readonly version: string;
  /** Name of its build; another than that of the launchers makes it end with their next call. */
  readonly build: string;
  /** Milliseconds since 1970 UTC. */
  readonly started: number;
  /** Questions that it took. */
  readonly served: number;
  /** Bytes that are resident, and those of V8's heap that are in use. */
  readonly memory: number;
  readonly heap: number;
}

const PATIENCE_MS = 2000;

/** `stale`: a socket is there that nobody listens at; `silent`: somebody does, and says nothing of use. */
type DaemonSocket = 'absent' | 'stale' | 'silent' | 'answers';

/** All that can be told of a daemon from outside. */
export interface DaemonLook {
  readonly socket: DaemonSocket;
  readonly running: DaemonState | null;
  /** True if it belongs to this installation as it is now. */
  readonly current: boolean;
  /** False where the path is too long for a socket. */
  readonly possible: boolean;
  /** True if launchers ask with the client that the build compiled; else with Perl. */
  readonly compiledClient: boolean;
}

/** `bundle`: path of the hook's bundle of this installation. */
export async function lookAtDaemon(paths: GovPaths, bundle: string): Promise<DaemonLook> {
  const { socket, answer } = await ask(paths, 'status');
  const running = answer as DaemonState | null;
  return {
    socket,
    running,
    current: running?.build === installedBuild(bundle),
    possible: fitsSocket(paths),
    compiledClient: existsSync(join(dirname(bundle), 'ask-daemon')),
  };
}

/** Name of the build that is installed; '' if it has none. */
function installedBuild(bundle: string): string {
  try {
    return readFileSync(join(dirname(bundle), 'build-id'), 'utf8').trim();
  } catch {
    return '';
  }
}

/** The daemon's own words, or null if none answers. */
export async function daemonState(paths: GovPaths): Promise<DaemonState | null> {
  return (await ask(paths, 'status')).answer as DaemonState | null;
}

/** Ends the daemon; its process id, or null if none answered. Comes back once it has ended, store and all. */
export async function stopDaemon(paths: GovPaths): Promise<number | null> {
  const said = (await ask(paths, 'stop')).answer as { readonly pid: number } | null;
  if (said === null) return null;
  await until(async () => !isAlive(said.pid));
  return said.pid;
}

/** Starts a daemon unless one answers already; its state, or null if none came up. `bundle`: path of the hook's bundle. */
export async function ensureDaemon(
  paths: GovPaths,
  bundle: string,
  env: NodeJS.ProcessEnv,
): Promise<DaemonState | null> {
  const running = await daemonState(paths);
  if (running !== null) return running;
  spawnDaemon(daemonProgram(bundle), env);
  await until(async () => (await daemonState(paths)) !== null);
  return await daemonState(paths);
}

/** The daemon's program beside the hook's bundle. */
export function daemonProgram(bundle: string): string {
  return join(dirname(bundle), 'gov-daemon.cjs');
}

/** A signal that is none: kill(2). */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function until(done: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 2 * PATIENCE_MS;
  while (!(await done()) && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
}

interface Asked {
  readonly socket: DaemonSocket;
  readonly answer: unknown;
}

function ask(paths: GovPaths, verb: 'status' | 'stop'): Promise<Asked> {
  const id = makeId(Date.now());
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const connection = connect(socketFile(paths));
    let socket: DaemonSocket = 'silent';
    const give = (): void => {
      connection.destroy();
      const answer = readAnswer(Buffer.concat(chunks), null, id);
      if (answer === null) resolve({ socket, answer: null });
      else resolve({ socket: 'answers', answer: JSON.parse(answer.stdout) });
    };
    connection.setTimeout(PATIENCE_MS, give);
    connection.on('error', ({ code }: NodeJS.ErrnoException) => {
      if (code === 'ENOENT' || code === 'ENOTDIR') socket = 'absent';
      if (code === 'ECONNREFUSED' || code === 'ENOTSOCK') socket = 'stale';
      give();
    });
    connection.on('close', give);
    connection.on('data', (chunk) => chunks.push(chunk));
    const nothing = { part: '', agent: '', cwd: '/', env: {}, payload: Buffer.alloc(0) };
    connection.write(questionBytes({ verb, build: '', id, view: viewOf(), ...nothing }));
  });
}
