import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { type Installed, installedFile, readInstalled } from '../agents/installed.ts';
import type { GovConfig } from '../base/config.ts';
import { sha256 } from '../base/digest.ts';
import type { GovPaths } from '../base/gov-paths.ts';
import { replaceFile } from './files.ts';
import type { Plan } from './plan.ts';

/** Carries a plan out: copies the old settings, writes the new ones, remembers both. */
export function install(plan: Plan, paths: GovPaths, hooksDir: string, now: number): Installed {
  if (plan.after === null) throw new Error('an installation leaves a file behind');
  const known = readInstalled(paths).find((item) => isSame(item, plan));
  const untouched = known && plan.before !== null && sha256(plan.before) === known.sha256;
  const backup = untouched ? known.backup : copyAside(plan, paths, now);
  if (plan.after !== plan.before) replaceFile(plan.file, plan.after, plan.scope === 'managed' ? 0o644 : 0o600);
  const entry: Installed = {
    agent: plan.registrar.agent,
    scope: plan.scope,
    file: plan.file,
    hooksDir,
    backup,
    sha256: sha256(plan.after),
    at: known?.at ?? now,
  };
  saveInstalled(paths, [...readInstalled(paths).filter((item) => !isSame(item, plan)), entry]);
  return entry;
}

/** Writes the list of registrations. */
export function saveInstalled(paths: GovPaths, registrations: readonly Installed[]): void {
  mkdirSync(paths.config, { recursive: true, mode: 0o700 });
  replaceFile(installedFile(paths), `${JSON.stringify({ registrations }, null, 2)}\n`, 0o600);
}

/** Writes what a person chose, and which Node the hooks are to run on. */
export function saveConfig(paths: GovPaths, config: GovConfig, node: string): void {
  mkdirSync(paths.config, { recursive: true, mode: 0o700 });
  replaceFile(paths.configFile, `${JSON.stringify(config, null, 2)}\n`, 0o600);
  replaceFile(nodeFile(paths), `${node}\n`, 0o600);
}

/**
 * Makes V8's code cache of the hook for this Node if there is none: a package was built with another one. Without it
 * a hook is slower by some 15 ms, so nothing that fails here matters.
 */
export function warmUp(bundle: string): void {
  const dist = dirname(bundle);
  if (existsSync(join(dist, `hook.${process.version}-${process.arch}.cache`))) return;
  spawnSync(process.execPath, [join(dist, 'register', 'code-cache.js')], { stdio: 'ignore', timeout: 20_000 });
}

/** The file in which the launchers find the path of Node. */
export function nodeFile(paths: GovPaths): string {
  return join(paths.config, 'node');
}

/** Keeps the settings as they are without gov, to go back to. */
function copyAside(plan: Plan, paths: GovPaths, now: number): string | null {
  if (plan.before === null) return null;
  const text = plan.before.trim() === '' ? plan.before : plan.registrar.remove(plan.before, plan.file);
  const dir = join(paths.state, 'backups');
  mkdirSync(dir, { recursive: true, mode: 0o700 });
  const stamp = new Date(now).toISOString().replace(/[:.]/g, '-');
  const file = join(dir, `${stamp}-${plan.registrar.agent}-${plan.scope}-${basename(plan.file)}`);
  // Settings may hold keys of the user's: nobody else reads the copy.
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' });
  return file;
}

function isSame(item: Installed, plan: Plan): boolean {
  return item.file === plan.file && item.agent === plan.registrar.agent;
}
