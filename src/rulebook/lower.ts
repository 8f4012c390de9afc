import type { ASTNode } from '@marcbachmann/cel-js';
import type { CelArg, CelConstant, CelNode } from '../model/policy.ts';
import { FUNCTIONS, GLOBALS, LOOPS, STANDARD_FUNCTIONS, STANDARD_METHODS } from './cel-surface.ts';
import { suggestion } from './finding.ts';

/** A macro that calls are replaced by. */
export interface Macro {
  readonly name: string;
  readonly params: readonly string[];
  readonly ast: ASTNode;
  /** Macros and lists as its own layer sees them. */
  readonly macros: ReadonlyMap<string, Macro>;
  readonly lists: ReadonlyMap<string, string>;
  readonly kinds: ReadonlyMap<string, string>;
}

export interface LowerContext {
  readonly pack: string;
  /** Names of lists, with what they are called in the bundle. */
  readonly lists: ReadonlyMap<string, string>;
  readonly macros: ReadonlyMap<string, Macro>;
  /** Kinds of evidence, with what they are called in the bundle. */
  readonly kinds: ReadonlyMap<string, string>;
  /** What each name in scope stands for. */
  readonly names: ReadonlyMap<string, CelNode>;
  /** How many loops are around. */
  readonly loops: number;
  readonly slots: { next: number };
  /** Node of the outermost macro call that is being expanded: errors inside point there. */
  readonly call: ASTNode | null;
  readonly depth: number;
}

/** Loops within loops that one condition may have, macros included. */
export const MAX_LOOPS = 3;
export const MAX_MACRO_DEPTH = 16;

/** Something that type-checks but is not part of `cel/1`. */
export class LowerError extends Error {
  readonly node: ASTNode;
  readonly help: string;
  readonly code: string;
  constructor(message: string, node: ASTNode, help = '', code = 'cel-unsupported') {
    super(message);
    this.node = node;
    this.help = help;
    this.code = code;
  }
}

/** Lowers a checked syntax tree to the bundle's form. Throws LowerError. */
export function lower(ast: ASTNode, ctx: LowerContext): CelNode {
  const fail: Fail = (message, help = '', code = 'cel-unsupported', at = ast) => {
    throw new LowerError(message, ctx.call ?? at, help, code);
  };
  switch (ast.op) {
    case 'value':
      return ['v', literal(ast.args, fail)];
    case 'id':
      return lowerName(ast.args, ctx, fail);
    case '.': {
      const [object, key] = ast.args;
      if (object.op === 'id' && !ctx.names.has(object.args)) {
        if (object.args === 'lists') return ['L', ctx.lists.get(key) ?? key];
        if (object.args === 'params') return ['P', ctx.pack, key];
      }
      return ['.', lower(object, ctx), key];
    }
    case '[]':
      return ['[]', lower(ast.args[0], ctx), lower(ast.args[1], ctx)];
    case '&&':
    case '||':
      return [ast.op, ...flatten(ast, ast.op).map((a) => lower(a, ctx))];
    case '!_':
      return ['!', lower(ast.args, ctx)];
    case '-_':
      return ['-_', lower(ast.args, ctx)];
    case '?:':
      return ['?:', ...ast.args.map((a) => lower(a, ctx))];
    case 'list':
      return lowerList(ast.args.map((a) => lower(a, ctx)));
    case 'map':
      return ['map', ...ast.args.flatMap(([k, v]) => [lower(k, ctx), lower(v, ctx)])];
    case 'call':
      return lowerCall(ast, ast.args[0], ast.args[1], ctx, fail);
    case 'rcall':
      return lowerMethod(ast.args[0], ast.args[1], ast.args[2], ctx, fail);
    case '/':
      return [isInt(ast.args[0]) && isInt(ast.args[1]) ? 'div' : '/', lower(ast.args[0], ctx), lower(ast.args[1], ctx)];
    case '==':
    case '!=':
    case '<':
    case '<=':
    case '>':
    case '>=':
    case 'in':
    case '+':
    case '-':
    case '*':
    case '%':
      return [ast.op, lower(ast.args[0], ctx), lower(ast.args[1], ctx)];
    default:
      return fail(`\`${String((ast as { op: string }).op)}\` is not part of cel/1`);
  }
}

type Fail = (message: string, help?: string, code?: string, at?: ASTNode) => never;

function literal(value: unknown, fail: Fail): CelConstant {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number') return value;
  if (typeof value === 'bigint') {
    const n = Number(value);
    return Number.isSafeInteger(n) ? n : fail(`\`${String(value)}\` is too large`);
  }
  if (value === null) return fail('`null` is not part of cel/1', 'use `known(x)` to ask whether a fact is known');
  return fail(
    'this kind of literal is not part of cel/1',
    'there are strings, ints, doubles, booleans, lists and maps',
  );
}

function lowerName(name: string, ctx: LowerContext, fail: Fail): CelNode {
  const local = ctx.names.get(name);
  if (local) return local;
  if (name in GLOBALS) return ['G', name];
  return fail(`\`${name}\` can only be used with a member`, name === 'lists' ? 'lists.NAME' : 'params.NAME');
}

function flatten(ast: ASTNode, op: '&&' | '||'): readonly ASTNode[] {
  return ast.op === op ? ast.args.flatMap((a) => flatten(a, op)) : [ast];
}

function lowerList(items: readonly CelNode[]): CelNode {
  const constants = items.map((i) => (i[0] === 'v' && !Array.isArray(i[1]) ? i[1] : undefined));
  return constants.includes(undefined) ? ['list', ...items] : ['v', constants as unknown as CelConstant];
}

function isInt(ast: ASTNode): boolean {
  return typeName(ast) === 'int';
}

/** Name of the type that the checker found for a node. */
export function typeName(ast: ASTNode): string {
  return (ast as { checkedType?: { name?: string } }).checkedType?.name ?? 'dyn';
}

function lowerCall(ast: ASTNode, name: string, args: readonly ASTNode[], ctx: LowerContext, fail: Fail): CelNode {
  const macro = ctx.macros.get(name);
  if (macro) return expand(ast, macro, args, ctx, fail);
  const [first] = args;
  if (name === 'has') {
    if (first?.op !== '.') return fail('has() takes a member: `has(tool.input.path)`');
    return ['has', lower(first.args[0], ctx), first.args[1]];
  }
  if (name === 'dyn' && first) return lower(first, ctx);
  if (!STANDARD_FUNCTIONS.includes(name) && !(name in FUNCTIONS)) return fail(`\`${name}()\` is not part of cel/1`);
  if (name === 'evidence') return lowerEvidence(args as [ASTNode, ASTNode], ctx, fail);
  return ['call', name, ...args.map((a) => lower(a, ctx))];
}

/** The kind is a constant, so that a bundle knows what is asked for, and a misspelt one is found. */
function lowerEvidence([kind, key]: readonly [ASTNode, ASTNode], ctx: LowerContext, fail: Fail): CelNode {
  if (kind.op !== 'value' || typeof kind.args !== 'string')
    return fail('evidence() takes the name of a kind as a text, not an expression');
  const name = ctx.kinds.get(kind.args);
  if (name === undefined) {
    const known = [...ctx.kinds.keys()];
    const help = suggestion(kind.args, known) || `a Library declares kinds under \`evidence\`${listed(known)}`;
    return fail(`there is no kind of evidence \`${kind.args}\``, help, 'evidence-unknown-kind', kind);
  }
  return ['call', 'evidence', ['v', name], lower(key, ctx)];
}

function listed(known: readonly string[]): string {
  return known.length === 0 ? '' : `; there are ${known.join(', ')}`;
}

function lowerMethod(
  name: string,
  receiver: ASTNode,
  args: readonly ASTNode[],
  ctx: LowerContext,
  fail: Fail,
): CelNode {
  if (receiver.op === 'id' && receiver.args === 'cel' && name === 'bind') {
    const [variable, value, body] = args as [ASTNode, ASTNode, ASTNode];
    const slot = ctx.slots.next++;
    const inner = withName(ctx, variable.args as string, slot);
    return ['let', slot, lower(value, ctx), lower(body, inner)];
  }
  if (LOOPS.includes(name)) return lowerLoop(name, receiver, args, ctx, fail);
  if (!STANDARD_METHODS.includes(name) && !(name in FUNCTIONS)) return fail(`\`.${name}()\` is not part of cel/1`);
  if (name === 'does' && args.some((a) => a.op !== 'value')) return fail('does() takes texts, not expressions');
  return ['call', name === 'matches' ? 're' : name, ...[receiver, ...args].map((a) => lower(a, ctx))];
}

function lowerLoop(name: string, list: ASTNode, args: readonly ASTNode[], ctx: LowerContext, fail: Fail): CelNode {
  if (ctx.loops >= MAX_LOOPS) return fail(`more than ${MAX_LOOPS} loops inside each other`, 'split the rule');
  const slot = ctx.slots.next++;
  const inner: LowerContext = { ...withName(ctx, (args[0] as ASTNode).args as string, slot), loops: ctx.loops + 1 };
  const items = lower(list, ctx);
  if (name !== 'map') return [name, slot, items, lower(args[1] as ASTNode, inner)];
  const condition: CelArg = args.length === 3 ? lower(args[1] as ASTNode, inner) : null;
  return ['each', slot, items, condition, lower(args[args.length - 1] as ASTNode, inner)];
}

function withName(ctx: LowerContext, name: string, slot: number): LowerContext {
  return { ...ctx, names: new Map(ctx.names).set(name, ['$', slot]) };
}

/** The macro's expression in place of its call. Plain arguments are put in, others are worked out once. */
function expand(ast: ASTNode, macro: Macro, args: readonly ASTNode[], ctx: LowerContext, fail: Fail): CelNode {
  if (ctx.depth >= MAX_MACRO_DEPTH) return fail(`the macro \`${macro.name}\` calls itself`);
  const names = new Map<string, CelNode>();
  const lets: [number, CelNode][] = [];
  macro.params.forEach((param, i) => {
    const value = lower(args[i] as ASTNode, ctx);
    if (isPlain(value)) names.set(param, value);
    else {
      const slot = ctx.slots.next++;
      lets.push([slot, value]);
      names.set(param, ['$', slot]);
    }
  });
  const body = lower(macro.ast, {
    ...ctx,
    names,
    macros: macro.macros,
    lists: macro.lists,
    kinds: macro.kinds,
    call: ctx.call ?? ast,
    depth: ctx.depth + 1,
  });
  return lets.reduceRight<CelNode>((inner, [slot, value]) => ['let', slot, value, inner], body);
}

function isPlain(node: CelNode): boolean {
  if (node[0] === '.') return isPlain(node[1] as CelNode);
  return node[0] === '$' || node[0] === 'G' || node[0] === 'v' || node[0] === 'L' || node[0] === 'P';
}
