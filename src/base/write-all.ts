import { writeSync } from 'node:fs';

/** How long a reader that does not read is waited for. */
const PATIENCE_MS = 5000;

/**
 * Writes a text whole before it returns: a process that exits would otherwise lose what a pipe has not taken yet. False if
 * the reader let it wait for too long and has half a text now. Never throws: a reader that has gone away changes nothing
 * about the exit code.
 */
export function writeAll(fd: number, text: string): boolean {
  if (text === '') return true;
  const bytes = Buffer.from(text, 'utf8');
  const until = performance.now() + PATIENCE_MS;
  for (let at = 0; at < bytes.length; ) {
    try {
      at += writeSync(fd, bytes, at);
    } catch (error) {
      // A pipe that the agent made non-blocking and that is full for now.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return true;
      if (performance.now() > until) return false;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2);
    }
  }
  return true;
}
