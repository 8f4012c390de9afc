import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { findNativeBinding } from '../audit/write/binding.ts';
import { openWriter, type Writer } from '../audit/write/writer.ts';
import type { GovPaths } from '../base/gov-paths.ts';

/** The store, held open while it is the same. */
export interface HeldStore {
  /** Looks whether it is still the same, and opens it anew if not. Throws what `openWriter` throws. */
  current(): Writer;
  /** Until the next call: the last one to close folds the write-ahead log into the database. */
  close(): void;
}

/**
 * A hook of its own checks at each call whom the state directory and the database belong to, and reads the key for
 * digests. Here that is done again as soon as one of them is another file or has another owner or mode.
 */
export function heldStore(paths: GovPaths): HeldStore {
  let writer: Writer | null = null;
  let state = '';
  const close = (): void => {
    writer?.close();
    writer = null;
  };
  return {
    current() {
      const now = stateOf(paths);
      if (writer !== null && now === state) return writer;
      close();
      writer = openWriter(paths, { nativeBinding: findNativeBinding() });
      // The key and the database come into being with the first record: then this opens once more.
      state = now;
      return writer;
    },
    close,
  };
}

function stateOf(paths: GovPaths): string {
  return [paths.state, paths.database, join(paths.state, 'fingerprint.key')]
    .map((path) => {
      const stat = lstatSync(path, { throwIfNoEntry: false });
      return stat ? `${stat.dev}:${stat.ino}:${stat.uid}:${stat.mode}` : '-';
    })
    .join(' ');
}
