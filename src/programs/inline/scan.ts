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
    scan.files.push(isSensitive(scan, draft) ? { ...draft, certain: true } : draft);
  }
}

/** Files that are looked at to tell whether a path is more than an ordinary file. */
const LOOKED_AT = 200;

/**
 * A path written out in full that is a secret, a repository's inside, a device, or a file that others run or obey:
 * there the literal text is proof enough.
 */
function isSensitive(scan: Scan, draft: FileDraft): boolean {
  if (textOf(draft.path) === null || scan.files.length > LOOKED_AT) return false;
  return scan.context.world
    .files(scan.context.cwd, draft)
    .some(
      (f) =>
        f.secret === true ||
        f.zone === 'vcs' ||
        f.zone === 'device' ||
        f.zone === 'guard' ||
        (f.role !== '' && f.in_workspace === true),
    );
}

/** The program changes its directory; relative paths are meant from there on. */
export function changeDirectory(scan: Scan, to: Thing | undefined): void {
  scan.directory = here(scan, word(to, 'directory computed by the program'));
}

function here(scan: Scan, path: Value): Value {
  if (scan.directory === null || /^[/~]/.test(knownPrefix(path))) return path;
  return concat(scan.directory, ['/'], path);
}

/** Notes that a file is read, and gives what it holds. */
export function readFile(scan: Scan, target: Thing | undefined): Thing {
  touch(scan, 'read', target);
  return unknown(isSecretFile(scan, target) ? ['secret'] : [], true);
}

function isSecretFile(scan: Scan, target: Thing | undefined): boolean {
  return words(target, '').some((value) => {
    if (textOf(value) === null) return false;
    return scan.context.world
      .files(scan.context.cwd, { op: 'read', path: here(scan, value) })
      .some((f) => f.secret === true);
  });
}

/** Notes a connection. `data` is what is sent, if anything. */
export function connect(
  scan: Scan,
  address: Thing | undefined,
  data: readonly (Thing | undefined)[],
  more: Partial<DestDraft> = {},
): Thing {
  const sends = sentBy(data);
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
    scan.nested.push({ kind: 'script', text: value, via: scan.context.via, certain: false, ...inDirectory(scan, cwd) });
  }
  return unknown([]);
}

/** Notes a program that the code starts with a list of arguments. */
export function runProgram(scan: Scan, argv: readonly Thing[], cwd?: Thing): Thing {
  const values = argv.map((a) => word(a, 'argument computed by the program'));
  if (values.length > 0 && (values[0] as Value).length > 0)
    scan.nested.push({ kind: 'argv', argv: values, via: scan.context.via, certain: false, ...inDirectory(scan, cwd) });
  return unknown([]);
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

/** Notes code that is made at run time. Gives true if its text is known and free of taint. */
export function noteCode(scan: Scan, code: Thing | undefined): void {
  const taints = taintsIn(code);
  if (taints.length > 0 && !taints.every((t) => t === 'secret')) return noteTaintedCode(scan, taints);
  if (literal(code) !== null || code?.k === 'func' || code === undefined) return;
  scan.opaque = true;
  effect(scan, 'exec-unknown', 'code made at run time');
}

export function effect(scan: Scan, kind: EffectKind, detail: string, more: Partial<EffectDraft> = {}): void {
  if (scan.effects.some((e) => e.kind === kind && e.detail === detail && e.target === more.target)) return;
  scan.effects.push({ kind, detail, certain: false, ...more });
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
  if (key === null) return text([{ hole: 'environment variable', like: 'any' }]);
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
export function globbed(thing: Thing | undefined): Thing {
  const items = words(thing, 'pattern computed by the program').map((value): Thing => {
    const [first, ...rest] = value;
    if (typeof first !== 'string') return pathThing(value);
    const wild = first.search(/[*?[{]/);
    if (wild < 0 && !rest.some((p) => typeof p === 'string' && /[*?[{]/.test(p))) return pathThing(value);
    const fixed = wild < 0 ? first : first.slice(0, wild);
    const slash = fixed.lastIndexOf('/');
    const start = slash < 0 ? (isDynamic(value) && wild < 0 ? first : './') : fixed.slice(0, slash + 1);
    return pathThing([start, { hole: 'name matched by a pattern', like: 'name' }]);
  });
  return { k: 'list', items };
}
