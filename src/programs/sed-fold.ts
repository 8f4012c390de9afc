import { fromLines, linesOf } from './text-folds.ts';

/** `s/pattern/replacement/`, as far as it is plain. */
export interface Substitution {
  readonly pattern: RegExp;
  readonly replace: (match: string, ...groups: readonly string[]) => string;
  /** Repetitions in the pattern. */
  readonly spread: number;
}

/** Which lines a command is for. */
type Address = (line: string, number: number, isLast: boolean) => boolean;

interface Step {
  readonly on: Address;
  readonly spread: number;
  readonly does:
    | { readonly kind: 'substitute'; readonly by: Substitution }
    | { readonly kind: 'delete' }
    | { readonly kind: 'append' | 'insert' | 'change'; readonly text: string };
}

/**
 * What sed prints for known text when its program is plain: substitutions, deletions and lines put in, for all lines,
 * numbered ones, or those that a plain pattern matches; else null. The work is bounded beforehand.
 */
export function foldSed(program: string, text: string, extended = false): string | null {
  const steps = stepsOf(program, extended);
  if (steps === null) return null;
  const lines = linesOf(text);
  if (tooCostly(lines, Math.max(0, ...steps.map((step) => step.spread)))) return null;
  const out: string[] = [];
  lines.forEach((line, i) => {
    const after: string[] = [];
    let now: string | null = line;
    for (const { on, does } of steps) {
      if (now === null || !on(now, i + 1, i === lines.length - 1)) continue;
      if (does.kind === 'substitute') now = now.replace(does.by.pattern, does.by.replace);
      else if (does.kind === 'append') after.push(does.text);
      else {
        if (does.kind !== 'delete') out.push(does.text);
        if (does.kind !== 'insert') now = null;
      }
    }
    if (now !== null) out.push(now);
    out.push(...after);
  });
  const all = fromLines(out);
  return text.endsWith('\n') ? all : all.slice(0, -1);
}

/** Text that a program of sed would put into a file: replacements and lines, as far as they can be read. */
export function insertedBySed(program: string): string {
  if (program.length > MOST_READ) return '';
  const found: string[] = [];
  for (const line of program.split('\n')) {
    const put = /^\s*(?:\d+|\$|\/[^/]*\/)?\s*[aic]\\?\s*(\S.*)$/.exec(line);
    if (put) found.push(put[1] as string);
    for (const match of line.matchAll(/(?:^|[;\s\d$/}])s([^\s\w\\])/g)) {
      const parts = cutAt(line.slice(match.index + match[0].length), match[1] as string, 2);
      if (parts) found.push((parts[1] as string).replace(/\\(.)/g, '$1'));
    }
  }
  return found.join('\n');
}

const MOST_READ = 4000;

function stepsOf(program: string, extended: boolean): readonly Step[] | null {
  const steps: Step[] = [];
  let rest = program.trim();
  while (rest !== '') {
    const address = addressOf(rest, extended);
    if (!address) return null;
    const { on, spread } = address;
    rest = address.rest;
    if (rest.startsWith('s')) {
      const found = substitutionAt(rest, sedReplacement, extended);
      if (!found) return null;
      steps.push({ on, spread: Math.max(spread, found.by.spread), does: { kind: 'substitute', by: found.by } });
      rest = found.rest;
      continue;
    }
    const text = /^([aic])(?:\\\n|\\?[ \t]*)([^\n]*)(?:\n|$)/.exec(rest);
    if (/^d\s*(?:[;\n]|$)/.test(rest)) {
      steps.push({ on, spread, does: { kind: 'delete' } });
      rest = rest.replace(/^d\s*(?:[;\n]\s*)?/, '');
    } else if (text) {
      const line = text[2] as string;
      if (line === '' || line.includes('\\')) return null;
      const kind = text[1] === 'a' ? 'append' : text[1] === 'i' ? 'insert' : 'change';
      steps.push({ on, spread, does: { kind, text: line } });
      rest = rest.slice(text[0].length).trimStart();
    } else return null;
  }
  return steps.length > 0 ? steps : null;
}

const EVERY: Address = () => true;

function addressOf(
  program: string,
  extended: boolean,
): { readonly on: Address; readonly spread: number; readonly rest: string } | null {
  const numbers = /^(\d+|\$)(?:,(\d+|\$))?\s*/.exec(program);
  if (numbers) {
    const [first, second] = [numbers[1] as string, numbers[2]];
    const is = (mark: string, number: number, isLast: boolean): boolean =>
      mark === '$' ? isLast : number === Number(mark);
    const on: Address =
      second === undefined
        ? (_line, number, isLast) => is(first, number, isLast)
        : (_line, number, isLast) =>
            (first === '$' ? isLast : number >= Number(first)) && (second === '$' || number <= Number(second));
    return { on, spread: 0, rest: program.slice(numbers[0].length) };
  }
  if (!program.startsWith('/')) return { on: EVERY, spread: 0, rest: program };
  const parts = cutAt(program.slice(1), '/', 1);
  const plain = parts ? plainPattern(parts[0] as string, extended) : null;
  if (!parts || plain === null) return null;
  const pattern = new RegExp(plain.source);
  return { on: (line) => pattern.test(line), spread: plain.spread, rest: (parts[1] as string).trimStart() };
}

/** A plain `s` at the start of a program, with what follows it; `replacement` reads the language's own right side. */
export function substitutionAt(
  program: string,
  replacement: (text: string) => Substitution['replace'] | null,
  extended: boolean,
): { readonly by: Substitution; readonly rest: string } | null {
  if (!/^s[^\s\w\\]/.test(program)) return null;
  const parts = cutAt(program.slice(2), program[1] as string, 2);
  if (!parts) return null;
  const [pattern = '', right = '', tail = ''] = parts;
  const flags = /^(g?)[ \t]*(?:[;\n]|$)\s*/.exec(tail);
  const plain = plainPattern(pattern, extended);
  const replace = replacement(right);
  if (!flags || !plain || plain.source === '' || !replace) return null;
  const by = { pattern: new RegExp(plain.source, flags[1]), replace, spread: plain.spread };
  return { by, rest: tail.slice(flags[0].length) };
}

/** Cuts at delimiters that no backslash protects, `count` of them; a protected one loses its backslash. */
function cutAt(text: string, delimiter: string, count: number): readonly string[] | null {
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '\\' && at + 1 < text.length) {
      const next = text[++at] as string;
      part += next === delimiter && !/[.*[\]^$]/.test(next) ? next : `\\${next}`;
    } else if (char === delimiter) {
      parts.push(part);
      part = '';
      if (parts.length === count) return [...parts, text.slice(at + 1)];
    } else part += char;
  }
  return null;
}

function sedReplacement(text: string): Substitution['replace'] | null {
  const pieces: (string | number)[] = [];
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '&') pieces.push(0);
    else if (char === '\\') {
      const next = text[++at] ?? '';
      if (/[1-9]/.test(next)) pieces.push(Number(next));
      else if (/[A-Za-mo-z]/.test(next) || next === '') return null;
      else pieces.push(next === 'n' ? '\n' : next);
    } else if (char === '\n') return null;
    else pieces.push(char);
  }
  // Groups come before the place of the match and the line, which are no texts of ours.
  return (match, ...groups) =>
    pieces.map((p) => (typeof p === 'string' ? p : p === 0 ? match : textGroup(groups, p))).join('');
}

function textGroup(groups: readonly unknown[], number: number): string {
  const group = groups[number - 1];
  return typeof group === 'string' && number <= groups.length - 2 ? group : '';
}

/** A pattern as ours, with how many of its parts may match more or less. */
interface Plain {
  readonly source: string;
  readonly spread: number;
}

/**
 * A regular expression of sed or Perl that we can match as cheaply: characters, sets and `.`, each with a repetition,
 * anchors and groups that are not repeated; null otherwise. `extended`: groups and `+` stand without a backslash.
 */
function plainPattern(pattern: string, extended: boolean): Plain | null {
  let source = '';
  let spread = 0;
  let last = false;
  let depth = 0;
  for (let at = 0; at < pattern.length; at++) {
    const char = pattern[at] as string;
    const next = pattern[at + 1] ?? '';
    const marked = char === '\\' ? next : '';
    const special = extended ? char : marked;
    const repeats = char === '*' || (/[+?]/.test(special) && special !== '');
    if (repeats && last) {
      source += char === '*' ? '*' : special;
      spread++;
      last = false;
      if (char === '\\') at++;
    } else if (special === '(' || special === ')') {
      depth += special === '(' ? 1 : -1;
      source += special;
      last = false;
      if (char === '\\') at++;
    } else if (char === '^' || char === '$') {
      if (char === '^' ? at !== 0 : at !== pattern.length - 1) return null;
      source += char;
      last = false;
    } else if (char === '.') {
      source += char;
      last = true;
    } else if (char === '[') {
      const set = /^\[\^?[^\][\\]+\]/.exec(pattern.slice(at));
      if (!set) return null;
      source += set[0];
      at += set[0].length - 1;
      last = true;
    } else if (char === '\\') {
      // `\r` and `\t` are characters to GNU sed and Perl; `\-`, `\"` and `\/` stand for themselves.
      if (/[.$*^[\]rt]/.test(next)) source += `\\${next}`;
      else if (/[-/"':;,#@!%=~` ]/.test(next)) source += next;
      else if (extended && /[+?(){}|]/.test(next)) source += `\\${next}`;
      else return null;
      at++;
      last = true;
    } else if (/[*{}|]/.test(char) || (extended && /[+?]/.test(char))) return null;
    else {
      source += char.replace(/[+?()\]]/g, '\\$&');
      last = true;
    }
    if (depth < 0) return null;
  }
  return spread > MOST_SPREAD || depth !== 0 || /\)[*+?]/.test(source) ? null : { source, spread };
}

/** Repetitions in one pattern. */
const MOST_SPREAD = 2;
/** Steps that matching all lines may take, at worst the length of each to the power of its repetitions and one. */
const MOST_STEPS = 5_000_000;

export function tooCostly(lines: readonly string[], spread: number): boolean {
  return costs(lines, spread) > MOST_STEPS;
}

function costs(lines: readonly string[], spread: number): number {
  let steps = 0;
  for (const line of lines) steps += line.length ** (spread + 1);
  return steps;
}
