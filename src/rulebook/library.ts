import type { Layer } from '../model/decision.ts';
import { type CelScope, checkExpression } from './cel-check.ts';
import { type PackNames, packEnvironment, withVariables } from './cel-env.ts';
import { TYPES } from './cel-surface.ts';
import { type Finding, suggestion } from './finding.ts';
import type { Macro } from './lower.ts';
import { findingAt, keyRangeOf, rangeOf, type SourceDocument, textAt } from './source.ts';

type Openness = 'closed' | 'append' | 'replace';

export interface ListEntry {
  readonly name: string;
  /** Its name in the bundle: its own, or with the layer where an upper layer has a list of that name. */
  readonly key: string;
  readonly items: readonly string[];
  readonly open: Openness;
  readonly doc: SourceDocument;
}

/** The lists and macros that one layer sees: its own, and those of the layers above that it does not hide. */
export interface Library {
  readonly lists: ReadonlyMap<string, ListEntry>;
  readonly macros: ReadonlyMap<string, Macro>;
  readonly macroTypes: PackNames['macros'];
  /** Kinds of evidence, with what they are called in the bundle. */
  readonly kinds: ReadonlyMap<string, string>;
}

interface MacroData {
  readonly params?: Readonly<Record<string, string>>;
  readonly expr: string;
}

interface LibraryData {
  readonly lists?: Readonly<
    Record<string, readonly string[] | { readonly items: readonly string[]; readonly open?: boolean | string }>
  >;
  readonly macros?: Readonly<Record<string, MacroData>>;
  readonly evidence?: Readonly<Record<string, unknown>>;
}

const BUILTIN_TYPES = ['string', 'int', 'double', 'bool', 'list<string>', 'list<int>'];

/** Each macro is checked in sight of all others. */
const MOST_MACROS = 1000;

export const NO_LIBRARY: Library = { lists: new Map(), macros: new Map(), macroTypes: [], kinds: new Map() };

/**
 * Adds a layer's libraries to what the layers above give. A name that is there already is hidden for this layer's
 * own rules alone: rules of upper layers keep the list and the macro that they were written with.
 */
export function compileLibraries(
  docs: readonly SourceDocument[],
  layer: Layer,
  above: Library,
  findings: Finding[],
): Library {
  const own = new Map<string, ListEntry>();
  const pending = new Map<string, { doc: SourceDocument; data: MacroData }>();
  const kinds = new Map(above.kinds);
  const ownKinds = new Set<string>();
  let full = false;
  for (const doc of docs) {
    const data = doc.data as LibraryData;
    for (const [name, value] of Object.entries(data.lists ?? {})) {
      if (own.has(name)) duplicate(doc, ['lists', name], `the list \`${name}\` is defined twice`, findings);
      const items = Array.isArray(value) ? value : (value as { items: readonly string[] }).items;
      const open = Array.isArray(value) ? undefined : (value as { open?: boolean | string }).open;
      own.set(name, {
        name,
        key: above.lists.has(name) ? `${name}@${layer}` : name,
        items,
        open: open === 'append' || open === 'replace' ? open : 'closed',
        doc,
      });
    }
    for (const [name, macro] of Object.entries(data.macros ?? {})) {
      if (pending.has(name)) duplicate(doc, ['macros', name], `the macro \`${name}\` is defined twice`, findings);
      if (pending.size < MOST_MACROS || pending.has(name)) pending.set(name, { doc, data: macro });
      else if (!full) {
        const [start, end] = keyRangeOf(doc, ['macros', name]);
        findings.push(findingAt(doc.file, start, end, 'wrong-value', `a layer has more than ${MOST_MACROS} macros`));
        full = true;
      }
    }
    for (const name of Object.keys(data.evidence ?? {})) {
      if (ownKinds.has(name)) duplicate(doc, ['evidence', name], `evidence \`${name}\` is declared twice`, findings);
      ownKinds.add(name);
      kinds.set(name, above.kinds.has(name) ? `${name}@${layer}` : name);
    }
  }
  const lists = new Map([...above.lists, ...own]);
  return { lists, kinds, ...compileMacros(pending, { lists, kinds }, above, findings) };
}

function duplicate(doc: SourceDocument, path: readonly string[], message: string, findings: Finding[]): void {
  const [start, end] = keyRangeOf(doc, path);
  findings.push(findingAt(doc.file, start, end, 'duplicate-name', message, 'rename one'));
}

type Pending = ReadonlyMap<string, { readonly doc: SourceDocument; readonly data: MacroData }>;

function compileMacros(
  pending: Pending,
  { lists, kinds }: Pick<Library, 'lists' | 'kinds'>,
  above: Library,
  findings: Finding[],
): Pick<Library, 'macros' | 'macroTypes'> {
  const macros = new Map([...above.macros].filter(([name]) => !pending.has(name)));
  const types: PackNames['macros'][number][] = above.macroTypes.filter((m) => !pending.has(m.name));
  const names = [...lists.keys()];
  const state = new Map<string, 'open' | 'done'>();
  /** Those that call themselves, and those that call them: told once. */
  const endless = new Set<string>();
  const compileOne = (name: string): void => {
    const entry = pending.get(name);
    if (!entry || state.get(name) === 'done') return;
    const { doc, data } = entry;
    if (state.get(name) === 'open') {
      const [start, end] = keyRangeOf(doc, ['macros', name]);
      findings.push(findingAt(doc.file, start, end, 'macro-cycle', `the macro \`${name}\` calls itself`));
      endless.add(name);
      return;
    }
    state.set(name, 'open');
    const callees = calledNames(data.expr);
    for (const callee of callees) if (callee !== name || pending.has(callee)) compileOne(callee);
    state.set(name, 'done');
    if (callees.some((callee) => endless.has(callee))) {
      endless.add(name);
      return;
    }
    const params = Object.entries(data.params ?? {});
    if (!knownTypes(doc, name, params, findings)) return;
    const source = textAt(doc, ['macros', name, 'expr']);
    if (!source) return;
    const env = withVariables(packEnvironment({ lists: names, params: {}, macros: types }), params);
    const scope: CelScope = {
      env,
      pack: '',
      macros,
      names: new Map(params.map(([param], i) => [param, ['$', i]])),
      lists: keysOf(lists),
      kinds,
      known: { lists: names, params: [], variables: params.map(([p]) => p) },
    };
    const checked = checkExpression(source, scope, 'any', findings);
    if (!checked) return;
    macros.set(name, {
      name,
      params: params.map(([p]) => p),
      ast: checked.ast,
      macros: new Map(macros),
      lists: scope.lists,
      kinds,
    });
    types.push({ name, params, returns: checked.type });
  };
  for (const name of pending.keys()) compileOne(name);
  return { macros, macroTypes: types };
}

function knownTypes(
  doc: SourceDocument,
  macro: string,
  params: readonly (readonly [string, string])[],
  findings: Finding[],
): boolean {
  const known = [...Object.keys(TYPES), ...Object.keys(TYPES).map((t) => `list<${t}>`), ...BUILTIN_TYPES];
  const bad = params.filter(([, type]) => !known.includes(type));
  for (const [param, type] of bad) {
    const [start, end] = rangeOf(doc, ['macros', macro, 'params', param]);
    const help = suggestion(type, known);
    findings.push(findingAt(doc.file, start, end, 'wrong-value', `there is no type \`${type}\``, help));
  }
  return bad.length === 0;
}

/** Names of lists, with what they are called in the bundle. */
export function keysOf(lists: Library['lists']): ReadonlyMap<string, string> {
  return new Map([...lists].map(([name, list]) => [name, list.key]));
}

/** Names that stand before a parenthesis; more than are macros does no harm. */
function calledNames(expr: string): readonly string[] {
  return [...String(expr).matchAll(/([a-z_][a-z0-9_]*)\s*\(/g)].map((m) => m[1] as string);
}
