import { GovError } from '../base/errors.ts';

/**
 * JSON as text that can be edited in place: every value knows where it stands, so that a change touches no byte
 * around it. Strict JSON only, as the agents' own readers want it.
 */
export type JsonNode = JsonObject | JsonArray | JsonScalar;

interface Placed {
  readonly start: number;
  readonly end: number;
}
export interface JsonObject extends Placed {
  readonly kind: 'object';
  readonly members: readonly JsonMember[];
}
export interface JsonArray extends Placed {
  readonly kind: 'array';
  readonly items: readonly JsonNode[];
}
interface JsonScalar extends Placed {
  readonly kind: 'scalar';
  readonly value: string | number | boolean | null;
}
export interface JsonMember {
  readonly key: string;
  /** Where the key starts. */
  readonly start: number;
  readonly value: JsonNode;
}

const MAX_DEPTH = 200;

/** Parses strict JSON; an error names the file, line and column. */
export function parseJsonText(text: string, file: string): JsonNode {
  let at = text.startsWith('\ufeff') ? 1 : 0;

  function fail(message: string, help?: string): never {
    const before = text.slice(0, at).split('\n');
    throw new GovError({
      code: 'settings-not-json',
      message,
      help: help ?? 'repair the file by hand first: nothing was changed',
      at: { file, line: before.length, column: (before[before.length - 1]?.length ?? 0) + 1 },
    });
  }
  function skip(): void {
    while (at < text.length && ' \t\r\n'.includes(text.charAt(at))) at++;
    if (text.startsWith('//', at) || text.startsWith('/*', at))
      fail(
        'the file holds a comment',
        'comments are not JSON, and the agent drops such a file whole: remove them first',
      );
  }
  function value(depth: number): JsonNode {
    if (depth > MAX_DEPTH) fail('the file is nested too deeply');
    skip();
    const c = text.charAt(at);
    if (c === '{') return object(depth);
    if (c === '[') return array(depth);
    return scalar();
  }
  function object(depth: number): JsonObject {
    const start = at++;
    const members: JsonMember[] = [];
    skip();
    if (text.charAt(at) === '}') return { kind: 'object', start, end: ++at, members };
    for (;;) {
      skip();
      const keyStart = at;
      if (text.charAt(at) !== '"') fail('a member name in double quotes is missing here');
      const key = scalar();
      skip();
      if (text.charAt(at) !== ':') fail('`:` is missing here');
      at++;
      members.push({ key: String(key.value), start: keyStart, value: value(depth + 1) });
      skip();
      const c = text.charAt(at);
      if (c === '}') return { kind: 'object', start, end: ++at, members };
      if (c !== ',') fail('`,` or `}` is missing here');
      at++;
    }
  }
  function array(depth: number): JsonArray {
    const start = at++;
    const items: JsonNode[] = [];
    skip();
    if (text.charAt(at) === ']') return { kind: 'array', start, end: ++at, items };
    for (;;) {
      items.push(value(depth + 1));
      skip();
      const c = text.charAt(at);
      if (c === ']') return { kind: 'array', start, end: ++at, items };
      if (c !== ',') fail('`,` or `]` is missing here');
      at++;
    }
  }
  function scalar(): JsonScalar {
    const start = at;
    const match = /"(?:[^"\\]|\\.)*"|[^\s,:{}[\]"]+/sy;
    match.lastIndex = at;
    const raw = match.exec(text)?.[0];
    if (raw === undefined) fail(at >= text.length ? 'the file ends too early' : 'a value is missing here');
    let parsed: unknown;
    try {
      parsed = JSON.parse(raw);
    } catch {
      fail('this is not a JSON value');
    }
    at += raw.length;
    return { kind: 'scalar', start, end: at, value: parsed as JsonScalar['value'] };
  }

  const root = value(0);
  skip();
  if (at < text.length) fail('there is something after the end of the JSON value');
  return root;
}

/** The last member with a key: the one that counts when a key stands twice. */
export function memberOf(node: JsonNode | undefined, key: string): JsonMember | undefined {
  return node?.kind === 'object' ? node.members.findLast((member) => member.key === key) : undefined;
}

/** What a file is indented with: its first indented line tells; two spaces if it has none. */
function indentOf(text: string): string {
  return /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ';
}

/** The text with a member added at the end of an object, in the object's own style. */
export function addMember(text: string, object: JsonObject, key: string, value: unknown): string {
  const last = object.members.at(-1);
  const spaced = last === undefined || /:\s/.test(text.slice(last.start, last.value.start));
  const make = (rendered: string) => `${JSON.stringify(key)}:${spaced ? ' ' : ''}${rendered}`;
  return append(text, object, last && { start: last.start, end: last.value.end }, value, make);
}

/** The text with an item added at the end of an array, in the array's own style. */
export function addItem(text: string, array: JsonArray, value: unknown): string {
  return append(text, array, array.items.at(-1), value, (rendered) => rendered);
}

function append(
  text: string,
  holder: Placed,
  last: Placed | undefined,
  value: unknown,
  make: (rendered: string) => string,
): string {
  const newline = text.includes('\r\n') ? '\r\n' : '\n';
  if (last && !text.slice(last.end, holder.end).includes('\n')) {
    // On one line: it stays on one line.
    const gap =
      /\s/.test(text.charAt(holder.start + 1)) || text.slice(holder.start, last.end).includes(', ') ? ' ' : '';
    return splice(text, last.end, last.end, `,${gap}${make(JSON.stringify(value))}`);
  }
  const outer = indentAt(text, holder.start);
  const inner = last ? indentAt(text, last.start) : outer + indentOf(text);
  const rendered = make(JSON.stringify(value, null, indentOf(text)).replaceAll('\n', newline + inner));
  if (last) return splice(text, last.end, last.end, `,${newline}${inner}${rendered}`);
  return splice(text, holder.start + 1, holder.end - 1, `${newline}${inner}${rendered}${newline}${outer}`);
}

/** The white space that the line at an offset starts with. */
function indentAt(text: string, at: number): string {
  const line = text.lastIndexOf('\n', at - 1) + 1;
  return /^[ \t]*/.exec(text.slice(line, at))?.[0] ?? '';
}

/** The text without the n-th part of an object or array, and without the comma and white space that held it. */
export function dropPart(text: string, holder: JsonObject | JsonArray, index: number): string {
  const parts: readonly Placed[] =
    holder.kind === 'array' ? holder.items : holder.members.map((m) => ({ start: m.start, end: m.value.end }));
  const part = parts[index];
  if (!part) return text;
  const before = parts[index - 1];
  const after = parts[index + 1];
  if (before) return splice(text, before.end, part.end, '');
  if (after) return splice(text, part.start, after.start, '');
  return splice(text, holder.start + 1, holder.end - 1, '');
}

function splice(text: string, start: number, end: number, insert: string): string {
  return text.slice(0, start) + insert + text.slice(end);
}
