import { known, type Part, type Value } from '../model/value.ts';
import { hasPattern } from '../world/patterns.ts';

/** A path as a file tool takes it: no shell, so patterns and `$` are ordinary characters. */
export interface ToolPath {
  readonly path: Value;
  /** False: a leading `~` or `$HOME` was taken for the home directory, although the tool may make a directory of that name. */
  readonly certain: boolean;
}

export function toolPath(text: string, home: string): ToolPath {
  if (text === '~' || text.startsWith('~/')) return { path: known(home + text.slice(1)), certain: false };
  if (/^file:\/\//i.test(text)) return { path: known(decoded(text.replace(/^file:\/\/[^/]*/i, ''))), certain: true };
  const variable = /^\$(?:HOME|\{HOME\})(?=\/|$)/.exec(text);
  if (variable) return { path: known(home + text.slice(variable[0].length)), certain: false };
  if (home.startsWith('/') && /^(?:[A-Za-z]:[\\/]|\\\\)/.test(text))
    return { path: [{ hole: text, like: 'any' }], certain: false };
  return { path: known(text), certain: true };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** A path that may hold `*`, `?` and `[…]`, as the search tools take it. */
export function patternPath(text: string): Value {
  const parts: Part[] = [];
  text.split('/').forEach((piece, i) => {
    if (i > 0) parts.push('/');
    if (piece === '') return;
    parts.push(hasPattern(piece) ? { glob: piece } : piece);
  });
  return parts.reduce<Part[]>((out, part) => {
    const last = out.at(-1);
    if (typeof part === 'string' && typeof last === 'string') out[out.length - 1] = last + part;
    else out.push(part);
    return out;
  }, []);
}

const MAX_WORDS = 256;

/** `{a,b{c,d}}` spelled out, as ripgrep and the Glob tools do. Past the bound the text stays as it is. */
export function bracesSpelledOut(text: string): readonly string[] {
  let words = [text];
  for (let round = 0; round < 16; round++) {
    const next: string[] = [];
    let changed = false;
    for (const word of words) {
      const inner = /\{([^{}]*,[^{}]*)\}/.exec(word);
      if (!inner) {
        next.push(word);
        continue;
      }
      changed = true;
      for (const choice of (inner[1] as string).split(','))
        next.push(word.slice(0, inner.index) + choice + word.slice(inner.index + inner[0].length));
      if (next.length > MAX_WORDS) return words;
    }
    words = next;
    if (!changed) break;
  }
  return words;
}
