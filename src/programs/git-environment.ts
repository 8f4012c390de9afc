import type { FileDraft } from '../model/effect.ts';
import type { Outcome } from '../model/program.ts';
import { knownPrefix, textOf } from '../model/value.ts';
import { word } from './drafts.ts';
import type { Git } from './git-context.ts';
import { merge, printsSecret } from './subcommands.ts';

const TRACES = [
  'GIT_TRACE',
  'GIT_TRACE_PACK_ACCESS',
  'GIT_TRACE_PACKET',
  'GIT_TRACE_PERFORMANCE',
  'GIT_TRACE_REFS',
  'GIT_TRACE_SETUP',
  'GIT_TRACE_SHALLOW',
  'GIT_TRACE_CURL',
  'GIT_TRACE_FSMONITOR',
  'GIT_TRACE2',
  'GIT_TRACE2_EVENT',
  'GIT_TRACE2_PERF',
];

/**
 * What variables make git write or print besides its work; git(1), "Git Diagnostics": a trace whose value is an
 * absolute path is appended to that file, words of the command line included; without redaction the headers of HTTP
 * show the log-in. GIT_INDEX_FILE is written by what changes the index.
 */
export function gitTraces({ inv, words }: Git): Outcome {
  const { env } = inv;
  const files = TRACES.flatMap((name): FileDraft[] => {
    const value = env.get(name);
    return value && knownPrefix(value).startsWith('/') ? [{ op: 'write', path: value }] : [];
  });
  const index = env.get('GIT_INDEX_FILE');
  if (
    index &&
    index.length > 0 &&
    !/(?:^|\/)\.git\/[\w.-]*index[\w.-]*$/.test(word(index)) &&
    CHANGES_INDEX.test(word(words[0]))
  )
    files.push({ op: 'write', path: index });
  const shown =
    isOff(textOf(env.get('GIT_TRACE_REDACT') ?? ['1'])) && (env.has('GIT_CURL_VERBOSE') || env.has('GIT_TRACE_CURL'));
  return merge({ files }, shown ? printsSecret('the log-in of git') : {});
}

const CHANGES_INDEX =
  /^(?:add|stage|am|apply|checkout|cherry-pick|commit|merge|mv|read-tree|rebase|reset|restore|revert|rm|stash|switch|update-index)$/;

/** A value that git takes for false; git-config(1), "boolean". */
export function isOff(value: string | null): boolean {
  return value !== null && /^(?:false|no|off|0|)$/i.test(value);
}
