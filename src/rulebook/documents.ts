import { GOV_VERSION } from '../base/version.ts';
import type { Layer } from '../model/decision.ts';
import { type Finding, suggestion } from './finding.ts';
import { liesIn, RULES_VERSION } from './gov-version.ts';
import { checkShape } from './shape.ts';
import { DOCUMENTS } from './shapes.ts';
import { findingAt, rangeOf, readSource, type SourceDocument } from './source.ts';

export interface SourceInput {
  readonly path: string;
  readonly text: string;
  /** Where it stands; default `user`, for overlays `project`. */
  readonly layer?: Layer;
}

/** A document with the layer it stands in; `given`: the layer was told from outside, and all its files are there. */
export type Placed = SourceDocument & { readonly layer: Layer; readonly given: boolean };

interface Read {
  readonly documents: readonly Placed[];
  readonly findings: readonly Finding[];
}

/** Reading YAML is most of the work, and a build compiles the same files once for each preset. */
const reads = new WeakMap<SourceInput, Read>();

/** Reads each source once for a compilation, and tells its findings once. */
export function reader(): (source: SourceInput, findings: Finding[]) => readonly Placed[] {
  const told = new Set<SourceInput>();
  return (source, findings) => {
    let read = reads.get(source);
    if (!read) {
      const found: Finding[] = [];
      read = { documents: documentsOf(source, found), findings: found };
      reads.set(source, read);
    }
    if (!told.has(source)) for (const finding of read.findings) findings.push(finding);
    told.add(source);
    return read.documents;
  };
}

function documentsOf(source: SourceInput, findings: Finding[]): readonly Placed[] {
  const { file, findings: faults } = readSource(source.path, source.text);
  for (const finding of faults) findings.push(finding);
  return file.documents.flatMap((doc) => {
    if (!doc.data) return [];
    const { kind } = doc.data;
    const shape = typeof kind === 'string' && Object.hasOwn(DOCUMENTS, kind) ? DOCUMENTS[kind] : undefined;
    if (!shape) {
      const kinds = Object.keys(DOCUMENTS);
      const what = kind === undefined ? 'the document has no `kind`' : `there is no kind \`${String(kind)}\``;
      report(doc, ['kind'], 'unknown-kind', what, findings, suggestion(String(kind ?? ''), kinds));
      return [];
    }
    if (isForAnotherGov(doc, findings)) return [];
    const bad = checkShape(doc, doc.data, shape);
    for (const finding of bad) findings.push(finding);
    const usable = bad.length === 0 ? doc : withoutFaultyRules(doc, bad);
    return usable
      ? [
          {
            ...usable,
            layer: source.layer ?? (kind === 'Overlay' ? 'project' : 'user'),
            given: source.layer !== undefined,
          },
        ]
      : [];
  });
}

/** What another version of gov is needed for is not looked at further: it may be what this one does not know. */
function isForAnotherGov(doc: SourceDocument, findings: Finding[]): boolean {
  const path = doc.data?.['kind'] === 'PolicySet' ? ['requires', 'gov'] : ['metadata', 'requires', 'gov'];
  const range = doc.yaml.getIn(path);
  if (typeof range !== 'string') return false;
  const fits = liesIn(RULES_VERSION, range);
  if (fits === null) {
    report(
      doc,
      path,
      'wrong-value',
      `\`${range}\` is no range of versions`,
      findings,
      'such as `>=1.2`, `^1.2`, `>=1.0 <2`',
    );
    return true;
  }
  const counts = RULES_VERSION === GOV_VERSION ? '' : `, which counts as ${RULES_VERSION}`;
  const help = 'update gov, or take another version of the file';
  if (!fits)
    report(
      doc,
      path,
      'needs-other-gov',
      `the file needs gov ${range}; this is ${GOV_VERSION}${counts}`,
      findings,
      help,
    );
  return !fits;
}

/** With faults only inside rules, the other rules are still checked, so that all faults of a file show at once. */
function withoutFaultyRules(doc: SourceDocument, bad: readonly Finding[]): SourceDocument | null {
  const rules = doc.data?.['rules'];
  if (doc.data?.['kind'] !== 'Rules' || !Array.isArray(rules)) return null;
  const lineOf = (path: (string | number)[], which: 0 | 1): number =>
    doc.file.lines.linePos(rangeOf(doc, path)[which]).line;
  const first = lineOf(['rules'], 0);
  if (bad.some((f) => f.at.line < first)) return null;
  const faulty = new Set<number>();
  for (const finding of bad)
    rules.forEach((_rule, i) => {
      if (finding.at.line >= lineOf(['rules', i], 0) && finding.at.line <= lineOf(['rules', i], 1)) faulty.add(i);
    });
  if (faulty.size === 0) return null;
  return { ...doc, data: { ...doc.data, rules: rules.map((rule, i) => (faulty.has(i) ? null : rule)) } };
}

function report(
  doc: SourceDocument,
  path: readonly (string | number)[],
  code: string,
  message: string,
  findings: Finding[],
  help = '',
): void {
  const [start, end] = rangeOf(doc, path);
  findings.push(findingAt(doc.file, start, end, code, message, help));
}
