import { actDraft } from '../audit/write/act.ts';
import { findNativeBinding } from '../audit/write/binding.ts';
import { prepareDirectory } from '../audit/write/place.ts';
import { openWriter } from '../audit/write/writer.ts';
import { messageOf } from '../base/errors.ts';
import type { GovPaths } from '../base/gov-paths.ts';
import { putStop, type Stop } from '../grants/stop.ts';

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
      writer.append(actDraft({ name, detail: { session, reason, by }, session, cwd: process.cwd() }, at ?? Date.now()));
    } finally {
      writer.close();
    }
    return '';
  } catch (error) {
    return messageOf(error);
  }
}
