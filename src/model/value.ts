/**
 * What is known of a word at analysis time. A word is a sequence of parts: text that is certain, and holes
 * for what is not. Unknown is a value: nothing here guesses.
 */
export type Value = readonly Part[];

export type Part = string | Hole | Glob;

/** A stretch of a word whose text is unknown. */
export interface Hole {
  readonly hole: string;
  /**
   * What is still sure of the text: `any` nothing; `name` one or more characters without `/`, white space or a
   * leading `-`, and neither `.` nor `..` (numbers, hashes, dates, random suffixes).
   */
  readonly like: 'any' | 'name';
  readonly taint?: Taint;
}

/** Reason of a hole for any file of the repository (`git diff --name-only`): to lose it may be to lose work not kept. */
export const ANY_REPOSITORY_FILE = 'a file that git names';

/** An unquoted pattern that the shell would match against file names; `glob` is its text (`*`, `?`, `[ab]`). */
interface Glob {
  readonly glob: string;
}

/**
 * Where data came from. `secret`: a secret file, variable or command. `network`: from another machine. `decoded`: output
 * of a decoder. `cut`: text of the call itself that was longer than is kept.
 */
export type Taint = 'secret' | 'network' | 'decoded' | 'cut';

/** What flows through standard input, standard output, a variable or a file. */
export interface Stream {
  /** The whole text when it is known (holes allowed). */
  readonly value: Value | null;
  readonly taints: readonly Taint[];
}

export const EMPTY_STREAM: Stream = { value: null, taints: [] };

/** A value of one known text. */
export function known(text: string): Value {
  return text === '' ? [] : [text];
}

/** The text of a value that has no holes and no globs, else null. */
export function textOf(value: Value): string | null {
  let text = '';
  for (const part of value) {
    if (typeof part !== 'string') return null;
    text += part;
  }
  return text;
}

/** True if some of it is unknown. A glob alone is not unknown: its shape is known. */
export function isDynamic(value: Value): boolean {
  return value.some((part) => typeof part !== 'string' && 'hole' in part);
}

/** The value for people and rules: known text, globs as written, each hole as `${reason}`. */
export function render(value: Value): string {
  return value.map((p) => (typeof p === 'string' ? p : 'glob' in p ? p.glob : `\${${p.hole}}`)).join('');
}

/** The certain text at the start. */
export function knownPrefix(value: Value): string {
  const first = value[0];
  return typeof first === 'string' ? first : '';
}

/** The taints of all its holes, each once. */
export function taintsOf(value: Value): readonly Taint[] {
  const found = new Set<Taint>();
  for (const part of value) if (typeof part !== 'string' && 'hole' in part && part.taint) found.add(part.taint);
  return [...found];
}

function isAny(part: Hole | Glob): boolean {
  return 'hole' in part && part.like === 'any';
}

/** Joins values, merging neighbouring text; an unknown stretch twice in a row is one unknown stretch. */
export function concat(...values: readonly Value[]): Value {
  const out: Part[] = [];
  for (const value of values)
    for (const part of value) {
      const last = out[out.length - 1];
      if (typeof part === 'string' && typeof last === 'string') out[out.length - 1] = last + part;
      else if (part !== '' && (part !== last || typeof part === 'string' || !isAny(part))) out.push(part);
    }
  return out;
}
