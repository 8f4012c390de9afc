import type { DoubleQuotedChild, Word, WordPart } from 'unbash';
import { concat, known, type Part, type Value } from '../model/value.ts';
import { evaluate, numberValue } from './arithmetic.ts';
import { expandBraces } from './braces.ts';
import { FIRST } from './choices.ts';
import { expandParameter, expandSimple } from './parameters.ts';
import { parseShell } from './parse.ts';
import { compile } from './pattern.ts';
import { type Piece, toFields, toPattern, toValue } from './pieces.ts';
import { substituteProcess } from './process-substitution.ts';
import { noteUnknown } from './record.ts';
import type { Run } from './run.ts';
import { fromMarks, spanOf } from './source.ts';
import { blur, fork, HOLE_SIZE, hole, type State } from './state.ts';
import { runSubstitution } from './substitution.ts';
import { placeOf, readText } from './variables.ts';

/** The words that one word of the source becomes: braces, expansions, splitting; patterns stay patterns. */
export function expandWord(run: Run, s: State, word: Word): readonly Value[] {
  const ifs = ifsOf(run, s);
  const noglob = s.options.has('noglob');
  if (!word.parts) return toFields(bareWord(run, s, word, true), ifs, noglob);
  const words = word.parts.some((p) => p.type === 'BraceExpansion' || p.type === 'ExtendedGlob')
    ? expandBraces(word.parts)
    : [word.parts];
  if (words === null) {
    noteUnknown(run.record, 'more words than are analysed', word.text, spanOf(s.frame.source, word));
    return [[hole('a brace expression with too many words')]];
  }
  const out: Value[] = [];
  for (const parts of words) {
    const fields = toFields(partsOf(run, s, parts, true), ifs, noglob);
    // The first field is paid for by the word that stands there.
    run.chars += FIELD_SIZE * Math.max(0, fields.length - 1);
    for (const field of fields) out.push(field);
  }
  return out;
}

/** What a field counts for in characters, besides its text. */
const FIELD_SIZE = 8;

/** The word as one text, as assignments, redirections and `case` see it. */
export function expandText(run: Run, s: State, word: Word, tilde: 'start' | 'assignment' = 'start'): Value {
  if (tilde === 'start') return toValue(wordPieces(run, s, word, false));
  if (!word.parts)
    return toValue([{ kind: 'plain', value: tildes(run, s, word.text === word.value ? word.value : '', word, true) }]);
  return toValue(partsOf(run, s, word.parts, true, true));
}

/** The word as a pattern; null if it is not known. */
export function expandPattern(run: Run, s: State, word: Word): ReturnType<typeof compile> {
  const text = toPattern(
    word.parts || word.text === word.value
      ? wordPieces(run, s, word, false)
      : [{ kind: 'quoted', value: fromMarks(word.value, run.marks) }],
  );
  return text === null ? null : compile(text);
}

/** Expands a word into pieces; `quoted`: it stands inside double quotes. */
export function wordPieces(run: Run, s: State, word: Word, quoted: boolean): readonly Piece[] {
  if (!word.parts)
    return quoted ? [{ kind: 'quoted', value: fromMarks(word.value, run.marks) }] : bareWord(run, s, word, true);
  if (!quoted) return partsOf(run, s, word.parts, true);
  return word.parts.flatMap((p) => partPieces(run, s, p, true));
}

/** What stands between double quotes in a here-document body or a prompt string. */
export function expandQuoted(run: Run, s: State, parts: readonly WordPart[]): Value {
  return toValue(parts.flatMap((p) => partPieces(run, s, p, true)));
}

function ifsOf(run: Run, s: State): string {
  const value = readText(run, s, 'IFS') ?? known(' \t\n');
  return value.every((p) => typeof p === 'string') ? value.join('') : ' \t\n';
}

/** A word without parts: plain text, or text whose quoting the parser has already taken off. */
function bareWord(run: Run, s: State, word: Word, tilde: boolean): readonly Piece[] {
  if (word.text !== word.value) return [{ kind: 'quoted', value: fromMarks(word.value, run.marks) }];
  const named = tilde ? ASSIGNS.exec(word.value) : null;
  if (named) return [{ kind: 'plain', value: afterName(run, s, named) }];
  if (tilde && word.value.startsWith('~')) return [{ kind: 'plain', value: tildes(run, s, word.value, word, false) }];
  return [{ kind: 'plain', value: fromMarks(word.value, run.marks) }];
}

/** An argument that looks like an assignment: bash expands tildes in it as in one (`dd of=~/x`). */
const ASSIGNS = /^([A-Za-z_]\w*=)(.*~.*)$/s;

function afterName(run: Run, s: State, [, name = '', rest = '']: RegExpExecArray): Value {
  return concat(known(name), tildes(run, s, rest, { value: rest }, true));
}

function partsOf(run: Run, s: State, parts: readonly WordPart[], tilde: boolean, assignment = false): readonly Piece[] {
  const out: Piece[] = [];
  parts.forEach((part, i) => {
    const named = tilde && !assignment && i === 0 && part.type === 'Literal' ? ASSIGNS.exec(part.text) : null;
    if (named) {
      out.push({ kind: 'plain', value: afterName(run, s, named) });
      return;
    }
    const open =
      part.type === 'Literal' && part.text.includes('~') && (assignment || (i === 0 && part.text.startsWith('~')));
    if (tilde && open && part.type === 'Literal') {
      const before = parts[i - 1];
      const value =
        i === 0 || assignment
          ? tildes(run, s, part.text, part, assignment, i > 0 && before !== undefined)
          : known(part.value);
      // `~"x"` is not expanded: the prefix would be quoted.
      const next = parts[i + 1];
      const quotedPrefix =
        i === 0 &&
        !part.text.includes('/') &&
        next !== undefined &&
        next.type !== 'BraceExpansion' &&
        !(next.type === 'Literal' && next.text.startsWith('/')) &&
        next.type !== 'Glob';
      out.push({ kind: 'plain', value: quotedPrefix && !assignment ? fromMarks(part.value, run.marks) : value });
    } else for (const piece of partPieces(run, s, part, false)) out.push(piece);
  });
  return out;
}

/** Characters that all expansions of one analysis may give together. */
const ALL_CHARS = 4 * 1024 * 1024;

function partPieces(run: Run, s: State, part: WordPart, quoted: boolean): readonly Piece[] {
  if (isTooMuch(run, part)) return unexpanded(run, s, part, quoted);
  const pieces = expandPart(run, s, part, quoted);
  if (!isExpansion(part)) return pieces;
  for (const piece of pieces) {
    run.chars += FIELD_SIZE;
    if ('value' in piece) for (const p of piece.value) run.chars += typeof p === 'string' ? p.length : HOLE_SIZE;
  }
  return run.chars <= ALL_CHARS ? pieces : unexpanded(run, s, part, quoted);
}

/** What a part becomes that is past the bounds: a text that is not known. */
function unexpanded(run: Run, s: State, part: WordPart, quoted: boolean): readonly Piece[] {
  noteUnknown(run.record, 'more text than is analysed', part.text, spanOf(s.frame.source, part));
  return [{ kind: quoted ? 'quoted' : 'split', value: [hole('more text than is analysed')] }];
}

/**
 * True for an expansion past the bounds. What stands inside it is parsed when it is asked for, and again with each
 * level of nesting, so that what is scanned has a bound of its own.
 */
function isTooMuch(run: Run, part: WordPart): boolean {
  if (!isExpansion(part) && part.type !== 'DoubleQuoted') return false;
  if (run.chars > ALL_CHARS && isExpansion(part)) return true;
  const size = part.end - part.pos;
  if (size < SCANNED_FROM) return false;
  if (run.cut.has(part)) return true;
  if (run.scanned.has(part)) return false;
  run.scanned.add(part);
  run.scannedChars += size;
  if (run.scannedChars <= SCANNED_CHARS) return false;
  run.cut.add(part);
  return true;
}

/** Expansions shorter than this are not counted: their nesting is shallow. */
const SCANNED_FROM = 64;
/** Characters of expansions, each level of nesting counted anew. */
const SCANNED_CHARS = 12 * 1024 * 1024;

function isExpansion(part: WordPart): boolean {
  return (
    part.type === 'SimpleExpansion' ||
    part.type === 'ParameterExpansion' ||
    part.type === 'CommandExpansion' ||
    part.type === 'ProcessSubstitution' ||
    part.type === 'ArithmeticExpansion'
  );
}

function expandPart(run: Run, s: State, part: WordPart, quoted: boolean): readonly Piece[] {
  switch (part.type) {
    case 'Literal':
      return [
        { kind: quoted || part.text !== part.value ? 'quoted' : 'plain', value: fromMarks(part.value, run.marks) },
      ];
    case 'SingleQuoted':
    case 'AnsiCQuoted':
      return [{ kind: 'quoted', value: fromMarks(part.value, run.marks) }];
    case 'DoubleQuoted':
    case 'LocaleString':
      return doubleQuoted(run, s, part.parts);
    case 'Glob':
      return quoted
        ? [{ kind: 'quoted', value: fromMarks(part.text, run.marks) }]
        : [{ kind: 'plain', value: globValue(run, s, part) }];
    case 'ExtendedGlob':
      if (/^[*(]/.test(part.operator)) runQualifier(run, s, part.pattern);
      for (const inner of part.parts ?? []) if (inner.type !== 'Literal') partPieces(run, s, inner, false);
      return [{ kind: 'plain', value: quoted ? [part.text] : extended(part) }];
    case 'BraceExpansion':
      return [
        { kind: quoted ? 'quoted' : 'plain', value: known(part.text) },
        ...(part.parts ?? []).flatMap((p) => drop(run, s, p)),
      ];
    case 'SimpleExpansion':
      return expandSimple(run, s, part.text.slice(1), quoted);
    case 'ParameterExpansion':
      return expandParameter(run, s, part, quoted);
    case 'ArithmeticExpansion':
      return [{ kind: quoted ? 'quoted' : 'split', value: numberValue(evaluate(run, s, part.expression)) }];
    case 'CommandExpansion':
      return [{ kind: quoted ? 'quoted' : 'split', value: substituted(run, s, part) }];
    case 'ProcessSubstitution':
      run.visited.add(part);
      return [{ kind: 'quoted', value: substituteProcess(run, s, part) }];
  }
}

/**
 * What an extended pattern may stand for (bash(1), extglob): one of a single choice is that choice; all but some, and
 * what repeats or carries a qualifier of zsh, may be any name.
 */
function extended(part: Extract<WordPart, { type: 'ExtendedGlob' }>): Value {
  const only = part.operator[0] === '@' && !/[|()]/.test(part.pattern);
  if (!only) return [{ glob: '*' }];
  return [/[*?[]/.test(part.pattern) ? { glob: part.pattern } : part.pattern.replace(/\\(.)/g, '$1')];
}

/** zsh's `*(e:'code':)`: the code is run for each file. */
function runQualifier(run: Run, s: State, pattern: string): void {
  const match = /(?:^|[^\w|])e([^\w\s|])(.+)\1/s.exec(pattern);
  if (!match) return;
  const { script, source } = parseShell(run, (match[2] as string).replace(/^'(.*)'$/s, '$1'));
  const path = fork(s);
  path.frame = { ...s.frame, source, via: [...s.frame.via, 'glob'], certain: false };
  run.up.script(run, path, script, source);
}

/** Runs what is in a part that is otherwise taken as written. */
function drop(run: Run, s: State, part: WordPart): readonly Piece[] {
  if (part.type !== 'Literal') partPieces(run, s, part, false);
  return [];
}

function doubleQuoted(run: Run, s: State, parts: readonly DoubleQuotedChild[]): readonly Piece[] {
  const inner = parts.flatMap((p) => partPieces(run, s, p, true));
  const onlyNothing = inner.length > 0 && inner.every((p) => p.kind === 'nothing');
  return onlyNothing ? inner : [{ kind: 'quoted', value: [] }, ...inner];
}

function substituted(run: Run, s: State, part: Extract<WordPart, { type: 'CommandExpansion' }>): Value {
  run.visited.add(part);
  const texts = runSubstitution(run, s, part.script) ?? [[hole(`output of ${part.text.slice(0, 60)} is not known`)]];
  if (texts.length < 2) return texts[0] ?? [];
  const several = blur(
    'one of several outputs',
    texts.map((value) => ({ kind: 'text' as const, value })),
  );
  if (run.choices === FIRST) return several;
  const at = run.choices.pick(part, texts.length);
  return at < 0 ? several : (texts[Math.min(at, texts.length - 1)] as Value);
}

function globValue(run: Run, s: State, part: Extract<WordPart, { type: 'Glob' }>): Value {
  if (!part.parts?.some((p) => p.type !== 'Literal' && p.type !== 'SingleQuoted')) return [{ glob: part.text }];
  const inner = toValue(part.parts.flatMap((p) => partPieces(run, s, p, true)));
  const parts: Part[] = inner.map((p) => (typeof p === 'string' ? p : p));
  return concat(['['], parts, [']']).some((p) => typeof p !== 'string')
    ? concat(['['], parts, [']'])
    : [{ glob: `[${inner.join('')}]` }];
}

/** Text with its tilde prefixes expanded: at the start, in assignments also after each colon. */
function tildes(
  run: Run,
  s: State,
  text: string,
  word: { readonly value: string },
  everywhere: boolean,
  inside = false,
): Value {
  const written = text === '' ? word.value : text;
  const pieces = everywhere ? written.split(/(:)/) : [written];
  return concat(
    ...pieces.map((piece, i) =>
      piece.startsWith('~') && !(inside && i === 0)
        ? tildePrefix(run, s, piece)
        : fromMarks(unquoted(piece), run.marks),
    ),
  );
}

function unquoted(text: string): string {
  return text.replace(/\\(.)/gs, '$1');
}

function tildePrefix(run: Run, s: State, text: string): Value {
  const slash = text.indexOf('/');
  const prefix = slash < 0 ? text : text.slice(0, slash);
  const rest = known(unquoted(slash < 0 ? '' : text.slice(slash)));
  const home = tildeHome(run, s, prefix.slice(1));
  return home === null ? concat(known(prefix), rest) : concat(home, rest);
}

function tildeHome(run: Run, s: State, name: string): Value | null {
  if (name === '') return readText(run, s, 'HOME') ?? known(run.world.home);
  if (name === '+') return placeOf(run, s).value;
  if (name === '-') return readText(run, s, 'OLDPWD') ?? [hole('the previous directory is not known')];
  if (/^[+-]?\d+$/.test(name))
    return s.dirs[Math.abs(Number(name)) - 1] ?? [hole('a directory of the stack is not known')];
  if (!/^[A-Za-z_][\w.-]*$/.test(name)) return null;
  if (name === run.world.user) return known(run.world.home);
  return name === 'root' ? known('/root') : [hole(`home directory of ${name} is not known`)];
}
