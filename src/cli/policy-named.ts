import { existsSync } from 'node:fs';
import { GovError } from '../base/errors.ts';
import { fileError } from '../base/file-errors.ts';
import { govPaths } from '../base/gov-paths.ts';
import type { CompiledPolicy } from '../model/policy.ts';
import { loadPolicy } from '../policy/load.ts';
import { compilePolicy } from '../rulebook/compile.ts';
import { printFinding } from '../rulebook/finding.ts';
import { builtinSources } from '../rulebook/in-context.ts';
import { readSources } from '../rulebook/source-files.ts';
import { policyInForce, presetNamed } from './check-policy.ts';

/**
 * A policy as people name one: `.` for the policy in force, a preset, a compiled bundle (`*.json`), or YAML files or a
 * directory of them, which count as the user's layer on top of the built-in rules. Throws GovError.
 */
export async function policyNamed(name: string, env: NodeJS.ProcessEnv, preset?: string): Promise<CompiledPolicy> {
  if (preset !== undefined) presetNamed(preset, govPaths(env));
  if (name === '.') return policyInForce(env, preset);
  // Presets of one's own are found by the bundles that they were built into.
  if (!existsSync(name) && !/[./]/.test(name)) return policyInForce(env, presetNamed(name, govPaths(env)), null);
  if (name.endsWith('.json')) return loadNamed(name);
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

/** A compiled bundle that somebody named. */
function loadNamed(file: string): CompiledPolicy {
  try {
    return loadPolicy(file);
  } catch (error) {
    if (error instanceof GovError && error.code === 'policy-unreadable')
      throw fileError('policy-unreadable', file, error.cause);
    throw error;
  }
}
