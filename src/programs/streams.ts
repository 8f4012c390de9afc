import type { Invocation, Outcome } from '../model/program.ts';
import { concat, known, type Stream, type Taint, taintsOf, textOf, type Value } from '../model/value.ts';
import { isStdin } from './drafts.ts';

/** Characters of a file that are folded into what a program prints; longer ones stay unknown. */
const MOST_FOLDED = 256 * 1024;

/** Output that tells nothing of what was read: counts, names, check sums. */
export const QUIET: Stream = { value: null, taints: [] };

/** Output without a character. */
export const NOTHING: Stream = { value: [], taints: [] };

export function printed(value: Value, taints: readonly Taint[] = taintsOf(value)): Stream {
  return { value, taints };
}

/** The content of a file as far as the call wrote it or the world knows it. Secrets stay holes. */
export function contentOf(invocation: Invocation, path: Value): Stream {
  if (isStdin(path)) return invocation.stdin;
  const { real } = invocation.world.resolve(invocation.cwd, path, true);
  const held = real === null ? null : invocation.world.content(real);
  if (held === null) return QUIET;
  if (held.taints.includes('secret')) {
    return { value: [{ hole: `content of ${real}`, like: 'any', taint: 'secret' }], taints: held.taints };
  }
  const text = held.value === null ? null : textOf(held.value);
  return text !== null && text.length > MOST_FOLDED ? { value: null, taints: [...held.taints, 'cut'] } : held;
}

/** What a filter reads: its file operands in turn, or standard input when it has none. */
export function inputOf(invocation: Invocation, paths: readonly Value[]): Stream {
  if (paths.length === 0) return invocation.stdin;
  const streams = paths.map((path) => contentOf(invocation, path));
  const taints = [...new Set(streams.flatMap((stream) => stream.taints))];
  const values: Value[] = [];
  for (const { value } of streams) {
    if (value === null) return { value: null, taints };
    values.push(value);
  }
  return { value: concat(values.flat()), taints };
}

/**
 * `stdout` of a filter that turns known text into known text. Nothing when the text is unknown: then what it read
 * passes its taints on.
 */
export function folded(
  invocation: Invocation,
  paths: readonly Value[],
  fold: (text: string) => string | null,
): Pick<Outcome, 'stdout'> {
  const input = inputOf(invocation, paths);
  const text = input.value === null ? null : textOf(input.value);
  if (text === null) return {};
  const out = fold(text);
  return out === null ? {} : { stdout: { value: known(out), taints: input.taints } };
}

/**
 * `stdout` of a filter that changes no more than letters of a line, when that line is one unknown name: another name.
 * `program` is what the filter is told; with a slash or two dots in what it puts in, nothing is sure.
 */
export function foldedName(invocation: Invocation, paths: readonly Value[], sure: boolean): Pick<Outcome, 'stdout'> {
  const { value, taints } = inputOf(invocation, paths);
  if (!sure || value === null) return {};
  const last = value.at(-1);
  const end = typeof last === 'string' && last.endsWith('\n') ? ['\n'] : [];
  const parts = end.length > 0 ? [...value.slice(0, -1), (last as string).slice(0, -1)] : value;
  const name = parts.filter((part) => typeof part !== 'string');
  const plain = parts.every((part) =>
    typeof part === 'string' ? !/[/\n]|\.\./.test(part) : 'hole' in part && part.like === 'name',
  );
  if (name.length === 0 || !plain) return {};
  const [first] = name;
  const hole = first && typeof first !== 'string' && 'hole' in first ? first : null;
  return hole ? { stdout: { value: [hole, ...end], taints } } : {};
}

/** `stdout` of a decoder: known if its input is and it decodes to text, else tainted `decoded`. */
export function decoded(
  invocation: Invocation,
  paths: readonly Value[],
  decode: (text: string) => string | null,
): Pick<Outcome, 'stdout'> {
  const input = inputOf(invocation, paths);
  const text = input.value === null ? null : textOf(input.value);
  const out = text === null ? null : decode(text);
  if (out !== null) return { stdout: { value: known(out), taints: input.taints } };
  return { stdout: { value: null, taints: [...new Set<Taint>([...input.taints, 'decoded'])] } };
}

/**
 * `stdout` of a program that only drops or reorders lines (head, sort, grep): a stream whose text is not all known
 * passes, so that the places it names stay known. `drops`: what stood for everything in a directory is some of it now.
 */
export function selected(
  invocation: Invocation,
  paths: readonly Value[],
  drops: boolean,
  fold: (text: string) => string | null,
): Pick<Outcome, 'stdout'> {
  const input = inputOf(invocation, paths);
  if (input.value === null) return {};
  if (textOf(input.value) !== null) return folded(invocation, paths, fold);
  return { stdout: drops ? { value: someOf(input.value), taints: input.taints } : input };
}

/** Each `*` alone as one name that is not known. */
function someOf(value: Value): Value {
  return value.map((part) =>
    typeof part !== 'string' && 'glob' in part && part.glob === '*' ? { hole: 'some of *', like: 'name' } : part,
  );
}
