import { makeCheckpoint } from '../audit/write/checkpoint.ts';
import { chainEnd } from '../audit/write/commit.ts';
import type { Writer } from '../audit/write/writer.ts';
import type { GovPaths } from '../base/gov-paths.ts';

/**
 * At the end of a session: signs where the chain ends, so that records cut off later show. Never throws: what can't be
 * signed now is within what the next end signs, and `gov audit verify` says how far signatures reach.
 */
export function signEnd(writer: Writer, paths: GovPaths, now: number): void {
  try {
    makeCheckpoint(writer.read(chainEnd), paths, now);
  } catch {
    // Nobody waits for it any more who could be told.
  }
}
