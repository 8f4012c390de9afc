import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import { findNativeBinding } from '../audit/write/binding.ts';
import { openWriter, type Writer } from '../audit/write/writer.ts';
import type { GovPaths } from '../base/gov-paths.ts';
import { fileAt } from './place.ts';

/** The store, held open while it is the same. */
export interface HeldStore {
  /** Looks whether it is still the same, and opens it anew if not. Throws what `openWriter` throws. */
  current(): Writer;
  /** After the answers: so many records were written. Now and then the write-ahead log is folded into the database. */
  wrote(records: number): void;
  /** Nobody asks at the moment: from here on a copy of the database file is whole. */
  rest(): void;
  close(): void;
}

/** Records after which the log is folded: some megabytes. */
const FOLD_AFTER = 200;

/**
 * A hook of its own checks at each call whom the state directory and the database belong to, and reads the key for
 * digests. Here that is done again as soon as one of them is another file or has another owner or mode.
 *
 * INVARIANT: a record is acknowledged only if the log and its index that it was written to still have their names right
 * before: whoever opens the store later finds it by those names, and not in a file that was deleted under an open store.
 */
export function heldStore(paths: GovPaths): HeldStore {
  let writer: Writer | null = null;
  let state = '';
  let sides = '';
  let written = 0;
  const close = (): void => {
    writer?.close();
    writer = null;
  };
  return {
    current() {
      const now = stateOf(paths);
      if (writer !== null && now === state && sidesOf(paths) === sides) return writer;
      close();
      writer = openWriter(paths, { nativeBinding: findNativeBinding() });
      // Makes the log and its index. Folding is for after the answers, not within a commit.
      writer.read((db) => db.exec('PRAGMA wal_autocheckpoint=0; SELECT 1 FROM records LIMIT 1'));
      sides = sidesOf(paths);
      // The key and the database come into being with the first record: then this opens once more.
      state = now;
      return writer;
    },
    wrote(records) {
      written += records;
      if (written < FOLD_AFTER) return;
      written = 0;
      writer?.fold(false);
    },
    rest() {
      written = 0;
      writer?.fold(true);
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

/** The write-ahead log and its index; neither is there where the store does without. */
function sidesOf({ database }: GovPaths): string {
  return `${fileAt(`${database}-wal`)} ${fileAt(`${database}-shm`)}`;
}
