import { connect } from 'node:net';
import { dirname, join } from 'node:path';
import type { GovPaths } from '../base/gov-paths.ts';
import { makeId } from '../base/ids.ts';
import { spawnDaemon } from '../hook/start-daemon.ts';
import { socketFile } from './place.ts';
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
}

const PATIENCE_MS = 2000;

/** The daemon's own words, or null if none answers. */
export async function daemonState(paths: GovPaths): Promise<DaemonState | null> {
  return (await ask(paths, 'status')) as DaemonState | null;
}

/** Ends the daemon; its process id, or null if none answered. Comes back once its socket is gone. */
export async function stopDaemon(paths: GovPaths): Promise<number | null> {
  const said = (await ask(paths, 'stop')) as { readonly pid: number } | null;
  if (said === null) return null;
  await until(async () => (await daemonState(paths))?.pid !== said.pid);
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

async function until(done: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + 2 * PATIENCE_MS;
  while (!(await done()) && performance.now() < end) await new Promise((resolve) => setTimeout(resolve, 50));
}

function ask(paths: GovPaths, verb: 'status' | 'stop'): Promise<unknown> {
  const id = makeId(Date.now());
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    const socket = connect(socketFile(paths));
    const give = (): void => {
      socket.destroy();
      const answer = readAnswer(Buffer.concat(chunks), null, id);
      resolve(answer === null ? null : JSON.parse(answer.stdout));
    };
    socket.setTimeout(PATIENCE_MS, give);
    socket.on('error', give);
    socket.on('close', give);
    socket.on('data', (chunk) => chunks.push(chunk));
    const nothing = { part: '', agent: '', cwd: '/', env: {}, payload: Buffer.alloc(0) };
    socket.write(questionBytes({ verb, build: '', id, view: viewOf(), ...nothing }));
  });
}
