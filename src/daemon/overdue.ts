import { Worker } from 'node:worker_threads';

/** Looks from a thread of its own whether the work at hand comes to an end. */
export interface Watchdog {
  busy(): void;
  idle(): void;
}

const LOOK_MS = 500;

// One number is shared: since when there is work, in milliseconds of the shared clock; 0 for none. It is read once: a
// second look may find that the work has just come to its end.
const WATCH = `
const { workerData: { shared, ms, look } } = require('node:worker_threads');
const since = new BigInt64Array(shared);
setInterval(() => {
  const at = Number(Atomics.load(since, 0));
  if (at !== 0 && Date.now() - at > ms) process.kill(process.pid, 'SIGKILL');
}, look);
`;

/**
 * Ends the whole process when one stretch of work takes longer than `ms`: an endless loop can't be ended from within,
 * and those who wait have long helped themselves. A clock that is set forward ends it too, which costs no more than a
 * start.
 */
export function startWatchdog(ms: number, look = LOOK_MS): Watchdog {
  const shared = new SharedArrayBuffer(8);
  const since = new BigInt64Array(shared);
  const worker = new Worker(WATCH, { eval: true, workerData: { shared, ms, look } });
  worker.unref();
  return {
    busy: () => void Atomics.store(since, 0, BigInt(Date.now())),
    idle: () => void Atomics.store(since, 0, 0n),
  };
}
