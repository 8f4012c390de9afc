import { LIMITS } from '../base/limits.ts';
import {
  type Answer,
  type AskedEvidence,
  type Decision,
  EFFECTS,
  type Mark,
  type RuleEffect,
  type RuleHit,
  SEVERITIES,
  type TraceStep,
} from '../model/decision.ts';
import type { Facts } from '../model/facts.ts';
import type { CompiledPolicy, CompiledRule } from '../model/policy.ts';
import { isAllCovered } from './coverage.ts';
import { evidenceMarks } from './establish.ts';
import type { History } from './history.ts';
import { type Item, itemsOf } from './items.ts';
import { judge, type Verdict } from './judge.ts';
import { countersOf, isOfChanges, stepMarks } from './marks.ts';
import { type Entry, type EventIndex, indexOf } from './rule-index.ts';
import { CelFault, globalsOf, type Scope, type Services } from './scope.ts';
import { labelsOf, sessionView } from './session.ts';

/** All that a decision depends on besides policy and facts. */
export interface DecisionContext {
  /** Milliseconds since 1970 UTC. */
  readonly now: number;
  /** Facts about the session, `calls` and so on, in place of those that the history has. */
  readonly session?: Readonly<Record<string, unknown>>;
  readonly history?: History;
  readonly services?: Services;
  /** Name of the grant that lifts the rule for this item, or ''. Never asked for hard rules. */
  readonly grant?: (rule: CompiledRule, item: Item) => string;
  /** Which effects the agent can be made to do; absent: all. A rule falls back along its `fallback`. */
  readonly can?: (effect: RuleEffect) => boolean;
  /** Also keep steps for rules that were looked at and did not fire. */
  readonly trace?: boolean;
}

/** Events at which a call can still be stopped: only there a default other than allow means anything. */
const BEFORE_A_CALL: ReadonlySet<string> = new Set(['PreToolUse', 'PermissionRequest', 'PreSkillShellCommand']);

/** Hits of one rule that are kept, and after which it is no longer asked. */
const HITS_PER_RULE = 8;

/**
 * Decides one call: all rules that could fire are asked, the strictest effect wins, ties go by severity and id.
 * Takes everything as values and never throws on any facts; a condition that fails is answered by its `on_error`.
 */
export function decide(policy: CompiledPolicy, facts: Facts, context: DecisionContext): Decision {
  const index = indexOf(policy);
  const read: Record<string, unknown> = {};
  const asked = new Map<string, AskedEvidence>();
  const scope = makeScope(facts, context, policy, { read, asked });
  const found: { verdict: Verdict; item: Item }[] = [];
  const trace: TraceStep[] = [];
  const marks: Mark[] = [];
  const perRule = new Map<Entry, number>();
  // Where only what is allowed passes, each item of the call has to be seen.
  const covers = policy.defaultEffect !== 'allow' && BEFORE_A_CALL.has(facts.event.name);

  const ask = (entry: Entry, item: Item): void => {
    const { rule } = entry;
    if (rule.tools.length > 0 && !rule.tools.includes(facts.tool.name)) return;
    if (rule.agents.length > 0 && !rule.agents.includes(facts.event.agent)) return;
    if (rule.programs.length > 0 && item.kind !== 'command' && !isOfPrograms(item, rule.programs, facts)) return;
    const kept = perRule.get(entry) ?? 0;
    if (kept >= HITS_PER_RULE && !(covers && rule.effect === 'allow')) return;
    const verdict = judge(entry, index.condition(entry), item, { policy, facts, scope, context, marks });
    if (verdict.hit) {
      found.push({ verdict, item });
      if (verdict.hit.because === 'match' && verdict.hit.lifted_by === '') perRule.set(entry, kept + 1);
    }
    if (verdict.hit || context.trace || verdict.step.outcome === 'error') trace.push(verdict.step);
  };
  const rules = index.event(facts.event.name);
  const call: Item = { kind: '', value: null, keys: [], subject: facts.tool.raw, span: null, certain: true };
  for (const entry of rules.call) ask(entry, call);
  visit(rules, facts, scope, ask);
  for (const step of index.steps(facts.event.name)) marks.push(...stepMarks(step, facts, scope, context.now));
  for (const kind of index.evidence(facts.event.name)) marks.push(...evidenceMarks(kind, facts, scope, context.now));

  const otherwise = covers && !isAllCovered(facts, found) ? defaultOf(policy) : 'allow';
  const spoken = found.length;
  if (otherwise !== 'allow') for (const entry of rules.otherwise) ask(entry, call);
  const hits = found.map((f) => f.verdict.hit as RuleHit);
  const rest: RuleEffect = isLifted(hits.slice(spoken)) ? 'allow' : otherwise;
  hits.sort(byStrictness);
  const first = hits.find(decides) ?? null;
  // A rule that only warns does not stand in for what nothing allows.
  const winner = first && rank(first.effect) <= rank(rest) ? first : null;
  const effect = winner?.effect ?? rest;
  const answer = answerOf(effect);
  for (const entry of index.counters)
    marks.push(
      ...countersOf(entry.rule, index.condition(entry), {
        facts,
        scope,
        now: context.now,
        answer,
        by: winner?.id ?? null,
      }),
    );
  const left = answer === 'deny' || answer === 'halt' ? marks.filter((mark) => !isOfChanges(mark)) : marks;
  return {
    answer,
    effect,
    rule: winner?.id ?? null,
    reason: winner?.message ?? (effect === 'allow' ? '' : `no rule allows this call (preset ${policy.preset})`),
    rules: limitHits(hits),
    trace,
    policy: policy.digest,
    ...(Object.keys(read).length > 0 ? { session: read } : {}),
    ...(asked.size > 0 ? { evidence: [...asked.values()] } : {}),
    ...(left.length > 0 ? { marks: left } : {}),
  };
}

/** What a decision asked for, so that its record can say so. */
interface Noted {
  readonly read: Record<string, unknown>;
  readonly asked: Map<string, AskedEvidence>;
}

/** A scope for one decision, or for looking into one. */
export function makeScope(
  facts: Facts,
  context: DecisionContext,
  policy: CompiledPolicy,
  noted: Noted = { read: {}, asked: new Map() },
): Scope {
  return {
    globals: globalsOf(facts, context.now),
    session: () => sessionOf(facts, context, policy, noted.read),
    evidence: (kind, key) => evidenceOf({ kind, key }, facts, context, policy, noted.asked),
    locals: [],
    home: facts.event.home,
    workspace: facts.event.workspace,
    services: context.services ?? {},
    steps: 0,
    left: LIMITS.decisionSteps,
    uncertain: false,
    trusting: false,
  };
}

/** What conditions see of the session; null: nothing is known. Made only where one asks. */
function sessionOf(
  { event }: Facts,
  { session: given, history, now }: DecisionContext,
  policy: CompiledPolicy,
  read: Record<string, unknown>,
): object | null {
  const source = history?.session?.(event.session, now);
  if (!given && !source) return null;
  return sessionView((fact) => {
    if (given && Object.hasOwn(given, fact)) return given[fact];
    if (fact === 'labels' && history) return labelsOf(policy, history, event.session);
    return source?.(fact) ?? null;
  }, read);
}

/** Each question is looked up once in a decision. */
function evidenceOf(
  { kind, key }: { readonly kind: string; readonly key: string },
  { event }: Facts,
  { services, history, now }: DecisionContext,
  policy: CompiledPolicy,
  asked: Map<string, AskedEvidence>,
): boolean | null {
  const name = JSON.stringify([kind, key]);
  const before = asked.get(name);
  if (before) return before.holds;
  const declared = policy.evidence?.[kind];
  if (!declared) throw new CelFault(`the bundle has no evidence \`${kind}\``);
  const holds = services?.evidence?.({ kind, key, declared, session: event.session, now, history }) ?? null;
  asked.set(name, { kind, key, holds });
  return holds;
}

let stamp = 0;

/** Shows each item to the rules that could fire on it, each once. */
function visit(index: EventIndex, facts: Facts, scope: Scope, ask: (entry: Entry, item: Item) => void): void {
  for (const kind of ['command', 'file', 'dest', 'effect'] as const) {
    const lookup = index[kind];
    if (lookup.any.length === 0 && lookup.byKey.size === 0) continue;
    for (const item of itemsOf(kind, facts, scope, index)) {
      const mine = ++stamp;
      for (const entry of lookup.any) ask(entry, item);
      for (const key of item.keys)
        for (const entry of lookup.byKey.get(key) ?? []) {
          if (entry.stamp === mine) continue;
          entry.stamp = mine;
          ask(entry, item);
        }
    }
  }
}

/** For a file, destination or effect its own command counts, for a whole call any of its commands. */
function isOfPrograms(item: Item, programs: readonly string[], facts: Facts): boolean {
  const named = (index: number): boolean => programs.includes(facts.commands[index]?.name ?? '');
  if (item.kind !== '') return named((item.value as { readonly command: number }).command);
  return facts.commands.some((c) => programs.includes(c.name ?? ''));
}

/** What the policy says about calls that no rule allows. */
function defaultOf({ defaultEffect, questions }: CompiledPolicy): CompiledPolicy['defaultEffect'] {
  return defaultEffect === 'ask' && questions === 'deny' ? 'deny' : defaultEffect;
}

/** True if rules speak for the default, and each that would hold the call up was lifted. */
function isLifted(spoken: readonly RuleHit[]): boolean {
  const holding = spoken.filter((hit) => hit.enforced && rank(hit.effect) <= rank('ask'));
  return holding.length > 0 && holding.every((hit) => hit.lifted_by !== '');
}

function rank(effect: RuleEffect): number {
  return EFFECTS.indexOf(effect);
}

function decides(hit: RuleHit): boolean {
  return hit.enforced && hit.lifted_by === '' && hit.effect !== 'allow';
}

function byStrictness(a: RuleHit, b: RuleHit): number {
  return (
    rank(a.effect) - rank(b.effect) ||
    SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity) ||
    (a.id < b.id ? -1 : a.id > b.id ? 1 : 0)
  );
}

function answerOf(effect: RuleEffect): Answer {
  return effect === 'halt' || effect === 'deny' || effect === 'ask' ? effect : 'allow';
}

/** A call with thousands of items keeps the first hits of each rule. */
function limitHits(hits: readonly RuleHit[]): readonly RuleHit[] {
  const counts = new Map<string, number>();
  return hits.filter((hit) => {
    const count = (counts.get(hit.id) ?? 0) + 1;
    counts.set(hit.id, count);
    return count <= HITS_PER_RULE;
  });
}
