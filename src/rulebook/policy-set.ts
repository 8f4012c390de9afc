import type { Layer, RuleEffect } from '../model/decision.ts';
import type { CompiledLimit, CompiledPolicy, CompiledRule } from '../model/policy.ts';
import type { Placed } from './documents.ts';
import { type Finding, suggestion } from './finding.ts';
import type { Imports } from './imports.ts';
import { findingAt, keyRangeOf, type Path, rangeOf } from './source.ts';

export interface Adjustment {
  readonly rules?: readonly string[];
  readonly packs?: readonly string[];
  readonly tags?: readonly string[];
  readonly severities?: readonly string[];
  readonly levels?: readonly string[];
  readonly mode?: CompiledRule['mode'];
  readonly effect?: RuleEffect;
  readonly on_dynamic?: CompiledRule['onDynamic'];
}

type OnFailure = 'spool' | NonNullable<CompiledPolicy['auditFailure']>;

interface PolicySetData {
  readonly name: string;
  readonly packs?: readonly string[];
  readonly questions?: 'ask' | 'deny';
  readonly defaults?: {
    readonly default_effect?: CompiledPolicy['defaultEffect'];
    readonly on_error?: CompiledRule['onError'];
    readonly on_dynamic?: CompiledRule['onDynamic'];
    readonly audit?: { readonly on_failure?: OnFailure };
    readonly budgets?: Budgets;
  };
  readonly adjust?: readonly Adjustment[];
}

/** What a session may do within the window of the rule that keeps the budget. */
type Budgets = Readonly<Partial<Record<keyof typeof BUDGETS, number>>>;

const BUDGETS = { calls: 'call', minutes: 'minutes', files: 'files', lines: 'lines' } as const satisfies Readonly<
  Record<string, CompiledLimit['counts']>
>;

/** A policy set with what it imports. */
export interface ChosenSet {
  readonly name: string;
  readonly packs?: readonly string[];
  /** Packs that it names, whoever they are made for. */
  readonly taken: readonly string[];
  readonly questions?: 'ask' | 'deny';
  readonly defaults: NonNullable<PolicySetData['defaults']>;
  /** In order; a change reaches the rules of the layer it was written in and of those below. */
  readonly adjust: readonly { readonly change: Adjustment; readonly layer: Layer }[];
}

/** SECURITY: a project is untrusted input: what it calls a policy set can't switch anything off. */
export function choosePolicySet(
  { documents, bases, taken }: Imports,
  preset: string | undefined,
  findings: Finding[],
): ChosenSet | null {
  const docs = documents.filter((d) => d.data?.['kind'] === 'PolicySet');
  for (const doc of docs)
    if (doc.layer === 'project') {
      const [start, end] = rangeOf(doc, ['kind']);
      const message = 'a project may not define a policy set';
      findings.push(findingAt(doc.file, start, end, 'overlay-not-permitted', message, 'use an Overlay'));
    }
  const sets = docs.filter((d) => d.layer !== 'project');
  const imported = new Set([...bases.values()].flat());
  const roots = sets.filter((doc) => !imported.has(doc));
  const chosen =
    preset === undefined ? (roots.length === 1 ? roots[0] : undefined) : sets.find((d) => dataOf(d).name === preset);
  if (!chosen) return null;
  const merge = (doc: Placed): ChosenSet => {
    const data = dataOf(doc);
    const below = (bases.get(doc) ?? []).filter((base) => base !== doc).map(merge);
    const packs = data.packs ?? below.find((b) => b.packs)?.packs;
    const questions = data.questions ?? below.find((b) => b.questions)?.questions;
    return {
      name: data.name,
      ...(packs ? { packs } : {}),
      ...(questions ? { questions } : {}),
      taken: [...below.flatMap((b) => b.taken), ...below.map((b) => b.name), ...(taken.get(doc) ?? [])],
      defaults: Object.assign({}, ...below.map((b) => b.defaults), data.defaults),
      adjust: [
        ...below.flatMap((b) => b.adjust),
        ...(data.adjust ?? []).map((change) => ({ change, layer: doc.layer })),
      ],
    };
  };
  return merge(chosen);
}

/** Sets of which every one holds, whichever is chosen: those of the organisation and the team. */
const ABOVE_USERS: readonly Layer[] = ['org', 'team'];

/**
 * What the chosen set and those of the organisation and the team bound: the strictest holds, so that no choice of a set
 * gets around it. Narrows the limits of rules.
 */
export function applyBounds(
  { documents, bases }: Imports,
  chosen: ChosenSet | null,
  rules: Map<string, CompiledRule>,
  findings: Finding[],
): CompiledPolicy['auditFailure'] {
  const holding = new Set<Placed>();
  const add = (doc: Placed): void => {
    if (holding.has(doc)) return;
    holding.add(doc);
    for (const base of bases.get(doc) ?? []) add(base);
  };
  for (const doc of documents)
    if (doc.data?.['kind'] === 'PolicySet' && doc.layer !== 'project')
      if (ABOVE_USERS.includes(doc.layer) || dataOf(doc).name === chosen?.name) add(doc);
  const answers: OnFailure[] = [];
  for (const doc of holding) {
    const { audit, budgets } = dataOf(doc).defaults ?? {};
    if (audit?.on_failure) answers.push(audit.on_failure);
    for (const [name, most] of Object.entries(budgets ?? {}))
      narrow(doc, name as keyof typeof BUDGETS, most, rules, findings);
  }
  return answers.includes('deny') ? 'deny' : answers.includes('ask') ? 'ask' : undefined;
}

/** Rules that keep a budget of a session carry this tag. */
const TAG = 'limit';

function narrow(
  doc: Placed,
  name: keyof typeof BUDGETS,
  most: number,
  rules: Map<string, CompiledRule>,
  findings: Finding[],
): void {
  const fault = (code: string, message: string, help: string): void => {
    const path: Path = ['defaults', 'budgets', name];
    const [start, end] = keyRangeOf(doc, path);
    findings.push(findingAt(doc.file, start, end, code, message, help));
  };
  const kept = [...rules.values()].filter(
    ({ limit, tags }) => limit?.counts === BUDGETS[name] && limit.key.source === 'event.session' && tags.includes(TAG),
  );
  if (kept.length === 0)
    fault(
      'budget-without-rule',
      `no rule of this set keeps a budget of ${name}`,
      suggestion(
        name,
        Object.keys(BUDGETS).filter((other) => other !== name),
      ) && 'take the pack `limits`',
    );
  for (const rule of kept) {
    const { limit } = rule;
    if (!limit) continue;
    if (most < limit.count) rules.set(rule.id, { ...rule, limit: { ...limit, count: most } });
    else if (most > limit.count && rule.layer === 'builtin')
      fault('budget-not-narrower', `\`${rule.id}\` has ${limit.count} already: a budget only narrows`, 'lower it');
  }
}

function dataOf(doc: Placed): PolicySetData {
  return doc.data as unknown as PolicySetData;
}
