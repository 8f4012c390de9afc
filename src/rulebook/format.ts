import { isMap, isScalar, isSeq, type Node, type Pair, type Scalar, type YAMLMap } from 'yaml';
import { canonicalCel } from './cel-print.ts';
import type { ObjectShape, Shape } from './shape.ts';
import { DOCUMENTS } from './shapes.ts';
import { readSource } from './source.ts';

/** A stretch of the text with what is to stand there. */
interface Edit {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/**
 * A policy file with its keys in the order of the reference and its expressions in canonical CEL; comments stay, and so
 * does an expression that holds one. Formatting twice changes nothing more. A text with syntax errors comes back as it is.
 */
export function formatPolicy(text: string): string {
  const { file, findings } = readSource('', text);
  if (findings.some((f) => f.code === 'yaml-syntax' || f.code === 'yaml-alias')) return text;
  const edits = file.documents.flatMap((doc): Edit[] => {
    const kind = doc.data?.['kind'];
    const shape = typeof kind === 'string' && Object.hasOwn(DOCUMENTS, kind) ? DOCUMENTS[kind] : undefined;
    return shape ? editsIn(text, doc.yaml.contents, shape, false) : [];
  });
  const done = apply(text, 0, text.length, edits).replace(/[ \t]+$/gm, '');
  return done === '' || done.endsWith('\n') ? done : `${done}\n`;
}

/** Edits that don't overlap, in the order of the text. */
function editsIn(text: string, node: Node | null | undefined, shape: Shape | undefined, inSequence: boolean): Edit[] {
  if (!node || !shape) return [];
  if (shape.is === 'either') {
    const fit = shape.of.find((s) => (isMap(node) ? s.is === 'object' : isSeq(node) ? s.is === 'list' : false));
    return editsIn(text, node, fit, inSequence);
  }
  if (shape.is === 'cel' && isScalar(node)) return expressionIn(text, node);
  if (shape.is === 'list' && isSeq(node))
    return node.items.flatMap((item) => editsIn(text, item as Node, shape.of, node.flow !== true));
  if (shape.is === 'record' && isMap(node))
    return pairsOf(node).flatMap((pair) => editsIn(text, pair.value, shape.of, false));
  if (shape.is !== 'object' || !isMap(node)) return [];
  const inner = pairsOf(node).flatMap((pair) => editsIn(text, pair.value, shape.keys[nameOf(pair)], false));
  return node.flow ? inner : (reordered(text, node, shape, inSequence, inner) ?? inner);
}

type KeyedPair = Pair<Scalar, Node | null>;

function pairsOf(map: YAMLMap): readonly KeyedPair[] {
  return map.items.filter((pair): pair is KeyedPair => isScalar(pair.key)) as readonly KeyedPair[];
}

function nameOf(pair: KeyedPair): string {
  return String(pair.key.value);
}

/** One edit for the whole map, its pairs in the order of the shape; null if they are in order or can't be moved safely. */
function reordered(
  text: string,
  map: YAMLMap,
  shape: ObjectShape,
  inSequence: boolean,
  inner: readonly Edit[],
): Edit[] | null {
  const pairs = pairsOf(map);
  const order = Object.keys(shape.keys);
  const place = (pair: KeyedPair): number => {
    const at = order.indexOf(nameOf(pair));
    return at < 0 ? order.length : at;
  };
  const sorted = [...pairs].sort((a, b) => place(a) - place(b));
  if (sorted.every((pair, i) => pair === pairs[i])) return null;
  const chunks = chunksOf(text, pairs);
  if (chunks === null) return null;
  const bySorted = sorted.map((pair) => chunks[pairs.indexOf(pair)] as Chunk);
  const [first] = bySorted;
  // Comments above the pair that comes first would have to move above the dash.
  if (!first || (inSequence && first.lead !== '')) return null;
  const start = (chunks[0] as Chunk).start;
  const indent = ' '.repeat(start - lineStart(text, start));
  const out = bySorted.map((chunk, i) => {
    const body = apply(text, chunk.start, chunk.end, inner);
    const whole = body.endsWith('\n') ? body : `${body}\n`;
    return i === 0 && chunk.lead === '' ? whole : `${chunk.lead}${i === 0 ? '' : indent}${whole}`;
  });
  if (!inSequence && first.lead !== '') return null;
  return [{ start, end: (chunks.at(-1) as Chunk).end, text: out.join('') }];
}

interface Chunk {
  /** Full lines of comments and blank lines above the key. */
  readonly lead: string;
  /** From the key … */
  readonly start: number;
  /** … to the end of the last line of its value. */
  readonly end: number;
}

/** The pieces of text that pairs of a block map are made of; null if two of them share a line. */
function chunksOf(text: string, pairs: readonly KeyedPair[]): readonly Chunk[] | null {
  const chunks: Chunk[] = [];
  let before = -1;
  for (const { key, value } of pairs) {
    const start = key.range?.[0];
    const last = value?.range?.[1] ?? key.range?.[1];
    if (start === undefined || last === undefined || start < before) return null;
    const lead = before < 0 ? '' : text.slice(before, lineStart(text, start));
    if (lead.split('\n').some((line) => line.trim() !== '' && !line.trim().startsWith('#'))) return null;
    const newline = text.indexOf('\n', Math.max(start, last - 1));
    const end = text[last - 1] === '\n' ? last : newline < 0 ? text.length : newline + 1;
    chunks.push({ lead, start, end });
    before = end;
  }
  return chunks;
}

function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

/** Columns of a line. */
const WIDTH = 120;

/** The expression in canonical form, in the style of scalar that it has; several lines stay in a block. */
function expressionIn(text: string, node: Scalar): Edit[] {
  const [start, end] = node.range ?? [0, 0];
  if (typeof node.value !== 'string') return [];
  if (node.type === 'BLOCK_FOLDED' || node.type === 'BLOCK_LITERAL') return blockOf(text, start, end);
  const [line] = canonicalCel(node.value, Number.POSITIVE_INFINITY) ?? [];
  const written = text.slice(start, end);
  if (line === undefined || HAS_CONTROL.test(line) || (line === node.value && !written.includes('\n'))) return [];
  const edit = node.type === 'PLAIN' && IS_PLAIN.test(line) ? line : `'${line.replaceAll("'", "''")}'`;
  // What stands on several lines without a block stays there if it does not fit on one.
  const isLong = written.includes('\n') && start - lineStart(text, start) + edit.length > WIDTH;
  return isLong || edit === written ? [] : [{ start, end, text: edit }];
}

/** Neither a sign of YAML's nor, as a whole, another thing than a text. */
const IS_PLAIN = /^(?!(?:true|false|null|~)$|[\d.+])(?![\s\-?:,[\]{}#&*!|>'"%@`])(?!.*(?:: | #|\s$))/;
const HAS_CONTROL = /[\u0000-\u001f\u007f-\u009f]/;

/** The lines of a block below its header; as they are where the header says how they are indented. */
function blockOf(text: string, start: number, end: number): Edit[] {
  const first = text.indexOf('\n', start) + 1;
  const body = text.slice(first, end).trimEnd();
  if (first === 0 || body === '' || /^[|>][+-]?\d/.test(text.slice(start, first))) return [];
  const eol = body.includes('\r\n') ? '\r\n' : '\n';
  const lines = body.split(eol);
  const indent = /^ */.exec(lines.find((line) => line.trim() !== '') ?? '')?.[0] ?? '';
  const source = lines.map((line) => line.slice(indent.length)).join('\n');
  const canonical = canonicalCel(source, WIDTH - indent.length);
  if (canonical === null || canonical.some((line) => HAS_CONTROL.test(line))) return [];
  const whole = canonical.map((line) => indent + line).join(eol);
  return whole === body ? [] : [{ start: first, end: first + body.length, text: whole }];
}

function apply(text: string, start: number, end: number, edits: readonly Edit[]): string {
  let out = '';
  let at = start;
  for (const edit of edits) {
    if (edit.start < at || edit.end > end) continue;
    out += text.slice(at, edit.start) + edit.text;
    at = edit.end;
  }
  return out + text.slice(at, end);
}
