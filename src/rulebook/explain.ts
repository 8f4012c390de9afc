import { type ASTNode, Environment } from '@marcbachmann/cel-js';
import type { Facts } from '../model/facts.ts';
import type { CelExpr, CelNode, CompiledPolicy, CompiledRule } from '../model/policy.ts';
import { type DecisionContext, makeScope } from '../policy/decide.ts';
import { compileNode } from '../policy/expression.ts';
import { type Item, itemsOf } from '../policy/items.ts';
import { CelFault, type Scope, UNKNOWN, withBudget } from '../policy/scope.ts';

/** One operand of a condition with what it is for an item: `true`, `false`, `unknown` or an error. */
interface Part {
  readonly text: string;
  readonly value: string;
  /** It is what the rule requires: the rule fires if it is false. */
  readonly requires?: true;
  /** Of one that is not true: the members that it looks at, as `file.path = "src/x.ts"`. */
  readonly looks?: readonly string[];
}

/** What a rule's condition comes to on one item. */
export interface ItemParts {
  readonly subject: string;
  readonly parts: readonly Part[];
}

/** Items that one explanation shows. */
const MAX_ITEMS = 20;

/** The operands of the rule's condition and their values, for each item that it ranges over. */
export function explainRule(
  policy: CompiledPolicy,
  rule: CompiledRule,
  facts: Facts,
  context: DecisionContext,
): readonly ItemParts[] {
  const scope = makeScope(facts, context, policy);
  const requires = rule.requires
    ? [{ text: `requires ${oneLine(rule.requires.source)}`, node: rule.requires.root, requires: true as const }]
    : [];
  const operands = [...operandsOf(rule.when), ...requires];
  const call: Item = { kind: '', value: null, keys: [], subject: facts.tool.raw, span: null, certain: true };
  const items = rule.each === '' ? [call] : [...itemsOf(rule.each, facts, scope)].filter((i) => isAsked(rule, i));
  return items.slice(0, MAX_ITEMS).map((item) => ({
    subject: item.subject,
    parts: operands.map(({ node, ...part }) => {
      const value = outcomeOf(node, item, policy, scope);
      const looks = value === 'true' ? [] : looksOf(node, item, rule.each, policy, scope);
      return { ...part, value, ...(looks.length > 0 ? { looks } : {}) };
    }),
  }));
}

function isAsked(rule: CompiledRule, item: Item): boolean {
  if (rule.each !== 'command' || rule.programs.length === 0) return true;
  return rule.programs.includes((item.value as { name: string | null }).name ?? '');
}

/** The operands of a chain of `&&`, else the condition as a whole. */
function operandsOf(expr: CelExpr): readonly { readonly text: string; readonly node: CelNode }[] {
  const whole = [{ text: oneLine(expr.source), node: expr.root }];
  if (expr.root[0] !== '&&') return whole;
  const nodes = expr.root.slice(1) as readonly CelNode[];
  const asts = conjuncts(syntax().parse(expr.source).ast);
  if (asts.length !== nodes.length) return whole;
  return nodes.map((node, i) => ({ text: textOf(asts[i] as ASTNode, expr.source), node }));
}

let environment: Environment | undefined;

/** Only the syntax matters: the bundle's expressions were checked when it was built. */
function syntax(): Environment {
  environment ??= new Environment({ unlistedVariablesAreDyn: true });
  return environment;
}

function conjuncts(ast: ASTNode): readonly ASTNode[] {
  return ast.op === '&&' ? ast.args.flatMap(conjuncts) : [ast];
}

/** The parentheses around an operand belong to no node, not even those behind `!`. */
function textOf(ast: ASTNode, source: string): string {
  const text = source.slice(ast.start, ast.end);
  return oneLine(text.startsWith('!(') && isOpen(text) ? source.slice(ast.start, ast.end + 1) : text);
}

function isOpen(text: string): boolean {
  const plain = text.replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g, '');
  return (plain.match(/\(/g)?.length ?? 0) > (plain.match(/\)/g)?.length ?? 0);
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ');
}

/** Members that one explanation of an operand shows, and characters of each value. */
const MAX_LOOKS = 4;
const MAX_VALUE = 80;

/** What the operand reads of the item and the call, with its values: where a comparison went wrong shows there. */
function looksOf(node: CelNode, item: Item, each: string, policy: CompiledPolicy, scope: Scope): readonly string[] {
  const found = new Map<string, CelNode>();
  const walk = (at: CelNode): void => {
    const path = at[0] === '.' ? pathOf(at, each) : null;
    if (path !== null) found.set(path, at);
    else for (const arg of at.slice(1)) if (isNode(arg)) walk(arg);
  };
  // An operand that is itself a member says all by being false.
  if (node[0] !== '.') walk(node);
  return [...found].slice(0, MAX_LOOKS).flatMap(([path, member]) => {
    const value = shortValue(member, item, policy, scope);
    return value === null ? [] : [`${path} = ${value}`];
  });
}

function isNode(arg: unknown): arg is CelNode {
  return Array.isArray(arg) && typeof arg[0] === 'string';
}

/** `file.path`, `event.agent`; null for what a loop or a macro gives a name to. */
function pathOf(node: CelNode, each: string): string | null {
  const [op, of, key] = node;
  if (op === 'G') return String(of);
  if (op === '$') return of === 0 && each !== '' ? each : null;
  if (op !== '.' || !isNode(of)) return null;
  const before = pathOf(of, each);
  return before === null ? null : `${before}.${String(key)}`;
}

/** A short form of a text, number, truth value or list of them; null for anything larger. */
function shortValue(node: CelNode, item: Item, policy: CompiledPolicy, scope: Scope): string | null {
  scope.locals[0] = item.value;
  try {
    const { run } = compileNode(node, policy);
    const value: unknown = withBudget(scope, () => run(scope));
    if (value === UNKNOWN || value === null) return 'unknown';
    const plain = Array.isArray(value) ? value.every((one) => typeof one !== 'object') : typeof value !== 'object';
    if (!plain) return null;
    const text = JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one));
    return text.length > MAX_VALUE ? `${text.slice(0, MAX_VALUE)}…` : text;
  } catch {
    return null;
  }
}

function outcomeOf(node: CelNode, item: Item, policy: CompiledPolicy, scope: Scope): string {
  scope.locals[0] = item.value;
  try {
    const { run } = compileNode(node, policy);
    const value = withBudget(scope, () => run(scope));
    return value === UNKNOWN ? 'unknown' : String(value);
  } catch (error) {
    return error instanceof CelFault ? `error: ${error.message}` : 'error';
  }
}
