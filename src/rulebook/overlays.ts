import { EFFECTS, type Layer } from '../model/decision.ts';
import type { CelNode, CompiledRule } from '../model/policy.ts';
import { type DeclaredKind, kindWith } from './evidence-kinds.ts';
import type { Finding } from './finding.ts';
import { loosenedRule } from './growth.ts';
import type { Library, ListEntry } from './library.ts';
import { isOfType } from './rule-data.ts';
import { findingAt, keyRangeOf, type Path, type SourceDocument } from './source.ts';

/** Highest first. */
const ORDER: readonly Layer[] = ['builtin', 'org', 'team', 'user', 'project', 'grant'];

export interface Param {
  readonly type: string;
  readonly value: unknown;
  readonly tunable: string;
}

/** What an overlay changes; owned by one compilation. */
export interface Overlaid {
  /** By their names in the bundle. */
  readonly lists: Map<string, ListEntry>;
  /** What each pack sees. */
  readonly libraries: ReadonlyMap<string, Library>;
  /** By pack, then by name. */
  readonly params: Map<string, Map<string, Param>>;
  readonly rules: Map<string, CompiledRule>;
  readonly kinds: ReadonlyMap<string, DeclaredKind>;
}

/** The verdict on one entry of an overlay. */
interface OverlayEntry {
  /** E.g. `rules.git.force-push-protected.effect`. */
  readonly what: string;
  readonly accepted: boolean;
  readonly why: string;
  readonly line: number;
}

export interface OverlayReport {
  readonly file: string;
  readonly target: string;
  readonly layer: Layer;
  /** False: at least one entry was refused, and the file is ignored as a whole. */
  readonly applied: boolean;
  readonly entries: readonly OverlayEntry[];
}

interface OverlayData {
  readonly target: string;
  readonly lists?: Readonly<
    Record<string, { readonly append?: readonly string[]; readonly replace?: readonly string[] }>
  >;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly rules?: readonly ({ readonly id: string } & Partial<Pick<CompiledRule, 'effect' | 'mode' | 'severity'>> & {
      readonly on_dynamic?: CompiledRule['onDynamic'];
      readonly on_error?: CompiledRule['onError'];
    })[];
}

/** What one entry would do: null if it is allowed, else why not. */
type Change = {
  readonly path: Path;
  readonly what: string;
  readonly refused: string | null;
  readonly apply: () => void;
};

/** Judges an overlay entry by entry and applies it only if every entry is accepted. */
export function applyOverlay(doc: SourceDocument, layer: Layer, on: Overlaid, findings: Finding[]): OverlayReport {
  const data = doc.data as unknown as OverlayData;
  const changes = [...listChanges(data, layer, on), ...paramChanges(data, layer, on), ...ruleChanges(data, layer, on)];
  const entries = changes.map((change): OverlayEntry => {
    const [start, end] = keyRangeOf(doc, change.path);
    if (change.refused !== null)
      findings.push(
        findingAt(
          doc.file,
          start,
          end,
          'overlay-not-permitted',
          `\`${change.what}\` is refused: ${change.refused}`,
          'the file is ignored as a whole; take the entry out, or ask the owner of the pack',
        ),
      );
    return {
      what: change.what,
      accepted: change.refused === null,
      why: change.refused ?? '',
      line: doc.file.lines.linePos(start).line,
    };
  });
  const applied = entries.every((e) => e.accepted);
  if (applied) for (const change of changes) change.apply();
  return { file: doc.file.path, target: data.target, layer, applied, entries };
}

function listChanges(data: OverlayData, layer: Layer, on: Overlaid): readonly Change[] {
  return Object.entries(data.lists ?? {}).map(([name, change]) => {
    const seen = on.libraries.get(data.target)?.lists.get(name);
    const list = seen && on.lists.get(seen.key);
    const replaces = change.replace !== undefined;
    const refused = !list
      ? 'there is no such list'
      : list.open === 'closed'
        ? 'the list is not open'
        : replaces && list.open !== 'replace'
          ? 'the list is only open for more entries'
          : layer === 'project'
            ? loosenedByList(list, replaces, on)
            : null;
    return {
      path: ['lists', name],
      what: `lists.${name}`,
      refused,
      apply: () => {
        if (!list) return;
        const items = [...(change.replace ?? list.items), ...(change.append ?? [])];
        on.lists.set(list.key, { ...list, items: [...new Set(items)] });
      },
    };
  });
}

/** SECURITY: a list that excuses something is open for people, not for a checkout. */
function loosenedByList(list: ListEntry, replaces: boolean, on: Overlaid): string | null {
  if (replaces) return 'a project may only add to a list';
  const isList = (node: CelNode): boolean => node[0] === 'L' && node[1] === list.key;
  const kind = kindWith(on.kinds, isList);
  if (kind !== '') return `more entries could establish evidence \`${kind}\` for less`;
  const id = loosenedRule(aboveProjects(on), isList);
  return id === '' ? null : `more entries could make \`${id}\` milder`;
}

function aboveProjects(on: Overlaid): readonly CompiledRule[] {
  return [...on.rules.values()].filter((rule) => rule.layer !== 'project');
}

function paramChanges(data: OverlayData, layer: Layer, on: Overlaid): readonly Change[] {
  return Object.entries(data.params ?? {}).map(([name, value]) => {
    const params = on.params.get(data.target);
    const param = params?.get(name);
    return {
      path: ['params', name],
      what: `params.${name}`,
      refused: !param
        ? 'there is no such parameter'
        : (refusedParam(param, value) ?? (layer === 'project' ? loosenedByParam(data.target, name, param, on) : null)),
      apply: () => {
        if (param)
          params?.set(name, { ...param, value: param.tunable === 'append' ? union(param.value, value) : value });
      },
    };
  });
}

/** `lower` and `raise` are the author's word on which way is stricter. */
function loosenedByParam(pack: string, name: string, param: Param, on: Overlaid): string | null {
  if (param.tunable === 'any') return 'it is tunable both ways, which is not for projects';
  if (param.tunable !== 'append') return null;
  const id = loosenedRule(aboveProjects(on), (node) => node[0] === 'P' && node[1] === pack && node[2] === name);
  return id === '' ? null : `more entries could make \`${id}\` milder`;
}

function union(a: unknown, b: unknown): unknown {
  return [...new Set([...(a as unknown[]), ...(b as unknown[])])];
}

function refusedParam(param: Param, value: unknown): string | null {
  if (!isOfType(value, param.type)) return `it is of type ${param.type}`;
  switch (param.tunable) {
    case 'any':
      return null;
    case 'lower':
      return Number(value) <= Number(param.value) ? null : `it may only be lowered (now ${String(param.value)})`;
    case 'raise':
      return Number(value) >= Number(param.value) ? null : `it may only be raised (now ${String(param.value)})`;
    case 'append':
      return Array.isArray(param.value) ? null : 'it is not a list';
    default:
      return 'it is not tunable';
  }
}

function ruleChanges(data: OverlayData, layer: Layer, on: Overlaid): readonly Change[] {
  return (data.rules ?? []).flatMap((entry, index) => {
    const rule = on.rules.get(entry.id);
    const { id, ...changes } = entry;
    return Object.entries(changes).map(([key, value]) => ({
      path: ['rules', index, key],
      what: `rules.${id}.${key}`,
      refused: !rule
        ? 'there is no such rule'
        : rule.pack !== data.target
          ? `the rule is in the pack \`${rule.pack}\``
          : refusedRule(rule, layer, key, value as string),
      apply: () => {
        const now = on.rules.get(id);
        if (now) on.rules.set(id, { ...now, ...memberOf(key, value) });
      },
    }));
  });
}

function memberOf(key: string, value: unknown): Partial<CompiledRule> {
  const member = { on_dynamic: 'onDynamic', on_error: 'onError' }[key] ?? key;
  return { [member]: value };
}

const STRICTNESS: Readonly<Record<string, readonly string[]>> = {
  effect: EFFECTS,
  mode: ['enforce', 'shadow', 'off'],
  on_dynamic: ['match', 'ask', 'ignore'],
  on_error: ['deny', 'ask', 'skip'],
  severity: ['critical', 'high', 'medium', 'low', 'informational'],
};

/** Stricter is always fine; milder only for advisory rules, and never from a project, which is untrusted input. */
function refusedRule(rule: CompiledRule, layer: Layer, key: string, value: string): string | null {
  const order = STRICTNESS[key];
  if (!order) return 'it can not be changed from a lower layer';
  if (ORDER.indexOf(layer) <= ORDER.indexOf(rule.layer) && layer !== 'project') return null;
  const now = String({ ...rule, on_dynamic: rule.onDynamic, on_error: rule.onError }[key as 'effect']);
  if (order.indexOf(value) <= order.indexOf(now)) return null;
  if (rule.level === 'hard') return 'the rule is hard: nothing may loosen it';
  if (layer === 'project') return 'a project may only make rules stricter';
  return rule.level === 'advisory' ? null : `the rule is ${rule.level}: only waivers and grants may lift it`;
}
