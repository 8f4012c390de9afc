import { actDraft } from '../audit/write/act.ts';
import { findNativeBinding } from '../audit/write/binding.ts';
import { openWriter } from '../audit/write/writer.ts';
import type { GovPaths } from '../base/gov-paths.ts';

/** Records what a person did with gov itself (`init`, `uninstall`); creates the store if there is none. Throws if it can't. */
export function recordAct(paths: GovPaths, name: string, detail: Readonly<Record<string, unknown>>, now: number): void {
  const writer = openWriter(paths, { nativeBinding: findNativeBinding() });
  try {
    writer.append(actDraft({ name, detail, cwd: process.cwd() }, now));
  } finally {
    writer.close();
  }
}
