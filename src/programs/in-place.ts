import type { FileDraft } from '../model/effect.ts';
import type { Invocation } from '../model/program.ts';
import { known, render, textOf, type Value } from '../model/value.ts';
import { draft } from './drafts.ts';
import { type Substitution, substitutionAt, workOn } from './sed-fold.ts';
import { contentOf } from './streams.ts';
import { fromLines, linesOf } from './text-folds.ts';

/**
 * Files that a program changes in place, with what is in them afterwards. `fold`: the new text of one whose text is
 * known, or null; what can't be followed is unknown from then on. `inserted`: text that is put in, judged on its own
 * where nothing is known of the rest.
 */
export function changedInPlace(
  inv: Invocation,
  paths: readonly Value[],
  fold: (text: string) => string | null,
  inserted = '',
): readonly FileDraft[] {
  return paths.map((path) => {
    const held = contentOf(inv, path);
    if (held.taints.length > 0) return draft('write', path);
    const text = held.value === null ? null : textOf(held.value);
    const folded = text === null ? null : fold(text);
    if (folded !== null) return draft('write', path, { content: known(folded) });
    const rest = { hole: `${render(path)} as ${inv.name} leaves it`, like: 'any' } as const;
    return draft('write', path, { content: held.value === null ? partlyKnown(inserted, rest.hole) : [rest] });
  });
}

/** A script of which some lines may be known and the rest was never seen: no reason to take it for made-up code. */
export function partlyKnown(lines: string, rest: string): Value {
  return [`# ${rest}\n${lines}\n`, { hole: rest, like: 'any' }];
}

/** What `perl -p` makes of a text, when its code is no more than plain substitutions; else null. */
export function foldPerl(code: string, text: string): string | null {
  const steps: Substitution[] = [];
  let rest = code.trim();
  while (rest !== '') {
    const found = substitutionAt(rest, perlReplacement, 'perl');
    if (!found) return null;
    steps.push(found.by);
    rest = found.rest;
  }
  if (steps.length === 0) return null;
  const lines = linesOf(text);
  const work = workOn(lines, code, steps);
  if (work === null) return null;
  const out: string[] = [];
  for (const line of lines) {
    let now: string | null = line;
    for (const by of steps) if (now !== null) now = work.substitute(now, by);
    if (now === null) return null;
    out.push(now);
  }
  const all = fromLines(out);
  return text.endsWith('\n') ? all : all.slice(0, -1);
}

/** Text of a replacement in Perl code that would be put in, as far as it can be read. */
export function insertedByPerl(code: string): string {
  if (code.length > 4000) return '';
  return [...code.matchAll(/\bs([/|#!,])(?:\\.|(?!\1).)*\1((?:\\.|(?!\1).)*)\1/g)]
    .map((match) => (match[2] as string).replace(/\\(.)/g, '$1'))
    .join('\n');
}

function perlReplacement(text: string): Substitution['replace'] | null {
  let out = '';
  for (let at = 0; at < text.length; at++) {
    const char = text[at] as string;
    if (char === '$' || char === '@') return null;
    if (char !== '\\') out += char;
    else {
      const next = text[++at] ?? '';
      if (/[\w]/.test(next) && next !== 'n' && next !== 't') return null;
      out += next === 'n' ? '\n' : next === 't' ? '\t' : next;
    }
  }
  return () => out;
}
