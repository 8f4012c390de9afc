import { concat, known, type Part, type Value } from '../model/value.ts';

/** What an awk program does beside printing. Unknown parts of names are holes. */
export interface AwkFindings {
  readonly writes: readonly Value[];
  readonly reads: readonly Value[];
  /** Text given to a shell: system(), pipes in and out. */
  readonly commands: readonly Value[];
  /** Addresses of `/inet/tcp/0/host/port`. */
  readonly connects: readonly string[];
  /** Variables of the environment that it looks at; null: one that it computes, or all. */
  readonly environment: readonly (string | null)[];
}

interface Token {
  readonly kind: 'string' | 'word' | 'op' | 'end';
  readonly text: string;
}

const HOLE: Part = { hole: 'awk expression', like: 'any' };
/** A field that names a file is taken for a plain name: splitting a table into files is ordinary. */
const FIELD: Part = { hole: 'awk field', like: 'name' };
/** Counters hold numbers. */
const COUNT: Part = { hole: 'awk counter', like: 'name' };
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '\\': '\\', '"': '"', '/': '/' };

/** Scans an awk program (awk(1), POSIX; gawk(1)) for its output, input and command forms. Linear in its length. */
export function scanAwk(program: string, given: ReadonlyMap<string, Value> = new Map()): AwkFindings {
  const tokens = filledIn(tokenize(program), given);
  const writes: Value[] = [];
  const reads: Value[] = [];
  const commands: Value[] = [];
  const connects: string[] = [];
  const environment: (string | null)[] = [];
  const file = (list: Value[], name: Value): void => {
    const [first] = name;
    const text = typeof first === 'string' && name.length === 1 ? first : null;
    const inet = text === null ? null : /^\/inet[46]?\/(?:tcp|udp)\/[^/]*\/([^/]+)\/([^/]+)$/.exec(text);
    if (inet) connects.push(`${inet[1]}:${inet[2]}`);
    else if (text === null || !/^(-|\/dev\/(stdout|stderr|stdin|fd\/\d+))$/.test(text)) list.push(name);
  };
  let printing = false;
  let printed = 0;
  let depth = 0;
  for (let at = 0; at < tokens.length; at++) {
    const { kind, text } = tokens[at] as Token;
    if (kind === 'word' && (text === 'print' || text === 'printf')) {
      printing = true;
      printed = at + 1;
      depth = 0;
    } else if (kind === 'end') printing = false;
    else if (kind === 'word' && text === 'ENVIRON') {
      const key = tokens[at + 2];
      const literal = tokens[at + 1]?.text === '[' && tokens[at + 3]?.text === ']' && key?.kind === 'string';
      environment.push(literal ? key.text : null);
    } else if (kind === 'word' && text === 'system' && tokens[at + 1]?.text === '(')
      commands.push(command(tokens, at + 2));
    else if (kind === 'word' && text === 'getline') {
      const from = tokens.slice(at + 1, at + 6).findIndex((token) => token.text === '<' && token.kind === 'op');
      if (from >= 0) file(reads, expression(tokens, at + 2 + from, true));
    } else if (kind === 'op') {
      if (text === '(' || text === '[') depth++;
      else if (text === ')' || text === ']') depth--;
      else if (text === '|' || text === '|&') {
        const next = tokens[at + 1];
        if (next?.kind === 'word' && next.text === 'getline') {
          const source = before(tokens, at);
          if (text === '|&') file([], source);
          commands.push(source);
        } else if (text === '|&') {
          const target = expression(tokens, at + 1);
          file([], target);
          if (!connects.length) commands.push(target);
        } else if (printing) {
          const to = command(tokens, at + 1);
          const [only] = to;
          // What is printed to a shell is what it runs.
          const shell =
            typeof only === 'string' && to.length === 1 && /^(\S*\/)?(ba|da|z|k|a)?sh(\s+-s?)?\s*$/.test(only);
          commands.push(shell ? command(tokens, printed) : to);
        }
      } else if ((text === '>' || text === '>>') && printing && depth <= 0)
        file(writes, expression(tokens, at + 1, false, FIELD));
    }
  }
  return { writes, reads, commands, connects, environment };
}

/** The text given to a shell. One that begins with a field is whatever the input says. */
function command(tokens: readonly Token[], from: number): Value {
  const first = tokens[from];
  return first?.kind === 'op' && first.text === '$' ? [HOLE] : expression(tokens, from);
}

/** The text of an expression: literals joined, everything else a hole. */
function expression(tokens: readonly Token[], from: number, primary = false, field = HOLE): Value {
  const out: Value[] = [];
  let depth = 0;
  for (let at = from; at < tokens.length; at++) {
    const { kind, text } = tokens[at] as Token;
    if (kind === 'end') break;
    if (kind === 'op') {
      if (depth === 0 && text === '?') return [HOLE];
      if (text === '(' || text === '[') {
        depth++;
        continue;
      }
      if (text === ')' || text === ']') {
        if (depth === 0) break;
        depth--;
        continue;
      }
      if (depth === 0 && /^(\||\|&|>|>>|<|,|&&|\|\||:)$/.test(text)) break;
      out.push([text === '$' ? field : HOLE]);
      // `$0`, `$NF`: the field, whatever its number.
      if (text === '$' && tokens[at + 1]?.kind === 'word') at++;
      continue;
    }
    out.push(kind === 'string' || /^\d+$/.test(text) ? known(text) : [/^(NR|FNR|NF)$/.test(text) ? COUNT : HOLE]);
    if (primary && depth === 0) break;
  }
  return oneHole(concat(out.flat()));
}

/** The expression that ends before `at`. */
function before(tokens: readonly Token[], at: number): Value {
  let start = at - 1;
  let depth = 0;
  for (; start >= 0; start--) {
    const { kind, text } = tokens[start] as Token;
    if (kind === 'end') break;
    if (kind === 'op' && text === ')') depth++;
    else if (kind === 'op' && text === '(') {
      if (depth === 0) break;
      depth--;
    } else if (depth === 0 && kind === 'op' && /^(=|&&|\|\||,|!|\?|:)$/.test(text)) break;
    else if (depth === 0 && kind === 'word' && /^(while|if|return|else|do|print)$/.test(text)) break;
  }
  return expression(tokens.slice(0, at), start + 1);
}

/** Variables that only ever hold one text, by assignment or `-v`, replaced by it. */
function filledIn(tokens: readonly Token[], given: ReadonlyMap<string, Value>): readonly Token[] {
  const texts = new Map<string, string | null>();
  for (const [name, value] of given)
    texts.set(name, value.length === 1 && typeof value[0] === 'string' ? value[0] : null);
  tokens.forEach((token, at) => {
    const operator = tokens[at + 1];
    if (token.kind !== 'word' || operator?.kind !== 'op' || !/^(=|\+=|\+\+)$/.test(operator.text)) return;
    const [value, end] = [tokens[at + 2], tokens[at + 3]];
    const whole = operator.text === '=' && value?.kind === 'string' && (!end || end.kind === 'end' || end.text === ')');
    texts.set(token.text, whole && !texts.has(token.text) ? value.text : null);
  });
  return tokens.map((token, at) => {
    const text = token.kind === 'word' ? texts.get(token.text) : undefined;
    const assigned = tokens[at + 1]?.text === '=' && tokens[at + 1]?.kind === 'op';
    return typeof text === 'string' && !assigned ? { kind: 'string', text } : token;
  });
}

function oneHole(value: Value): Value {
  return value.filter((part, at) => typeof part === 'string' || typeof value[at - 1] === 'string' || at === 0);
}

function tokenize(program: string): readonly Token[] {
  const tokens: Token[] = [];
  let at = 0;
  const push = (kind: Token['kind'], text: string, length: number): void => {
    tokens.push({ kind, text });
    at += length;
  };
  while (at < program.length) {
    const char = program[at] as string;
    if (char === '\n' || char === ';' || char === '{' || char === '}') push('end', char, 1);
    else if (/\s/.test(char)) at++;
    else if (char === '\\' && program[at + 1] === '\n') at += 2;
    else if (char === '#') {
      const end = program.indexOf('\n', at);
      at = end < 0 ? program.length : end;
    } else if (char === '"') {
      let text = '';
      let end = at + 1;
      for (; end < program.length && program[end] !== '"'; end++) {
        if (program[end] !== '\\') text += program[end];
        else {
          const octal = /^[0-7]{1,3}/.exec(program.slice(end + 1, end + 4));
          const hex = /^x([0-9a-fA-F]{1,2})/.exec(program.slice(end + 1, end + 4));
          if (octal) text += String.fromCharCode(Number.parseInt(octal[0], 8) & 255);
          else if (hex) text += String.fromCharCode(Number.parseInt(hex[1] as string, 16));
          else text += ESCAPES[program[end + 1] ?? ''] ?? program[end + 1] ?? '';
          end += octal ? octal[0].length : hex ? hex[0].length : 1;
        }
      }
      push('string', text, end + 1 - at);
    } else if (char === '/' && regexMayStart(tokens.at(-1))) {
      let end = at + 1;
      let inClass = false;
      for (; end < program.length && program[end] !== '\n' && (inClass || program[end] !== '/'); end++) {
        if (program[end] === '\\') end++;
        else if (program[end] === '[') inClass = true;
        else if (program[end] === ']') inClass = false;
      }
      push('word', 'regex', end + 1 - at);
    } else if (/[\w.\ue000-\uf8ff]/.test(char)) {
      const word = /^[\w.\ue000-\uf8ff]+/.exec(program.slice(at, at + 256)) as RegExpExecArray;
      push('word', word[0], word[0].length);
    } else {
      const two = program.slice(at, at + 2);
      const operator = /^(\|&|\|\||&&|>>|>=|<=|==|!=|\+\+|--|\+=|-=|\*=|\/=|!~)$/.test(two) ? two : char;
      push('op', operator, operator.length);
    }
  }
  return tokens;
}

function regexMayStart(last: Token | undefined): boolean {
  if (!last || last.kind === 'end') return true;
  return last.kind === 'op' && !/^[)\]$]$/.test(last.text) && last.text !== '++' && last.text !== '--';
}
