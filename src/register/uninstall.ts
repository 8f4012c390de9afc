import { rmSync } from 'node:fs';
import { type Installed, readInstalled } from '../agents/installed.ts';
import type { Registrar } from '../agents/registrar.ts';
import { sha256 } from '../base/digest.ts';
import type { GovPaths } from '../base/gov-paths.ts';
import { readIfThere, replaceFile } from './files.ts';
import { saveInstalled } from './install.ts';
import type { Plan } from './plan.ts';

/**
 * What taking gov out of one file would change: the file as it was before, byte for byte, if nothing else changed
 * since; otherwise all but gov's own hooks stays as it is now.
 */
export function planUninstall(registrar: Registrar, entry: Installed): Plan {
  const before = readIfThere(entry.file);
  const base = { registrar, scope: entry.scope, file: entry.file, before };
  if (before === null) return { ...base, after: null };
  const original = entry.backup === null ? null : readIfThere(entry.backup);
  const untouched = sha256(before) === entry.sha256;
  if (untouched && (entry.backup === null || original !== null)) return { ...base, after: original };
  const rest = registrar.remove(before, entry.file);
  // A file that gov made and that holds nothing else is no file that anybody wants.
  return { ...base, after: entry.backup === null && /^\s*\{\s*\}\s*$/.test(rest) ? null : rest };
}

/** Carries it out and forgets the registration. */
export function uninstall(plan: Plan, paths: GovPaths): void {
  if (plan.after === null) rmSync(plan.file, { force: true });
  else if (plan.after !== plan.before) replaceFile(plan.file, plan.after, 0o600);
  saveInstalled(
    paths,
    readInstalled(paths).filter((item) => item.file !== plan.file || item.agent !== plan.registrar.agent),
  );
}
