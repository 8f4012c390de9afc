import { concat, type Part, type Value } from '../model/value.ts';
import { quotePattern } from './pattern.ts';

/**
 * What expansion gives before splitting. `plain`: text and patterns as written, unquoted; `quoted`: never split or
 * matched; `split`: the result of an unquoted expansion; `break`: a new field starts; `nothing`: `"$@"` without
 * arguments, which leaves no field where an empty quote would.
 */
export type Piece =
  | { readonly kind: 'plain' | 'quoted' | 'split'; readonly value: Value }
  | { readonly kind: 'break' }
  | { readonly kind: 'nothing' };

/** Fields of the pieces: split at `ifs`, patterns found unless `noglob`. */
export function toFields(pieces: readonly Piece[], ifs: string, noglob: boolean): readonly Value[] {
  const fields: Value[] = [];
  let parts: Part[] = [];
  let has = false;
  const flush = (): void => {
    if (has) fields.push(concat(parts));
    parts = [];
    has = false;
  };
  for (const piece of pieces) {
    if (piece.kind === 'break') flush();
    else if (piece.kind === 'quoted') {
      for (const part of piece.value) parts.push(part);
      has = true;
    } else if (piece.kind === 'plain') {
      for (const part of piece.value)
        parts.push(typeof part !== 'string' && 'glob' in part && noglob ? part.glob : part);
      has ||= piece.value.length > 0;
    } else if (piece.kind === 'split')
      for (const part of piece.value) {
        if (typeof part !== 'string') {
          parts.push(part);
          has = true;
          continue;
        }
        splitText(part, ifs).forEach((text, i) => {
          if (i > 0) flush();
          if (text === null) return;
          parts.push(...(noglob ? [text] : globParts(text)));
          has = true;
        });
      }
  }
  flush();
  return fields;
}

/**
 * Text between separators (bash(1), "Word Splitting"): white space of IFS is one separator with at most one other
 * character of IFS. Null where no text stands before the first or after the last separator.
 */
function splitText(text: string, ifs: string): readonly (string | null)[] {
  const isSeparator = (c: string | undefined) => c !== undefined && ifs.includes(c);
  const isWhite = (c: string | undefined) => isSeparator(c) && ' \t\n'.includes(c as string);
  const out: (string | null)[] = [];
  let i = 0;
  if (isWhite(text[0])) {
    out.push(null);
    while (isWhite(text[i])) i++;
  }
  while (i < text.length) {
    const from = i;
    while (i < text.length && !isSeparator(text[i])) i++;
    out.push(text.slice(from, i));
    if (i >= text.length) return out;
    while (isWhite(text[i])) i++;
    if (isSeparator(text[i])) i++;
    while (isWhite(text[i])) i++;
  }
  out.push(null);
  return out;
}

/** Unquoted text with its pattern characters found. */
function globParts(text: string): readonly Part[] {
  if (!/[*?[]/.test(text)) return [text];
  const parts: Part[] = [];
  for (const match of text.matchAll(/\*|\?|\[[^\]/]+\]|[^*?[]+|\[/g)) {
    const t = match[0];
    parts.push(t === '*' || t === '?' || (t.length > 1 && t.startsWith('[')) ? { glob: t } : t);
  }
  return concat(parts);
}

/** All pieces as one value without splitting: assignments, here-strings, case words. */
export function toValue(pieces: readonly Piece[], separator = ' '): Value {
  const parts: Part[] = [];
  for (const piece of pieces) {
    if (piece.kind === 'break') parts.push(separator);
    else if (piece.kind !== 'nothing')
      for (const part of piece.value) parts.push(typeof part !== 'string' && 'glob' in part ? part.glob : part);
  }
  return concat(parts);
}

/** The pieces as the text of a pattern, quoted stretches escaped; null if some of it is unknown. */
export function toPattern(pieces: readonly Piece[]): string | null {
  let text = '';
  for (const piece of pieces) {
    if (piece.kind === 'break') text += ' ';
    else if (piece.kind !== 'nothing')
      for (const part of piece.value) {
        if (typeof part === 'string') text += piece.kind === 'quoted' ? quotePattern(part) : part;
        else if ('glob' in part) text += part.glob;
        else return null;
      }
  }
  return text;
}
