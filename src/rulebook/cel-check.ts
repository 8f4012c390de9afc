import { createRequire } from 'node:module';
import type { ASTNode, TypeError as CelTypeError, ParseError } from '@marcbachmann/cel-js';
import type { CelExpr, CelNode } from '../model/policy.ts';
import type { Environment } from './cel-env.ts';
import { nameHint, syntaxHint, typeHint } from './cel-hints.ts';
import { FUNCTIONS, GLOBALS, LOOPS, STANDARD_FUNCTIONS, STANDARD_METHODS, TYPES } from './cel-surface.ts';
import { type Finding, suggestion } from './finding.ts';
import { type LowerContext, LowerError, lower, type Macro, typeName } from './lower.ts';
import { findingAt, type SourceText } from './source.ts';

export interface CelScope {
  readonly env: Environment;
  readonly pack: string;
  readonly macros: ReadonlyMap<string, Macro>;
  /** Names of lists, with what they are called in the bundle. */
  readonly lists: ReadonlyMap<string, string>;
  /** Kinds of evidence, with what they are called in the bundle. */
  readonly kinds: ReadonlyMap<string, string>;
  /** Names besides the global ones, each with what it is lowered to: the item of `each`. */
  readonly names: ReadonlyMap<string, CelNode>;
  /** Names of lists, parameters and variables, for "did you mean". */
  readonly known: {
    readonly lists: readonly string[];
    readonly params: readonly string[];
    readonly variables: readonly string[];
  };
}

export interface CheckedExpr {
  readonly expr: CelExpr;
  readonly ast: ASTNode;
  readonly type: string;
}

/** Parses, type-checks and lowers one expression. On a fault adds findings at the exact place and returns null. */
export function checkExpression(
  source: SourceText,
  scope: CelScope,
  want: 'bool' | 'string' | 'any',
  findings: Finding[],
): CheckedExpr | null {
  const report = (code: string, message: string, start: number, end: number, help = ''): null => {
    const from = source.offset(start);
    const to = source.offset(Math.max(start + 1, Math.min(end, source.text.length)));
    findings.push(findingAt(source.doc.file, from, Math.max(to, from + 1), code, message, help));
    return null;
  };
  let ast: ASTNode;
  try {
    const parsed = scope.env.parse(source.text);
    const result = parsed.check();
    ast = parsed.ast;
    if (!result.valid) return reportCelError(result.error as CelTypeError, source.text, scope, report);
    if (want !== 'any' && result.type !== want && result.type !== 'dyn')
      return report(
        'cel-type',
        `the expression is ${article(result.type ?? '')}, not ${article(want)}`,
        0,
        source.text.length,
      );
  } catch (error) {
    return reportCelError(error as ParseError, source.text, scope, report);
  }
  try {
    const root = lower(ast, contextOf(scope));
    const before = findings.length;
    for (const bad of badPatterns(ast)) report('cel-regex', bad.message, bad.node.start, bad.node.end);
    return findings.length > before ? null : { expr: { source: source.text, root }, ast, type: typeName(ast) };
  } catch (error) {
    if (!(error instanceof LowerError)) throw error;
    return report(error.code, error.message, error.node.pos, error.node.end, error.help);
  }
}

function contextOf(scope: CelScope): LowerContext {
  return {
    pack: scope.pack,
    macros: scope.macros,
    lists: scope.lists,
    kinds: scope.kinds,
    names: scope.names,
    loops: 0,
    slots: { next: 1 },
    call: null,
    depth: 0,
  };
}

type Report = (code: string, message: string, start: number, end: number, help?: string) => null;

interface CelErrorLike {
  readonly code?: string;
  readonly summary?: string;
  readonly message: string;
  readonly range?: { readonly start: number; readonly end: number };
  readonly node?: { readonly op?: string; readonly args?: unknown; readonly pos?: number; readonly end?: number };
}

function reportCelError(error: CelErrorLike, source: string, scope: CelScope, report: Report): null {
  const summary = error.summary ?? error.message.split('\n')[0] ?? '';
  const start = error.range?.start ?? error.node?.pos ?? 0;
  const end = error.range?.end ?? error.node?.end ?? start + 1;
  const { code, node } = error;
  if (code === 'no_such_key' && node?.op === '.') {
    const [object, key] = node.args as [ASTNode, string];
    const type = typeName(object);
    const fields = fieldsOf(type, scope);
    return report('cel-field', `${thing(type)} has no \`${key}\``, start, end, suggestion(key, fields));
  }
  if (code === 'unknown_variable') {
    const name = String(node?.args ?? '');
    const names = [...Object.keys(GLOBALS), 'lists', 'params', ...scope.known.variables];
    const help = nameHint(name, scope.known.variables, names);
    return report('cel-name', `nothing is called \`${name}\` here`, start, end, help);
  }
  if (code === 'no_matching_overload' && node) return reportCall(node, summary, start, end, scope, report);
  const syntax = error instanceof Error && error.name === 'ParseError';
  const help = syntax ? syntaxHint(source, start) : typeHint(summary);
  return report(syntax ? 'cel-syntax' : 'cel-type', decapitalise(summary), start, end, help);
}

function reportCall(
  node: NonNullable<CelErrorLike['node']>,
  summary: string,
  start: number,
  end: number,
  scope: CelScope,
  report: Report,
): null {
  const [name] = node.args as [string];
  const method = node.op === 'rcall';
  if (method) {
    const receiver = (node.args as [string, ASTNode])[1];
    start = receiver.input.indexOf(name, receiver.end);
    end = start + name.length;
  }
  const names = method
    ? [...STANDARD_METHODS, ...LOOPS, ...Object.keys(FUNCTIONS).filter((n) => isMethod(n))]
    : [
        ...STANDARD_FUNCTIONS,
        ...Object.keys(FUNCTIONS).filter((n) => !isMethod(n) || n === 're'),
        ...scope.macros.keys(),
      ];
  if (!names.includes(name))
    return report('cel-name', `there is no function \`${name}\``, start, end, suggestion(name, names));
  const signatures = FUNCTIONS[name]?.signatures.slice(0, 2).join(' · ');
  return report('cel-type', decapitalise(summary), start, end, signatures ? `it is ${signatures}` : typeHint(summary));
}

function isMethod(name: string): boolean {
  return FUNCTIONS[name]?.signatures[0]?.split('(')[0]?.includes('.') ?? false;
}

function fieldsOf(type: string, scope: CelScope): readonly string[] {
  if (type === 'Lists') return scope.known.lists;
  if (type === 'Params') return scope.known.params;
  return Object.keys(TYPES[type]?.fields ?? {});
}

function thing(type: string): string {
  return type === 'Lists' ? '`lists`' : type === 'Params' ? '`params`' : `a ${type.toLowerCase()}`;
}

function decapitalise(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function article(type: string): string {
  return type === 'bool' ? 'a bool' : `${/^[aeiou]/i.test(type) ? 'an' : 'a'} ${type}`;
}

/** Constant regular expressions that RE2 refuses. */
function badPatterns(ast: ASTNode): readonly { readonly node: ASTNode; readonly message: string }[] {
  const out: { node: ASTNode; message: string }[] = [];
  walk(ast, (node) => {
    const pattern =
      node.op === 'rcall' && (node.args[0] === 'matches' || node.args[0] === 're')
        ? node.args[2][0]
        : node.op === 'call' && node.args[0] === 're'
          ? node.args[1][1]
          : undefined;
    if (pattern?.op !== 'value' || typeof pattern.args !== 'string') return;
    try {
      engine().compile(pattern.args);
    } catch (error) {
      out.push({ node: pattern, message: `not a regular expression: ${(error as Error).message.split('\n')[0]}` });
    }
  });
  return out;
}

function engine(): { compile(pattern: string): unknown } {
  return (createRequire(import.meta.url)('re2js') as { RE2JS: { compile(pattern: string): unknown } }).RE2JS;
}

/** Visits every node of a syntax tree. */
export function walk(ast: ASTNode, visit: (node: ASTNode) => void): void {
  visit(ast);
  const each = (value: unknown): void => {
    if (Array.isArray(value)) value.forEach(each);
    else if (typeof value === 'object' && value !== null && 'op' in value) walk(value as ASTNode, visit);
  };
  each(ast.args);
}
