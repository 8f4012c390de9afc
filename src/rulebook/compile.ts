import { sha256 } from '../base/digest.ts';
import type { Layer } from '../model/decision.ts';
import type { CompiledPolicy, CompiledRule, CompiledWaiver } from '../model/policy.ts';
import { compileGlobs } from '../policy/glob.ts';
import { sealPolicy } from './bundle.ts';
import { type Placed, reader, type SourceInput } from './documents.ts';
import { compileKinds, type DeclaredKind, usedKinds } from './evidence-kinds.ts';
import { type Finding, suggestion } from './finding.ts';
import { followImports } from './imports.ts';
import { compileLibraries, type Library, type ListEntry, NO_LIBRARY } from './library.ts';
import { applyOverlay, type Overlaid, type OverlayReport, type Param } from './overlays.ts';
import { type Adjustment, applyBounds, type ChosenSet, choosePolicySet } from './policy-set.ts';
import type { PackData } from './rule-data.ts';
import { compilePack, type WrittenRule } from './rules.ts';
import { findingAt, rangeOf, type SourceDocument } from './source.ts';
import { compileWaivers } from './waiver-documents.ts';

export type { SourceInput } from './documents.ts';

export interface CompileOptions {
  /** Name of the PolicySet that gives defaults and adjustments; default: the only one, or none. */
  readonly preset?: string;
  /** Names of packs to take although they are made for other sets. */
  readonly also?: readonly string[];
}

export interface Compilation {
  /** Made of all documents without faults. With findings of severity error it is for looking at, not for use. */
  readonly policy: CompiledPolicy;
  readonly findings: readonly Finding[];
  readonly overlays: readonly OverlayReport[];
  /** Rules as written, for tests, lists and documentation. */
  readonly written: readonly WrittenRule[];
  readonly documents: readonly SourceDocument[];
  /** Kinds of evidence, with their names in the bundle. */
  readonly kinds: ReadonlyMap<string, DeclaredKind>;
  /** What the lowest layer sees. */
  readonly library: Library;
}

/** Highest first: each sees the libraries of those before it. */
const LAYERS: readonly Layer[] = ['builtin', 'org', 'team', 'user', 'project'];

/** Reads, checks and compiles policy files into one bundle. Never throws on any text; what is wrong is in `findings`. */
export function compilePolicy(sources: readonly SourceInput[], options: CompileOptions = {}): Compilation {
  const findings: Finding[] = [];
  const readOnce = reader();
  const imports = followImports({ sources, read: (source) => readOnce(source, findings), findings });
  const { documents } = imports;
  const ofKind = (kind: string): readonly Placed[] => documents.filter((d) => d.data?.['kind'] === kind);
  const set = choosePolicySet(imports, options.preset, findings);
  const defaults = {
    ...(set?.defaults.on_dynamic ? { onDynamic: set.defaults.on_dynamic } : {}),
    ...(set?.defaults.on_error ? { onError: set.defaults.on_error } : {}),
  };
  const written: WrittenRule[] = [];
  const params = new Map<string, Map<string, Param>>();
  const lists = new Map<string, ListEntry>();
  const libraries = new Map<string, Library>();
  const kinds = new Map<string, DeclaredKind>();
  let library = NO_LIBRARY;
  for (const layer of LAYERS) {
    const own = (kind: string): readonly Placed[] => ofKind(kind).filter((d) => d.layer === layer);
    const taken = (doc: Placed): boolean => isTaken(doc, set, options);
    const shelf = own('Library').filter(taken);
    library = compileLibraries(shelf, layer, library, findings);
    for (const [key, kind] of compileKinds(shelf, library, findings)) kinds.set(key, kind);
    for (const list of library.lists.values()) lists.set(list.key, list);
    for (const doc of own('Rules')) {
      const data = doc.data as unknown as PackData;
      const { name } = data.metadata;
      if (isLeftOut(name, layer, set) || !taken(doc)) continue;
      if (params.has(name))
        report(doc, ['metadata', 'name'], 'duplicate-name', `there are two packs \`${name}\``, findings);
      params.set(name, paramsOf(data));
      libraries.set(name, library);
      for (const rule of compilePack(doc, layer, library, defaults, findings)) written.push(rule);
    }
  }
  const rules = uniqueRules(written, findings);
  for (const { change, layer } of set?.adjust ?? []) adjust(rules, change, layer);
  const auditFailure = applyBounds(imports, set, rules, findings);
  const overlaid: Overlaid = { lists, libraries, params, rules, kinds };
  const packs = ofKind('Rules').map((doc) => (doc.data as unknown as PackData).metadata.name);
  const overlays = ofKind('Overlay').flatMap((doc) => overlayOf(doc, overlaid, packs, findings));
  const waivers = ofKind('Waivers').flatMap((doc) => compileWaivers(doc, doc.layer, rules, findings));
  return {
    policy: makeBundle(imports.sources, set, options, overlaid, { waivers, auditFailure }),
    findings: findings.sort(byPlace),
    overlays,
    written,
    documents,
    kinds,
    library,
  };
}

/** A pack or library may be made for some presets only; others take it by naming it. Without a preset all are looked at. */
function isTaken(doc: Placed, set: ChosenSet | null, { preset, also }: CompileOptions): boolean {
  const metadata = doc.data?.['metadata'] as
    | { readonly name?: string; readonly presets?: readonly string[] }
    | undefined;
  const name = set?.name ?? preset;
  if (!metadata?.presets || name === undefined || also?.includes(metadata.name ?? '')) return true;
  const named = [...(set?.packs ?? []), ...(set?.taken ?? [])];
  return metadata.presets.includes(name) || named.some((n) => n === metadata.name || metadata.presets?.includes(n));
}

/** Of the built-in packs a set takes those that it names, if it names any. */
function isLeftOut(pack: string, layer: Layer, set: ChosenSet | null): boolean {
  return layer === 'builtin' && set?.packs !== undefined && ![...set.packs, ...set.taken].includes(pack);
}

function paramsOf(data: PackData): Map<string, Param> {
  return new Map(
    Object.entries(data.params ?? {}).map(([name, p]) => [
      name,
      { type: p.type, value: p.default, tunable: p.tunable ?? 'no' },
    ]),
  );
}

function uniqueRules(written: readonly WrittenRule[], findings: Finding[]): Map<string, CompiledRule> {
  const rules = new Map<string, CompiledRule>();
  for (const { rule, doc, index } of written) {
    if (rules.has(rule.id))
      report(doc, ['rules', index, 'id'], 'duplicate-id', `there are two rules \`${rule.id}\``, findings);
    else if (rule.layer === 'project' && (rule.effect === 'allow' || rule.effect === 'modify'))
      report(
        doc,
        ['rules', index, 'effect'],
        'overlay-not-permitted',
        `a project may not ${rule.effect} anything`,
        findings,
      );
    else if (rule.layer === 'project' && rule.unlessAllowed)
      report(
        doc,
        ['rules', index, 'unless_allowed'],
        'overlay-not-permitted',
        'a project may not speak for the default',
        findings,
      );
    else rules.set(rule.id, rule);
  }
  return rules;
}

/** A set changes the rules of its own layer and of those below. */
function adjust(rules: Map<string, CompiledRule>, change: Adjustment, layer: Layer): void {
  const ids = change.rules ? compileGlobs(change.rules, '') : () => true;
  const among = (names: readonly string[] | undefined, values: readonly string[]): boolean =>
    !names || values.some((v) => names.includes(v));
  for (const [id, rule] of rules) {
    if (LAYERS.indexOf(rule.layer) < LAYERS.indexOf(layer)) continue;
    if (!ids(id) || !among(change.packs, [rule.pack]) || !among(change.tags, rule.tags)) continue;
    if (!among(change.severities, [rule.severity]) || !among(change.levels, [rule.level])) continue;
    rules.set(id, {
      ...rule,
      ...(change.mode ? { mode: change.mode } : {}),
      ...(change.effect ? { effect: change.effect } : {}),
      ...(change.on_dynamic ? { onDynamic: change.on_dynamic } : {}),
    });
  }
}

/** `packs`: all there are; one that this policy set does not take has nothing to be changed. */
function overlayOf(
  doc: Placed,
  overlaid: Overlaid,
  packs: readonly string[],
  findings: Finding[],
): readonly OverlayReport[] {
  const target = String(doc.data?.['target']);
  if (overlaid.params.has(target)) return [applyOverlay(doc, doc.layer, overlaid, findings)];
  if (packs.includes(target)) return [];
  const help = suggestion(target, packs) || 'give the file that defines it as well';
  report(doc, ['target'], 'overlay-unknown-target', `there is no pack \`${target}\``, findings, help);
  return [];
}

function makeBundle(
  sources: readonly SourceInput[],
  set: ChosenSet | null,
  options: CompileOptions,
  { lists, params, rules, kinds }: Overlaid,
  {
    waivers,
    auditFailure,
  }: { readonly waivers: readonly CompiledWaiver[]; readonly auditFailure: CompiledPolicy['auditFailure'] },
): CompiledPolicy {
  return sealPolicy({
    format: 1,
    defaultEffect: set?.defaults.default_effect ?? 'allow',
    preset: set?.name ?? options.preset ?? 'custom',
    ...(set?.questions === 'deny' ? { questions: 'deny' as const } : {}),
    ...(auditFailure ? { auditFailure } : {}),
    rules: [...rules.values()],
    lists: Object.fromEntries([...lists].map(([key, list]) => [key, list.items])),
    params: Object.fromEntries(
      [...params].map(([pack, own]) => [pack, Object.fromEntries([...own].map(([name, p]) => [name, p.value]))]),
    ),
    ...usedKinds(kinds, rules.values()),
    ...(waivers.length > 0 ? { waivers } : {}),
    sources: sources.map(({ path, text }) => ({ path, sha256: sha256(text) })),
  });
}

function report(
  doc: SourceDocument,
  path: readonly (string | number)[],
  code: string,
  message: string,
  findings: Finding[],
  help = '',
): void {
  const [start, end] = rangeOf(doc, path);
  findings.push(findingAt(doc.file, start, end, code, message, help));
}

function byPlace(a: Finding, b: Finding): number {
  if (a.at.file !== b.at.file) return a.at.file < b.at.file ? -1 : 1;
  return a.at.line - b.at.line || a.at.column - b.at.column;
}
