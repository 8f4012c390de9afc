import { existsSync } from 'node:fs';
import { GovError } from '../base/errors.ts';
import type { CompiledPolicy } from '../model/policy.ts';
import { loadPolicy } from '../policy/load.ts';
import { compilePolicy } from '../rulebook/compile.ts';
import { printFinding } from '../rulebook/finding.ts';
import { builtinSources } from '../rulebook/in-context.ts';
import { readSources } from '../rulebook/source-files.ts';
import { policyInForce } from './check-policy.ts';
import { builtPresets } from './presets.ts';

/**
 * A policy as people name one: `.` for the policy in force, a preset, a compiled bundle (`*.json`), or YAML files or a
 * directory of them, which count as the user's layer on top of the built-in rules. Throws GovError.
 */
export async function policyNamed(name: string, env: NodeJS.ProcessEnv, preset?: string): Promise<CompiledPolicy> {
  if (name === '.') return policyInForce(env, preset);
  if (builtPresets().includes(name) && !existsSync(name)) return policyInForce(env, name, null);
  if (name.endsWith('.json')) return loadPolicy(name);
  const { policy, findings } = compilePolicy([...builtinSources(), ...readSources([name])], {
    preset: preset ?? 'recommended',
  });
  const errors = findings.filter((f) => f.severity === 'error');
  if (errors.length === 0) return policy;
  throw new GovError({
    code: 'policy-faulty',
    message: `the policy \`${name}\` has faults`,
    help: `${errors.map(printFinding).join('\n\n')}\n\nrun \`gov policy check ${name}\``,
  });
}
