import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { GovPaths } from '../base/gov-paths.ts';

/** `sun_path` holds 104 bytes on macOS, 108 on Linux. */
const MAX_PATH = 100;

export function socketFile(paths: Pick<GovPaths, 'daemon'>): string {
  return join(paths.daemon, 'socket');
}

/** False where the path of the socket would be longer than systems take: there every call has a hook of its own. */
export function fitsSocket(paths: Pick<GovPaths, 'daemon'>): boolean {
  return Buffer.byteLength(socketFile(paths)) <= MAX_PATH;
}

/** Device and inode of what lies at a path; '' nothing. */
export function fileAt(path: string): string {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false });
  return stat === undefined ? '' : `${stat.dev}:${stat.ino}`;
}
