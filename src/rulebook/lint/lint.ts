import type { Compilation } from '../compile.ts';
import type { Finding } from '../finding.ts';
import { findingAt, keyRangeOf, type Path, rangeOf, type SourceDocument, type SourceText } from '../source.ts';
import { LINT_CODES, type LintCode } from './codes.ts';
import { lintLibraries } from './libraries.ts';
import { lintPatterns } from './patterns.ts';
import { lintRules } from './rules.ts';
import { lintText } from './text.ts';
import { lintWaivers } from './waivers.ts';

/** How a lint says what it found: at a value, at a key, or at a part of an expression. */
export interface Report {
  at(code: LintCode, doc: SourceDocument, path: Path, message: string, help?: string): void;
  atKey(code: LintCode, doc: SourceDocument, path: Path, message: string, help?: string): void;
  inText(code: LintCode, source: SourceText, start: number, end: number, message: string, help?: string): void;
  atOffset(code: LintCode, doc: SourceDocument, start: number, end: number, message: string, help?: string): void;
}

/** Finds what compiles and still may not do what its author means. `now` decides on dates. */
export function lint(compilation: Compilation, now: number): readonly Finding[] {
  const findings: Finding[] = [];
  const report = reporter(findings);
  lintRules(compilation, now, report);
  lintPatterns(compilation, report);
  lintLibraries(compilation, report);
  lintWaivers(compilation, now, report);
  lintText(compilation, report);
  return findings.sort((a, b) =>
    a.at.file === b.at.file ? a.at.line - b.at.line || a.at.column - b.at.column : a.at.file < b.at.file ? -1 : 1,
  );
}

function reporter(findings: Finding[]): Report {
  const add = (code: LintCode, doc: SourceDocument, start: number, end: number, message: string, help = ''): void => {
    findings.push(findingAt(doc.file, start, end, code, message, help || LINT_CODES[code].fix, 'warning'));
  };
  return {
    at: (code, doc, path, message, help) => add(code, doc, ...rangeOf(doc, path), message, help),
    atKey: (code, doc, path, message, help) => add(code, doc, ...keyRangeOf(doc, path), message, help),
    inText: (code, source, start, end, message, help) =>
      add(code, source.doc, source.offset(start), source.offset(end), message, help),
    atOffset: add,
  };
}
