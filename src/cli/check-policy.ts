import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readConfig } from '../base/config.ts';
import { govPaths } from '../base/gov-paths.ts';
import type { CompiledPolicy } from '../model/policy.ts';
import { loadPolicy } from '../policy/load.ts';

/** The policy that hooks of this user decide with, or a preset by name. Throws GovError `policy-…`. */
export function policyInForce(env: NodeJS.ProcessEnv, preset?: string): CompiledPolicy {
  const paths = govPaths(env);
  const name = preset ?? readConfig(paths.configFile).config.preset;
  const own = join(paths.policy, `${name}.json`);
  const file = existsSync(own) ? own : fileURLToPath(new URL(`../policy/${name}.json`, import.meta.url));
  return loadPolicy(file);
}
