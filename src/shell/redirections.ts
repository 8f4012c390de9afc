import type { HereDoc, HereString, Redirect, Redirection } from 'unbash';
import { concat, EMPTY_STREAM, known, knownPrefix, render, type Stream, textOf, type Value } from '../model/value.ts';
import { applyDest, applyFiles, streamBehind } from './effects.ts';
import type { CommandDraft } from './record.ts';
import { noteUnknown } from './record.ts';
import type { OpenedFile, Run } from './run.ts';
import { makeSink, mergeTaints, type Sink, streamOf, textStream } from './sinks.ts';
import { fromMarks, spanOf, textAt } from './source.ts';
import { type Descriptor, hole, type State } from './state.ts';
import { assignText, placeOf } from './variables.ts';
import { expandQuoted, expandText } from './words.ts';

/** What redirections did: files behind descriptors, and connections. */
export interface Redirected {
  readonly opened: readonly OpenedFile[];
  /** As rules see them: `>out.txt`, `2>&1`. */
  readonly shown: readonly string[];
}

const TERMINAL: Descriptor = { sink: null, stream: EMPTY_STREAM, open: true, cursor: { lines: 0 } };

export function descriptor(s: State, n: number): Descriptor {
  return s.fds.get(n) ?? TERMINAL;
}

/** Performs redirections in order on the state's descriptors; the caller restores them where they end. */
export function redirect(run: Run, s: State, list: readonly Redirection[]): Redirected {
  if (list.length === 0) return { opened: [], shown: [] };
  const opened: OpenedFile[] = [];
  const shown: string[] = [];
  const fds = new Map(s.fds);
  s.fds = fds;
  for (const r of list) {
    const n = number(run, s, r);
    if (r.type === 'HereDoc') {
      shown.push('<<');
      fds.set(n, input(textStream(hereDocument(run, s, r))));
    } else if (r.type === 'HereString') {
      shown.push('<<<');
      fds.set(n, input(hereString(run, s, r)));
    } else one(run, s, r, n, fds, opened, shown);
  }
  if (fds.size > MAX_DESCRIPTORS) forget(run, s, fds, list);
  return { opened, shown };
}

/** Descriptors that are kept track of; each command that redirects copies the table. */
export const MAX_DESCRIPTORS = 128;

/** Too many are open: what the newer of them are connected to is no longer known. */
function forget(run: Run, s: State, fds: Map<number, Descriptor>, list: readonly Redirection[]): void {
  const at = list[0] as Redirection;
  noteUnknown(run.record, 'more open files than are analysed', textAt(s.frame.source, at), spanOf(s.frame.source, at));
  for (const n of [...fds.keys()].slice(MAX_DESCRIPTORS)) fds.delete(n);
}

function number(run: Run, s: State, r: Redirection): number {
  const { descriptor: d } = r;
  if (d?.type === 'FileDescriptor') return d.value;
  if (d?.type === 'FileDescriptorVariable') {
    let n = 10;
    while (s.fds.has(n)) n++;
    assignText(run, s, d.name, known(String(n)), false);
    return n;
  }
  return r.type !== 'Redirect' || r.operator.startsWith('<') ? 0 : 1;
}

function input(stream: Stream): Descriptor {
  return { sink: null, stream, open: false, cursor: { lines: 0 } };
}

function output(sink: Sink): Descriptor {
  return { sink, stream: EMPTY_STREAM, open: false, cursor: { lines: 0 } };
}

function hereDocument(run: Run, s: State, r: HereDoc): Value {
  const { body } = r;
  const value =
    body.parts && !r.delimiter?.quoted
      ? expandQuoted(run, s, body.parts)
      : fromMarks(r.delimiter?.quoted ? body.text : body.text.replace(/\\([$`\\])|\\\n/g, '$1'), run.marks);
  if (r.operator !== '<<-') return value;
  let lineStart = true;
  return value.map((part) => {
    if (typeof part !== 'string') {
      lineStart = false;
      return part;
    }
    const text = (lineStart ? part.replace(/^\t+/, '') : part).replace(/\n\t+/g, '\n');
    lineStart = text.endsWith('\n');
    return text;
  });
}

function hereString(run: Run, s: State, r: HereString): Stream {
  return textStream(concat(r.target ? expandText(run, s, r.target) : [], ['\n']));
}

function one(
  run: Run,
  s: State,
  r: Redirect,
  n: number,
  fds: Map<number, Descriptor>,
  opened: OpenedFile[],
  shown: string[],
): void {
  const { operator } = r;
  if (!r.target)
    return noteUnknown(
      run.record,
      'a redirection without a target',
      textAt(s.frame.source, r),
      spanOf(s.frame.source, r),
    );
  const path = expandText(run, s, r.target);
  const text = textOf(path);
  const prefix = r.descriptor?.type === 'FileDescriptor' ? String(r.descriptor.value) : '';
  shown.push(`${prefix}${operator}${render(path)}`);
  if (operator === '>&' || operator === '<&') {
    const copy = text === null ? null : /^(\d+)-?$/.exec(text);
    if (text === '-') fds.delete(n);
    else if (copy) fds.set(n, fds.get(Number(copy[1])) ?? TERMINAL);
    if (text === '-' || copy || (text === null && operator === '<&')) return;
    if (operator === '<&') return;
  }
  // An empty name is an error; nothing is opened.
  if (path.length === 0) return;
  const both = operator === '>&' || operator === '&>' || operator === '&>>';
  const writes = operator !== '<';
  const to =
    device(run, path, text, fds) ?? network(run, s, path, writes, opened) ?? file(run, s, path, operator, opened);
  fds.set(n, to);
  if (both) fds.set(2, to);
}

/** Paths that are other than files: descriptors, terminals, /dev/null. */
function device(run: Run, path: Value, text: string | null, fds: ReadonlyMap<number, Descriptor>): Descriptor | null {
  const behind = streamBehind(run, path);
  if (behind) return behind;
  if (text === '/dev/null' || text === '/dev/zero' || text === '/dev/full')
    return { ...output(makeSink()), stream: { value: text === '/dev/null' ? [] : null, taints: [] } };
  if (text === '/dev/tty') return TERMINAL;
  const fd = text === null ? null : standardDescriptor(text);
  return fd === null ? null : (fds.get(fd) ?? TERMINAL);
}

/** bash itself connects where a redirection names /dev/tcp/host/port or /dev/udp/host/port. */
function network(run: Run, s: State, path: Value, writes: boolean, opened: OpenedFile[]): Descriptor | null {
  const match = /^\/dev\/(tcp|udp)\//.exec(knownPrefix(path));
  if (!match) return null;
  const scheme = match[1] as string;
  const rest = concat(known(knownPrefix(path).slice(match[0].length)), path.slice(1));
  const address = rest.map((p) => (typeof p === 'string' ? p.replace('/', ':') : p));
  const port = Number(/:(\d+)$/.exec(textOf(address) ?? '')?.[1] ?? 0);
  const end: Descriptor = {
    sink: writes ? makeSink() : null,
    stream: { value: null, taints: ['network'] },
    open: false,
    cursor: { lines: 0 },
  };
  const dest = { address, scheme, ...(port > 0 ? { port } : {}), sends: writes ? 'file' : 'nothing' } as const;
  const place = placeOf(run, s);
  opened.push({ op: 'read', path, cwd: place.value, certain: place.certain, append: false, descriptor: end, dest });
  return end;
}

/** The number of the descriptor that a path names, or null. */
export function standardDescriptor(text: string): number | null {
  const named = { '/dev/stdin': 0, '/dev/stdout': 1, '/dev/stderr': 2 }[text];
  if (named !== undefined) return named;
  const match = /^\/(?:dev|proc\/self|proc\/\$\$)\/fd\/(\d+)$/.exec(text);
  return match ? Number(match[1]) : null;
}

function file(run: Run, s: State, path: Value, operator: Redirect['operator'], opened: OpenedFile[]): Descriptor {
  const place = placeOf(run, s);
  const at = { path, cwd: place.value, certain: place.certain };
  if (operator === '<') {
    opened.push({ ...at, op: 'read', append: false, descriptor: null });
    return input(readFile(run, s, place.value, path));
  }
  const made: Descriptor = {
    ...output(makeSink()),
    stream: operator === '<>' ? readFile(run, s, place.value, path) : EMPTY_STREAM,
  };
  if (operator === '<>') opened.push({ ...at, op: 'read', append: false, descriptor: null });
  opened.push({
    ...at,
    op: 'write',
    append: operator === '>>' || operator === '&>>' || operator === '<>',
    descriptor: made,
  });
  return made;
}

/** What reading a file would give, as far as the call itself or the world tells. */
function readFile(run: Run, s: State, cwd: Value, path: Value): Stream {
  if (s.frame.elsewhere !== '') return EMPTY_STREAM;
  const { real } = run.world.resolve(cwd, path, true);
  if (real === null) return EMPTY_STREAM;
  const written = run.world.content(real);
  if (written) return written;
  const text = run.world.readText(real);
  const [fact] = run.world.files(cwd, { op: 'read', path });
  const secret = fact?.secret === true;
  return { value: secret || text === null ? null : known(text), taints: secret ? ['secret'] : [] };
}

/** Facts of the files behind redirections, made when what was written is known. */
export function closeFiles(run: Run, s: State, opened: readonly OpenedFile[], command: CommandDraft | null): void {
  for (const file of opened) {
    if (command?.name === 'exec') keepOpen(run, file);
    const sink = file.descriptor?.sink;
    const stream: Stream = sink ? streamOf(sink) : EMPTY_STREAM;
    if (file.dest) {
      const taints = mergeTaints(stream.taints, descriptor(s, 0).stream.taints);
      applyDest(run, command, file.dest, { stream: taints, words: [] }, s.frame.certain && file.certain);
      continue;
    }
    // Where a text comes from matters even when nothing else is known of it.
    const from = stream.taints.find((taint) => taint === 'network' || taint === 'decoded');
    let content: Value | null =
      stream.value ?? (from ? [{ hole: 'a text from elsewhere', like: 'any', taint: from }] : null);
    if (content !== null && file.append) {
      content = concat(contentBefore(run, s, file), content);
    }
    const draft = { op: file.op, path: file.path, ...(file.op !== 'read' && content !== null ? { content } : {}) };
    applyFiles(run, command, s.frame, file.cwd, [draft], stream.taints, s.frame.certain && file.certain);
  }
}

/** What a file holds to which something is appended. */
function contentBefore(run: Run, s: State, file: OpenedFile): Value {
  const { real } = run.world.resolve(file.cwd, file.path, true);
  if (real !== null && run.world.kind(real) === 'none') return [];
  return readFile(run, s, file.cwd, file.path).value ?? [hole('what a file holds that is appended to'), '\n'];
}

function keepOpen(run: Run, file: OpenedFile): void {
  const sink = file.descriptor?.sink;
  if (sink) run.kept.push({ file, sink, size: sink.size, dest: file.dest ? run.record.dests.length : -1 });
}

/** Accounts for what was written to files and connections that stay open since the last time. */
export function flushKept(run: Run): void {
  for (const kept of run.kept) {
    const { file, sink } = kept;
    if (sink.size === kept.size) continue;
    kept.size = sink.size;
    if (kept.dest >= 0) secretLeft(run, kept.dest, sink);
    else rewrite(run, file, streamOf(sink));
  }
}

/** The file's content as later commands find it. */
function rewrite(run: Run, file: OpenedFile, stream: Stream): void {
  const content = file.append ? null : stream.value;
  const draft = { op: 'write' as const, path: file.path, ...(content === null ? {} : { content }) };
  for (const fact of run.world.files(file.cwd, draft)) {
    run.changes++;
    run.world.apply(fact, draft, stream.taints);
  }
}

function secretLeft(run: Run, at: number, sink: Sink): void {
  const fact = run.record.dests[at];
  if (!fact || !sink.taints.has('secret')) return;
  const leak = { ...fact, sends: 'secret' as const };
  run.record.dests[at] = leak;
  const mine = run.record.commands[fact.command]?.dests;
  const place = mine?.indexOf(fact) ?? -1;
  if (mine && place >= 0) mine[place] = leak;
}
