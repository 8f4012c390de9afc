import { type Dialect, type Matched, plainPattern, regExp } from './plain-pattern.ts';
import { fromLines, linesOf } from './text-folds.ts';

/** `s/pattern/replacement/`, as far as it is plain. */
export interface Substitution extends Matched {
  readonly pattern: RegExp;
  readonly replace: (match: string, ...groups: readonly string[]) => string;
  /** Characters of the right side as it is written. */
  readonly size: number;
}

/** Which lines a command is for. */
interface Address extends Matched {
  readonly on: (line: string, number: number, isLast: boolean) => boolean;
  readonly isRange: boolean;
}

interface Step extends Address {
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
  const steps = stepsOf(program, extended ? 'extended' : 'basic');
  if (steps === null) return null;
  const lines = linesOf(text);
  const work = workOn(lines, program, steps);
  if (work === null) return null;
  const out: string[] = [];
  for (const [i, line] of lines.entries()) {
    const after: string[] = [];
    let now: string | null = line;
    for (const { on, does } of steps) {
      if (now === null || !on(now, i + 1, i === lines.length - 1)) continue;
      if (does.kind === 'substitute') {
        now = work.substitute(now, does.by);
        if (now === null) return null;
      } else if (does.kind === 'append') after.push(does.text);
      else {
        if (does.kind !== 'delete') out.push(does.text);
        if (does.kind !== 'insert') now = null;
      }
    }
    if (now !== null) out.push(now);
    out.push(...after);
  }
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

function stepsOf(program: string, dialect: Dialect): readonly Step[] | null {
  const steps: Step[] = [];
  let rest = program.trim();
  while (rest !== '') {
    const address = addressOf(rest, dialect);
    if (!address) return null;
    const { at } = address;
    // A range counts from where it is reached, which a line that is gone before never does.
    if (at.isRange && steps.some(({ does }) => does.kind === 'delete' || does.kind === 'change')) return null;
    rest = address.rest;
    if (rest.startsWith('s')) {
      const found = substitutionAt(rest, sedReplacement, dialect);
      if (!found) return null;
      const spread = Math.max(at.spread, found.by.spread);
      steps.push({ ...at, spread, open: at.open || found.by.open, does: { kind: 'substitute', by: found.by } });
      rest = found.rest;
      continue;
    }
    const text = /^([aic])(?:\\\n|\\?[ \t]*)([^\n]*)(?:\n|$)/.exec(rest);
    if (/^d\s*(?:[;\n]|$)/.test(rest)) {
      steps.push({ ...at, does: { kind: 'delete' } });
      rest = rest.replace(/^d\s*(?:[;\n]\s*)?/, '');
    } else if (text) {
      const line = text[2] as string;
      if (line === '' || line.includes('\\')) return null;
      const kind = text[1] === 'a' ? 'append' : text[1] === 'i' ? 'insert' : 'change';
      // The lines of a range become one.
      if (kind === 'change' && at.isRange) return null;
      steps.push({ ...at, does: { kind, text: line } });
      rest = rest.slice(text[0].length).trimStart();
    } else return null;
  }
  return steps.length > 0 ? steps : null;
}

const EVERY: Address = { on: () => true, isRange: false, spread: 0, open: false };

function addressOf(program: string, dialect: Dialect): { readonly at: Address; readonly rest: string } | null {
  const numbers = /^(\d+|\$)(?:,(\d+|\$))?\s*/.exec(program);
  if (numbers) {
    const [first, second] = [numbers[1] as string, numbers[2]];
    if (Number(first) === 0) return null;
    // A range that ends before it begins is its first line.
    const on: Address['on'] = (_line, number, isLast) =>
      (first === '$' ? isLast : number === Number(first)) ||
      (second !== undefined && number > Number(first) && (second === '$' || number <= Number(second)));
    return { at: { ...EVERY, on, isRange: second !== undefined }, rest: program.slice(numbers[0].length) };
  }
  if (!program.startsWith('/')) return { at: EVERY, rest: program };
  const parts = cutAt(program.slice(1), '/', 1);
  const plain = parts ? plainPattern(parts[0] as string, dialect) : null;
  if (!parts || plain === null) return null;
  const pattern = regExp(plain.source, '');
  if (pattern === null) return null;
  const { spread, open } = plain;
  const at = { on: (line: string) => pattern.test(line), isRange: false, spread, open };
  return { at, rest: (parts[1] as string).trimStart() };
}

/** A plain `s` at the start of a program, with what follows it; `replacement` reads the language's own right side. */
export function substitutionAt(
  program: string,
  replacement: (text: string) => Substitution['replace'] | null,
  dialect: Dialect,
): { readonly by: Substitution; readonly rest: string } | null {
  // Brackets stand in pairs in Perl.
  if (!/^s[^\s\w\\([{<]/.test(program)) return null;
  const parts = cutAt(program.slice(2), program[1] as string, 2);
  if (!parts) return null;
  const [left = '', right = '', tail = ''] = parts;
  const flags = /^(g?)[ \t]*(?:[;\n]|$)\s*/.exec(tail);
  const plain = plainPattern(left, dialect);
  const replace = replacement(right);
  if (!flags || !plain || plain.source === '' || !replace) return null;
  const pattern = regExp(plain.source, flags[1] as string);
  if (pattern === null) return null;
  const by = { pattern, replace, size: right.length, spread: plain.spread, open: plain.open };
  return { by, rest: tail.slice(flags[0].length) };
}

/**
 * Cuts at delimiters that no backslash protects, `count` of them; a protected one loses its backslash. Null also where
 * one is protected that is special in a pattern: whether it then is, differs between versions.
 */
function cutAt(text: string, delimiter: string, count: number): readonly string[] | null {
  const parts: string[] = [];
  let part = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '\\' && at + 1 < text.length) {
      const next = text[++at] as string;
      if (next === delimiter && /[.*[\]^$+?(){}|]/.test(next)) return null;
      part += next === delimiter ? next : `\\${next}`;
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

/** Steps that matching all lines may take, at worst the length of each to the power of its repetitions and one. */
const MOST_STEPS = 5_000_000;
/** Characters that substitutions may make of a text in all. */
const MOST_MADE = 1_000_000;

/** Does substitutions as long as they are bounded in what they take and make. */
export interface Work {
  /** Null past the bounds. */
  substitute(line: string, by: Substitution): string | null;
}

/**
 * Null for what is not bounded to begin with, or where it depends on the locale what a pattern matches: bytes beyond
 * ASCII are one character each or several together.
 */
export function workOn(lines: readonly string[], program: string, patterns: readonly Matched[]): Work | null {
  const spread = Math.max(0, ...patterns.map((one) => one.spread));
  let steps = lines.reduce((sum, line) => sum + costOf(line, spread), 0);
  if (steps > MOST_STEPS) return null;
  if ((spread > 0 || patterns.some((one) => one.open)) && !isAscii(program, ...lines)) return null;
  let made = 0;
  return {
    substitute(line, by) {
      // Lines grow with each substitution.
      steps += costOf(line, by.spread);
      if (steps > 2 * MOST_STEPS || (line.length + 1) * (by.size + 1) > 4 * MOST_MADE) return null;
      const now = line.replace(by.pattern, by.replace);
      made += now.length;
      return made > MOST_MADE ? null : now;
    },
  };
}

function costOf(line: string, spread: number): number {
  return line.length ** (spread + 1);
}

function isAscii(...texts: readonly string[]): boolean {
  return texts.every((text) => /^[\0-\x7f]*$/.test(text));
}
