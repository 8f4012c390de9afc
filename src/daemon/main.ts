import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findNativeBinding } from '../audit/write/binding.ts';
import { takeLock } from '../audit/write/lock.ts';
import { prepareDirectory } from '../audit/write/place.ts';
import { daemonMode, readConfig } from '../base/config.ts';
import { messageOf } from '../base/errors.ts';
import { EXIT } from '../base/exit-codes.ts';
import { govPaths } from '../base/gov-paths.ts';
import { optimiseLater } from '../base/late-optimising.ts';
import { LIMITS } from '../base/limits.ts';
import { holdLocksIn } from '../base/locked-files.ts';
import { GOV_VERSION } from '../base/version.ts';
import type { DaemonState } from './client.ts';
import { type Asked, type DeskOptions, work } from './desk.ts';
import { startWatchdog } from './overdue.ts';
import { fitsSocket } from './place.ts';
import { keptPolicies } from './policies.ts';
import { viewOf } from './protocol.ts';
import { listen } from './server.ts';
import { heldStore } from './store.ts';

/** Milliseconds without a call after which the process ends. */
const IDLE_MS = 10 * 60_000;
/** Put in by scripts/daemon-bundle.mjs. */
const BUILD = '@@GOV_BUILD@@';
const LOOK_MS = 2000;
/** Milliseconds without a call after which the store's log is folded into it: a copy of the database file is whole then. */
const PAUSE_MS = 1000;
/** Milliseconds without a call after which the store is closed: to open it takes as long as a decision. */
const REST_MS = 60_000;
/** Calls after which no more are waited for. */
const MOST_AT_ONCE = 256;
/** Milliseconds that one which is about to end is waited for. */
const LOCK_MS = 3000;
/** Bytes of memory past which the process makes room for a fresh one. */
const MOST_MEMORY = 512 * 1024 * 1024;

/** `gov-daemon.cjs [IDLE_MS]`: answers the launchers' questions until nobody asks any more. */
async function main(): Promise<void> {
  optimiseLater();
  // Errors are expected here and told by their codes; collecting where they came from takes longer than what threw them.
  Error.stackTraceLimit = 0;
  const idleMs = Number(process.argv[2] ?? '') || IDLE_MS;
  const build = BUILD;
  process.umask(0o077);
  process.chdir('/');
  const paths = govPaths(process.env);
  if (!fitsSocket(paths)) return give(`the path of \`${paths.daemon}\` is too long for a socket`);
  if (daemonMode(readConfig(paths.configFile).config, process.env) === 'off') return give('it is switched off');
  prepareDirectory(paths.state);
  prepareDirectory(paths.daemon);
  const lock = takeLock(join(paths.daemon, 'lock'), LOCK_MS, findNativeBinding());
  if (lock === null) return give('another one is running: `gov daemon status` shows it, `gov daemon stop` ends it');

  holdLocksIn(paths);
  const store = heldStore(paths);
  const queue: Asked[] = [];
  const started = Date.now();
  let served = 0;
  let last = performance.now();
  let ending = false;
  let finished = false;

  const server = await listen(paths, build, (asked) => {
    const { verb } = asked.question;
    if (verb === 'status')
      return asked.answer(said({ pid: process.pid, version: GOV_VERSION, build, started, served, ...memory() }));
    if (verb === 'stop') {
      asked.answer(said({ pid: process.pid }));
      return end();
    }
    last = performance.now();
    if (queue.push(asked) === 1) setImmediate(gather, -1);
  });
  writeFileSync(join(paths.daemon, 'pid'), `${process.pid}\n`, { mode: 0o600 });

  const watchdog = startWatchdog(LIMITS.hookDeadlineMs);
  const options: DeskOptions = { paths, build, view: viewOf(), store, load: keptPolicies(), end };

  const pause = setTimeout(() => {
    if (queue.length > 0 || ending) return;
    try {
      store.rest();
    } catch {
      store.close();
    }
  }, PAUSE_MS);
  const rest = setTimeout(() => {
    if (queue.length === 0 && !ending) store.close();
  }, REST_MS);

  /**
   * Waits for those who are at the door, so that they share a commit: the event loop lets in one connection a turn. A
   * turn in which nobody comes in is the last one, and one call alone waits for none.
   */
  function gather(came: number): void {
    if (server.coming() > 0 && server.came() !== came && queue.length < MOST_AT_ONCE)
      setImmediate(gather, server.came());
    else serve();
  }

  function serve(): void {
    const before = queue.length;
    watchdog.busy();
    work(queue, options);
    watchdog.idle();
    served += before - queue.length;
    if (queue.length > 0) setImmediate(gather, -1);
    else if (ending) finish();
    else {
      pause.refresh();
      rest.refresh();
    }
  }

  /** No new questions; those that are here are still answered. */
  function end(): void {
    if (ending) return;
    ending = true;
    server.stop();
    if (queue.length === 0) setImmediate(finish);
  }

  function finish(): void {
    if (finished) return;
    finished = true;
    store.close();
    rmSync(join(paths.daemon, 'pid'), { force: true });
    lock?.release();
    // What was written to sockets is on its way in the kernel once the loop has turned.
    setTimeout(() => process.exit(EXIT.ok), 50);
  }

  setInterval(() => {
    const idle = performance.now() - last > idleMs;
    if (idle || !server.isOurs() || installedBuild() !== build || process.memoryUsage.rss() > MOST_MEMORY) end();
  }, LOOK_MS);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, end);
}

function memory(): Pick<DaemonState, 'memory' | 'heap'> {
  const { rss, heapUsed } = process.memoryUsage();
  return { memory: rss, heap: heapUsed };
}

function said(value: object) {
  return { stdout: JSON.stringify(value), stderr: '', exitCode: 0 } as const;
}

/** The name of what is installed now; '' while that is being replaced. */
function installedBuild(): string {
  try {
    return readFileSync(join(import.meta.dirname, 'build-id'), 'utf8').trim();
  } catch {
    return '';
  }
}

function give(why: string): void {
  process.stderr.write(`gov: no daemon is started: ${why}\n`);
  process.exitCode = EXIT.ok;
}

// Whoever asked sees the connection end and helps himself.
process.on('uncaughtException', fail);
process.on('unhandledRejection', fail);

function fail(error: unknown): void {
  process.stderr.write(`gov: the daemon ends: ${messageOf(error)}\n`);
  process.exit(EXIT.internal);
}

void main();
