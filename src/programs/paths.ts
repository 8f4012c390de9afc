import type { Invocation } from '../model/program.ts';
import { concat, knownPrefix, textOf, type Value } from '../model/value.ts';

/** A path below a directory; `name` as it is if absolute or the directory is the current one. */
export function below(directory: Value, name: Value): Value {
  if (knownPrefix(name).startsWith('/') || directory.length === 0) return name;
  return concat(directory, endsWithSlash(directory) ? [] : ['/'], name);
}

/** True if the path ends in a slash: then even lstat(2) follows a last symbolic link. */
export function endsWithSlash(path: Value): boolean {
  const end = path.at(-1);
  if (typeof end === 'string') return end.endsWith('/');
  return end !== undefined && 'glob' in end && end.glob.endsWith('/');
}

/** The last component of a path, or null if it can't be told where that starts. */
export function lastComponent(path: Value): Value | null {
  const parts = [...path];
  const end = parts.at(-1);
  if (typeof end === 'string') {
    const trimmed = end.replace(/\/+$/, '');
    if (trimmed !== '') parts[parts.length - 1] = trimmed;
    else if (parts.length === 1) return null;
    else parts.pop();
  }
  for (let at = parts.length - 1; at >= 0; at--) {
    const part = parts[at] as Value[number];
    if (typeof part === 'string') {
      const slash = part.lastIndexOf('/');
      if (slash >= 0) return concat([part.slice(slash + 1)], parts.slice(at + 1));
    } else if ('glob' in part ? part.glob.includes('/') : part.like === 'any') return null;
  }
  return parts;
}

/** Everything before the last component, or null if it can't be told. `.` for a bare name. */
export function parentOf(path: Value): Value | null {
  const text = textOf(path);
  if (text === null) return null;
  const trimmed = text.replace(/\/+$/, '');
  if (trimmed === '') return ['/'];
  const slash = trimmed.lastIndexOf('/');
  if (slash < 0) return ['.'];
  return [trimmed.slice(0, slash).replace(/\/+$/, '') || '/'];
}

/** Is the path a directory, as far as its spelling or the world tell? */
export function isDirectory(invocation: Invocation, path: Value): boolean {
  if (endsWithSlash(path)) return true;
  const text = textOf(path);
  if (text !== null && /(^|\/)\.\.?$/.test(text)) return true;
  const { real } = invocation.world.resolve(invocation.cwd, path, true);
  return real !== null && invocation.world.kind(real) === 'dir';
}

/** Where `source` ends up when it is copied or moved to `target`: inside it if that is a directory. */
export function landing(invocation: Invocation, target: Value, source: Value, intoDirectory: boolean): Value {
  if (!intoDirectory && !isDirectory(invocation, target)) return target;
  const text = textOf(source);
  if (text !== null && /(^|\/)\.\/?$/.test(text)) return target;
  const last = lastComponent(source);
  return below(target, last ?? [{ hole: 'name of the source', like: 'name' }]);
}

/** The home directory as a program sees it: `HOME=/tmp/h npm config set …` writes below /tmp/h. */
export function homeOf(inv: Invocation): Value {
  const set = inv.env.get('HOME');
  return set && set.length > 0 ? set : [inv.world.home];
}
