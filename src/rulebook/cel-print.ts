import { type ASTNode, Environment } from '@marcbachmann/cel-js';

/** How tightly an expression holds together: an operand that holds less needs parentheses. */
const CHOICE = 0;
const OR = 1;
const AND = 2;
const RELATION = 3;
const SUM = 4;
const PRODUCT = 5;
const UNARY = 6;
const PRIMARY = 7;

const BINARY: Readonly<Record<string, number>> = {
  '||': OR,
  '&&': AND,
  ...Object.fromEntries(['==', '!=', '<', '<=', '>', '>=', 'in'].map((op) => [op, RELATION])),
  '+': SUM,
  '-': SUM,
  '*': PRODUCT,
  '/': PRODUCT,
  '%': PRODUCT,
};

let syntax: Environment | undefined;

function parse(source: string): ASTNode {
  syntax ??= new Environment({ unlistedVariablesAreDyn: true });
  return syntax.parse(source).ast;
}

/**
 * The canonical form of an expression in lines of at most `width` where it can be broken; null if it should stay as it
 * is: it has a syntax error or a comment. The form means the same: it is read again and compared.
 */
export function canonicalCel(source: string, width: number): readonly string[] | null {
  if (hasComment(source)) return null;
  try {
    const ast = parse(source);
    const lines = layout(ast, width, CHOICE);
    return isSame(ast, parse(lines.join('\n'))) ? lines : null;
  } catch {
    return null;
  }
}

/** Raw and triple-quoted literals come first: they end elsewhere. */
const LITERAL = /[rR]?("""|''')[\s\S]*?\1|[rR]"[^"]*"|[rR]'[^']*'|"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'/g;

function hasComment(source: string): boolean {
  return source.replace(LITERAL, '').includes('//');
}

/** True if two trees mean the same; how a chain of the same logical operator was grouped makes no difference. */
function isSame(a: unknown, b: unknown): boolean {
  if (Array.isArray(a)) return Array.isArray(b) && a.length === b.length && a.every((item, i) => isSame(item, b[i]));
  if (!isNode(a) || !isNode(b)) return Object.is(a, b) || (isBytes(a) && isBytes(b) && String(a) === String(b));
  if (a.op !== b.op) return false;
  if (a.op === '&&' || a.op === '||') return isSame(chain(a, a.op).map(whole), chain(b, a.op).map(whole));
  return isSame(a.args, b.args);
}

/** Keeps a node from being taken for a chain of its own. */
function whole(node: ASTNode): unknown {
  return [node];
}

function isNode(value: unknown): value is ASTNode {
  return typeof value === 'object' && value !== null && 'op' in value;
}

function isBytes(value: unknown): boolean {
  return value instanceof Uint8Array;
}

/** Operands of a chain of one logical operator. */
function chain(ast: ASTNode, op: string): readonly ASTNode[] {
  return ast.op === op ? (ast.args as readonly ASTNode[]).flatMap((a) => chain(a, op)) : [ast];
}

function strength(ast: ASTNode): number {
  if (ast.op === '?:') return CHOICE;
  if (ast.op === '!_' || ast.op === '-_') return UNARY;
  return BINARY[ast.op] ?? PRIMARY;
}

/** On one line, in parentheses if it holds less tightly than `least`. */
function flat(ast: ASTNode, least: number): string {
  const text = bare(ast);
  return strength(ast) < least ? `(${text})` : text;
}

function bare(ast: ASTNode): string {
  const list = (items: readonly ASTNode[]): string => items.map((item) => flat(item, CHOICE)).join(', ');
  switch (ast.op) {
    case 'value':
      return literal(ast.input.slice(ast.start, ast.end));
    case 'id':
      return ast.args;
    case '.':
      return `${flat(ast.args[0], PRIMARY)}.${ast.args[1]}`;
    case '[]':
      return `${flat(ast.args[0], PRIMARY)}[${flat(ast.args[1], CHOICE)}]`;
    case 'call':
      return `${ast.args[0]}(${list(ast.args[1])})`;
    case 'rcall':
      return `${flat(ast.args[1], PRIMARY)}.${ast.args[0]}(${list(ast.args[2])})`;
    case 'list':
      return `[${list(ast.args)}]`;
    case 'map':
      return `{${ast.args.map(([key, value]) => `${flat(key, CHOICE)}: ${flat(value, CHOICE)}`).join(', ')}}`;
    case '!_':
    case '-_':
      return `${ast.op[0]}${flat(ast.args, PRIMARY)}`;
    case '?:': {
      const [condition, yes, no] = ast.args;
      return `${flat(condition, OR)} ? ${flat(yes, OR)} : ${flat(no, CHOICE)}`;
    }
    case '&&':
    case '||': {
      const { op } = ast;
      return chain(ast, op)
        .map((item) => flat(item, strength(ast) + 1))
        .join(` ${op} `);
    }
    default: {
      const own = strength(ast);
      if (own === PRIMARY) throw new Error(`no form for \`${ast.op}\``);
      const [left, right] = ast.args as readonly [ASTNode, ASTNode];
      return `${flat(left, own)} ${ast.op} ${flat(right, own + 1)}`;
    }
  }
}

/** Texts get double quotes where that needs no further escape; numbers stay as they are written. */
function literal(text: string): string {
  if (!/^'(?!'')/.test(text) || text.includes('"')) return text;
  return `"${text.slice(1, -1).replaceAll("\\'", "'")}"`;
}

const STEP = '  ';

function layout(ast: ASTNode, width: number, least: number): readonly string[] {
  const line = flat(ast, least);
  if (line.length <= width) return [line];
  const lines = broken(ast, width);
  if (lines.length < 2) return [line];
  return strength(ast) < least ? inParentheses(lines) : lines;
}

function inParentheses(lines: readonly string[]): readonly string[] {
  return around('(', lines, ')');
}

function around(before: string, lines: readonly string[], after: string): readonly string[] {
  return lines.map((line, i) => (i === 0 ? before : '') + line + (i === lines.length - 1 ? after : ''));
}

/** Over several lines, each operator before its operand; one line if there is nowhere to break. */
function broken(ast: ASTNode, width: number): readonly string[] {
  switch (ast.op) {
    case '&&':
    case '||':
      return chain(ast, ast.op).flatMap((item, i) => {
        const lead = i === 0 ? '' : `${STEP}${ast.op} `;
        const lines = layout(item, width - lead.length, strength(ast) + 1);
        // `a || b && c` over several lines is read wrongly without parentheses.
        const clear = lines.length > 1 && item.op === '&&' ? inParentheses(lines) : lines;
        return clear.map((line, n) => (n === 0 ? lead : i === 0 ? '' : STEP) + line);
      });
    case '?:': {
      const [condition, yes, no] = ast.args;
      const branch = (mark: string, item: ASTNode, least: number): readonly string[] =>
        layout(item, width - 4, least).map((line, n) => (n === 0 ? `${STEP}${mark} ` : STEP) + line);
      return [...layout(condition, width, OR), ...branch('?', yes, OR), ...branch(':', no, CHOICE)];
    }
    case '+':
      return filled(summands(ast), width);
    case '!_':
      return around('!', layout(ast.args, width - 1, PRIMARY), '');
    case 'rcall': {
      const [name, receiver, args] = ast.args;
      const last = args.at(-1);
      if (!last) return [bare(ast)];
      const before = args.slice(0, -1).map((arg) => `${flat(arg, CHOICE)}, `);
      const head = `${flat(receiver, PRIMARY)}.${name}(${before.join('')}`;
      const lines = layout(last, width - STEP.length - 1, CHOICE).map((line, n) => (n === 0 ? line : STEP + line));
      return head.length + (lines[0] as string).length <= width ? around(head, lines, ')') : [bare(ast)];
    }
    default:
      return [bare(ast)];
  }
}

/** Operands of a sum from left to right, each as it stands behind its `+`. */
function summands(ast: ASTNode): readonly string[] {
  if (ast.op !== '+') return [flat(ast, SUM)];
  const [left, right] = ast.args;
  return [...summands(left), flat(right, SUM + 1)];
}

function filled(items: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  let line = '';
  for (const [i, item] of items.entries()) {
    const next = i === 0 ? item : `${line} + ${item}`;
    if (i === 0 || next.length <= width) line = next;
    else {
      lines.push(line);
      line = `${STEP}+ ${item}`;
    }
  }
  return [...lines, line];
}
