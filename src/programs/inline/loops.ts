import { expression } from './expression.ts';
import { DECLARES } from './statement.ts';
import { anyOf, elementOf, type Thing, UNKNOWN } from './thing.ts';
import type { Token } from './token.ts';
import { assign } from './variables.ts';
import { isName, isOp, peek, type Walk } from './walk.ts';

/** `for x in y`, `for (const x of y)`, `foreach my $x (@y)`, `foreach ($y as $x)`, `for a, b in y`. */
export function bindLoop(w: Walk): void {
  w.at++;
  const names: string[] = [];
  const limit = Math.min(w.end, w.at + 40);
  if (w.scan.language === 'php') return phpLoop(w);
  for (let i = w.at; i < limit; i++) {
    const token = w.tokens[i] as Token;
    if (isName(token, 'in', 'of') || isOp(token, '<-', '=>')) {
      w.at = i + 1;
      return bindElements(w, names, expression(w));
    }
    if (token.t === 'name' && w.scan.language === 'perl' && token.text.startsWith('$') && isOp(w.tokens[i + 1], '(')) {
      w.at = i + 1;
      return bindElements(w, [token.text], expression(w));
    }
    if (isOp(token, ';', '{', '=')) return;
    if (token.t === 'name' && !DECLARES.has(token.text) && token.text !== 'each' && token.text !== 'await')
      names.push(token.text);
    if (isOp(token, '(') && w.scan.language === 'perl') {
      w.at = i;
      const things = expression(w);
      return bindElements(w, ['$_'], things);
    }
  }
}

function phpLoop(w: Walk): void {
  if (!isOp(peek(w), '(')) return;
  const close = w.match.get(w.at) ?? w.end;
  w.at++;
  const things = expression(w);
  const names: string[] = [];
  for (let i = w.at; i < close; i++) {
    const token = w.tokens[i] as Token;
    if (token.t === 'name' && token.text.startsWith('$')) names.push(token.text);
  }
  if (!isName(peek(w), 'as')) return;
  w.at = close + 1;
  bindElements(w, names.slice(-1), things);
}

function bindElements(w: Walk, names: readonly string[], things: Thing): void {
  const element = elementOf(things);
  if (names.length === 1) return assign(w.scan, names[0] as string, element);
  for (const [at, name] of names.entries()) assign(w.scan, name, part(element, at));
}

function part(element: Thing, at: number): Thing {
  if (element.k === 'list') return element.items[at] ?? UNKNOWN;
  if (element.k === 'any') return anyOf(element.of.map((e) => part(e, at)));
  return element.k === 'text' ? UNKNOWN : element;
}

/** Ruby's `|a, b|` after `{` or `do`: the block's parameters, bound to what was iterated. */
export function blockParameters(w: Walk): Thing {
  let i = w.at + 1;
  const names: string[] = [];
  while (i < w.end && i < w.at + 20 && !isOp(w.tokens[i], '|')) {
    const token = w.tokens[i] as Token;
    if (token.t === 'name') names.push(token.text);
    i++;
  }
  if (!isOp(w.tokens[i], '|')) {
    w.at++;
    return UNKNOWN;
  }
  w.at = i + 1;
  const { iterated } = w.scan;
  const element = iterated.k === 'file' ? iterated : elementOf(iterated);
  for (const [at, name] of names.entries()) assign(w.scan, name, at === 0 ? element : UNKNOWN);
  return UNKNOWN;
}
