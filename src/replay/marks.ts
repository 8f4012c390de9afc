import type { RuleHit } from '../model/decision.ts';
import type { CommandFact } from '../model/facts.ts';

/** Where a command stands in the source: half-open range of UTF-16 code units. */
export interface Mark {
  readonly start: number;
  readonly end: number;
  /** The command's number, from 1. */
  readonly n: number;
  /** The deciding rule fired on it. */
  readonly decided: boolean;
}

/**
 * The commands' places in the source, by start. `intact`: nothing was redacted or cut, so recorded spans hold;
 * otherwise a command is marked only where its own text is found exactly once.
 */
export function marksOf(
  source: string,
  commands: readonly CommandFact[],
  deciding: RuleHit | null,
  intact: boolean,
): readonly Mark[] {
  const marks: Mark[] = [];
  for (const command of commands) {
    const span = intact ? command.span : command.span === null ? null : onlyPlace(source, command.text);
    if (span === null || span.start >= span.end || span.start < 0 || span.end > source.length) continue;
    marks.push({ start: span.start, end: span.end, n: command.id + 1, decided: firedOn(command, deciding) });
  }
  return marks.sort((a, b) => a.start - b.start || b.end - a.end);
}

function onlyPlace(source: string, text: string): { start: number; end: number } | null {
  if (text === '') return null;
  const start = source.indexOf(text);
  return start >= 0 && source.indexOf(text, start + 1) < 0 ? { start, end: start + text.length } : null;
}

function firedOn(command: CommandFact, hit: RuleHit | null): boolean {
  if (hit === null) return false;
  if (hit.subject === command.text) return true;
  const { span } = hit;
  return span !== null && command.span !== null && command.span.start === span.start && command.span.end === span.end;
}

/** A piece of one line of the source, in order; `marks` are those it lies in, outermost first. */
export interface Piece {
  readonly text: string;
  readonly marks: readonly Mark[];
}

/** Each line of the source in pieces that begin and end with marks. */
export function piecesOf(source: string, marks: readonly Mark[]): readonly (readonly Piece[])[] {
  const lines: Piece[][] = [];
  let start = 0;
  for (const line of source.split('\n')) {
    const end = start + line.length;
    const here = marks.filter((mark) => mark.start < end && mark.end > start);
    const cuts = new Set([start, end]);
    for (const mark of here) cuts.add(Math.max(start, mark.start)).add(Math.min(end, mark.end));
    const sorted = [...cuts].sort((a, b) => a - b);
    const pieces: Piece[] = [];
    for (const [i, from] of sorted.entries()) {
      const to = sorted[i + 1];
      if (to === undefined) break;
      pieces.push({
        text: source.slice(from, to),
        marks: here.filter((mark) => mark.start <= from && mark.end >= to),
      });
    }
    lines.push(pieces);
    start = end + 1;
  }
  return lines;
}
