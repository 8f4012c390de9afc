import { LIMITS } from '../base/limits.ts';
import { EFFECTS, type Mark, type RuleEffect, type RuleHit, type TraceStep } from '../model/decision.ts';
import type { Facts } from '../model/facts.ts';
import type { CompiledPolicy, CompiledRule } from '../model/policy.ts';
import type { Condition } from './condition.ts';
import type { DecisionContext } from './decide.ts';
import type { Run } from './expression.ts';
import { isLimitReached, isSequenceComplete } from './history.ts';
import type { Item } from './items.ts';
import { broughtBy } from './marks.ts';
import type { Entry } from './rule-index.ts';
import { CelFault, type Scope, UNKNOWN, withBudget } from './scope.ts';
import { waiverFor } from './waivers.ts';
import { oneLine, readable, sentenceOf } from './wording.ts';

/** What became of one rule on one item. */
export interface Verdict {
  readonly hit: RuleHit | null;
  readonly step: TraceStep;
}

interface Judging {
  readonly policy: CompiledPolicy;
  readonly facts: Facts;
  readonly scope: Scope;
  readonly context: DecisionContext;
  /** Marks that this decision leaves behind; added to. */
  readonly marks: Mark[];
}

type Because = RuleHit['because'];

/** Asks one rule about one item. Never throws. */
export function judge(entry: Entry, condition: Condition, item: Item, on: Judging): Verdict {
  const { rule } = entry;
  const { scope } = on;
  scope.locals[0] = item.value;
  scope.uncertain = false;
  let because: Because | null;
  let note = '';
  try {
    because = withBudget(scope, () => outcomeOf(rule, condition, item, on));
    if (because === 'dynamic') note = reasonOf(item, on.facts) || unknownEvidence(rule);
  } catch (error) {
    because = 'error';
    note = error instanceof CelFault ? error.message : `internal: ${String(error)}`;
  }
  const step = (outcome: TraceStep['outcome']): TraceStep => ({ rule: rule.id, outcome, subject: item.subject, note });
  if (because === null) return { hit: null, step: step('false') };
  const effect = effectOf(rule, because, on);
  if (effect === null) return { hit: null, step: step(because === 'error' ? 'error' : 'dynamic') };
  const subject = oneLine(readable(item.subject.slice(0, 2 * LIMITS.messageChars)));
  const lifted = rule.level === 'hard' ? '' : liftedBy(rule, condition, item, on);
  const hit: RuleHit = {
    id: rule.id,
    pack: rule.pack,
    version: rule.version,
    layer: rule.layer,
    severity: rule.severity,
    level: rule.level,
    effect,
    because,
    enforced: rule.mode === 'enforce',
    title: rule.title,
    message: sentenceOf({
      message: rule.message || rule.title,
      exact: textFrom(condition.message, scope),
      because,
      note,
    }),
    remediation: rule.remediation,
    suggest: oneLine(textFrom(condition.suggest, scope)),
    subject,
    span: item.span,
    lifted_by: lifted,
    ...(condition.audit.length > 0 ? { audit: auditOf(condition, scope) } : {}),
  };
  if (lifted) note = `by ${lifted}`;
  return {
    hit,
    step: step(lifted ? 'lifted' : because === 'error' ? 'error' : because === 'match' ? 'fired' : 'dynamic'),
  };
}

/** Null: it does not fire. */
function outcomeOf(rule: CompiledRule, condition: Condition, item: Item, on: Judging): Because | null {
  const { scope, context } = on;
  let value = condition.when(scope);
  if (value === false) return null;
  if (condition.requires) value = and(value, not(condition.requires(scope)));
  if (value === false) return null;
  if (rule.sequence && condition.sequenceKey) {
    const key = condition.sequenceKey(scope);
    if (!isSequenceComplete(rule, String(key), context.history, context.now)) return null;
  }
  if (rule.limit && condition.limitKey && !limitFires(rule, condition.limitKey, item, on)) return null;
  if (value === UNKNOWN) return scope.uncertain && holdsIfGuessedRight(condition, scope) ? 'uncertain' : 'dynamic';
  if (value !== true) throw new CelFault('the condition is not a bool');
  // What a rule allows is allowed whether or not it comes to that.
  return item.certain || rule.effect === 'allow' ? 'match' : 'uncertain';
}

/** True if the condition is plainly true once what was only guessed at is taken for a fact. */
function holdsIfGuessedRight(condition: Condition, scope: Scope): boolean {
  scope.trusting = true;
  try {
    const value = condition.when(scope);
    return (condition.requires ? and(value, not(condition.requires(scope))) : value) === true;
  } finally {
    scope.trusting = false;
  }
}

function limitFires(rule: CompiledRule, keyOf: Run, item: Item, on: Judging): boolean {
  const key = String(keyOf(on.scope));
  const { weight, steps } = broughtBy(rule, item, on.facts);
  const { now: at } = on.context;
  for (const step of steps)
    if (!on.marks.some((m) => m.rule === rule.id && m.key === key && m.step === step))
      on.marks.push({ rule: rule.id, step, key, at, weight });
  return isLimitReached(rule, { key, weight, marks: on.marks }, on.context.history, at);
}

function not(x: unknown): unknown {
  return x === UNKNOWN ? UNKNOWN : !x;
}

function and(a: unknown, b: unknown): unknown {
  return a === false || b === false ? false : a === UNKNOWN || b === UNKNOWN ? UNKNOWN : true;
}

/** What the rule does in this case; null: nothing. */
function effectOf(rule: CompiledRule, because: Because, on: Judging): RuleEffect | null {
  const effect = wantedEffect(rule, because);
  if (effect === null) return null;
  if (effect === 'ask' && on.policy.questions === 'deny') return 'deny';
  const { can } = on.context;
  return !can || can(effect) ? effect : (rule.fallback.find((f) => can(f)) ?? effect);
}

function wantedEffect(rule: CompiledRule, because: Because): RuleEffect | null {
  if (because === 'error') return rule.onError === 'skip' ? null : rule.onError;
  let { effect } = rule;
  if (because !== 'match' && rule.onDynamic !== 'match') {
    if (effect === 'allow') return null;
    // SECURITY: `ignore` is about conditions that can't be known. An item that plainly matches and was only found by
    // a scan is known well enough to ask about.
    if (rule.onDynamic === 'ignore' && because === 'dynamic') return null;
    // Not sure enough to refuse; what is milder than a question stays as it is.
    if (EFFECTS.indexOf(effect) < EFFECTS.indexOf('ask')) effect = 'ask';
  }
  return effect;
}

function liftedBy(rule: CompiledRule, condition: Condition, item: Item, on: Judging): string {
  const waiver = waiverFor(rule, condition.exceptions, on.policy, on.scope, on.context.now);
  return waiver || (on.context.grant?.(rule, item) ?? '');
}

/** The text an expression gives; '' if it is unknown, fails or is no text. */
function textFrom(run: Run | null, scope: Scope): string {
  if (!run) return '';
  try {
    const value = withBudget(scope, () => run(scope));
    return typeof value === 'string' ? value : '';
  } catch {
    return '';
  }
}

function auditOf(condition: Condition, scope: Scope): Readonly<Record<string, unknown>> {
  const out: Record<string, unknown> = Object.create(null);
  for (const [name, run] of condition.audit) {
    try {
      out[name] = withBudget(scope, () => run(scope));
    } catch (error) {
      out[name] = `error: ${error instanceof Error ? error.message : ''}`;
    }
  }
  return out;
}

/** Why an item can't be known, in the facts' own words; '' if they don't say. */
function reasonOf(item: Item, facts: Facts): string {
  const value = item.value as Unsure | null;
  if (value === null) return facts.files.find((f) => f.reason)?.reason ?? firstUnknownWord(facts.commands);
  if (value.reason) return value.reason;
  const target = value.targets?.find((t) => t.reason);
  if (target) return target.reason;
  if (value.unknown_words) return value.unknown_words[0] ?? '';
  const command = facts.commands[value.command ?? -1];
  return command ? firstUnknownWord([command]) : '';
}

/** For a rule that rests on evidence, and that lacks nothing else. */
function unknownEvidence({ asks }: CompiledRule): string {
  return asks ? `evidence of \`${asks.join('`, `')}\` is not known` : '';
}

/** Members by which the different items say what is not known of them. */
interface Unsure {
  readonly reason?: string;
  readonly unknown_words?: readonly string[];
  readonly targets?: readonly { readonly reason: string }[];
  readonly command?: number;
}

function firstUnknownWord(commands: Facts['commands']): string {
  return commands.find((c) => c.unknown_words.length > 0)?.unknown_words[0] ?? '';
}
