import type { CelArg, CelExpr, CelNode, CompiledEvidence, CompiledRule, EvidenceStep } from '../model/policy.ts';
import { parseDuration } from '../policy/time-functions.ts';
import { type CelScope, checkExpression } from './cel-check.ts';
import { itemVariables, packEnvironment, withVariables } from './cel-env.ts';
import type { Finding } from './finding.ts';
import { keysOf, type Library } from './library.ts';
import { findingAt, type Path, rangeOf, type SourceDocument, textAt } from './source.ts';

/** A kind of evidence with the place where it was declared. */
export interface DeclaredKind {
  readonly name: string;
  readonly declared: CompiledEvidence;
  readonly doc: SourceDocument;
}

interface StepData {
  readonly outcome?: EvidenceStep['outcome'];
  readonly each?: EvidenceStep['each'];
  readonly when: string;
  readonly key?: string;
}

interface KindData {
  readonly description?: string;
  readonly established: readonly StepData[];
  readonly ended?: readonly StepData[];
  readonly unchanged?: boolean;
  readonly within?: string;
  readonly scope?: CompiledEvidence['scope'];
}

const WORKSPACE: CelExpr = { source: 'event.workspace', root: ['.', ['G', 'event'], 'workspace'] };
const NEVER: CelExpr = { source: 'false', root: ['v', false] };

/** Compiles the kinds that a layer's libraries declare; by their names in the bundle. */
export function compileKinds(
  docs: readonly SourceDocument[],
  library: Library,
  findings: Finding[],
): ReadonlyMap<string, DeclaredKind> {
  const out = new Map<string, DeclaredKind>();
  for (const doc of docs) {
    const kinds = (doc.data?.['evidence'] ?? {}) as Readonly<Record<string, KindData>>;
    for (const [name, data] of Object.entries(kinds)) {
      const declared = compileKind(doc, name, data, library, findings);
      out.set(library.kinds.get(name) ?? name, { name, declared, doc });
    }
  }
  return out;
}

function compileKind(
  doc: SourceDocument,
  name: string,
  data: KindData,
  library: Library,
  findings: Finding[],
): CompiledEvidence {
  const at = ['evidence', name];
  const expr = (path: Path, each: string, want: 'bool' | 'string'): CelExpr | null => {
    const source = textAt(doc, path);
    const checked = source && checkExpression(source, scopeOf(each, library), want, findings);
    if (!checked) return null;
    if (kindsIn(checked.expr.root).length === 0) return checked.expr;
    const [start, end] = rangeOf(doc, path);
    findings.push(findingAt(doc.file, start, end, 'cel-unsupported', 'evidence can not rest on evidence'));
    return null;
  };
  const steps = (side: 'established' | 'ended', outcome: EvidenceStep['outcome']): readonly EvidenceStep[] =>
    (data[side] ?? []).map((step, i) => {
      const each = step.each ?? '';
      const key = step.key === undefined ? WORKSPACE : expr([...at, side, i, 'key'], each, 'string');
      return {
        outcome: step.outcome ?? outcome,
        each,
        when: expr([...at, side, i, 'when'], each, 'bool') ?? NEVER,
        key: key ?? WORKSPACE,
      };
    });
  return {
    description: data.description ?? '',
    scope: data.scope ?? 'session',
    ...(data.within === undefined ? {} : { withinMs: parseDuration(data.within) }),
    unchanged: data.unchanged ?? false,
    established: steps('established', 'success'),
    ended: steps('ended', 'any'),
    source: { file: doc.file.path, line: doc.file.lines.linePos(rangeOf(doc, at)[0]).line },
  };
}

function scopeOf(each: string, library: Library): CelScope {
  const variables = itemVariables(each);
  const lists = [...library.lists.keys()];
  return {
    env: withVariables(packEnvironment({ lists, params: {}, macros: library.macroTypes }), variables),
    pack: '',
    macros: library.macros,
    lists: keysOf(library.lists),
    kinds: library.kinds,
    names: new Map(variables.map(([variable]) => [variable, ['$', 0]])),
    known: { lists, params: [], variables: variables.map(([variable]) => variable) },
  };
}

/** Kinds of evidence that an expression asks for, as they are called in the bundle. */
export function kindsIn(root: CelNode): readonly string[] {
  const found = new Set<string>();
  visit(root, (node) => {
    if (node[0] === 'call' && node[1] === 'evidence') found.add(String((node[2] as CelNode)[1]));
  });
  return [...found];
}

/** Name of a kind in whose declaration there is such a node; '' if there is none. */
export function kindWith(kinds: ReadonlyMap<string, DeclaredKind>, is: (node: CelNode) => boolean): string {
  for (const { name, declared } of kinds.values()) {
    let found = false;
    for (const { when, key } of [...declared.established, ...declared.ended])
      for (const { root } of [when, key])
        visit(root, (node) => {
          found ||= is(node);
        });
    if (found) return name;
  }
  return '';
}

function visit(node: CelArg, see: (node: CelNode) => void): void {
  if (!Array.isArray(node) || typeof node[0] !== 'string') return;
  see(node as unknown as CelNode);
  if (node[0] !== 'v') for (const arg of node.slice(1)) visit(arg as CelArg, see);
}

/** The kinds that rules ask for: only those are in the bundle. */
export function usedKinds(
  kinds: ReadonlyMap<string, DeclaredKind>,
  rules: Iterable<CompiledRule>,
): { readonly evidence?: Readonly<Record<string, CompiledEvidence>> } {
  const asked = [...new Set([...rules].flatMap((rule) => rule.asks ?? []))].sort();
  const used = asked.flatMap((key) => {
    const kind = kinds.get(key);
    return kind ? [[key, kind.declared] as const] : [];
  });
  return used.length > 0 ? { evidence: Object.fromEntries(used) } : {};
}
