import { GovError } from '../base/errors.ts';
import { govPaths } from '../base/gov-paths.ts';
import type { CompiledRule, CompiledWaiver } from '../model/policy.ts';
import { type Compilation, compilePolicy } from '../rulebook/compile.ts';
import { printFinding } from '../rulebook/finding.ts';
import { layersOf } from '../rulebook/layers.ts';
import { ownFile } from './own-file.ts';

/** A waiver with its state at a time. */
export interface ListedWaiver {
  readonly id: string;
  readonly rule: string;
  readonly exception: string;
  readonly state: 'live' | 'expired' | 'not yet';
  readonly not_before: string | null;
  readonly expires: string;
  /** Whole days until its end; negative after it. */
  readonly days_left: number;
  readonly reason: string;
  readonly owner: string;
}

const DAY = 86_400_000;

export function listed(waiver: CompiledWaiver, now: number): ListedWaiver {
  const { id, rule, exception, reason, owner, notBefore, expires } = waiver;
  return {
    id,
    rule,
    exception,
    state: now >= expires ? 'expired' : now < notBefore ? 'not yet' : 'live',
    not_before: notBefore === 0 ? null : new Date(notBefore).toISOString(),
    expires: new Date(expires).toISOString(),
    days_left: Math.floor((expires - now) / DAY),
    reason,
    owner,
  };
}

/** The user's own file for waivers. */
export function waiverFile(): string {
  return ownFile(NAME).path;
}

const NAME = 'waivers.yaml';

export function readWaiverFile(): string {
  return ownFile(NAME).read();
}

/** All layers of this user. */
export function compileLayers(): Compilation {
  return compilePolicy(layersOf(govPaths(process.env)).sources);
}

/** Writes the waiver file if the layers compile with it. Throws GovError `usage-waiver`. */
export function saveWaiverFile(text: string): void {
  const faults = ownFile(NAME).save(text);
  if (faults.length > 0)
    throw new GovError({
      code: 'usage-waiver',
      message: 'the waiver is not of the shape that its rule declares',
      help: faults.map(printFinding).join('\n\n'),
    });
}

/** The rule of that id. Throws GovError `usage-unknown-rule`. */
export function ruleNamed(id: string, compilation: Compilation): CompiledRule {
  const rule = compilation.policy.rules.find((r) => r.id === id);
  if (rule) return rule;
  throw new GovError({
    code: 'usage-unknown-rule',
    message: `there is no rule \`${id}\``,
    help: '`gov policy list` shows all',
  });
}
