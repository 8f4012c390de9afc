import { folded, isUnder } from './paths.ts';

/** The directories that decide what a path means; all absolute, links resolved. */
export interface Places {
  readonly home: string;
  readonly workspace: string;
  readonly temp: readonly string[];
  readonly own: readonly string[];
  /** False: the directory that the agent works in is too much to be called a workspace (`/`, `/etc`, `/tmp`). */
  readonly hasWorkspace: boolean;
  /** The same directories, folded. */
  readonly low: {
    readonly home: string;
    readonly workspace: string;
    readonly temp: readonly string[];
    readonly own: readonly string[];
  };
}

export function places(home: string, workspace: string, temp: readonly string[], own: readonly string[]): Places {
  const low = { home: folded(home), workspace: folded(workspace), temp: temp.map(folded), own: own.map(folded) };
  return { home, workspace, temp, own, hasWorkspace: canBeWorkspace(workspace), low };
}

const NEVER_BELOW = [
  '/etc',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/boot',
  '/proc',
  '/sys',
  '/dev',
  '/run',
  '/usr/bin',
  '/usr/sbin',
  '/usr/lib',
  '/usr/share',
  '/usr/include',
  '/usr/local/bin',
  '/usr/local/lib',
  '/usr/local/etc',
  '/var/log',
  '/var/spool',
  '/system',
  '/library',
  '/applications',
  '/private/etc',
];
const NEVER_ITSELF = new Set([
  '/',
  '/usr',
  '/usr/local',
  '/usr/src',
  '/opt',
  '/var',
  '/var/lib',
  '/var/www',
  '/srv',
  '/home',
  '/users',
  '/mnt',
  '/media',
  '/volumes',
  '/tmp',
  '/var/tmp',
  '/private',
  '/private/tmp',
  '/private/var',
  '/dev/shm',
]);

/** A system directory is never a workspace: an agent started there must not find it ordinary. */
export function canBeWorkspace(path: string): boolean {
  const p = folded(path);
  return !NEVER_ITSELF.has(p) && !NEVER_BELOW.some((dir) => isUnder(p, dir));
}

const USER_DIRS =
  /^(?:documents|desktop|downloads|pictures|music|videos|movies|public|library|dropbox|onedrive|google drive|icloud drive)$/;

/**
 * True if the path is ordinary work. A home directory that is the workspace, or lies in it, counts for its visible
 * files only: the directory itself, its dot files and the user's own collections stay `home`.
 */
export function inWorkspace(path: string, at: Places): boolean {
  if (!at.hasWorkspace || !isUnder(path, at.workspace)) return false;
  if (!isUnder(at.home, at.workspace) || !isUnder(path, at.home)) return true;
  const below = path.slice(at.home.length + 1);
  return below !== '' && !below.startsWith('.') && !USER_DIRS.test(folded(below));
}

/**
 * The part of a path below the home directory it lies in (the user's own, or any `/home/X`, `/Users/X`, `/root`),
 * or null. `''` for the home directory itself.
 */
export function belowHome(path: string, home: string): string | null {
  if (isUnder(path, home)) return path === home ? '' : path.slice(home === '/' ? 1 : home.length + 1);
  const other = /^(?:\/(?:home|users)\/[^/]+|\/root|\/var\/root)(?:\/|$)/i.exec(path);
  return other ? path.slice(other[0].length) : null;
}

// What mktemp and $TMPDIR give on macOS (confstr(3), _CS_DARWIN_USER_TEMP_DIR), whatever this process's own is.
const MAC_SCRATCH = /^(?:\/private)?\/var\/folders\/[^/]+\/[^/]+\/[TC](?:\/|$)/;

/**
 * True for scratch space. The deeper of two holds: a home directory may lie below /tmp, and a scratch directory below
 * home.
 */
export function isScratch(path: string, at: Pick<Places, 'home' | 'temp'>): boolean {
  if (MAC_SCRATCH.test(path)) return true;
  return at.temp.some((dir) => isUnder(path, dir) && !(isUnder(at.home, dir) && isUnder(path, at.home)));
}
