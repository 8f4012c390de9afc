import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../base/config.ts';
import { GovError } from '../base/errors.ts';
import { visible } from '../base/escape.ts';
import { type GovPaths, govPaths } from '../base/gov-paths.ts';
import type { CompiledPolicy } from '../model/policy.ts';
import { policyInForce as inForce, type PolicyPlace } from '../policy/in-force.ts';
import { machineWorld } from '../world/machine.ts';
import { builtPresets } from './presets.ts';

/**
 * The policy that hooks of this user decide with, or a preset by name, with the layer of the project that `cwd` lies in
 * (null: of none). A project layer that changed since it was compiled is compiled again first. Throws GovError
 * `policy-…`.
 */
export async function policyInForce(
  env: NodeJS.ProcessEnv,
  preset?: string,
  cwd: string | null = process.cwd(),
): Promise<CompiledPolicy> {
  const paths = govPaths(env);
  const place: PolicyPlace = {
    built: paths.policy,
    builtin: fileURLToPath(new URL('../policy', import.meta.url)),
    preset: preset === undefined ? readConfig(paths.configFile).config.preset : presetNamed(preset, paths),
  };
  const workspace = cwd === null ? null : workspaceOf(cwd, env);
  const found = inForce(place, workspace);
  if (workspace === null || found.faults.length === 0) return found.policy;
  const { publishProject } = await import('../rulebook/publish.ts');
  publishProject(paths, workspace, inForce(place, null).policy);
  const now = inForce(place, workspace);
  for (const fault of now.faults) process.stderr.write(`gov: ${visible(fault)}\n`);
  return now.policy;
}

/** The preset, if there is one of that name. Throws GovError `usage-preset`. */
export function presetNamed(name: string, paths: Pick<GovPaths, 'policy'>): string {
  const built = builtPresets();
  if (built.includes(name) || (/^[\w-]+$/.test(name) && existsSync(join(paths.policy, `${name}.json`)))) return name;
  throw new GovError({
    code: 'usage-preset',
    message: `there is no preset \`${name}\``,
    help: `one of ${built.join(', ')}`,
  });
}

/** Root of the repository or project that a directory lies in. */
export function workspaceOf(cwd: string, env: NodeJS.ProcessEnv): string {
  return machineWorld({ cwd, env }).workspace;
}
