import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
} from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { govPaths } from '../base/gov-paths.ts';
import { LIMITS } from '../base/limits.ts';
import { lockedFiles } from '../base/locked-files.ts';
import type { GitFacts, NodeKind, World } from '../model/world.ts';
import { normalise, parentOf } from './paths.ts';
import { canBeWorkspace } from './places.ts';
import { type Repository, repositoryAt } from './repository.ts';
import { reversibleIn } from './reversible.ts';

export interface MachineOptions {
  /** Absolute directory of the call. */
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** Directory of the installed program; found from this module if left out. */
  readonly installed?: string;
  /** What calls that are judged together have seen already. */
  readonly looks?: Looks;
}

/**
 * What was seen on the machine, by path. INVARIANT: calls may share it only if all of them were waiting before the first
 * look: each of them then sees the machine as it is some time between its question and its answer, as it would alone.
 */
export interface Looks {
  readonly kinds: Map<string, NodeKind | 'none' | null>;
  readonly links: Map<string, string | null>;
  readonly lists: Map<string, readonly string[] | null>;
  readonly texts: Map<string, string | null>;
  readonly reals: Map<string, string>;
  readonly repositories: Map<string, Repository | null>;
}

export function freshLooks(): Looks {
  const [kinds, links, lists, texts, reals, repositories] = [
    new Map(),
    new Map(),
    new Map(),
    new Map(),
    new Map(),
    new Map(),
  ];
  return { kinds, links, lists, texts, reals, repositories };
}

const MAX_NAMES = 50_000;

// SECURITY: the shell that runs the command may have read its own startup files and been told other values since, so
// only what systems set at log-in is taken from this process. All else is unknown, not unset; and no secret is read.
const STEADY: ReadonlySet<string> = new Set([
  'USER',
  'LOGNAME',
  'SHELL',
  'TMPDIR',
  'LANG',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  'GOV_HOME',
]);

/**
 * The real machine, read only. Every path is looked at once, when it is first asked for; nothing is run, nothing
 * throws: what can't be read is null, not known.
 *
 * The workspace is the work tree that holds `cwd` (the nearest `.git` directory or file upwards), else `cwd` itself.
 * A home directory with a `.git`, `/` and system directories are never taken as the workspace of what lies below
 * them; an agent that is started right there works on visible files only (see places.ts).
 */
export function machineWorld({ cwd, env, installed, looks = freshLooks() }: MachineOptions): World {
  const { kinds, links, lists, texts, reals, repositories } = looks;
  const kind = (path: string): NodeKind | 'none' | null => kept(kinds, path, kindOf);
  const real = (path: string): string => realBy(normalise(path), reals, kind);
  const bothWays = (path: string): string[] => [...new Set([path, real(path)])];
  const home = real(absoluteOr(env['HOME'], homedir));
  const start = real(absoluteOr(cwd, () => '/'));
  const paths = govPaths(env);
  let locked: readonly string[] | undefined;
  const readText = (path: string): string | null =>
    kept(texts, path, () =>
      textOfFile(path, () => {
        locked ??= lockedFiles(paths);
        return locked;
      }),
    );
  const list = (path: string): readonly string[] | null => kept(lists, path, namesOf);

  const workspace = workspaceOf(start, home, kind);
  const repo = (): Repository | null => kept(repositories, workspace, () => repositoryAt(workspace, kind, readText));
  let facts: GitFacts | null = null;
  const temp = tempDirsOf(env['TMPDIR'], home, workspace, bothWays);

  return {
    home,
    workspace,
    tempDirs: temp,
    user: env['USER'] || env['LOGNAME'] || userName(),
    own: [paths.config, paths.state, ...programDirs(installed ?? installedDir())].flatMap(bothWays),
    env: (name) => (name === 'HOME' ? home : STEADY.has(name) ? (env[name] ?? '') : null),
    kind,
    readLink: (path) => kept(links, path, linkOf),
    list,
    readText,
    git: () => {
      facts ??= { branch: repo()?.branch() ?? null, remote: repo()?.remote() ?? null, dirty: null };
      return facts;
    },
    reversible: (path) => reversibleIn(path, { home, workspace, temp, repository: repo(), kind, list, readText }),
    tracked: (path) => repo()?.tracked(path) ?? null,
  };
}

function kept<T>(cache: Map<string, T>, path: string, look: (path: string) => T): T {
  const known = cache.get(path);
  if (known !== undefined || cache.has(path)) return known as T;
  const found = look(path);
  cache.set(path, found);
  return found;
}

function kindOf(path: string): NodeKind | 'none' | null {
  if (path.includes('\0')) return 'none';
  try {
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (!stat) return 'none';
    return stat.isSymbolicLink() ? 'link' : stat.isDirectory() ? 'dir' : stat.isFile() ? 'file' : 'other';
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    return code === 'ENOTDIR' || code === 'ENAMETOOLONG' ? 'none' : null;
  }
}

function linkOf(path: string): string | null {
  try {
    return readlinkSync(path);
  } catch {
    return null;
  }
}

function namesOf(path: string): readonly string[] | null {
  try {
    const names = readdirSync(path);
    return names.length > MAX_NAMES ? null : names;
  } catch {
    return null;
  }
}

/** Reads regular files only and never more than the bound: a named pipe must not hang the hook. */
function textOfFile(path: string, locked: () => readonly string[]): string | null {
  let fd: number | null = null;
  try {
    const stat = lstatSync(path);
    if (!stat.isFile() || stat.size > LIMITS.scriptBytes) return null;
    if (locked().includes(`${stat.dev}:${stat.ino}`)) return null;
    // Another file may stand there since: a pipe that is opened so does not block, a link is not followed.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW);
    const now = fstatSync(fd);
    const { size } = now;
    if (!now.isFile() || size > LIMITS.scriptBytes) return null;
    const bytes = Buffer.alloc(size);
    const read = readSync(fd, bytes, 0, size, 0);
    const text = bytes.toString('utf8', 0, read);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

function workspaceOf(start: string, home: string, kind: (path: string) => NodeKind | 'none' | null): string {
  for (let dir = start; ; dir = parentOf(dir)) {
    if (dir === home || !canBeWorkspace(dir)) return start;
    const git = kind(join(dir, '.git'));
    if (git === 'dir' || git === 'file' || git === 'link') return dir;
    if (dir === '/') return start;
  }
}

// SECURITY: the agent's environment never loosens a decision, so $TMPDIR counts only where systems keep scratch space.
const SCRATCH = /^(?:\/private)?(?:\/tmp|\/var\/tmp|\/var\/folders|\/dev\/shm|\/run\/user)(?:\/|$)/;

function tempDirsOf(
  tmpdir: string | undefined,
  home: string,
  workspace: string,
  bothWays: (path: string) => readonly string[],
): readonly string[] {
  const dirs = new Set<string>();
  for (const dir of ['/tmp', '/var/tmp', '/dev/shm', tmpdir]) {
    if (!dir?.startsWith('/')) continue;
    for (const path of bothWays(normalise(dir)))
      if (SCRATCH.test(path) && path !== home && path !== workspace) dirs.add(path);
  }
  return [...dirs];
}

/** As `realOf` of a normalised path; what several of them have in common is looked at once. */
function realBy(path: string, reals: Map<string, string>, kind: (path: string) => NodeKind | 'none' | null): string {
  if (path === '/') return path;
  return kept(reals, path, () => {
    const dir = realBy(parentOf(path), reals, kind);
    const there = `${dir === '/' ? '' : dir}/${path.slice(path.lastIndexOf('/') + 1)}`;
    const found = kind(there);
    return found === 'link' || found === null ? realOf(path) : there;
  });
}

/** Links resolved as far as the path exists. */
function realOf(path: string): string {
  let rest = '';
  for (let dir = normalise(path); ; dir = parentOf(dir)) {
    try {
      // The native form: the other one is written in JavaScript and walks the path itself.
      const real = realpathSync.native(dir);
      return normalise(real + rest);
    } catch {
      if (dir === '/') return normalise(path);
      rest = dir.slice(dir.lastIndexOf('/')) + rest;
    }
  }
}

function absoluteOr(path: string | undefined, otherwise: () => string): string {
  if (path?.startsWith('/')) return path;
  const other = otherwise();
  return other.startsWith('/') ? other : '/';
}

function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return '';
  }
}

/** The parts of an installation that run. Sources and rules in a checkout are ordinary work. */
function programDirs(root: string | null): readonly string[] {
  return root === null ? [] : [join(root, 'hooks'), join(root, 'bin'), join(root, 'dist')];
}

let installedAt: string | null | undefined;

/** Looked for once: where this module lies does not change while it runs. */
function installedDir(): string | null {
  if (installedAt === undefined) installedAt = findInstalled();
  return installedAt;
}

function findInstalled(): string | null {
  let dir = import.meta.dirname;
  for (let up = 0; up < 4; up++) {
    if (existsSync(join(dir, 'package.json')) && existsSync(join(dir, 'hooks'))) return dir;
    dir = dirname(dir);
  }
  return null;
}
