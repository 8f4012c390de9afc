import { lstatSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
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

/** `session` null: as the file says. */
function readStop(file: string, session: string | null): Stop {
  try {
    const said = new Map<string, unknown>(Object.entries(JSON.parse(readFileSync(file, 'utf8')) as object));
    const text = (name: string): string => (typeof said.get(name) === 'string' ? (said.get(name) as string) : '');
    const given = said.get('at');
    const at = typeof given === 'number' && Math.abs(given) < 8e15 ? given : null;
    return { session: session ?? text('session'), at, reason: text('reason'), by: text('by') };
  } catch {
    return { session: session ?? '?', at: null, reason: '', by: '' };
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

/** An order with the file that it stands in. */
export interface StopInForce extends Stop {
  readonly file: string;
}

/** All orders in force, that for every session first. */
export function stopsInForce(paths: Pick<GovPaths, 'state'>): readonly StopInForce[] {
  let names: readonly string[];
  try {
    names = readdirSync(paths.state);
  } catch {
    return [];
  }
  const files = names.filter((name) => /^stop(?:-[0-9a-f]{32})?$/.test(name)).sort();
  return files.map((name) => {
    const file = join(paths.state, name);
    // The name is a digest: which session it is, only the text says.
    return { ...readStop(file, name === 'stop' ? '' : null), file };
  });
}

/** Takes an order back. Throws what the file system throws. */
export function liftStop(stop: StopInForce): void {
  rmSync(stop.file, { force: true, recursive: true });
}
