import { canonicalJson } from '../base/digest.ts';
import type { CompiledPolicy, CompiledRule } from '../model/policy.ts';

interface RuleChange {
  readonly id: string;
  /** Keys that differ, with both values in short. */
  readonly keys: readonly { readonly key: string; readonly from: string; readonly to: string }[];
}

export interface PolicyDiff {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly RuleChange[];
  readonly lists: readonly {
    readonly name: string;
    readonly added: readonly string[];
    readonly removed: readonly string[];
  }[];
  /** Parameters as `PACK.NAME`, kinds of evidence and waivers as `evidence.NAME` and `waivers.ID`; `-`: it is not there. */
  readonly values: readonly { readonly key: string; readonly from: string; readonly to: string }[];
  readonly defaults: readonly { readonly key: string; readonly from: string; readonly to: string }[];
}

/** What differs between two policies, rule by rule. Where a rule is written is no difference. */
export function diffPolicies(a: CompiledPolicy, b: CompiledPolicy): PolicyDiff {
  const before = new Map(a.rules.map((r) => [r.id, r]));
  const after = new Map(b.rules.map((r) => [r.id, r]));
  const names = [...new Set([...Object.keys(a.lists), ...Object.keys(b.lists)])].sort();
  return {
    added: [...after.keys()].filter((id) => !before.has(id)).sort(),
    removed: [...before.keys()].filter((id) => !after.has(id)).sort(),
    changed: [...before].flatMap(([id, rule]) => {
      const other = after.get(id);
      const keys = other ? changedKeys(rule, other) : [];
      return keys.length > 0 ? [{ id, keys }] : [];
    }),
    lists: names.flatMap((name) => {
      const [was, is] = [a.lists[name] ?? [], b.lists[name] ?? []];
      const added = is.filter((x) => !was.includes(x));
      const removed = was.filter((x) => !is.includes(x));
      return added.length + removed.length > 0 ? [{ name, added, removed }] : [];
    }),
    values: changedValues(valuesOf(a), valuesOf(b)),
    defaults: (['preset', 'defaultEffect', 'questions', 'auditFailure'] as const).flatMap((key) =>
      a[key] === b[key] ? [] : [{ key, from: String(a[key] ?? '-'), to: String(b[key] ?? '-') }],
    ),
  };
}

/** What a policy holds besides rules and lists, by name. */
function valuesOf({ params, evidence, waivers }: CompiledPolicy): ReadonlyMap<string, unknown> {
  const values = new Map<string, unknown>();
  for (const [pack, own] of Object.entries(params))
    for (const [name, value] of Object.entries(own)) values.set(`params.${pack}.${name}`, value);
  for (const [kind, { source: _source, ...declared }] of Object.entries(evidence ?? {}))
    values.set(`evidence.${kind}`, declared);
  for (const waiver of waivers ?? []) values.set(`waivers.${waiver.id}`, waiver);
  return values;
}

function changedValues(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): PolicyDiff['values'] {
  const keys = [...new Set([...a.keys(), ...b.keys()])].sort();
  return keys
    .filter((key) => canonicalJson(a.get(key) ?? null) !== canonicalJson(b.get(key) ?? null))
    .map((key) => ({ key, from: short(a.get(key)), to: short(b.get(key)) }));
}

function changedKeys(a: CompiledRule, b: CompiledRule): RuleChange['keys'] {
  const keys = [...new Set([...Object.keys(a), ...Object.keys(b)])] as (keyof CompiledRule)[];
  // Taken from the condition, or only where it stands.
  const derived = new Set<string>(['source', 'kinds', 'names', 'ops', 'paths']);
  return keys
    .filter((key) => !derived.has(key) && canonicalJson(a[key]) !== canonicalJson(b[key]))
    .map((key) => ({ key, from: short(a[key]), to: short(b[key]) }));
}

function short(value: unknown): string {
  const source = (value as { source?: unknown } | null | undefined)?.source;
  const text = typeof source === 'string' ? source : typeof value === 'string' ? value : (JSON.stringify(value) ?? '-');
  const line = text.trim().replace(/\s+/g, ' ');
  return line.length > 120 ? `${line.slice(0, 119)}…` : line;
}
