import { operand } from './operand.ts';
import { syntaxes } from './syntax.ts';
import { anyOf, comesFromFile, joined, literal, type Thing, taintsIn, text, UNKNOWN, unknown } from './thing.ts';
import type { Token } from './token.ts';
import { assign } from './variables.ts';
import { guarded, isName, isOp, peek, spend, type Walk } from './walk.ts';

const INFIX_WORDS = new Set([
  'and',
  'or',
  'in',
  'is',
  'not',
  'eq',
  'ne',
  'lt',
  'gt',
  'le',
  'ge',
  'cmp',
  'xor',
  'instanceof',
  'of',
  'div',
  'mod',
  'x',
]);

const CHOICE = new Set(['||', '??', 'or', '//', '&&', 'and']);

const INFIX_OPS = new Set([
  '+',
  '-',
  '*',
  '/',
  '%',
  '.',
  '..',
  '<',
  '>',
  '==',
  '===',
  '!=',
  '!==',
  '<=',
  '>=',
  '<=>',
  '&&',
  '||',
  '??',
  '|',
  '&',
  '^',
  '**',
  '//',
  '=~',
  '!~',
  '<>',
  '|>',
  '<-',
  '=',
  ':=',
  '+=',
  '-=',
  '.=',
  '?',
  '~',
  '@',
]);

/** One expression, operators and all, up to a comma, a closing bracket or the statement's end. */
export function expression(w: Walk): Thing {
  return guarded(w.scan, () => infix(w));
}

function infix(w: Walk): Thing {
  const start = w.at;
  let left = operand(w);
  while (w.at < w.end && spend(w.scan)) {
    const token = peek(w) as Token;
    if (token.t === 'name' && token.text === 'if' && w.scan.language === 'python' && !token.first) {
      w.at++;
      w.scan.branches++;
      expression(w);
      if (!isName(peek(w), 'else')) return left;
      w.at++;
      left = anyOf([left, expression(w)]);
      continue;
    }
    const op =
      token.t === 'op'
        ? token.text
        : token.t === 'name' && (INFIX_WORDS.has(token.text) || (token.text === 'as' && w.scan.language === 'node'))
          ? token.text
          : '';
    if (op === '' || (token.t === 'op' && !INFIX_OPS.has(op))) return left;
    if (token.first && (w.scan.language === 'python' || token.t === 'name')) return left;
    w.at++;
    if (op === '?') {
      w.scan.branches++;
      const yes = expression(w);
      if (isOp(peek(w), ':')) w.at++;
      left = anyOf([yes, expression(w)]);
      continue;
    }
    if (op === '=' || op === ':=' || op === '<-' || op === '||=') {
      left = expression(w);
      bind(w, start, left);
      continue;
    }
    if (op === '+=' || op === '.=') {
      left = combine(w, op === '.=' ? '.' : '+', left, expression(w));
      bind(w, start, left);
      continue;
    }
    if (op === '|>') {
      left = operand(w, left);
      continue;
    }
    left = combine(w, op, left, operand(w));
  }
  return left;
}

function combine(w: Walk, op: string, left: Thing, right: Thing): Thing {
  const { joiner } = syntaxes[w.scan.language];
  if (op === joiner || (op === '+' && joiner === '+')) {
    if (left.k === 'list' && right.k === 'list')
      return { k: 'list', items: [...left.items, ...right.items].slice(0, 2000) };
    if (isNumber(left) && isNumber(right)) return text([{ hole: 'computed number', like: 'name' }]);
    return joined(left, right, 'computed text');
  }
  if (op === '/' && left.k === 'text' && (left.path || (right.k === 'text' && right.path))) {
    return {
      ...(joined(left, right, 'computed path', '/') as Thing),
      ...(right.k === 'any' ? {} : { path: true }),
    } as Thing;
  }
  if (op === '%' && left.k === 'text' && w.scan.language === 'python') return formatted(left, right);
  if (CHOICE.has(op)) return op === '&&' || op === 'and' ? right : anyOf([left, right]);
  return unknown([...taintsIn(left), ...taintsIn(right)], comesFromFile(left) || comesFromFile(right));
}

const isNumber = (thing: Thing): boolean => /^[\d.]+$/.test(literal(thing) ?? '');

/** `'%s' % x`: each conversion becomes the next value. */
function formatted(format: Thing & { k: 'text' }, values: Thing): Thing {
  const items = values.k === 'list' ? [...values.items] : [values];
  let out: Thing = text('');
  for (const part of format.value) {
    if (typeof part !== 'string') {
      out = joined(out, text([part]), 'computed text');
      continue;
    }
    for (const piece of part.split(/(%[-\d.]*[sdrif])/)) {
      const isField = /^%[-\d.]*[sdrif]$/.test(piece);
      out = joined(out, isField ? (items.shift() ?? UNKNOWN) : text(piece), 'computed text');
    }
  }
  return out;
}

/** Binds the name that stands alone before the `=` at `start`. */
function bind(w: Walk, start: number, value: Thing): void {
  const token = w.tokens[start];
  const next = w.tokens[start + 1];
  if (token?.t === 'name' && next?.t === 'op' && /^(?:=|:=|<-|\+=|\.=)$/.test(next.text))
    assign(w.scan, token.text, value);
}
