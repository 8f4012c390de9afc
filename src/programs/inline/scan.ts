import type { DestDraft, EffectDraft, FileDraft, FileOp, Sends } from '../../model/effect.ts';
import type { EffectKind } from '../../model/effect-kinds.ts';
import type { Nested } from '../../model/program.ts';
import {
  concat,
  EMPTY_STREAM,
  isDynamic,
  knownPrefix,
  type Part,
  type Stream,
  type Taint,
  textOf,
  type Value,
} from '../../model/value.ts';
import type { Overlay } from '../../model/world.ts';
import { isSecretName } from '../secret-names.ts';
import { classifySql } from '../sql.ts';
import type { Language } from './syntax.ts';
import {
  comesFromFile,
  type Func,
  literal,
  path as pathThing,
  type Thing,
  taintsIn,
  text,
  UNKNOWN,
  unknown,
  word,
  words,
} from './thing.ts';
import type { Token } from './token.ts';

/** What a scan of program text found. Nothing in it is certain. */
export interface CodeFindings {
  readonly files: readonly FileDraft[];
  readonly dests: readonly DestDraft[];
  readonly effects: readonly EffectDraft[];
  readonly nested: readonly Nested[];
  /** What it prints, as far as known; its taints are those of what is printed. */
  readonly stdout: Stream;
  /** It calls code that can't be read. */
  readonly opaque: boolean;
}

/** Where and how the code runs. */
export interface CodeContext {
  /** Command-line arguments of the program, without the interpreter and the script. */
  readonly args: readonly Value[];
  readonly stdin: Stream;
  readonly cwd: Value;
  readonly env: ReadonlyMap<string, Value>;
  readonly world: Overlay;
  /** How rules see the wrapper of a shell command that the code runs: `python3`. */
  readonly via: string;
  /** The value of the last expression is printed (`node -p`). */
  readonly printsResult?: boolean;
}

/** A call as a library model sees it. */
export interface Call {
  /** Full name of the callee, or the method's name. */
  readonly name: string;
  readonly recv: Thing | null;
  readonly args: readonly Thing[];
  readonly named: ReadonlyMap<string, Thing>;
}

export type Model = (call: Call, scan: Scan) => Thing | undefined;

/** What the scanner knows of a language's standard and common libraries. */
export interface Library {
  /** By full dotted name, as imported. */
  readonly calls: ReadonlyMap<string, Model>;
  /** By method name, on whatever the receiver is; the model looks at it. Undefined: it says nothing. */
  readonly methods: ReadonlyMap<string, Model>;
  /** Values of names: `os.environ`, `process.argv`. */
  readonly names: ReadonlyMap<string, (scan: Scan) => Thing>;
  /** Last names so telling that they count whatever they are called on: `rmSync`, `rmtree`. */
  readonly telling: ReadonlyMap<string, string>;
}

interface Look {
  readonly secret: boolean;
  readonly sensitive: boolean;
}

/** A scan under way: what it found, what its variables hold, how much work is left. */
export interface Scan {
  readonly language: Language;
  readonly library: Library;
  readonly context: CodeContext;
  readonly scopes: Map<string, Thing>[];
  readonly functions: Map<string, { readonly func: Func; readonly unit: readonly Token[]; called: boolean }>;
  readonly files: FileDraft[];
  readonly dests: DestDraft[];
  readonly effects: EffectDraft[];
  readonly nested: Nested[];
  readonly printed: Part[];
  readonly printTaints: Set<Taint>;
  /** Texts put for the shell's unknowns in the code. */
  readonly holes: readonly Part[];
  /** What was asked of the world. */
  readonly looks: Map<string, Look>;
  /** How often each function was walked. */
  readonly calls: Map<Func, number>;
  branches: number;
  /** Where the program went with chdir; null: where it started. */
  directory: Value | null;
  opaque: boolean;
  steps: number;
  depth: number;
  returned: Thing;
  /** What the last iterating call went over, for a block's parameters. */
  iterated: Thing;
}

/** Notes a file draft for each of the things a path may be. */
export function touch(scan: Scan, op: FileOp, target: Thing | undefined, more: Partial<FileDraft> = {}): void {
  for (const value of words(target, 'path computed by the program')) {
    if (scan.files.length > 2000) return;
    if (value.length === 0) continue;
    const draft: FileDraft = { op, path: here(scan, value), certain: false, ...more };
    // A secret, a repository's inside, a device, a file that others run: there the literal text is proof enough.
    scan.files.push(lookUp(scan, draft.path)?.sensitive ? { ...draft, certain: true } : draft);
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

function here(scan: Scan, path: Value): Value {
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

/** Notes shell text that the code runs. */
export function runShell(scan: Scan, command: Thing | undefined, cwd?: Thing): Thing {
  const taints = taintsIn(command);
  for (const value of words(command, 'command computed by the program')) {
    if (value.length === 0) continue;
    noteTaintedCode(scan, taints);
    scan.nested.push({
      kind: 'script',
      text: value,
      via: scan.context.via,
      ...isPlain(scan, [value]),
      ...inDirectory(scan, cwd),
    });
  }
  return unknown([]);
}

/** Notes a program that the code starts with a list of arguments. */
export function runProgram(scan: Scan, argv: readonly Thing[], cwd?: Thing): Thing {
  const values = argv.map((a) => word(a, 'argument computed by the program'));
  if (values.length > 0 && (values[0] as Value).length > 0)
    scan.nested.push({
      kind: 'argv',
      argv: values,
      via: scan.context.via,
      ...isPlain(scan, values),
      ...inDirectory(scan, cwd),
    });
  return unknown([]);
}

/** A command written out in full, in code without branches and outside of functions, runs for certain. */
function isPlain(scan: Scan, words: readonly Value[]): { readonly certain?: false } {
  return scan.branches === 0 && scan.scopes.length === 1 && !words.some(isDynamic) ? {} : { certain: false };
}

function inDirectory(scan: Scan, cwd: Thing | undefined): { readonly cwd?: Value } {
  const none = cwd === undefined || (cwd.k === 'ref' && /^(?:None|null|undefined|nil)$/.test(cwd.name));
  if (!none) return { cwd: here(scan, word(cwd, 'directory computed by the program')) };
  return scan.directory === null ? {} : { cwd: scan.directory };
}

function noteTaintedCode(scan: Scan, taints: readonly Taint[]): void {
  if (taints.includes('network')) effect(scan, 'exec-remote', 'code from the network');
  else if (taints.includes('decoded')) effect(scan, 'exec-decoded', 'decoded code');
}

/** Notes code that is made at run time. Gives the text of a file whose content it is. */
export function noteCode(scan: Scan, code: Thing | undefined): string | null {
  const taints = taintsIn(code);
  if (taints.length > 0 && !taints.every((t) => t === 'secret')) {
    noteTaintedCode(scan, taints);
    return null;
  }
  if (literal(code) !== null || code?.k === 'func' || code === undefined) return null;
  if (code.k === 'unknown' && code.source) return fileCode(scan, code.source);
  scan.opaque = true;
  effect(scan, 'exec-unknown', 'code made at run time');
  return null;
}

/** `exec(open(path).read())`: the file's text, if it is known. */
function fileCode(scan: Scan, path: Value): string | null {
  scan.files.push({ op: 'exec', path: here(scan, path), certain: false });
  const { world, cwd } = scan.context;
  const { real, zone } = world.resolve(cwd, here(scan, path), true);
  const held = real === null ? null : world.content(real);
  const source = held?.value ? textOf(held.value) : null;
  if (held) noteTaintedCode(scan, held.taints);
  if (source === null) {
    scan.opaque = true;
    if (zone !== 'workspace') effect(scan, 'exec-unknown', 'code of a file that is not known');
  }
  return source;
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

/** Notes what is printed. */
export function print(scan: Scan, things: readonly Thing[], end = '\n'): void {
  for (const thing of things) {
    for (const taint of taintsIn(thing)) scan.printTaints.add(taint);
    if (holdsEnvironment(thing)) effect(scan, 'secret-read', 'prints the environment', { target: 'environment' });
    else if (printsSecretVariable(thing))
      effect(scan, 'secret-read', 'prints a secret variable', { target: 'environment variable' });
  }
  for (const [at, thing] of things.entries()) {
    if (at > 0) scan.printed.push(' ');
    scan.printed.push(...word(thing, 'printed by the program'));
  }
  scan.printed.push(end);
}

function holdsEnvironment(thing: Thing): boolean {
  if (thing.k === 'env') return true;
  if (thing.k === 'list') return thing.items.some(holdsEnvironment);
  if (thing.k === 'map') return [...thing.fields.values()].some(holdsEnvironment);
  return thing.k === 'any' && thing.of.some(holdsEnvironment);
}

function printsSecretVariable(thing: Thing): boolean {
  if (thing.k === 'list') return thing.items.some(printsSecretVariable);
  if (thing.k === 'map') return [...thing.fields.values()].some(printsSecretVariable);
  if (thing.k === 'any') return thing.of.some(printsSecretVariable);
  return (
    thing.k === 'text' &&
    thing.value.some((p) => typeof p !== 'string' && 'hole' in p && p.taint === 'secret' && p.hole.startsWith('$'))
  );
}

/** Names and values of the whole environment, as pairs or values alone. */
export function environmentItems(pairs: boolean): Thing {
  const value = text([{ hole: '$…', like: 'any', taint: 'secret' }]);
  return { k: 'list', items: [pairs ? { k: 'list', items: [UNKNOWN, value] } : value] };
}

/** The value of an environment variable. */
export function variable(scan: Scan, name: Thing | undefined): Thing {
  const key = literal(name);
  // A name worked out by the program: it may go through all of them.
  if (key === null) return text([{ hole: '$…', like: 'any', taint: 'secret' }]);
  const own = scan.context.env.get(key);
  if (own) return text(own);
  const inherited = key === 'HOME' || key === 'USERPROFILE' ? scan.context.world.home : scan.context.world.env(key);
  if (inherited && !isSecretName(key)) return text(inherited);
  const secret = isSecretName(key);
  return text([secret ? { hole: `$${key}`, like: 'any', taint: 'secret' } : { hole: `$${key}`, like: 'any' }]);
}

/** `~` and `~/x` as a path below home; other text as it is. */
export function expandHome(scan: Scan, thing: Thing | undefined): Thing {
  if (!thing) return UNKNOWN;
  const all = words(thing, 'path computed by the program').map((value) => {
    const first = value[0];
    if (typeof first !== 'string' || !/^~(?=\/|$)/.test(first)) return pathThing(value);
    return pathThing([home(scan) + first.slice(1), ...value.slice(1)]);
  });
  return all.length === 1 ? (all[0] as Thing) : { k: 'any', of: all };
}

export function home(scan: Scan): string {
  const own = scan.context.env.get('HOME');
  return (own && textOf(own)) ?? scan.context.world.home;
}

/** What was found, the printed text only if no branch or loop makes it doubtful. */
export function findings(scan: Scan): CodeFindings {
  const sure = scan.branches === 0 && scan.printed.length < 200;
  const value = scan.printed.length === 0 ? null : sure ? merge(scan.printed) : null;
  if (scan.dests.some((d) => d.scheme === 'tcp') && scan.nested.some(startsShell))
    effect(scan, 'exec-remote', 'a shell on a network connection');
  const { files, dests, effects, nested, opaque } = scan;
  const stdout: Stream =
    value === null && scan.printTaints.size === 0 ? EMPTY_STREAM : { value, taints: [...scan.printTaints] };
  return { files, dests, effects, nested, stdout, opaque };
}

/** A bare shell, which takes its commands from wherever its input was turned to. */
function startsShell(nested: Nested): boolean {
  const line =
    nested.kind === 'script'
      ? textOf(nested.text)
      : nested.kind === 'argv'
        ? nested.argv.map((a) => textOf(a) ?? '').join(' ')
        : null;
  return (
    line !== null &&
    /^\s*(?:\S*\/)?(?:ba|z|da|k|a)?sh(?:\s+-i)?\s*$|^\s*(?:cmd|powershell|pwsh)(?:\.exe)?\s*$/.test(line)
  );
}

function merge(parts: readonly Part[]): Value {
  const out: Part[] = [];
  for (const part of parts) {
    const last = out[out.length - 1];
    if (typeof part === 'string' && typeof last === 'string') out[out.length - 1] = last + part;
    else if (part !== '') out.push(part);
  }
  return out;
}

/** A directory's entries: names below it. */
export function entriesOf(thing: Thing | undefined): Thing {
  const bases = words(thing, 'directory computed by the program');
  return {
    k: 'list',
    items: bases.map((b) =>
      pathThing([...(b.length > 0 ? b : ['.']), '/', { hole: 'name in a directory', like: 'name' as const }]),
    ),
  };
}

/** What a glob pattern matches: the directory before its first wildcard, and a name below it. */
export function globbed(thing: Thing | undefined, scan?: Scan): Thing {
  const items = words(thing, 'pattern computed by the program').map((value): Thing => {
    const [start, ...rest] = value;
    if (typeof start !== 'string') return pathThing(value);
    const first = scan && /^~(?=\/|$)/.test(start) ? home(scan) + start.slice(1) : start;
    const wild = first.search(/[*?[{]/);
    if (wild < 0 && !rest.some((p) => typeof p === 'string' && /[*?[{]/.test(p))) return pathThing(value);
    const fixed = wild < 0 ? first : first.slice(0, wild);
    const slash = fixed.lastIndexOf('/');
    const directory = slash < 0 ? (isDynamic(value) && wild < 0 ? first : './') : fixed.slice(0, slash + 1);
    return pathThing([directory, { hole: 'name matched by a pattern', like: 'name' }]);
  });
  return { k: 'list', items };
}
