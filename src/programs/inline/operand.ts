import { arrow, functionValue, lambda } from './functions.ts';
import { group } from './group.ts';
import { postfix } from './postfix.ts';
import { walkText } from './reader.ts';
import { runShell } from './runs.ts';
import type { Scan } from './scan.ts';
import { joined, literal, ref, type Thing, taintsIn, text, UNKNOWN, unknown } from './thing.ts';
import type { StringPart, Token } from './token.ts';
import { lookup } from './variables.ts';
import { guarded, isOp, peek, type Walk } from './walk.ts';

const PREFIX_WORDS = new Set([
  'new',
  'await',
  'typeof',
  'void',
  'delete',
  'yield',
  'not',
  'return',
  'throw',
  'raise',
  'die',
  'defined',
  'my',
  'our',
  'local',
  'then',
  'do',
  'else',
  'begin',
  'try',
  'unless',
  'if',
  'while',
  'until',
  'elsif',
  'elif',
  'async',
  'ref',
  'scalar',
  'static',
  'clone',
  'from',
]);

/** A value with what follows it: members, calls, subscripts. */
export function operand(w: Walk, piped?: Thing): Thing {
  const token = peek(w);
  if (!token) return UNKNOWN;
  if (
    token.t === 'op' &&
    (/^[!\-+~*\\&@<]$/.test(token.text) ||
      token.text === '...' ||
      token.text === '**' ||
      token.text === '++' ||
      token.text === '--' ||
      token.text === 'member')
  ) {
    w.at++;
    const inner = guarded(w.scan, () => operand(w));
    return token.text === '+' || token.text === '...' || /^[*&\\@]/.test(token.text) || token.text === 'member'
      ? inner
      : unknown(taintsIn(inner));
  }
  if (token.t === 'name' && PREFIX_WORDS.has(token.text) && !isOp(peek(w, 1), 'member', '=', '=>', ',', ')')) {
    w.at++;
    return guarded(w.scan, () => operand(w, piped));
  }
  const symbol = peek(w, 1);
  if (w.scan.language === 'ruby' && isOp(token, ':') && symbol?.t === 'name' && !symbol.spaced) {
    w.at += 2;
    return ref(symbol.text);
  }
  return postfix(w, primary(w), piped);
}

function primary(w: Walk): Thing {
  const token = peek(w) as Token;
  const { scan } = w;
  switch (token.t) {
    case 'number':
      w.at++;
      return text(token.text);
    case 'string': {
      w.at++;
      let made = stringOf(scan, token.parts);
      while (scan.language === 'python' && peek(w)?.t === 'string' && !(peek(w) as Token).first) {
        made = joined(made, stringOf(scan, (peek(w) as Token & { t: 'string' }).parts), 'computed text');
        w.at++;
      }
      return made;
    }
    case 'shell':
      w.at++;
      return runShell(scan, stringOf(scan, token.parts, scan.language === 'julia'));
    case 'words':
      w.at++;
      return { k: 'list', items: token.items.map((item) => text(item)) };
    case 'regex':
      w.at++;
      if (token.code !== null) walkText(scan, token.code);
      return UNKNOWN;
    case 'name':
      return named(w, token.text);
    case 'op':
      if (token.text === '(' || token.text === '[' || token.text === '{') return group(w, token.text);
      return UNKNOWN;
  }
}

function named(w: Walk, name: string): Thing {
  const { scan } = w;
  if ((name === 'function' || name === 'fn' || name === 'fun') && scan.language !== 'python') return functionValue(w);
  if (name === 'lambda' && scan.language === 'python') return lambda(w);
  if (scan.language === 'node' && isOp(peek(w, 1), '=>')) return arrow(w, [name], w.at + 2);
  w.at++;
  const place = placeholder(scan, name);
  if (place) return place;
  const bound = lookup(scan, name);
  if (bound) return bound;
  const special = scan.library.names.get(name);
  return special ? special(scan) : ref(name);
}

/** What the shell put where the name stands: unknown, maybe code. */
function placeholder(scan: Scan, name: string): Thing | null {
  const first = name.charCodeAt(0);
  if (first < 0xe000 || first > 0xf8ff) return null;
  const part = scan.holes[first - 0xe000];
  return part ? text([part]) : UNKNOWN;
}

/** The text of a string's parts, with expressions in it worked out. */
export function stringOf(scan: Scan, parts: readonly StringPart[], quotes = false): Thing {
  let made: Thing = text('');
  for (const part of parts) {
    const next = typeof part === 'string' ? text(filled(scan, part)) : put(walkText(scan, part.code), quotes);
    made =
      made.k === 'text' && made.value.length === 0 && typeof part === 'string'
        ? next
        : joined(made, next, 'computed text');
  }
  return made;
}

/** What is put into a command line: one word, however it is spelled, where the language quotes it. */
function put(thing: Thing, quotes: boolean): Thing {
  const word = quotes && thing.k === 'text' ? literal(thing) : null;
  return word === null || /^[\w./-]+$/.test(word) || thing.k !== 'text'
    ? thing
    : text(`'${word.replaceAll("'", "'\\''")}'`, thing.taints);
}

/** Text with the shell's unknowns put back in. */
function filled(scan: Scan, source: string): Thing extends never ? never : (string | Scan['holes'][number])[] {
  if (!/[\ue000-\uf8ff]/.test(source)) return source === '' ? [] : [source];
  return source.split(/([\ue000-\uf8ff])/).flatMap((piece) => {
    if (piece === '') return [];
    const code = piece.charCodeAt(0);
    return code >= 0xe000 && code <= 0xf8ff ? [scan.holes[code - 0xe000] ?? piece] : [piece];
  });
}
