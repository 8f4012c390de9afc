import { type Func, type Thing, UNKNOWN } from './thing.ts';
import type { Token } from './token.ts';
import { isOp, isOpen, type Walk } from './walk.ts';

/** Units of functions made in them, so that a function is walked in the tokens it was read from, wherever it is called. */
const homes = new WeakMap<Func, readonly Token[]>();

/** A function that stands in these tokens. */
export function funcIn(w: Walk, func: Omit<Func, 'k'>): Func {
  const made: Func = { k: 'func', ...func };
  homes.set(made, w.tokens);
  return made;
}

/** The tokens that a function stands in. */
export function homeOf(func: Func): readonly Token[] | undefined {
  return homes.get(func);
}

export function arrow(w: Walk, params: readonly string[], bodyAt: number): Thing {
  const isBlock = isOp(w.tokens[bodyAt], '{');
  const to = isBlock ? (w.match.get(bodyAt) ?? w.end) : expressionEnd(w, bodyAt);
  w.at = isBlock ? to + 1 : to;
  return funcIn(w, { name: '', params, from: isBlock ? bodyAt + 1 : bodyAt, to });
}

export function functionValue(w: Walk): Thing {
  let i = w.at + 1;
  while (i < w.end && i < w.at + 20 && !isOp(w.tokens[i], '(', '{')) i++;
  const close = w.match.get(i) ?? w.end;
  const params = isOp(w.tokens[i], '(') ? parameters(w.tokens, i + 1, close) : [];
  let body = isOp(w.tokens[i], '(') ? close + 1 : i;
  while (body < w.end && !isOp(w.tokens[body], '{') && body < close + 6) body++;
  if (!isOp(w.tokens[body], '{')) {
    w.at = Math.min(close + 1, w.end);
    return UNKNOWN;
  }
  const to = w.match.get(body) ?? w.end;
  w.at = to + 1;
  return funcIn(w, { name: '', params, from: body + 1, to });
}

export function lambda(w: Walk): Thing {
  let i = w.at + 1;
  while (i < w.end && i < w.at + 200 && !isOp(w.tokens[i], ':')) i++;
  const params = parameters(w.tokens, w.at + 1, i);
  const to = expressionEnd(w, i + 1);
  w.at = to;
  return funcIn(w, { name: '', params, from: i + 1, to });
}

/** Index past the expression that begins at `from`: a comma, a closing bracket or a new statement. */
function expressionEnd(w: Walk, from: number): number {
  for (let i = from; i < w.end; i++) {
    const token = w.tokens[i] as Token;
    if (token.t !== 'op') continue;
    if (isOpen(token.text)) i = w.match.get(i) ?? w.end;
    else if (token.text === ',' || token.text === ';' || token.text === ')' || token.text === ']' || token.text === '}')
      return i;
  }
  return w.end;
}

/** Names of parameters; a destructured one as its names in braces or brackets: `{a:b,c}`. */
export function parameters(tokens: readonly Token[], from: number, to: number): readonly string[] {
  const names: string[] = [];
  let wanted = true;
  for (let i = from; i < to && i < tokens.length; i++) {
    const token = tokens[i] as Token;
    if (isOp(token, ',')) wanted = true;
    else if (wanted && isOp(token, '{', '[')) {
      let pattern = '';
      let depth = 0;
      for (; i < to; i++) {
        const inner = tokens[i] as Token;
        if (inner.t === 'op' && isOpen(inner.text)) depth++;
        else if (isOp(inner, ')', ']', '}')) depth--;
        if (depth === 0) break;
        if (depth === 1) pattern += inner.t === 'name' || inner.t === 'op' ? inner.text : '';
      }
      names.push(pattern);
      wanted = false;
    } else if (token.t === 'op' && isOpen(token.text)) {
      let depth = 0;
      for (; i < to; i++) {
        const inner = tokens[i] as Token;
        if (inner.t === 'op' && isOpen(inner.text)) depth++;
        else if (isOp(inner, ')', ']', '}') && --depth === 0) break;
      }
    } else if (token.t === 'name' && wanted) {
      names.push(token.text);
      wanted = false;
    }
  }
  return names;
}
