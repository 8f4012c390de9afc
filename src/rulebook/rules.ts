import type { ASTNode } from '@marcbachmann/cel-js';
import type { Layer } from '../model/decision.ts';
import type { CelExpr, CompiledException, CompiledRule, CompiledSequence, Elevation } from '../model/policy.ts';
import { parseDuration } from '../policy/time-functions.ts';
import { type CelScope, checkExpression } from './cel-check.ts';
import { itemVariables, packEnvironment, withVariables } from './cel-env.ts';
import { derive } from './derive.ts';
import { kindsIn } from './evidence-kinds.ts';
import type { Finding } from './finding.ts';
import { keysOf, type Library } from './library.ts';
import { isOfType, type PackData, type RuleData, testSides } from './rule-data.ts';
import { secretFieldsIn } from './secret-fields.ts';
import { findingAt, keyRangeOf, type Path, rangeOf, type SourceDocument, type SourceText, textAt } from './source.ts';

/** A rule with the place it was written. */
export interface WrittenRule {
  readonly rule: CompiledRule;
  readonly data: RuleData;
  readonly doc: SourceDocument;
  readonly index: number;
  /** Its expressions, each with the key it stands under. */
  readonly exprs: readonly WrittenExpr[];
}

export interface WrittenExpr {
  readonly key: string;
  readonly ast: ASTNode;
  readonly source: SourceText;
}

export interface RuleDefaults {
  readonly onDynamic?: CompiledRule['onDynamic'];
  readonly onError?: CompiledRule['onError'];
}

/** Compiles all rules of one document; a rule with a fault is left out and reported. */
export function compilePack(
  doc: SourceDocument,
  layer: Layer,
  library: Library,
  defaults: RuleDefaults,
  findings: Finding[],
): readonly WrittenRule[] {
  const data = doc.data as unknown as PackData;
  const pack = data.metadata.name;
  const params = Object.fromEntries(Object.entries(data.params ?? {}).map(([name, p]) => [name, p.type]));
  for (const [name, param] of Object.entries(data.params ?? {}))
    if (!isOfType(param.default, param.type))
      report(
        doc,
        ['params', name, 'default'],
        'wrong-type',
        `the default of \`${name}\` is not of type ${param.type}`,
        findings,
      );
  const listNames = [...library.lists.keys()];
  const env = packEnvironment({ lists: listNames, params, macros: library.macroTypes });
  const scopes = new Map<string, CelScope>();
  const scopeFor = (each: string): CelScope => {
    let scope = scopes.get(each);
    if (!scope) {
      const variables = itemVariables(each);
      scope = {
        env: withVariables(env, variables),
        pack,
        macros: library.macros,
        lists: keysOf(library.lists),
        kinds: library.kinds,
        names: new Map(variables.map(([name]) => [name, ['$', 0]])),
        known: { lists: listNames, params: Object.keys(params), variables: variables.map(([n]) => n) },
      };
      scopes.set(each, scope);
    }
    return scope;
  };
  const lists = Object.fromEntries([...library.lists.values()].map((l) => [l.key, l.items]));
  return data.rules.flatMap((rule, index) => {
    if (rule === null) return [];
    const before = findings.length;
    const exprs: WrittenExpr[] = [];
    const asks = new Set<string>();
    const compiled = compileRule({ doc, index, pack, layer, defaults, scopeFor, lists, exprs, asks, findings }, rule);
    return findings.length === before ? [{ rule: compiled, data: rule, doc, index, exprs }] : [];
  });
}

interface RuleContext {
  readonly doc: SourceDocument;
  readonly index: number;
  readonly pack: string;
  readonly layer: Layer;
  readonly defaults: RuleDefaults;
  readonly scopeFor: (each: string) => CelScope;
  readonly lists: Readonly<Record<string, readonly string[]>>;
  readonly exprs: WrittenExpr[];
  /** Kinds of evidence that its expressions ask for; added to. */
  readonly asks: Set<string>;
  readonly findings: Finding[];
}

const ALWAYS: CelExpr = { source: 'true', root: ['v', true] };
const SESSION: CelExpr = { source: 'event.session', root: ['.', ['G', 'event'], 'session'] };

function compileRule(ctx: RuleContext, data: RuleData): CompiledRule {
  const { doc, index, findings } = ctx;
  const at = (...path: Path): Path => ['rules', index, ...path];
  const level = data.level ?? 'soft';
  const steps = data.sequence?.steps;
  const last = steps?.[steps.length - 1];
  const each = (last ? last.each : data.each) ?? '';
  const on = last?.on ?? data.on ?? ['PreToolUse'];
  const expr = (path: Path, want: 'bool' | 'string' | 'any', scope = ctx.scopeFor(each)): CelExpr | null => {
    const source = textAt(doc, path);
    const checked = source && checkExpression(source, scope, want, findings);
    if (!checked) return null;
    const key = path.slice(2).join('.');
    ctx.exprs.push({ key, ast: checked.ast, source });
    for (const kind of kindsIn(checked.expr.root)) ctx.asks.add(kind);
    // SECURITY: what an agent is told must not bring in what it may not read.
    for (const { field, start, end } of key === 'message_expr' || key === 'suggest' ? secretFieldsIn(checked.ast) : [])
      findings.push(
        findingAt(
          doc.file,
          source.offset(start),
          source.offset(end),
          'message-leaks-secret',
          `\`${field}\` may hold a secret, and \`${key}\` is told to the agent`,
          'name the path, the program or the kind instead',
        ),
      );
    return checked.expr;
  };
  if (data.when === undefined && !steps)
    report(
      doc,
      at(),
      'missing-key',
      `the rule \`${data.id}\` has no \`when\``,
      findings,
      'a CEL condition, or `sequence`',
    );
  if (data.when !== undefined && steps)
    reportKey(doc, at('when'), 'conflicting-keys', 'a rule with `sequence` has its conditions in the steps', findings);
  if (data.unless_allowed && each !== '')
    reportKey(doc, at('each'), 'conflicting-keys', 'a rule with `unless_allowed` is about the whole call', findings);
  checkTestSides(ctx, data, at());
  const when = steps ? expr(at('sequence', 'steps', steps.length - 1, 'when'), 'bool') : expr(at('when'), 'bool');
  const named = (path: Path, record: Readonly<Record<string, unknown>> | undefined): Record<string, CelExpr> =>
    Object.fromEntries(Object.keys(record ?? {}).map((name) => [name, expr([...path, name], 'any') ?? ALWAYS]));
  const derived = derive((when ?? ALWAYS).root, each, ctx.lists);
  const optional = {
    ...(data.unless_allowed ? { unlessAllowed: true as const } : {}),
    ...(derived.names.length > 0 ? { names: derived.names } : {}),
    ...(derived.ops.length > 0 ? { ops: derived.ops } : {}),
    ...(derived.paths.length > 0 ? { paths: derived.paths } : {}),
    ...(data.sequence ? { sequence: compileSequence(ctx, data.sequence, at('sequence'), expr) } : {}),
    ...(data.limit
      ? {
          limit: {
            count: data.limit.count,
            windowMs: parseDuration(data.limit.window),
            key: data.limit.key === undefined ? SESSION : (expr(at('limit', 'key'), 'string') ?? SESSION),
            counts: data.limit.counts,
          },
        }
      : {}),
    ...(data.requires === undefined ? {} : { requires: expr(at('requires'), 'bool') ?? ALWAYS }),
    ...(data.exceptions ? { exceptions: compileExceptions(data.exceptions, at('exceptions'), named) } : {}),
    ...(data.elevation ? { elevation: compileElevation(data.elevation) } : {}),
    ...(data.audit ? { audit: named(at('audit'), data.audit) } : {}),
    ...(data.mappings ? { mappings: data.mappings } : {}),
    ...(data.references ? { references: data.references } : {}),
  };
  // Read last: the expressions above it add to it.
  const rule: CompiledRule = {
    id: data.id,
    version: data.version ?? 1,
    title: data.title,
    pack: ctx.pack,
    layer: ctx.layer,
    severity: data.severity,
    level,
    mode: data.mode ?? 'enforce',
    on,
    tools: data.tools ?? [],
    programs: data.programs ?? [],
    agents: data.agents ?? [],
    each,
    kinds: derived.kinds,
    when: when ?? ALWAYS,
    effect: data.effect,
    fallback: data.fallback ?? [],
    onDynamic: data.on_dynamic ?? ctx.defaults.onDynamic ?? (level === 'advisory' ? 'ignore' : 'ask'),
    onError: data.on_error ?? ctx.defaults.onError ?? (level === 'hard' ? 'deny' : level === 'soft' ? 'ask' : 'skip'),
    message: data.message ?? data.title,
    messageExpr: data.message_expr === undefined ? null : expr(at('message_expr'), 'string'),
    suggest: data.suggest === undefined ? null : expr(at('suggest'), 'string'),
    remediation: data.remediation ?? '',
    tags: data.tags ?? [],
    ...optional,
    source: { file: doc.file.path, line: doc.file.lines.linePos(rangeOf(doc, at('id'))[0]).line },
  };
  return ctx.asks.size > 0 ? { ...rule, asks: [...ctx.asks].sort() } : rule;
}

function compileSequence(
  ctx: RuleContext,
  data: NonNullable<RuleData['sequence']>,
  path: Path,
  expr: (path: Path, want: 'bool' | 'string', scope?: CelScope) => CelExpr | null,
): CompiledSequence {
  return {
    withinMs: parseDuration(data.within),
    key: data.key === undefined ? SESSION : (expr([...path, 'key'], 'string', ctx.scopeFor('')) ?? SESSION),
    steps: data.steps.slice(0, -1).map((step, i) => ({
      name: step.as,
      on: step.on ?? ['PreToolUse'],
      each: step.each ?? '',
      when: expr([...path, 'steps', i, 'when'], 'bool', ctx.scopeFor(step.each ?? '')) ?? ALWAYS,
    })),
  };
}

function compileExceptions(
  data: NonNullable<RuleData['exceptions']>,
  path: Path,
  named: (path: Path, record: Readonly<Record<string, unknown>>) => Record<string, CelExpr>,
): Readonly<Record<string, CompiledException>> {
  return Object.fromEntries(
    Object.entries(data).map(([name, shape]) => [
      name,
      { fields: named([...path, name, 'fields'], shape.fields), comps: shape.comps ?? {} },
    ]),
  );
}

function compileElevation(data: Readonly<Record<string, unknown>>): Elevation {
  const ms = (key: string, fallback: string): number => parseDuration(String(data[key] ?? fallback));
  return {
    maxMs: ms('max', '30m'),
    defaultMs: ms('default', '10m'),
    uses: Number(data['uses'] ?? 1),
    scope: String(data['scope'] ?? 'session'),
    bind: data['bind'] === 'shape' ? 'shape' : 'exact',
    reason: data['reason'] === 'optional' ? 'optional' : 'required',
    approvers: Number(data['approvers'] ?? 1),
    selfApprove: data['self_approve'] !== false,
  };
}

/** A rule that is called stable shows when it fires and when it does not. */
function checkTestSides(ctx: RuleContext, data: RuleData, path: Path): void {
  if (data.status !== 'stable') return;
  const { fires, silent } = testSides(data.tests ?? {});
  if (fires && silent) return;
  const missing =
    !fires && !silent ? 'no tests' : fires ? 'no case in which it is silent' : 'no case in which it fires';
  reportKey(
    ctx.doc,
    [...path, 'status'],
    'one-sided-test',
    `\`${data.id}\` is stable but has ${missing}`,
    ctx.findings,
  );
}

function report(doc: SourceDocument, path: Path, code: string, message: string, findings: Finding[], help = ''): void {
  const [start, end] = rangeOf(doc, path);
  findings.push(findingAt(doc.file, start, end, code, message, help));
}

function reportKey(doc: SourceDocument, path: Path, code: string, message: string, findings: Finding[]): void {
  const [start, end] = keyRangeOf(doc, path);
  findings.push(findingAt(doc.file, start, end, code, message));
}
