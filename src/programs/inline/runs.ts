import { isDynamic, type Taint, textOf, type Value } from '../../model/value.ts';
import { effect, here } from './notes.ts';
import type { Scan } from './scan.ts';
import { literal, type Thing, taintsIn, unknown, word, words } from './thing.ts';

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
