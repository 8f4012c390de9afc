import { disarmedBy, missingHook } from '../agents/claude-code/settings.ts';
import { textField } from '../agents/fields.ts';
import type { Installed } from '../agents/installed.ts';
import type { EffectFact } from '../model/facts.ts';
import type { ToolCall } from '../model/tool-call.ts';

/** What judging a settings change needs to see. */
export interface SettingsView {
  /** Text of a file; null if there is none. */
  readText(path: string): string | null;
  /** The path with symbolic links resolved, or as it is. */
  realPath(path: string): string;
  registrations(): readonly Installed[];
}

/**
 * The effects of a ConfigChange event: `disarm` if the changed file, once in force, would switch gov's hooks off.
 * Managed settings can't be refused by a hook and need root to be changed; they are recorded only.
 */
export function disarmEffects(call: ToolCall, view: SettingsView): readonly EffectFact[] {
  const file = textField(call.detail, 'file_path');
  const source = textField(call.detail, 'source');
  if (file === null || source === 'policy_settings' || source === 'skills') return [];
  const why = reasonOf(view.realPath(file), view);
  if (why === null) return [];
  return [{ kind: 'disarm', target: file, detail: why, force: false, recursive: false, certain: true, command: -1 }];
}

function reasonOf(file: string, view: SettingsView): string | null {
  const registrations = view.registrations().filter((item) => item.agent === 'claude-code');
  // A second registration that is whole keeps the hooks in force, whatever happens to the first.
  const elsewhere = registrations.some((item) => item.file !== file && isWhole(item.file, view));
  const expected = !elsewhere && registrations.some((item) => item.file === file);
  const text = view.readText(file);
  if (text === null) return expected ? 'the file with its hooks is gone' : null;
  const settings = parsed(text);
  if (settings === undefined) return expected ? 'the file is not JSON any more, so the client drops it' : null;
  return disarmedBy(settings, expected);
}

function isWhole(file: string, view: SettingsView): boolean {
  const settings = parsed(view.readText(file) ?? '');
  return settings !== undefined && disarmedBy(settings, true) === null && missingHook(settings) === null;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
