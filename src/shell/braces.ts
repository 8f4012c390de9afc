import type { LiteralPart, WordPart } from 'unbash';
import { LIMITS } from '../base/limits.ts';

/** One thing inside a brace expression: a plain character that may have meaning to it, or anything else. */
type Atom = string | WordPart;

/**
 * Brace expansion (bash(1)), done on a word's parts before anything else is expanded: one list of parts for each word
 * it makes; null past the bound.
 */
export function expandBraces(parts: readonly WordPart[]): readonly (readonly WordPart[])[] | null {
  let words: WordPart[][] = [[]];
  for (const part of parts) {
    const choices =
      part.type === 'BraceExpansion'
        ? alternatives(atomsOf(part))
        : part.type === 'ExtendedGlob'
          ? choicesOf(part)
          : null;
    if (choices === null) {
      for (const word of words) word.push(part);
      continue;
    }
    if (words.length * choices.length > LIMITS.unroll * 4) return null;
    const before = words;
    words = before.flatMap((word) => choices.map((choice) => [...word, ...choice]));
  }
  return words;
}

/** `@(a|b)`: one word for each choice; files that are not there are left out by whoever takes the words. */
function choicesOf(part: Extract<WordPart, { type: 'ExtendedGlob' }>): readonly (readonly WordPart[])[] | null {
  if (part.operator[0] !== '@' || !part.pattern.includes('|') || /[()$`"']/.test(part.pattern)) return null;
  return part.pattern.split('|').map((pattern) => [{ ...part, parts: undefined, pattern, text: `@(${pattern})` }]);
}

function atomsOf(part: Extract<WordPart, { type: 'BraceExpansion' }>): readonly Atom[] {
  if (!part.parts) return characters(part.text.slice(1, -1), part.pos + 1);
  return part.parts.flatMap((p) => (p.type === 'Literal' ? characters(p.text, p.pos) : [p]));
}

/** Characters of unquoted text; escaped ones are quoted parts. */
function characters(text: string, pos: number): readonly Atom[] {
  const atoms: Atom[] = [];
  for (let i = 0; i < text.length; i++) {
    const c = text[i] as string;
    if (c !== '\\' || i + 1 >= text.length) atoms.push(c);
    else {
      const value = text[++i] as string;
      atoms.push({ type: 'SingleQuoted', pos: pos + i - 1, end: pos + i + 1, value, text: c + value });
    }
  }
  return atoms;
}

/** What the inside of one pair of braces stands for; null if it is no brace expression after all. */
function alternatives(atoms: readonly Atom[]): readonly (readonly WordPart[])[] | null {
  const pieces = splitCommas(atoms);
  if (pieces.length > 1) return pieces.flatMap((piece) => nested(piece));
  const range = sequence(atoms);
  return range?.map((text) => [literal(text)]) ?? null;
}

function splitCommas(atoms: readonly Atom[]): readonly (readonly Atom[])[] {
  const pieces: Atom[][] = [[]];
  let depth = 0;
  for (const atom of atoms) {
    if (atom === '{') depth++;
    if (atom === '}') depth--;
    if (atom === ',' && depth === 0) pieces.push([]);
    else (pieces[pieces.length - 1] as Atom[]).push(atom);
  }
  return pieces;
}

/** Expands the braces inside one alternative. */
function nested(atoms: readonly Atom[]): readonly (readonly WordPart[])[] {
  const open = atoms.indexOf('{');
  const close = open < 0 ? -1 : closing(atoms, open);
  if (close < 0) return [toParts(atoms)];
  const inner = alternatives(atoms.slice(open + 1, close));
  const tails = nested(atoms.slice(close + 1));
  const head = toParts(inner ? atoms.slice(0, open) : atoms.slice(0, close + 1));
  const middle = inner ?? [[]];
  if (middle.length * tails.length > LIMITS.unroll * 4) return [toParts(atoms)];
  return middle.flatMap((m) => tails.map((t) => [...head, ...m, ...t]));
}

function closing(atoms: readonly Atom[], open: number): number {
  let depth = 0;
  for (let i = open; i < atoms.length; i++) {
    if (atoms[i] === '{') depth++;
    if (atoms[i] === '}' && --depth === 0) return i;
  }
  return -1;
}

function toParts(atoms: readonly Atom[]): readonly WordPart[] {
  const parts: WordPart[] = [];
  let text = '';
  const flush = (): void => {
    if (text !== '') parts.push(...globbed(text));
    text = '';
  };
  for (const atom of atoms) {
    if (typeof atom === 'string') text += atom;
    else {
      flush();
      parts.push(atom);
    }
  }
  flush();
  return parts;
}

function globbed(text: string): readonly WordPart[] {
  return text
    .split(/([*?])/)
    .filter((t) => t !== '')
    .map((t): WordPart => {
      if (t === '*') return { type: 'Glob', kind: 'star', pos: 0, end: 0, text: t, value: t };
      return t === '?' ? { type: 'Glob', kind: 'question', pos: 0, end: 0, text: t, value: t } : literal(t);
    });
}

function literal(text: string): LiteralPart {
  return { type: 'Literal', pos: 0, end: 0, value: text, text };
}

/** `{1..5}`, `{a..e..2}`, `{01..10}`. */
function sequence(atoms: readonly Atom[]): readonly string[] | null {
  if (!atoms.every((a) => typeof a === 'string')) return null;
  const match = /^(-?\d+|[A-Za-z])\.\.(-?\d+|[A-Za-z])(?:\.\.(-?\d+))?$/.exec(atoms.join(''));
  if (!match) return null;
  const [, a = '', b = '', by] = match;
  const numbers = /\d/.test(a) && /\d/.test(b);
  if (!numbers && (/\d/.test(a) || /\d/.test(b))) return null;
  const from = numbers ? Number(a) : a.charCodeAt(0);
  const to = numbers ? Number(b) : b.charCodeAt(0);
  const step = Math.max(1, Math.abs(Number(by ?? 1)));
  if (Math.abs(to - from) / step > LIMITS.unroll * 4) return null;
  const padded = numbers && (/^-?0\d/.test(a) || /^-?0\d/.test(b)) ? Math.max(a.length, b.length) : 0;
  const out: string[] = [];
  for (let n = from; from <= to ? n <= to : n >= to; n += from <= to ? step : -step)
    out.push(numbers ? pad(n, padded) : String.fromCharCode(n));
  return out;
}

function pad(n: number, width: number): string {
  const digits = String(Math.abs(n));
  return n < 0 ? `-${digits.padStart(width - 1, '0')}` : digits.padStart(width, '0');
}
