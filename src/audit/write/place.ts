import { chmodSync, closeSync, constants, lstatSync, mkdirSync, openSync, type Stats, statfsSync } from 'node:fs';
import { GovError } from '../../base/errors.ts';

/** Makes sure that a directory is there, is ours alone to write, and is no link. Throws `store-unsafe`, `store-unwritable`. */
export function prepareDirectory(dir: string): void {
  let stat = statOf(dir);
  if (stat === null) {
    try {
      mkdirSync(dir, { recursive: true, mode: 0o700 });
    } catch (cause) {
      throw unwritable(`can't create the directory \`${dir}\``, cause);
    }
    stat = statOf(dir);
    if (stat === null) throw unwritable(`the directory \`${dir}\` vanished`, undefined);
  }
  refuseDirectory(dir, stat);
  if ((stat.mode & 0o077) !== 0) chmodSync(dir, 0o700);
}

/** As `prepareDirectory` of a directory that is there, but changes nothing. */
export function checkDirectory(dir: string): void {
  const stat = statOf(dir);
  if (stat !== null) refuseDirectory(dir, stat);
}

function refuseDirectory(dir: string, stat: Stats): void {
  if (stat.isSymbolicLink() || !stat.isDirectory()) throw unsafe(dir, 'is not a plain directory');
  refuseForeign(dir, stat);
}

/**
 * Makes sure that the database file is there with mode 0600 before SQLite opens it (its WAL and index files take
 * their mode from it), is a plain file and is ours alone to write. Throws `store-unsafe`, `store-unwritable`.
 */
export function prepareFile(file: string): void {
  const stat = statOf(file);
  if (stat === null) return createFile(file);
  refuseFile(file, stat);
  if ((stat.mode & 0o077) !== 0) chmodSync(file, 0o600);
}

/** As `prepareFile` of a file that is there, but changes nothing. */
export function checkFile(file: string): void {
  const stat = statOf(file);
  if (stat !== null) refuseFile(file, stat);
}

function refuseFile(file: string, stat: Stats): void {
  if (!stat.isFile()) throw unsafe(file, 'is not a plain file');
  refuseForeign(file, stat);
}

function createFile(file: string): void {
  const { O_CREAT, O_EXCL, O_RDWR, O_NOFOLLOW } = constants;
  try {
    closeSync(openSync(file, O_CREAT | O_EXCL | O_RDWR | O_NOFOLLOW, 0o600));
  } catch (cause) {
    // Another process was first: look at what it made.
    if ((cause as NodeJS.ErrnoException).code === 'EEXIST') return prepareFile(file);
    throw unwritable(`can't create \`${file}\``, cause);
  }
}

// SECURITY: what others could have written proves nothing, and what another owns can be taken away.
function refuseForeign(path: string, stat: Stats): void {
  const uid = process.geteuid?.();
  if (uid !== undefined && stat.uid !== uid) throw unsafe(path, `belongs to user ${stat.uid}, not to you (${uid})`);
  if ((stat.mode & 0o022) !== 0) throw unsafe(path, 'can be written by others');
}

function statOf(path: string): Stats | null {
  try {
    return lstatSync(path);
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw unwritable(`can't look at \`${path}\``, cause);
  }
}

function unsafe(path: string, why: string): GovError {
  return new GovError({
    code: 'store-unsafe',
    message: `the audit store is refused: \`${path}\` ${why}`,
    help: 'look into how that came about, then correct owner and mode, or set GOV_HOME to a directory of your own',
  });
}

function unwritable(message: string, cause: unknown): GovError {
  return new GovError({
    code: 'store-unwritable',
    message,
    help: 'make the directory writable for you, or set GOV_HOME to one that is',
    cause,
  });
}

/**
 * File systems on which SQLite's WAL is unsafe or can't work, since its index is shared memory that must be
 * coherent between all writers: network file systems and those shared with another kernel. Magic numbers of
 * `statfs(2)`; FUSE is among them because virtiofs reports itself as FUSE.
 */
const SHARED_FILE_SYSTEMS: ReadonlySet<number> = new Set([
  0x6969, // NFS
  0xff534d42, // CIFS
  0xfe534d42, // SMB2
  0x517b, // SMB
  0x01021997, // 9p, also WSL2's /mnt drives
  0x65735546, // FUSE, virtiofs, sshfs
  0x786f4256, // VirtualBox shared folders
  0xbacbacbc, // VMware shared folders
  0x00c36400, // Ceph
  0x5346414f, // AFS
  0x0bd00bd0, // Lustre
  0x01161970, // GFS2
  0x7461636f, // OCFS2
]);

/** False where the file system's type says that WAL may corrupt the store. `typeOf` is `statfs(2)`'s type of a path. */
export function walIsSafe(path: string, typeOf: (path: string) => number = fileSystemType): boolean {
  return process.platform !== 'linux' || !SHARED_FILE_SYSTEMS.has(typeOf(path) >>> 0);
}

function fileSystemType(path: string): number {
  try {
    return statfsSync(path).type;
  } catch {
    return 0;
  }
}
