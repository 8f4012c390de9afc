import { sha256 } from '../base/digest.ts';
import { LIMITS } from '../base/limits.ts';
import type { Mark } from '../model/decision.ts';
import type { CommandFact, Facts } from '../model/facts.ts';
import type { CompiledEvidence, Each } from '../model/policy.ts';
import type { Kind, KindStep } from './condition.ts';
import { itemsOf } from './items.ts';
import { type Scope, withBudget } from './scope.ts';

/** Where evidence about a key is found. Its digest is short, so that it is not taken for that of a call. */
export function evidencePlace(
  kind: string,
  { scope }: Pick<CompiledEvidence, 'scope'>,
  session: string,
  key: string,
): { readonly rule: string; readonly key: string } {
  const whose = scope === 'session' ? session : '';
  return { rule: `evidence:${kind}`, key: sha256(JSON.stringify([whose, key])).slice(0, 24) };
}

/** The mark of what ended; what was established is marked `+` and the state of the file. */
export const ENDED = '-';

/**
 * Marks for what the outcome of a call establishes and ends. What one command of a call does after the command that
 * established something ends it at once; what comes before it does not.
 */
export function evidenceMarks(kind: Kind, facts: Facts, scope: Scope, at: number): readonly Mark[] {
  const { name, declared } = kind;
  const found = new Map<string, { established: number; ended: number }>();
  const note = (side: 'established' | 'ended') => (key: string, place: number) => {
    const known = found.get(key) ?? { established: -1, ended: -1 };
    if (found.size < LIMITS.evidencePerCall || found.has(key))
      found.set(key, { ...known, [side]: Math.max(known[side], place) });
  };
  for (const step of kind.established) see(step, facts, scope, note('established'));
  for (const step of kind.ended) see(step, facts, scope, note('ended'));
  return [...found].flatMap(([key, { established, ended }]) => {
    const mark = (step: string): Mark => ({
      ...evidencePlace(name, declared, facts.event.session, key),
      step,
      at,
      weight: 1,
    });
    const marks = ended < 0 ? [] : [mark(ENDED)];
    if (established <= ended) return marks;
    if (!declared.unchanged) return [...marks, mark('+')];
    // Without a look at the machine, as when a record is decided on again, its state then is not known.
    const state = scope.services.stamp ? scope.services.stamp(key) : '';
    return state === null ? marks : [...marks, mark(`+${state}`)];
  });
}

/** The keys of what holds, each with the place of its command in the call (1 up; 0: no command). */
function see(step: KindStep, facts: Facts, scope: Scope, found: (key: string, place: number) => void): void {
  if (!isOutcome(step.outcome, facts)) return;
  for (const item of valuesOf(step.each, facts, scope)) {
    scope.locals[0] = item;
    scope.uncertain = false;
    try {
      withBudget(scope, () => {
        if (step.when(scope) !== true) return;
        const key = step.key(scope);
        if (typeof key === 'string') found(key, placeOf(step.each, item, facts));
      });
    } catch {
      // The condition says nothing about this item.
    }
  }
}

/** What may not have happened at all (`certain: false`) establishes nothing. */
function valuesOf(each: Each, facts: Facts, scope: Scope): readonly unknown[] {
  if (each === '') return [null];
  return [...itemsOf(each, facts, scope)].filter((item) => item.certain).map((item) => item.value);
}

function isOutcome(wanted: KindStep['outcome'], { event, result }: Facts): boolean {
  if (wanted === 'any') return true;
  const broken = event.name === 'PostToolUseFailure' || result === null || result.failed || result.interrupted;
  const failed = broken || (result.exitCode ?? 0) !== 0;
  return failed === (wanted === 'failure');
}

/** The outermost command counts: what a script does, it does while the script runs. */
function placeOf(each: Each, item: unknown, { commands }: Facts): number {
  if (each === '') return Number.POSITIVE_INFINITY;
  const value = item as { readonly id?: number; readonly command?: number };
  let command: CommandFact | undefined = commands[(each === 'command' ? value.id : value.command) ?? -1];
  while (command && command.parent >= 0 && commands[command.parent]) command = commands[command.parent];
  return command ? command.id + 1 : 0;
}
