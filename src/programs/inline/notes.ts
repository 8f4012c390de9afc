import type { DestDraft, EffectDraft, FileDraft, FileOp, Sends } from '../../model/effect.ts';
import type { EffectKind } from '../../model/effect-kinds.ts';
import { concat, knownPrefix, render, textOf, type Value } from '../../model/value.ts';
import { classifySql } from '../sql.ts';
import { home } from './places.ts';
import type { Look, Scan } from './scan.ts';
import { comesFromFile, literal, type Thing, taintsIn, UNKNOWN, unknown, word, words } from './thing.ts';

/** Notes a file draft for each of the things a path may be. */
export function touch(scan: Scan, op: FileOp, target: Thing | undefined, more: Partial<FileDraft> = {}): void {
  for (const value of words(target, 'path computed by the program')) {
    if (scan.files.length > 2000) return;
    if (value.length === 0 || (isUnknowable(value) && op !== 'delete' && op !== 'exec')) continue;
    const draft: FileDraft = { op, path: here(scan, below(value)), certain: false, ...more };
    // A secret, a repository's inside, a device, a file that others run: there the literal text is proof enough.
    scan.files.push(lookUp(scan, draft.path)?.sensitive ? { ...draft, certain: true } : draft);
  }
}

/** A server at a path of the file system, where its socket is made. Undefined if it is an address of another kind. */
export function listenAt(scan: Scan, where: Thing | undefined): Thing | undefined {
  if (where?.k !== 'text' || !render(where.value).includes('/')) return undefined;
  touch(scan, 'create', where);
  return UNKNOWN;
}

/** Nothing is known of where such a path starts: of an ordinary program that says nothing at all. */
function isUnknowable(path: Value): boolean {
  const first = path[0];
  return typeof first !== 'string' && first !== undefined && 'hole' in first && first.like === 'any';
}

/** What a program joins to a directory is taken to stay below it. */
function below(path: Value): Value {
  let slash = false;
  return path.map((part) => {
    const after = slash;
    slash = typeof part === 'string' && part.endsWith('/');
    return after && typeof part !== 'string' && 'hole' in part ? { ...part, like: 'name' as const } : part;
  });
}

/** Text goes into a file that was opened or named for writing; later commands of the call see it. */
export function fill(scan: Scan, path: Value, content: Thing | undefined): void {
  const name = render(here(scan, path));
  for (let i = scan.files.length - 1; i >= 0; i--) {
    const draft = scan.files[i] as FileDraft;
    if ((draft.op !== 'write' && draft.op !== 'create') || render(draft.path) !== name) continue;
    const added = words(content, 'text computed by the program')[0] ?? [
      { hole: 'text computed by the program', like: 'any' as const },
    ];
    scan.files[i] = { ...draft, content: concat(draft.content ?? [], added) };
    return;
  }
}

/** Files that are looked at to tell whether a path is more than an ordinary file. */
const LOOKED_AT = 100;

/** What the world says of a path that is written out in full; null if it is not, or if enough were asked. */
function lookUp(scan: Scan, path: Value): Look | null {
  const name = textOf(path);
  if (name === null) return null;
  const before = scan.looks.get(name);
  if (before) return before;
  if (scan.looks.size >= LOOKED_AT) return null;
  const { world, cwd } = scan.context;
  const facts = world.files(cwd, { op: 'read', path });
  const look: Look = {
    secret: facts.some((f) => f.secret === true),
    sensitive: facts.some(
      (f) =>
        f.secret === true ||
        f.zone === 'vcs' ||
        f.zone === 'device' ||
        f.zone === 'guard' ||
        (f.role !== '' && f.in_workspace === true),
    ),
  };
  scan.looks.set(name, look);
  return look;
}

/** The program changes its directory; relative paths are meant from there on. */
export function changeDirectory(scan: Scan, to: Thing | undefined): void {
  scan.directory = here(scan, word(to, 'directory computed by the program'));
}

export function here(scan: Scan, path: Value): Value {
  const start = knownPrefix(path);
  // R's file functions expand a tilde; other languages' do not.
  if (scan.language === 'r' && /^~(?:\/|$)/.test(start)) return concat([home(scan) + start.slice(1)], path.slice(1));
  if (scan.directory === null || start.startsWith('/')) return path;
  return concat(scan.directory, ['/'], path);
}

/** Notes that a file is read, and gives what it holds. */
export function readFile(scan: Scan, target: Thing | undefined): Thing {
  touch(scan, 'read', target);
  const held: Thing = { k: 'unknown', taints: isSecretFile(scan, target) ? ['secret'] : [], fromFile: true };
  const paths = words(target, '');
  return paths.length === 1 ? { ...held, source: paths[0] as Value } : held;
}

function isSecretFile(scan: Scan, target: Thing | undefined): boolean {
  return words(target, '').some((value) => lookUp(scan, here(scan, value))?.secret === true);
}

/** Notes a connection. `data` is what is sent, if anything. */
export function connect(
  scan: Scan,
  address: Thing | undefined,
  data: readonly (Thing | undefined)[],
  more: Partial<DestDraft> = {},
): Thing {
  // What an address is put together from leaves with it.
  const sends = sentBy(
    literal(address) === null && (taintsIn(address).length > 0 || comesFromFile(address)) ? [...data, address] : data,
  );
  for (const value of words(address, 'address computed by the program'))
    scan.dests.push({ address: value, sends, certain: false, ...more });
  return unknown(['network']);
}

function sentBy(data: readonly (Thing | undefined)[]): Sends {
  const given = data.filter((d): d is Thing => d !== undefined && !(d.k === 'text' && d.value.length === 0));
  if (given.some((d) => taintsIn(d).includes('secret'))) return 'secret';
  if (given.some(comesFromFile)) return 'file';
  return given.length > 0 ? 'text' : 'nothing';
}

export function effect(scan: Scan, kind: EffectKind, detail: string, more: Partial<EffectDraft> = {}): void {
  if (scan.effects.some((e) => e.kind === kind && e.detail === detail && e.target === more.target)) return;
  scan.effects.push({ kind, detail, certain: false, ...more });
}

/** Notes what the SQL text of a query would drop or delete. */
export function query(scan: Scan, sql: Thing | undefined): void {
  const source = sql?.k === 'text' ? sql.value.map((p) => (typeof p === 'string' ? p : '?')).join('') : '';
  if (!/\b(?:drop|truncate|delete)\b/i.test(source) || source.length > 100_000) return;
  for (const { kind, target, detail, scratch } of classifySql(source)) {
    if (!scratch && (kind === 'db-drop' || kind === 'db-delete')) effect(scan, kind, detail, { target });
  }
}
