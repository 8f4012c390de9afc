import { Script } from 'node:vm';

const SLOT = Symbol.for('gov.watchdog');
type Global = Record<symbol, (() => unknown) | undefined>;

/** Thrown by `within` when its time is up. */
export class Overdue extends Error {}

/**
 * Runs a function and stops it when its time is up, even if it never comes back to the event loop (an endless loop,
 * a regular expression that backtracks): V8 ends it from another thread. A system call is not interrupted.
 */
export function within<T>(ms: number, run: () => T): T {
  const global = globalThis as unknown as Global;
  global[SLOT] = run;
  try {
    const script = new Script(`globalThis[Symbol.for('gov.watchdog')]()`, { filename: 'gov:watchdog' });
    return script.runInThisContext({ timeout: Math.max(1, Math.floor(ms)) }) as T;
  } catch (error) {
    if ((error as NodeJS.ErrnoException)?.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw error;
    throw new Overdue(`no answer within ${Math.floor(ms)} ms`, { cause: error });
  } finally {
    global[SLOT] = undefined;
  }
}
