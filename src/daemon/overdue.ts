import { Worker } from 'node:worker_threads';

/** Looks from a thread of its own whether the work at hand comes to an end. */
export interface Watchdog {
  busy(): void;
  idle(): void;
}

const LOOK_MS = 500;

// One number is shared: since when there is work, in milliseconds of the shared clock; 0 for none.
const WATCH = `
const { workerData: { shared, ms, look } } = require('node:worker_threads');
const since = new Float64Array(shared);
setInterval(() => {
  if (since[0] !== 0 && Date.now() - since[0] > ms) process.kill(process.pid, 'SIGKILL');
}, look);
`;

/**
 * Ends the whole process when one stretch of work takes longer than `ms`: an endless loop can't be ended from within,
 * and those who wait have long helped themselves. A clock that is set forward ends it too, which costs no more than a
 * start.
 */
export function startWatchdog(ms: number): Watchdog {
  const shared = new SharedArrayBuffer(8);
  const since = new Float64Array(shared);
  const worker = new Worker(WATCH, { eval: true, workerData: { shared, ms, look: LOOK_MS } });
  worker.unref();
  return {
    busy: () => {
      since[0] = Date.now();
    },
    idle: () => {
      since[0] = 0;
    },
  };
}
