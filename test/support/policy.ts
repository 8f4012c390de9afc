import { join } from 'node:path';
import type { CompiledPolicy } from '../../src/model/policy.ts';
import { compilePolicy } from '../../src/rulebook/compile.ts';
import { printFinding } from '../../src/rulebook/finding.ts';
import { readSources } from '../../src/rulebook/source-files.ts';

const root = join(import.meta.dirname, '..', '..');

/** The built-in rules, compiled from their sources. Throws with the findings if they are faulty. */
export function compileBuiltin(preset: string): CompiledPolicy {
  const { policy, findings } = compilePolicy(readSources([join(root, 'rules')], 'builtin', root), { preset });
  const errors = findings.filter((f) => f.severity === 'error');
  if (errors.length > 0) throw new Error(errors.map(printFinding).join('\n'));
  return policy;
}
