import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { GovError } from '../base/errors.ts';
import { govPaths } from '../base/gov-paths.ts';
import type { CompiledRule, CompiledWaiver } from '../model/policy.ts';
import { type Compilation, compilePolicy, type SourceInput } from '../rulebook/compile.ts';
import { printFinding } from '../rulebook/finding.ts';
import { layersOf } from '../rulebook/layers.ts';

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
  return join(govPaths(process.env).config, 'rules', 'waivers.yaml');
}

export function readWaiverFile(): string {
  const file = waiverFile();
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/** All layers of this user, with another text in place of their own waiver file if one is given. */
export function compileWith(text?: string): Compilation {
  const file = waiverFile();
  const { sources } = layersOf(govPaths(process.env));
  if (text === undefined) return compilePolicy(sources);
  const own: SourceInput = { path: file, text, layer: 'user' };
  return compilePolicy([...sources.filter((s) => s.path !== file), own]);
}

/** Writes the waiver file if the layers compile with it. Throws GovError `policy-faulty`. */
export function saveWaiverFile(text: string): void {
  const file = waiverFile();
  const faults = compileWith(text).findings.filter((f) => f.severity === 'error' && f.at.file === file);
  if (faults.length > 0)
    throw new GovError({
      code: 'usage-waiver',
      message: 'the waiver is not of the shape that its rule declares',
      help: faults.map(printFinding).join('\n\n'),
    });
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const next = `${file}.${process.pid}`;
  writeFileSync(next, text, { mode: 0o600 });
  renameSync(next, file);
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
