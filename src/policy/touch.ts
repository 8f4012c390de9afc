import type { FileFact } from '../model/facts.ts';
import { compileGlobs, expandBraces, type TextTest, withHome } from './glob.ts';

const WILD = /[*?[\]]/;

/** A fixed path at which the protection of a pattern starts. */
interface Base {
  readonly path: string;
  /** The directory is protected with all that lies in it (`dir/**`, or the path itself), not only some names in it. */
  readonly whole: boolean;
}

/**
 * True if what is done to the file reaches something that the patterns protect although its own path does not
 * match: the protected directory itself, or a directory above that is about to be deleted, moved or changed with
 * all that lies in it. Patterns that start with `**` are looked for in the workspace and in the home directory.
 */
export function touches(
  file: FileFact,
  real: string,
  patterns: readonly string[],
  home: string,
  workspace: string,
): boolean {
  const reachesDown =
    !file.partial && (file.op === 'move' || (file.recursive && (file.op === 'delete' || file.op === 'chmod')));
  const { bases, isDirectory } = guardedBy(patterns, home, workspace);
  if (isDirectory(real)) return true;
  const matches = file.glob ? compileGlobs([real], home) : (path: string) => path === real;
  for (const base of bases) {
    if (matches(base.path) && (base.whole || reachesDown)) return true;
    if (!reachesDown) continue;
    if (real === '/' || (file.glob ? parentsOf(base.path).some(matches) : base.path.startsWith(`${real}/`)))
      return true;
  }
  return false;
}

interface Guarded {
  readonly bases: readonly Base[];
  /** True for the directory of a pattern `dir/**`, wherever it lies. */
  readonly isDirectory: TextTest;
}

const cache = new WeakMap<readonly string[], Guarded & { readonly key: string }>();

function guardedBy(patterns: readonly string[], home: string, workspace: string): Guarded {
  const key = `${home}\0${workspace}`;
  const cached = cache.get(patterns);
  if (cached?.key === key) return cached;
  const all = patterns.flatMap((p) => expandBraces(withHome(p, home)));
  const bases = all.flatMap((p) => baseOf(p, [workspace, home]));
  const directories = all.filter((p) => p.endsWith('/**') && p !== '**/**' && p !== '/**').map((p) => p.slice(0, -3));
  const guarded = { key, bases, isDirectory: compileGlobs(directories, home) };
  cache.set(patterns, guarded);
  return guarded;
}

function baseOf(pattern: string, roots: readonly string[]): readonly Base[] {
  const relative = pattern.startsWith('**/') ? pattern.slice(3) : pattern.startsWith('/') ? null : pattern;
  const out: Base[] = [];
  for (const full of relative === null ? [pattern] : roots.map((root) => `${root}/${relative}`)) {
    const components = full.split('/');
    const wild = components.findIndex((c) => WILD.test(c));
    const path = wild < 0 ? full : components.slice(0, wild).join('/');
    // A pattern such as `**/*.pem` protects no directory in particular.
    if (path === '' || (wild >= 0 && roots.includes(path))) continue;
    out.push({ path, whole: wild < 0 || (wild === components.length - 1 && components[wild] === '**') });
  }
  return out;
}

function parentsOf(path: string): readonly string[] {
  const out: string[] = [];
  for (let i = path.lastIndexOf('/'); i > 0; i = path.lastIndexOf('/', i - 1)) out.push(path.slice(0, i));
  return out;
}
