import { concat, knownPrefix, render, textOf, type Value } from '../model/value.ts';

/** True if the word certainly starts so. */
export function starts(word: Value, prefix: string): boolean {
  return knownPrefix(word).startsWith(prefix);
}

/** A word without its first `count` characters; these must be certain. */
export function drop(word: Value, count: number): Value {
  const [first, ...rest] = word;
  return typeof first === 'string' ? concat([first.slice(count)], rest) : word;
}

/** Splits at the first certain occurrence of `mark`: what stands before and after it, or null if there is none. */
export function cut(word: Value, mark: string): readonly [Value, Value] | null {
  for (let i = 0; i < word.length; i++) {
    const part = word[i];
    if (typeof part !== 'string') continue;
    const at = part.indexOf(mark);
    if (at >= 0) {
      return [concat(word.slice(0, i), [part.slice(0, at)]), concat([part.slice(at + mark.length)], word.slice(i + 1))];
    }
  }
  return null;
}

/** Splits at every certain occurrence of `mark`. */
export function splitAll(word: Value, mark: string): readonly Value[] {
  const out: Value[] = [];
  let rest = word;
  for (let at = cut(rest, mark); at; at = cut(rest, mark)) {
    out.push(at[0]);
    rest = at[1];
  }
  return [...out, rest];
}

/** Words joined by spaces, as `ssh` and `sh -c` wrappers do. */
export function joinWords(words: readonly Value[]): Value {
  return concat(...words.flatMap((word, i) => (i === 0 ? [word] : [[' '], word])));
}

/** Words for people. */
export function say(...words: readonly (Value | null | undefined)[]): string {
  return words
    .filter((w): w is Value => !!w && w.length > 0)
    .map(render)
    .join(' ');
}

/** The arguments before and after the first `--`, which is left out; `after` is null if there is none. */
export function atDashes(words: readonly Value[]): { before: readonly Value[]; after: readonly Value[] | null } {
  const at = words.findIndex((w) => textOf(w) === '--');
  return at < 0 ? { before: words, after: null } : { before: words.slice(0, at), after: words.slice(at + 1) };
}
