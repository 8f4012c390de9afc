import { statSync } from 'node:fs';

/**
 * What a file is like now: size, time of the last change and inode, as one text; '' if there is no file, null if that
 * can't be told. Whoever writes to it changes that, also a formatter that comes after the agent.
 */
export function stampOf(path: string): string | null {
  if (!path.startsWith('/')) return null;
  try {
    const stat = statSync(path, { bigint: true, throwIfNoEntry: false });
    return stat === undefined ? '' : `${stat.size}:${stat.mtimeNs}:${stat.ino}`;
  } catch {
    return null;
  }
}
