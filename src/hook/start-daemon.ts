import { closeSync, lstatSync, openSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import type { Env } from '../agents/agent.ts';
import { prepareDirectory } from '../audit/write/place.ts';
import type { GovPaths } from '../base/gov-paths.ts';

/** One that can't start is not tried again with every call. */
const PAUSE_MS = 5000;
/** What the daemon needs to find gov's places; what its callers say comes with each call. */
const KEPT = ['PATH', 'HOME', 'GOV_HOME', 'XDG_CONFIG_HOME', 'XDG_STATE_HOME'];

/** Starts the daemon and does not wait for it. Throws what the system throws at once. */
export function spawnDaemon(program: string, env: Env): void {
  const kept = Object.fromEntries(KEPT.flatMap((name) => (env[name] === undefined ? [] : [[name, env[name]]])));
  // Asked for here and not imported: a hook that starts nothing must not pay for loading it.
  const { spawn } = process.getBuiltinModule('node:child_process');
  const daemon = spawn(process.execPath, [program], { cwd: '/', env: kept, detached: true, stdio: 'ignore' });
  daemon.on('error', () => {});
  daemon.unref();
}

/** Starts the daemon of this installation, at most once in some seconds. Never throws. */
export function startDaemon(paths: GovPaths, env: Env): void {
  try {
    prepareDirectory(paths.daemon);
    const stamp = join(paths.daemon, 'started');
    if (Math.abs(Date.now() - (lstatSync(stamp, { throwIfNoEntry: false })?.mtimeMs ?? 0)) < PAUSE_MS) return;
    closeSync(openSync(stamp, 'a', 0o600));
    utimesSync(stamp, Date.now() / 1000, Date.now() / 1000);
    spawnDaemon(join(import.meta.dirname, 'gov-daemon.cjs'), env);
  } catch {
    // The next call is answered without it, as this one was.
  }
}
