import { readdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { callsInTranscript } from '../agents/claude-code/transcript.ts';
import { GovError, messageOf } from '../base/errors.ts';
import { linesOf } from '../base/lines.ts';
import type { LoggedCall } from '../model/transcript.ts';

/** A log that an agent keeps of a session. */
export interface TranscriptFile {
  readonly file: string;
  readonly bytes: number;
}

/** Where Claude Code keeps the logs of its sessions. */
export function transcriptDir(env: NodeJS.ProcessEnv): string {
  return join(env['CLAUDE_CONFIG_DIR'] || join(env['HOME'] || homedir(), '.claude'), 'projects');
}

const MAX_DEPTH = 6;

/** Logs below a directory that were written to since a time (milliseconds since 1970 UTC), by name; links are not followed. */
export function transcriptsIn(dir: string, since = 0): readonly TranscriptFile[] {
  const found: TranscriptFile[] = [];
  const walk = (at: string, depth: number): void => {
    for (const entry of entriesOf(at)) {
      const path = join(at, entry.name);
      if (entry.isDirectory() && depth < MAX_DEPTH) walk(path, depth + 1);
      if (!entry.isFile() || !entry.name.endsWith('.jsonl')) continue;
      const stat = statSync(path, { throwIfNoEntry: false });
      if (stat !== undefined && stat.mtimeMs >= since) found.push({ file: path, bytes: stat.size });
    }
  };
  walk(dir, 0);
  return found;
}

function entriesOf(dir: string) {
  try {
    return readdirSync(dir, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw unreadable(dir, error);
  }
}

/** The calls in logs, one file after the other. Throws `usage-transcript` if one can't be read. */
export function* callsIn(files: readonly string[]): Generator<LoggedCall> {
  for (const file of files) {
    let calls: readonly LoggedCall[];
    try {
      calls = callsInTranscript(linesOf(file));
    } catch (error) {
      throw unreadable(file, error);
    }
    yield* calls;
  }
}

function unreadable(path: string, cause: unknown): GovError {
  return new GovError({
    code: 'usage-transcript',
    message: `the agent's log \`${path}\` can't be read: ${messageOf(cause)}`,
    help: 'name one with --transcript FILE',
    cause,
  });
}
