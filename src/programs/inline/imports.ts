import { ref } from './thing.ts';
import type { Token } from './token.ts';
import { assign } from './variables.ts';
import { isName, isOp, peek, type Walk } from './walk.ts';

/** An import, bound to the names it makes; false if the statement is none. Importing alone does nothing. */
export function importStatement(w: Walk): boolean {
  const token = peek(w) as Token;
  const { language } = w.scan;
  if (language === 'python')
    return isName(token, 'import') ? pythonImport(w) : isName(token, 'from') ? pythonFrom(w) : false;
  if (language === 'node' && isName(token, 'import') && !isOp(peek(w, 1), '(', 'member')) return nodeImport(w);
  if (
    (language === 'perl' && isName(token, 'use', 'no', 'package')) ||
    (language === 'php' && isName(token, 'use', 'namespace'))
  )
    return skip(w);
  if (
    (language === 'groovy' || language === 'elixir' || language === 'julia') &&
    isName(token, 'import', 'using', 'alias')
  )
    return skip(w);
  return false;
}

/** Steps over the rest of the statement. */
function skip(w: Walk): true {
  w.at++;
  while (w.at < w.end && !isOp(peek(w), ';') && !(peek(w) as Token).first) w.at++;
  return true;
}

function dotted(w: Walk): string {
  let name = '';
  while (isOp(peek(w), 'member')) {
    name += '.';
    w.at++;
  }
  for (;;) {
    const token = peek(w);
    if (token?.t !== 'name') return name;
    name += token.text;
    w.at++;
    if (!isOp(peek(w), 'member')) return name;
    name += '.';
    w.at++;
  }
}

function alias(w: Walk): string | null {
  const next = peek(w, 1);
  if (!isName(peek(w), 'as') || next?.t !== 'name') return null;
  w.at += 2;
  return next.text;
}

function pythonImport(w: Walk): true {
  do {
    w.at++;
    const name = dotted(w);
    const other = alias(w);
    if (other) assign(w.scan, other, ref(name));
    else if (name !== '') assign(w.scan, name.split('.')[0] as string, ref(name.split('.')[0] as string));
  } while (isOp(peek(w), ','));
  return true;
}

function pythonFrom(w: Walk): boolean {
  const back = w.at;
  w.at++;
  const module = dotted(w);
  if (!isName(peek(w), 'import')) {
    w.at = back;
    return false;
  }
  w.at++;
  if (isOp(peek(w), '(')) w.at++;
  while (peek(w)?.t === 'name') {
    const name = (peek(w) as Token & { t: 'name' }).text;
    w.at++;
    assign(w.scan, alias(w) ?? name, ref(`${module}.${name}`));
    if (!isOp(peek(w), ',')) break;
    w.at++;
  }
  if (isOp(peek(w), '*')) {
    w.at++;
    for (const full of w.scan.library.calls.keys()) {
      const rest = full.startsWith(`${module}.`) ? full.slice(module.length + 1) : '';
      if (rest !== '' && !rest.includes('.')) assign(w.scan, rest, ref(full));
    }
  }
  if (isOp(peek(w), ')')) w.at++;
  return true;
}

/** `import x from 'm'`, `import * as x from 'm'`, `import {a, b as c} from 'm'`. */
function nodeImport(w: Walk): boolean {
  const found: { name: string; from: string }[] = [];
  let i = w.at + 1;
  let inBraces = false;
  for (; i < w.end && i < w.at + 400; i++) {
    const token = w.tokens[i] as Token;
    if (token.t === 'string') break;
    if (isOp(token, '{', '}')) inBraces = isOp(token, '{');
    if (token.t !== 'name' || isName(token, 'from', 'type', 'as')) continue;
    const renamed = isName(w.tokens[i + 1], 'as') ? w.tokens[i + 2] : undefined;
    found.push({ name: renamed?.t === 'name' ? renamed.text : token.text, from: inBraces ? `.${token.text}` : '' });
    if (renamed) i += 2;
  }
  const token = w.tokens[i];
  w.at = i + 1;
  if (token?.t !== 'string') return true;
  const module = token.parts
    .map((p) => (typeof p === 'string' ? p : ''))
    .join('')
    .replace(/^node:/, '');
  for (const { name, from } of found) assign(w.scan, name, ref(module + from));
  return true;
}
