import { lstatSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '../base/digest.ts';
import type { GovPaths } from '../base/gov-paths.ts';

/** A person's order to stop. */
export interface Stop {
  /** '' every session. */
  readonly session: string;
  /** Milliseconds since 1970 UTC; null if the file does not say. */
  readonly at: number | null;
  readonly reason: string;
  readonly by: string;
}

/** The file whose mere presence stops: it has to work when nothing else does. `session` '' is every session. */
export function stopFile(paths: Pick<GovPaths, 'state'>, session: string): string {
  return join(paths.state, session === '' ? 'stop' : `stop-${sha256(session).slice(0, 32)}`);
}

/** The order that holds for a session, or null. Never throws; a file that says nothing stops as well. */
export function stopFor(paths: Pick<GovPaths, 'state'>, session: string): Stop | null {
  for (const scope of session === '' ? [''] : ['', session]) {
    const file = stopFile(paths, scope);
    if (isThere(file)) return readStop(file, scope);
  }
  return null;
}

function isThere(file: string): boolean {
  try {
    return lstatSync(file, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

function readStop(file: string, session: string): Stop {
  try {
    const said = new Map<string, unknown>(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as object));
    const text = (name: string): string => (typeof said.get(name) === 'string' ? (said.get(name) as string) : '');
    const at = said.get('at');
    return { session, at: typeof at === 'number' ? at : null, reason: text('reason'), by: text('by') };
  } catch {
    return { session, at: null, reason: '', by: '' };
  }
}

/**
 * Puts an order in force. The empty file is made first, since that works on a full disk too; what it says comes after
 * and may be missing. Throws what the file system throws.
 */
export function putStop(paths: Pick<GovPaths, 'state'>, stop: Stop): void {
  const file = stopFile(paths, stop.session);
  writeFileSync(file, '', { mode: 0o600, flag: 'a' });
  try {
    writeFileSync(file, `${JSON.stringify({ v: 1, ...stop })}\n`, { mode: 0o600 });
  } catch {
    // It stops without a word.
  }
}

/** Takes an order back; false if there was none. */
export function liftStop(paths: Pick<GovPaths, 'state'>, session: string): boolean {
  const file = stopFile(paths, session);
  if (!isThere(file)) return false;
  rmSync(file);
  return true;
}
