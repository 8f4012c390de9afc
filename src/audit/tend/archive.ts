import { createHash } from 'node:crypto';
import { closeSync, constants, fsyncSync, openSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { linesOf } from '../../base/lines.ts';
import { COLUMN_NAMES } from '../format/chain.ts';
import { exportLines } from '../read/export.ts';
import type { Store } from '../read/store.ts';
import { prepareDirectory } from '../write/place.ts';
import type { StoredRow } from './verify-rows.ts';

/** Writes the records up to a number as JSON lines with all their proofs, mode 0600, durable when it returns; gives its SHA-256. */
export function writeArchive(store: Store, upTo: number, file: string): string {
  prepareDirectory(dirname(file));
  const aside = `${file}.partial`;
  const { O_CREAT, O_TRUNC, O_WRONLY, O_NOFOLLOW } = constants;
  const fd = openSync(aside, O_CREAT | O_TRUNC | O_WRONLY | O_NOFOLLOW, 0o600);
  const hash = createHash('sha256');
  try {
    for (const { text } of exportLines(store, { upTo }, 'jsonl')) {
      const bytes = Buffer.from(text);
      hash.update(bytes);
      for (let done = 0; done < bytes.length; ) done += writeSync(fd, bytes, done);
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(aside, file);
  return hash.digest('hex');
}

/** The records of an archive or of a JSONL export, as `verifyRows` wants them. Throws where a line is no record. */
export function* rowsInArchive(file: string): Generator<StoredRow> {
  for (const line of linesOf(file)) {
    if (line === '') continue;
    const record = JSON.parse(line) as Record<string, string | number | null>;
    yield {
      seq: Number(record['seq']),
      spooled: Number(record['spooled']),
      body_hash: String(record['body_hash']),
      prev_hash: String(record['prev_hash']),
      hash: String(record['hash']),
      salt: record['salt'] as string | null,
      body: record['body'] as string | null,
      values: COLUMN_NAMES.map((name) => record[name] as string | number),
    };
  }
}
