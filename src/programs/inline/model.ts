import type { FileDraft, FileOp } from '../../model/effect.ts';
import type { Taint } from '../../model/value.ts';
import { query, touch } from './notes.ts';
import { runProgram, runShell } from './runs.ts';
import type { Call, Library, Model } from './scan.ts';
import {
  anyOf,
  comesFromFile,
  joined,
  path,
  type Thing,
  taintsIn,
  text,
  UNKNOWN,
  unknown,
  word,
  words,
} from './thing.ts';

/** One row: the names of calls that behave alike, and what they do. */
export type Row = readonly [names: string, model: Model];

/** A table from rows; names are separated by spaces. */
export function table(rows: readonly Row[]): ReadonlyMap<string, Model> {
  const out = new Map<string, Model>();
  for (const [names, model] of rows) for (const name of names.split(' ')) out.set(name, model);
  return out;
}

/** Last names that count on any receiver, from full names. */
export function tellingNames(fullNames: string): Library['telling'] {
  return new Map(fullNames.split(' ').map((full) => [full.slice(full.lastIndexOf('.') + 1), full]));
}

/** Acts on the paths given as arguments `from`…; all of them by default. */
export function onPaths(op: FileOp, more: Partial<FileDraft> = {}, count = Number.POSITIVE_INFINITY): Model {
  return (c, scan) => {
    for (const arg of flat(c.args).slice(0, count)) touch(scan, op, arg, more);
    return UNKNOWN;
  };
}

/** Acts on its receiver's path, if that is one. */
export function onReceiver(op: FileOp, more: Partial<FileDraft> = {}): Model {
  return (c, scan) => {
    if (!isPath(c.recv)) return undefined;
    touch(scan, op, c.recv ?? undefined, more);
    return UNKNOWN;
  };
}

/** Copies or moves the first path to the second. */
export function transfer(op: 'copy' | 'move' | 'link' | 'hard-link', more: Partial<FileDraft> = {}): Model {
  return (c, scan) => {
    const [from, to] = c.args;
    const target = word(to, 'path computed by the program');
    if (op === 'copy') {
      touch(scan, 'read', from, more);
      touch(scan, 'write', to, more);
    } else if (op === 'move') touch(scan, 'move', from, { to: target, follow: false, ...more });
    else
      touch(scan, 'link', to, {
        to: word(from, 'path computed by the program'),
        follow: false,
        ...(op === 'hard-link' ? { hard: true } : {}),
      });
    return to;
  };
}

/** Runs its first argument as shell text. */
export const shellText: Model = (c, scan) => runShell(scan, c.args[0], c.named.get('cwd') ?? option(c, 'cwd'));

/** Runs a program: one text is shell text, more are an argument list (Perl's and Ruby's `system`, `exec`). */
export const textOrList: Model = (c, scan) => {
  const args = flat(c.args).filter((a) => a.k !== 'map');
  return args.length > 1 ? runProgram(scan, args, option(c, 'chdir')) : runShell(scan, args[0], option(c, 'chdir'));
};

/** An option in the last argument that is an object, or a named one. */
export function option(c: Call, name: string): Thing | undefined {
  const own = c.named.get(name);
  if (own) return own;
  for (const arg of c.args) if (arg.k === 'map' && arg.fields.has(name)) return arg.fields.get(name);
  return undefined;
}

/** True if an option is there and not plainly off. */
export function isOn(c: Call, name: string): boolean {
  const value = option(c, name);
  return (
    value !== undefined && !(value.k === 'ref' && /^(?:false|False|FALSE|None|null|nil|undefined)$/.test(value.name))
  );
}

/** The same thing as a path. */
export function asPathThing(thing: Thing): Thing {
  if (thing.k === 'text') return { ...thing, path: true };
  if (thing.k === 'any') return anyOf(thing.of.map(asPathThing));
  return thing.k === 'ref' || thing.k === 'env' ? UNKNOWN : thing;
}

/** Its receiver, unchanged as far as paths and taints go. */
export const sameReceiver: Model = (c) =>
  c.recv?.k === 'text' || c.recv?.k === 'any' || c.recv?.k === 'file' ? c.recv : undefined;

/** Its first argument, unchanged. */
export const sameArgument: Model = (c) => c.args[0] ?? UNKNOWN;

/** Paths joined with `/`; an absolute later part starts anew, as in Python (`absolute` true). */
export function joinPaths(parts: readonly Thing[], absolute: boolean): Thing {
  let out: Thing | null = null;
  for (const part of parts) {
    const starts = absolute && part.k === 'text' && typeof part.value[0] === 'string' && part.value[0].startsWith('/');
    out =
      out === null || starts ? asPathThing(part) : asPathThing(joined(out, part, 'path computed by the program', '/'));
  }
  return out ?? path(['.']);
}

/** The directory of a path. */
export function parentOf(thing: Thing | undefined): Thing {
  const all = words(thing, 'path computed by the program').map((value): Thing => {
    const last = value[value.length - 1];
    if (typeof last !== 'string') return value.length > 1 ? path(value.slice(0, -1)) : path([...value, '/..']);
    const cut = last.replace(/\/+$/, '').lastIndexOf('/');
    if (cut > 0 || (cut === 0 && value.length > 1)) return path([...value.slice(0, -1), last.slice(0, cut)]);
    if (cut === 0) return path(['/']);
    return value.length > 1 ? path([...value, '/..']) : path(['.']);
  });
  return anyOf(all.length > 0 ? all : [UNKNOWN]);
}

/** The result carries a taint on top of its arguments' own. */
export function tainted(taint: Taint): Model {
  return (c) => unknown([...new Set([...c.args.flatMap(taintsIn), taint])], c.args.some(comesFromFile));
}

/** Decodes a text: known text stays known, but counts as decoded. */
export function decoder(decode: (source: string) => string): Model {
  return (c) => {
    const source = c.args[0] ?? c.recv ?? UNKNOWN;
    const literal =
      source.k === 'text' && source.value.every((p) => typeof p === 'string') ? source.value.join('') : null;
    if (literal === null)
      return unknown([...new Set([...taintsIn(source), 'decoded' as const])], comesFromFile(source));
    return text(decode(literal), ['decoded']);
  };
}

export const fromBase64 = (source: string): string => Buffer.from(source, 'base64').toString('utf8');
export const fromHex = (source: string): string => Buffer.from(source.replace(/\s/g, ''), 'hex').toString('utf8');

/** A method that sends SQL to a database: `cursor.execute(sql)`. Databases in memory don't count. */
export const sqlQuery: Model = (c, scan) => {
  if (c.recv?.k === 'ref' && c.recv.name.startsWith('#memory')) return c.recv;
  query(scan, c.args[0]);
  return undefined;
};

/** Adds its arguments to the list it is called on. */
export const addTo: Model = (c) => {
  if (c.recv?.k !== 'list' || c.recv.items.length > 1000) return undefined;
  (c.recv.items as Thing[]).push(...(c.name === 'extend' ? flat(c.args) : c.args));
  return UNKNOWN;
};

/** Arguments with lists in them opened. */
export function flat(args: readonly Thing[]): readonly Thing[] {
  return args.flatMap((a) => (a.k === 'list' ? flat(a.items) : [a]));
}

export function isPath(thing: Thing | null | undefined): boolean {
  if (thing?.k === 'text') return thing.path === true;
  return thing?.k === 'any' && thing.of.some(isPath);
}
