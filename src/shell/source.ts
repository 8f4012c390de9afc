import type { Span } from '../model/facts.ts';
import type { Part, Value } from '../model/value.ts';
import { concat } from '../model/value.ts';

/** A text being run, and where it stands in the call's own text (null: not in it). */
export interface Source {
  readonly text: string;
  readonly base: number | null;
}

export interface Positioned {
  readonly pos: number;
  readonly end: number;
}

export function spanOf(source: Source, node: Positioned): Span | null {
  return source.base === null ? null : { start: source.base + node.pos, end: source.base + node.end };
}

export function textAt(source: Source, node: Positioned): string {
  return source.text.slice(node.pos, node.end);
}

// Text with unknown stretches is parsed with each of them written as one private-use word; the words they end up in
// get the unknown back. SECURITY: text that has these characters of its own loses them first (`unmarked`).
const OPEN = '\ue000';
const CLOSE = '\ue001';
const MARK = /\ue000(\d+)\ue001/g;

/** Parts that stand for the marks in texts under analysis, by number. */
export interface Marks {
  readonly parts: Part[];
  readonly numbers: Map<Part, number>;
}

export function makeMarks(): Marks {
  return { parts: [], numbers: new Map() };
}

/** Text without the characters that marks are made of, as long as before. */
export function unmarked(text: string): string {
  return text.includes(OPEN) ? text.replaceAll(OPEN, '\ufffd') : text;
}

/** A value as text to parse: holes become marks, patterns their own text. */
export function withMarks(value: Value, marks: Marks): string {
  let text = '';
  for (const part of value) {
    if (typeof part === 'string') text += unmarked(part);
    else if ('glob' in part) text += part.glob;
    else {
      let at = marks.numbers.get(part);
      if (at === undefined) {
        at = marks.parts.push(part) - 1;
        marks.numbers.set(part, at);
      }
      text += `${OPEN}${at}${CLOSE}`;
    }
  }
  return text;
}

/** The reverse, for a stretch of parsed text. */
export function fromMarks(text: string, marks: Marks): Value {
  if (marks.parts.length === 0 || !text.includes(OPEN)) return text === '' ? [] : [text];
  const parts: Part[] = [];
  let from = 0;
  for (const match of text.matchAll(MARK)) {
    const part = marks.parts[Number(match[1])];
    if (part === undefined) continue;
    parts.push(text.slice(from, match.index), part);
    from = match.index + match[0].length;
  }
  parts.push(text.slice(from));
  return concat(parts.filter((p) => p !== ''));
}

export function showMarks(text: string, marks: Marks): string {
  if (!text.includes(OPEN)) return text;
  return text.replace(MARK, (all, n) => {
    const part = marks.parts[Number(n)];
    return part && typeof part !== 'string' && 'hole' in part ? `\${${part.hole}}` : all;
  });
}
