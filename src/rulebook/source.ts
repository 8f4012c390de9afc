import {
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  LineCounter,
  type Node,
  parseAllDocuments,
  visit,
} from 'yaml';
import type { Finding } from './finding.ts';
import { offsetsOf } from './scalar-offsets.ts';

/** One YAML file of a policy. */
export interface SourceFile {
  readonly path: string;
  readonly text: string;
  readonly documents: readonly SourceDocument[];
  readonly lines: LineCounter;
}

export interface SourceDocument {
  readonly file: SourceFile;
  readonly yaml: Document.Parsed;
  /** Plain data; null if the document has syntax errors. */
  readonly data: Readonly<Record<string, unknown>> | null;
}

export type Path = readonly (string | number)[];

/** Characters of one policy file, documents in it, and faults that are told of it. */
export const MAX_CHARS = 8 * 1024 * 1024;
export const MAX_DOCUMENTS = 1000;
/** Keys of one map: they are looked up one by one. */
export const MAX_KEYS = 2000;
const MAX_FINDINGS = 1000;

/** Parses a file; syntax errors, duplicate keys and aliases become findings. Never throws. */
export function readSource(
  path: string,
  text: string,
): { readonly file: SourceFile; readonly findings: readonly Finding[] } {
  const findings: Finding[] = [];
  const documents: SourceDocument[] = [];
  const lines = new LineCounter();
  const file: SourceFile = { path, text, documents, lines };
  const fault = (code: string, message: string, help: string, start: number, end = start + 1): void => {
    if (findings.length < MAX_FINDINGS) findings.push(findingAt(file, start, end, code, message, help));
  };
  if (text.length > MAX_CHARS) {
    fault('yaml-syntax', `the file is longer than ${MAX_CHARS} characters`, 'split it', 0);
    return { file, findings };
  }
  const parsed = parseAllDocuments(text, {
    lineCounter: lines,
    logLevel: 'error',
    prettyErrors: false,
    uniqueKeys: false, // It compares each key with each: `badKeys` takes one look at each.
    merge: false,
  });
  if (parsed.length > MAX_DOCUMENTS) {
    fault('yaml-syntax', `the file holds more than ${MAX_DOCUMENTS} documents`, 'split it', 0);
    return { file, findings };
  }
  for (const yaml of Array.isArray(parsed) ? parsed : []) {
    const before = findings.length;
    for (const error of yaml.errors)
      fault('yaml-syntax', lower(error.message), yamlHint(error.message), error.pos[0], error.pos[1]);
    for (const warning of yaml.warnings.filter((w) => w.code === 'TAG_RESOLVE_FAILED'))
      fault('yaml-syntax', 'a value that begins with `!` is a tag of YAML', QUOTE, warning.pos[0], warning.pos[1]);
    if (yaml.contents === null && yaml.errors.length === 0) continue;
    if (yaml.errors.length === 0)
      for (const { key, why } of badKeys(yaml)) fault('yaml-syntax', why, '', key.range?.[0] ?? 0, key.range?.[1]);
    if (findings.length === before && !isMap(yaml.contents)) {
      const start = (yaml.contents as Node | null)?.range?.[0] ?? 0;
      fault('yaml-syntax', 'a policy document is a map of keys', 'start with `apiVersion: gov/v1`', start);
    }
    const data = findings.length === before ? plainData(yaml, fault) : null;
    documents.push({ file, yaml, data });
  }
  if (documents.length === 0 && findings.length === 0)
    findings.push(
      findingAt(file, 0, 1, 'no-document', 'the file holds no document', 'delete it, or write one', 'warning'),
    );
  return { file, findings };
}

/** Keys that stand in their map a second time, or behind too many others. */
function badKeys(yaml: Document.Parsed): readonly { readonly key: Node; readonly why: string }[] {
  const bad: { key: Node; why: string }[] = [];
  visit(yaml, {
    Map(_key, map) {
      const seen = new Set<string>();
      const over = map.items[MAX_KEYS]?.key;
      if (over !== undefined) bad.push({ key: over as Node, why: `a map has more than ${MAX_KEYS} keys` });
      for (const { key } of map.items) {
        if (!isScalar(key)) continue;
        const name = String(key.value);
        if (seen.has(name)) bad.push({ key, why: 'map keys must be unique' });
        seen.add(name);
      }
    },
  });
  return bad;
}

/** Null, and findings, if the document has aliases: they could make a small file a very large one. */
function plainData(
  yaml: Document.Parsed,
  fault: (code: string, message: string, help: string, start: number, end?: number) => void,
): Readonly<Record<string, unknown>> | null {
  try {
    return yaml.toJS({ maxAliasCount: 0 }) as Record<string, unknown>;
  } catch {
    visit(yaml, (_key, node) => {
      if (isAlias(node) && node.range)
        fault(
          'yaml-alias',
          'aliases are not part of policy files',
          'write the value out',
          node.range[0],
          node.range[1],
        );
    });
    return null;
  }
}

const QUOTE = "put the whole value in single quotes: `'…'`";

/** What to do about the faults of YAML that conditions and messages lead to. */
function yamlHint(message: string): string {
  if (/tabs are not allowed/i.test(message)) return 'indent with spaces';
  if (/nested mappings|unexpected scalar at node end|alias|anchor|block .* not allowed/i.test(message)) return QUOTE;
  const open = /^flow (map|sequence) .*end with a ([}\]])/i.exec(message);
  if (open) return `close it with \`${open[2]}\`; a text that begins with a bracket stands in single quotes: \`'…'\``;
  return /flow/i.test(message) ? QUOTE : '';
}

function lower(message: string): string {
  return message.charAt(0).toLowerCase() + message.slice(1);
}

/** A finding on a range of the file's text. */
export function findingAt(
  file: SourceFile,
  start: number,
  end: number,
  code: string,
  message: string,
  help = '',
  severity: Finding['severity'] = 'error',
): Finding {
  const offset = Math.max(0, Math.min(start, file.text.length));
  const lineStart = offset === 0 ? 0 : file.text.lastIndexOf('\n', offset - 1) + 1;
  const next = file.text.indexOf('\n', offset);
  const lineEnd = next < 0 ? file.text.length : next;
  const line = Math.max(1, file.lines.linePos(offset).line);
  return {
    code,
    message,
    help,
    at: { file: file.path, line, column: offset - lineStart + 1 },
    line: file.text.slice(lineStart, lineEnd).replace(/\r$/, ''),
    width: Math.max(1, Math.min(end, lineEnd) - offset),
    severity,
  };
}

/** Range of the value at a path, or of the nearest parent that is there. */
export function rangeOf(doc: SourceDocument, path: Path): readonly [number, number] {
  for (let length = path.length; length >= 0; length--) {
    const node = length === 0 ? doc.yaml.contents : nodeAt(doc, path.slice(0, length));
    if (node?.range) return [node.range[0], node.range[1]];
  }
  return [0, 1];
}

/** Range of a key (not its value). */
export function keyRangeOf(doc: SourceDocument, path: Path): readonly [number, number] {
  const parent = path.length === 1 ? doc.yaml.contents : nodeAt(doc, path.slice(0, -1));
  const name = path[path.length - 1];
  if (isMap(parent))
    for (const pair of parent.items)
      if (isPair(pair) && isScalar(pair.key) && String(pair.key.value) === String(name) && pair.key.range)
        return [pair.key.range[0], pair.key.range[1]];
  return rangeOf(doc, path);
}

function nodeAt(doc: SourceDocument, path: Path): Node | null {
  const node = doc.yaml.getIn(path as (string | number)[], true);
  return node && typeof node === 'object' ? (node as Node) : null;
}

/** The text of a scalar at a path, with the place in the file of each of its characters. */
export interface SourceText {
  readonly doc: SourceDocument;
  readonly text: string;
  /** Offset in the file of the character at `index` of the text; one past the last is allowed. */
  readonly offset: (index: number) => number;
}

/** The scalar at a path as text; null if there is none. Numbers and booleans come as they are written. */
export function textAt(doc: SourceDocument, path: Path): SourceText | null {
  const node = nodeAt(doc, path);
  if (!isScalar(node) || !node.range) return null;
  const text = typeof node.value === 'string' ? node.value : (node.source ?? String(node.value));
  let offsets: readonly number[] | null = null;
  return {
    doc,
    text,
    offset: (index) => {
      offsets ??= offsetsOf(doc.file.text, node.range as [number, number, number], node.type ?? 'PLAIN', text);
      return offsets[Math.max(0, Math.min(index, text.length))] as number;
    },
  };
}
