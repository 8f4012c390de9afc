import { closeSync, constants, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { isLockedLink } from '../base/locked-files.ts';

/** What git last saw of a file. */
export interface IndexEntry {
  readonly mtimeSeconds: number;
  readonly size: number;
}

const MAX_BYTES = 48 * 1024 * 1024;
const MAX_ENTRIES = 500_000;

/** Reads git's index (gitformat-index(5), versions 2 to 4); null if it is absent, too large, split or of another form. */
export function readIndex(path: string): ReadonlyMap<string, IndexEntry> | null {
  let fd: number | null = null;
  try {
    // Before it is opened: closing it is what would give the locks up.
    if (isLockedLink(statSync(path))) return null;
    // SECURITY: a named pipe in its place must not hang the hook: an agent may run a call that its hook does not answer.
    fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const stat = fstatSync(fd);
    if (!stat.isFile() || stat.size > MAX_BYTES) return null;
    return parseIndex(readFileSync(fd));
  } catch {
    return null;
  } finally {
    if (fd !== null) closeSync(fd);
  }
}

/** As `readIndex`, of bytes. SHA-1 repositories only: in others the name's place is not found and null is returned. */
function parseIndex(data: Buffer): ReadonlyMap<string, IndexEntry> | null {
  if (data.length < 12 || data.toString('latin1', 0, 4) !== 'DIRC') return null;
  const version = data.readUInt32BE(4);
  const count = data.readUInt32BE(8);
  if (version < 2 || version > 4 || count > MAX_ENTRIES) return null;
  const entries = new Map<string, IndexEntry>();
  let at = 12;
  let previous = '';
  for (let n = 0; n < count; n++) {
    if (at + 62 > data.length) return null;
    const mtimeSeconds = data.readUInt32BE(at + 8);
    const size = data.readUInt32BE(at + 36);
    const flags = data.readUInt16BE(at + 60);
    let name = at + 62;
    if (flags & 0x4000) name += 2; // extended flags
    if (version < 4) {
      const end = data.indexOf(0, name);
      if (end < 0) return null;
      entries.set(data.toString('utf8', name, end), { mtimeSeconds, size });
      at += Math.ceil((end - at + 1) / 8) * 8;
      continue;
    }
    const { value, next } = offsetAt(data, name);
    const end = data.indexOf(0, next);
    if (end < 0 || value > previous.length) return null;
    previous = previous.slice(0, previous.length - value) + data.toString('latin1', next, end);
    entries.set(Buffer.from(previous, 'latin1').toString('utf8'), { mtimeSeconds, size });
    at = end + 1;
  }
  return hasExtension(data, at, 'link') ? null : entries;
}

// The variable width number of version 4, as in pack files (offset encoding).
function offsetAt(data: Buffer, from: number): { value: number; next: number } {
  let at = from;
  let byte = data[at++] as number;
  let value = byte & 127;
  while (byte & 128 && at < data.length) {
    byte = data[at++] as number;
    value = (value + 1) * 128 + (byte & 127);
  }
  return { value, next: at };
}

function hasExtension(data: Buffer, from: number, name: string): boolean {
  for (let at = from; at + 8 <= data.length - 20; ) {
    if (data.toString('latin1', at, at + 4) === name) return true;
    at += 8 + data.readUInt32BE(at + 4);
  }
  return false;
}
