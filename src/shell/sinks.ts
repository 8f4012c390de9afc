import { concat, type Part, type Stream, type Taint, taintsOf, type Value } from '../model/value.ts';

const MAX_SIZE = 256 * 1024;
const MAX_TEXTS = 4;

/** The reason of a hole for what some command printed. */
export const UNKNOWN_OUTPUT = 'output that is not known';

/** Collects what commands print: a pipe, a command substitution, a file being written. */
export interface Sink {
  /** The texts it could have received, each as pieces; null: not known. */
  texts: readonly Value[][] | null;
  size: number;
  readonly taints: Set<Taint>;
  /** Each of several texts is looked at (a command substitution); of others, what any path prints counts together. */
  readonly each: boolean;
}

export function makeSink(each = false): Sink {
  return { texts: [[]], size: 0, taints: new Set(), each };
}

export function pour(sink: Sink | null, stream: Stream): void {
  if (!sink) return;
  for (const taint of stream.taints) sink.taints.add(taint);
  if (!sink.texts) return;
  const value = streamValue(stream, UNKNOWN_OUTPUT);
  for (const taint of taintsOf(value)) sink.taints.add(taint);
  for (const part of value) sink.size += typeof part === 'string' ? part.length : 1;
  if (sink.size > MAX_SIZE) {
    sink.texts = null;
    sink.taints.add('cut');
  } else if (value.length > 0) for (const text of sink.texts) text.push(value);
}

/** What was collected when there is one answer. */
export function streamOf(sink: Sink): Stream {
  const [text, ...more] = sink.texts ?? [];
  const value = text && more.length === 0 ? concat(text.flat()) : null;
  return { value: value && hasText(value) ? value : null, taints: [...sink.taints] };
}

/** False for a value that is nothing but unknown. */
function hasText(value: Value): boolean {
  return value.length === 0 || value.some((p) => typeof p === 'string' || 'glob' in p);
}

/** Every text it could be, or null. */
export function textsOf(sink: Sink): readonly Value[] | null {
  return sink.texts?.map((t) => concat(t.flat())) ?? null;
}

/** Where the sink stands, to start an alternative from. */
export type SinkMark = readonly Value[][] | null;

export function markSink(sink: Sink | null): SinkMark {
  return sink?.texts?.map((t) => [...t]) ?? null;
}

/** The sink as it was at the mark; what it holds now is kept by `alternate`. */
export function rewind(sink: Sink | null, mark: SinkMark): SinkMark {
  if (!sink) return null;
  const now = sink.texts;
  sink.texts = mark?.map((t) => [...t]) ?? null;
  return now;
}

/** Adds another way the output could be. */
export function alternate(sink: Sink | null, other: SinkMark): void {
  if (!sink) return;
  if (sink.texts === null || other === null) {
    sink.texts = null;
    return;
  }
  const all = [...sink.texts];
  const keys = new Set(all.map((t) => JSON.stringify(concat(t.flat()))));
  for (const text of other) {
    const key = JSON.stringify(concat(text.flat()));
    if (!keys.has(key)) all.push(text);
    keys.add(key);
  }
  sink.texts = all.length > MAX_TEXTS ? null : all;
}

/** A stream of known text. */
export function textStream(value: Value): Stream {
  return { value, taints: taintsOf(value) };
}

export function mergeTaints(...lists: readonly Iterable<Taint>[]): readonly Taint[] {
  return mergeAll(lists);
}

/** As `mergeTaints`, for any number of lists. */
export function mergeAll(lists: readonly Iterable<Taint>[]): readonly Taint[] {
  const all = new Set<Taint>();
  for (const list of lists) for (const taint of list) all.add(taint);
  return [...all];
}

/** The stream as a value: its text, or a hole with its worst taint. */
export function streamValue(stream: Stream, reason: string): Value {
  if (stream.value !== null) return stream.value;
  const order: readonly Taint[] = ['network', 'secret', 'decoded', 'cut'];
  const taint = order.find((t) => stream.taints.includes(t));
  const part: Part = taint ? { hole: reason, like: 'any', taint } : { hole: reason, like: 'any' };
  return [part];
}
