/** Absolute, normalised, without links looked at: `.` and `..` and repeated slashes are taken out as text. */
export function normalise(path: string): string {
  const out: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') out.pop();
    else out.push(part);
  }
  return `/${out.join('/')}`;
}

/** The directory that holds it; `/` holds itself. */
export function parentOf(path: string): string {
  const at = path.lastIndexOf('/');
  return at <= 0 ? '/' : path.slice(0, at);
}

/** The last component. */
export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

/** True if the path begins with one of these texts. */
export function startsWithAny(path: string, starts: readonly string[]): boolean {
  return starts.some((start) => path.startsWith(start));
}

/** `dir` and a name in it. */
export function inside(dir: string, name: string): string {
  return dir === '/' ? `/${name}` : `${dir}/${name}`;
}

/** True for the directory itself and all below it, by whole components. */
export function isUnder(path: string, dir: string): boolean {
  return dir === '/' || path === dir || (path.startsWith(dir) && path[dir.length] === '/');
}

// Characters that HFS+ drops when it compares names: a twin of `.git` may be written with one of them in it.
const IGNORED = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/**
 * The path as a file system that folds case would compare it. Protected names are matched on this, because a twin
 * such as `.cUrSoR` is the same file on macOS and Windows.
 */
export function folded(path: string): string {
  if (/^[\u0000-\u007f]*$/.test(path)) return path.toLowerCase();
  return path.normalize('NFKC').replace(IGNORED, '').toLowerCase();
}
