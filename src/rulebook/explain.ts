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
    parts: operands.map(({ node, ...part }) => ({ ...part, value: outcomeOf(node, item, policy, scope) })),
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
