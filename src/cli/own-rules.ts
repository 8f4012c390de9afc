import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { GovError } from '../base/errors.ts';
import { visible } from '../base/escape.ts';
import type { GovPaths } from '../base/gov-paths.ts';
import type { Finding } from '../rulebook/finding.ts';

/** Rules besides the built-in ones that an installation finds here. */
export interface OwnRules {
  /** How many, of the organisation and of the user. */
  readonly count: number;
  /** Compiles them into the bundles that hooks read. Throws `policy-broken`; what was in force stays then. */
  build(): void;
}

/**
 * Rules and bundles from before; null if there are none. Throws `policy-broken` with the place if a rule has a fault:
 * hooks would go on with an older state of the rules, or without them.
 */
export async function ownRulesFrom(paths: GovPaths, orgDir?: string): Promise<OwnRules | null> {
  const { layersOf } = await import('../rulebook/layers.ts');
  const layers = layersOf(paths, orgDir);
  const own = layers.sources.filter((source) => source.layer !== 'builtin');
  if (own.length === 0 && layers.ignored.length === 0 && !existsSync(join(paths.policy, 'recommended.json')))
    return null;
  const { compilePolicy } = await import('../rulebook/compile.ts');
  const { written, findings } = compilePolicy(layers.sources);
  refuse(findings);
  for (const line of layers.ignored) process.stderr.write(`gov: ${visible(line)}\n`);
  const files = new Set(own.map((source) => source.path));
  const { publishLayers } = await import('../rulebook/publish.ts');
  return {
    count: written.filter((w) => files.has(w.doc.file.path)).length,
    // With an untrusted file of the organisation the last good bundles stay, or else the built-in rules hold.
    build: () => refuse(publishLayers(paths, null, layers).findings),
  };
}

function refuse(findings: readonly Finding[]): void {
  const errors = findings.filter((f) => f.severity === 'error');
  const [first] = errors;
  if (!first) return;
  throw new GovError({
    code: 'policy-broken',
    message: `${first.message}${errors.length > 1 ? ` (and ${errors.length - 1} more)` : ''}`,
    help: `${first.help ? `${first.help}; ` : ''}\`gov policy check\` shows all; nothing was changed, and the rules in force stay`,
    at: first.at,
  });
}
