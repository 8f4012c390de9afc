import type { CommandFact, FileFact } from '../model/facts.ts';
import type { CompiledPolicy, CompiledRule } from '../model/policy.ts';
import { type Condition, compileCondition, compileKind, compileSteps, type Kind, type Step } from './condition.ts';
import { pathKeys } from './glob.ts';
import { OUTCOMES } from './outcomes.ts';

/** A rule with what was compiled of it, on first use. */
export interface Entry {
  readonly rule: CompiledRule;
  /** Mutable: compiled when the rule is looked at for the first time. */
  condition: Condition | null;
  /** Which item looked at it last, so that no item looks twice. */
  stamp: number;
}

/** The rules of one event, found by what an item is, so that cost does not grow with rules about other things. */
export interface EventIndex {
  readonly call: readonly Entry[];
  readonly command: Lookup;
  readonly file: Lookup;
  readonly dest: Lookup;
  readonly effect: Lookup;
  /** Rules that speak for the policy's default. */
  readonly otherwise: readonly Entry[];
}

interface Lookup {
  readonly byKey: Map<string, Entry[]>;
  readonly any: Entry[];
  /** True if some rule is found by a path. */
  readonly byPath: boolean;
}

export interface PolicyIndex {
  /** Rules that can decide in this event. */
  event(name: string): EventIndex;
  /** Steps of sequences, but the last, that this event could be. */
  steps(name: string): readonly Step[];
  /** Kinds of evidence that rules ask for, and that this event could establish or end. */
  evidence(event: string): readonly Kind[];
  /** Rules with a limit that counts failures or denies. */
  readonly counters: readonly Entry[];
  condition(entry: Entry): Condition;
}

const indexes = new WeakMap<CompiledPolicy, PolicyIndex>();

/** The index of a policy; made once. */
export function indexOf(policy: CompiledPolicy): PolicyIndex {
  const known = indexes.get(policy);
  if (known) return known;
  const index = makeIndex(policy);
  indexes.set(policy, index);
  return index;
}

function makeIndex(policy: CompiledPolicy): PolicyIndex {
  const entries: Entry[] = policy.rules
    .filter((rule) => rule.mode !== 'off')
    .map((rule) => ({ rule, condition: null, stamp: 0 }));
  const byEvent = new Map<string, EventIndex>();
  const stepsByEvent = new Map<string, readonly Step[]>();
  const counters = entries.filter((e) => e.rule.limit?.counts === 'failure' || e.rule.limit?.counts === 'deny');
  const sequences = entries.filter((e) => e.rule.sequence);
  const forEvent = (name: string): EventIndex => indexEvent(entries.filter((e) => e.rule.on.includes(name)));
  const forSteps = (name: string): readonly Step[] =>
    sequences.flatMap((e) => compileSteps(e.rule, policy)).filter((step) => step.on.includes(name));
  let kinds: readonly Kind[] | null = null;
  return {
    event: (name) => memo(byEvent, name, forEvent),
    evidence: (event) => {
      if (!policy.evidence || !OUTCOMES.has(event)) return [];
      kinds ??= kindsAsked(policy).map((name) => compileKind(name, policy));
      return kinds;
    },
    steps: (name) => (sequences.length === 0 ? [] : memo(stepsByEvent, name, forSteps)),
    counters,
    condition: (entry) => (entry.condition ??= compileCondition(entry.rule, policy)),
  };
}

/** Kinds of evidence that a rule which is not switched off asks for. */
export function kindsAsked(policy: CompiledPolicy): readonly string[] {
  const asked = new Set(policy.rules.flatMap(({ mode, asks }) => (mode === 'off' ? [] : (asks ?? []))));
  return [...asked].filter((kind) => policy.evidence && Object.hasOwn(policy.evidence, kind));
}

function memo<T>(map: Map<string, T>, key: string, make: (key: string) => T): T {
  const known = map.get(key);
  if (known !== undefined) return known;
  const value = make(key);
  map.set(key, value);
  return value;
}

function indexEvent(entries: readonly Entry[]): EventIndex {
  const call: Entry[] = [];
  const otherwise: Entry[] = [];
  const byPath = entries.some((e) => e.rule.paths);
  const lookups = { command: lookup(), file: lookup(byPath), dest: lookup(), effect: lookup() };
  for (const entry of entries) {
    const { each } = entry.rule;
    if (entry.rule.unlessAllowed || each === '') {
      (entry.rule.unlessAllowed ? otherwise : call).push(entry);
      continue;
    }
    const keys = keysOf(entry.rule);
    const to = lookups[each];
    if (keys.length === 0) to.any.push(entry);
    for (const key of keys) {
      const list = to.byKey.get(key);
      if (list) list.push(entry);
      else to.byKey.set(key, [entry]);
    }
  }
  return { call, ...lookups, otherwise };
}

function lookup(byPath = false): Lookup {
  return { byKey: new Map(), any: [], byPath };
}

/** Keys of which an item must have one for the rule to be able to fire; none: any item. */
function keysOf(rule: CompiledRule): readonly string[] {
  switch (rule.each) {
    case 'command':
      if (rule.programs.length > 0) return rule.programs.map((p) => `p:${p}`);
      if (rule.names) return [NAMELESS, ...rule.names.map((p) => `p:${p}`)];
      return rule.kinds.every(isIndexable) ? rule.kinds.map((k) => `k:${k}`) : [];
    case 'effect':
      return rule.kinds.every(isIndexable) ? rule.kinds.map((k) => `k:${k}`) : [];
    case 'file':
      return rule.paths ? [UNKNOWN_PATH, ...rule.paths] : (rule.ops ?? []).map((op) => `o:${op}`);
    default:
      return [];
  }
}

/** Key of commands whose name is unknown. */
const NAMELESS = 'p:';

/** Key of files whose path is unknown. */
const UNKNOWN_PATH = 'c:';

/** Keys of a file: its operation, and what its path is made of if some rule asks for that. */
export function fileKeys(file: FileFact, index: EventIndex): readonly string[] {
  const keys = [`o:${file.op}`];
  if (!index.file.byPath) return keys;
  return file.real === null ? [...keys, UNKNOWN_PATH] : [...keys, ...pathKeys(file.real)];
}

/** A plain kind, or a family such as `vcs-*`. */
function isIndexable(kind: string): boolean {
  return /^[a-z0-9-]+(-\*)?$/.test(kind);
}

/** Keys of an effect kind: itself and its families. */
export function kindKeys(kind: string): readonly string[] {
  const keys = [`k:${kind}`];
  for (let i = kind.indexOf('-'); i > 0; i = kind.indexOf('-', i + 1)) keys.push(`k:${kind.slice(0, i)}-*`);
  return keys;
}

export function commandKeys(command: CommandFact): readonly string[] {
  const keys: string[] = [command.name === null ? NAMELESS : `p:${command.name}`];
  for (const effect of command.effects)
    for (const key of kindKeys(effect.kind)) if (!keys.includes(key)) keys.push(key);
  return keys;
}
