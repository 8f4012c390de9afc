import type { CommandFact, EffectFact, Facts, FileFact } from '../model/facts.ts';
import type { Grant } from '../model/grant.ts';
import type { CompiledRule } from '../model/policy.ts';
import { compileGlobs } from '../policy/glob.ts';
import type { Item } from '../policy/items.ts';
import { elevationOf, signaturesFor } from './limits.ts';

/** What a grant is held against. */
export interface CoverContext {
  readonly facts: Facts;
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  /** True if the digest, plain or keyed, is that of this call. */
  isThisCall(digest: string): boolean;
  /** How many different listed approvers signed the grant. */
  signaturesOn(grant: Grant): number;
}

/** How decisions name a grant. */
export function nameOf(grant: Grant): string {
  return `grant:${grant.terms.id}`;
}

/**
 * The one answer to "does this grant lift this rule for this item of this call now". SECURITY: hard rules never come
 * here; what is not known is not covered; a rule whose bounds were tightened since is held to the new ones.
 */
export function covers(grant: Grant, rule: CompiledRule, item: Item, on: CoverContext): boolean {
  const { terms } = grant;
  const { event } = on.facts;
  if (rule.level === 'hard') return false;
  if (!terms.rules.includes(rule.id) && !rule.tags.some((tag) => terms.tags.includes(tag))) return false;
  if (on.now < terms.from || on.now >= terms.until || on.now >= terms.from + elevationOf(rule).maxMs) return false;
  if (terms.session !== '' && terms.session !== event.session) return false;
  if (terms.agent !== '' && terms.agent !== event.agent) return false;
  if (terms.workspace !== '' && terms.workspace !== event.workspace) return false;
  if (terms.digest !== '' && !on.isThisCall(terms.digest)) return false;
  if (terms.path !== '' && !liesIn(terms.path, item, on.facts)) return false;
  const needed = Math.max(terms.signatures, signaturesFor(rule));
  return needed === 0 || on.signaturesOn(grant) >= needed;
}

/** True if all files that the item is about are known and match the glob, and there is one. */
function liesIn(glob: string, item: Item, facts: Facts): boolean {
  const paths = pathsOf(item, facts);
  const matches = compileGlobs([glob], facts.event.home);
  return paths.length > 0 && paths.every((path) => path !== null && matches(path));
}

function pathsOf(item: Item, facts: Facts): readonly (string | null)[] {
  const real = (files: readonly FileFact[]): (string | null)[] => files.map((file) => (file.glob ? null : file.real));
  switch (item.kind) {
    case 'file':
      return real([item.value as FileFact]);
    case 'command':
      return real((item.value as CommandFact).targets);
    case 'effect':
    case 'dest': {
      const { command } = item.value as Pick<EffectFact, 'command'>;
      return real(facts.commands[command]?.targets ?? []);
    }
    case '':
      return real(facts.files);
  }
}
