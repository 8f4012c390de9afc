import { call } from './dispatch.ts';
import { expression } from './expression.ts';
import { comprehension, keyAt, list } from './group.ts';
import { attribute, index } from './member.ts';
import { stringOf } from './operand.ts';
import { runShell } from './runs.ts';
import type { Scan } from './scan.ts';
import { literal, type Thing, taintsIn, text, unknown } from './thing.ts';
import type { Token } from './token.ts';
import { isOp, peek, spend, type Walk } from './walk.ts';

export function postfix(w: Walk, first: Thing, piped?: Thing): Thing {
  let thing = first;
  let recv: Thing | null = null;
  let name = first.k === 'ref' ? first.name : '';
  const { scan } = w;
  while (w.at < w.end && spend(scan)) {
    const token = peek(w) as Token;
    if (token.t === 'op') {
      if (token.text === 'member') {
        const next = peek(w, 1);
        if (next?.t === 'name') {
          w.at += 2;
          recv = thing;
          name = next.text;
          if (thing.k === 'list' || thing.k === 'any') scan.iterated = thing;
          thing = attribute(scan, thing, next.text);
          if (scan.language === 'ruby' && runsBare(w, thing, name)) {
            thing = call(w, thing, { recv, name, args: [], named: new Map() });
            recv = null;
            name = '';
          }
          continue;
        }
        w.at++;
        if (isOp(next, '(', '[', '{')) continue;
        return thing;
      }
      const joinsLine = token.first;
      if (token.text === '(' && !joinsLine && !(scan.language === 'ruby' && token.spaced && !callable(scan, thing))) {
        const close = w.match.get(w.at) ?? w.end;
        w.at++;
        if (scan.language === 'python') comprehension(w, close);
        const { args, named: kw } = list(w, close);
        w.at = Math.min(close + 1, w.end);
        thing = call(w, thing, { recv, name, args: piped ? [piped, ...args] : args, named: kw });
        recv = null;
        name = '';
        continue;
      }
      if (token.text === '[' && !joinsLine && !(token.spaced && scan.language !== 'python')) {
        const close = w.match.get(w.at) ?? w.end;
        w.at++;
        if (isReversal(w, close)) {
          thing = reversed(thing);
          w.at = Math.min(close + 1, w.end);
          continue;
        }
        const key = list(w, close).args;
        w.at = Math.min(close + 1, w.end);
        recv = thing;
        const label = key[0]?.k === 'text' ? key[0].value.filter((p) => typeof p === 'string').join('') : '';
        name = label;
        thing = key.length === 1 ? index(scan, thing, key[0] as Thing) : unknown(taintsIn(thing));
        continue;
      }
      // `exec {'rm'} 'rm', '-rf'`: the block names the program.
      if (token.text === '{' && scan.language === 'perl' && token.spaced && /^(?:exec|system)$/.test(name)) {
        w.at = Math.min((w.match.get(w.at) ?? w.end) + 1, w.end);
        continue;
      }
      if (token.text === '{' && scan.language === 'perl' && !token.spaced) {
        const close = w.match.get(w.at) ?? w.end;
        w.at++;
        const bare = peek(w);
        const key =
          bare?.t === 'name' && w.at + 1 === close && !bare.text.startsWith('$') ? text(bare.text) : expression(w);
        w.at = Math.min(close + 1, w.end);
        thing = index(scan, thing, key);
        continue;
      }
    }
    if (token.t === 'string' && token.prefix === '`' && scan.language === 'node' && !token.first) {
      w.at++;
      const tag = name.slice(name.lastIndexOf('.') + 1);
      const runs = /^\$+$|^(?:sh|exec|execa|execaCommand|shell)$/.test(tag);
      const source = stringOf(scan, token.parts, runs);
      thing = runs ? runShell(scan, source) : source;
      continue;
    }
    if (bareArguments(w, token, thing, name)) {
      const args = bareList(w);
      thing = call(w, thing, { recv, name, args: args.args, named: args.named });
      recv = null;
      name = '';
      continue;
    }
    break;
  }
  // A function named without arguments runs in Ruby and Perl; a missing call there is rare enough to leave out.
  if (piped && thing.k === 'ref') return call(w, thing, { recv, name, args: [piped], named: new Map() });
  return thing;
}

/** Ruby calls a method that is named without arguments. */
function runsBare(w: Walk, thing: Thing, name: string): boolean {
  const next = peek(w);
  if (isOp(next, '(') && !next?.spaced) return false;
  return callable(w.scan, thing, name) && !(next !== undefined && bareArguments(w, next, thing, name));
}

const NO_ARGUMENT = new Set([
  'if',
  'unless',
  'and',
  'or',
  'not',
  'do',
  'x',
  'eq',
  'ne',
  'for',
  'foreach',
  'while',
  'until',
  'then',
  'rescue',
  'end',
  'in',
  'as',
  'else',
  'when',
  'cmp',
  'lt',
  'gt',
  'le',
  'ge',
  'is',
]);

/** `system "x"`, `puts a, b`: arguments without brackets, where the language has them and the name is one we know. */
function bareArguments(w: Walk, token: Token, thing: Thing, name: string): boolean {
  const { language } = w.scan;
  if (language === 'python' || language === 'node' || language === 'r' || language === 'julia') return false;
  if (token.first || name === '' || !callable(w.scan, thing, name)) return false;
  if (token.t === 'string' || token.t === 'shell' || token.t === 'words' || token.t === 'number') return true;
  if (token.t === 'name') return !NO_ARGUMENT.has(token.text);
  return (
    token.t === 'op' &&
    token.spaced &&
    (token.text === '[' || token.text === '\\' || (token.text === '<' && language === 'perl'))
  );
}

function callable(scan: Scan, thing: Thing, name = ''): boolean {
  const { library } = scan;
  if (thing.k === 'ref') {
    const last = thing.name.slice(thing.name.lastIndexOf('.') + 1);
    return library.calls.has(thing.name) || library.telling.has(last) || library.methods.has(last);
  }
  return thing.k === 'func' || library.methods.has(name) || library.telling.has(name);
}

function bareList(w: Walk): { readonly args: Thing[]; readonly named: Map<string, Thing> } {
  const args: Thing[] = [];
  const namedArgs = new Map<string, Thing>();
  while (w.at < w.end && spend(w.scan)) {
    const before = w.at;
    const key = keyAt(w);
    if (key !== null) namedArgs.set(key, expression(w));
    else args.push(expression(w));
    if (w.at === before) break;
    const next = peek(w);
    if (isOp(next, ',', '=>')) {
      w.at++;
      continue;
    }
    // `print FH "text"`: a file handle has no comma after it.
    const isHandle =
      args[args.length - 1]?.k === 'ref' &&
      (next?.t === 'string' || next?.t === 'name') &&
      !(next.t === 'name' && NO_ARGUMENT.has(next.text)) &&
      !next.first;
    if (!isHandle) break;
  }
  return { args, named: namedArgs };
}

/** `[::-1]`. */
function isReversal(w: Walk, close: number): boolean {
  const signs = w.tokens
    .slice(w.at, Math.min(close, w.at + 5))
    .map((t) => (t.t === 'op' || t.t === 'number' ? t.text : '?'));
  return w.scan.language === 'python' && /^::-1$/.test(signs.join(''));
}

/** Text written backwards to hide it counts as decoded. */
function reversed(thing: Thing): Thing {
  const source = literal(thing);
  if (source !== null) return text([...source].reverse().join(''), ['decoded']);
  return thing.k === 'list' ? { k: 'list', items: [...thing.items].reverse() } : unknown(taintsIn(thing));
}
