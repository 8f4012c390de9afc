import { existsSync } from 'node:fs';
import { openStore } from '../audit/read/store.ts';
import { actDraft } from '../audit/write/act.ts';
import { findNativeBinding } from '../audit/write/binding.ts';
import { prepareDirectory } from '../audit/write/place.ts';
import { openWriter } from '../audit/write/writer.ts';
import { GovError, messageOf } from '../base/errors.ts';
import type { GovPaths } from '../base/gov-paths.ts';
import { putStop, type Stop } from '../grants/stop.ts';

/**
 * The session that a person means: its id, or the only recorded one that begins with what was given. `known` is false
 * if no record names it, null if the store can't be asked: an order to stop must not depend on that.
 * Throws `usage-ambiguous`.
 */
export function sessionMeant(paths: GovPaths, given: string): { readonly id: string; readonly known: boolean | null } {
  const like = sessionsBeginning(paths, given);
  if (like === null) return { id: given, known: null };
  if (like.includes(given)) return { id: given, known: true };
  if (like.length > 1)
    throw new GovError({
      code: 'usage-ambiguous',
      message: `several sessions begin with \`${given}\``,
      help: `${like.slice(0, 5).join(', ')}${like.length > 5 ? ', …' : ''}`,
    });
  const [only] = like;
  return only === undefined ? { id: given, known: false } : { id: only, known: true };
}

function sessionsBeginning(paths: GovPaths, start: string): readonly string[] | null {
  if (!existsSync(paths.database)) return [];
  try {
    const store = openStore(paths.database);
    try {
      return store.db
        .prepare("SELECT DISTINCT session FROM records WHERE agent <> 'gov' AND session >= ? AND session < ? LIMIT 6")
        .pluck()
        .all(start, `${start}\u{10ffff}`) as string[];
    } finally {
      store.close();
    }
  } catch {
    return null;
  }
}

/** Puts the order in force, then records it; gives back why that failed, or ''. Throws only if the order itself can't be written. */
export function stopNow(paths: GovPaths, stop: Stop): string {
  prepareDirectory(paths.state);
  putStop(paths, stop);
  return recordOrder(paths, 'stopped', stop);
}

/** Records an order to stop or to go on; gives back why that failed, or ''. */
export function recordOrder(paths: GovPaths, name: 'stopped' | 'resumed', stop: Stop): string {
  const { session, at, reason, by } = stop;
  try {
    const writer = openWriter(paths, { nativeBinding: findNativeBinding(), budgetMs: 500 });
    try {
      writer.append(
        actDraft({ name, detail: { session, reason, by }, session, cwd: directoryHere() }, at ?? Date.now()),
      );
    } finally {
      writer.close();
    }
    return '';
  } catch (error) {
    return messageOf(error);
  }
}

/** The current directory; the root if it was deleted, since an order has to be given from anywhere. */
function directoryHere(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}
