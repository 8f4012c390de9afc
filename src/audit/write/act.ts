import { makeId } from '../../base/ids.ts';
import { GOV_VERSION } from '../../base/version.ts';
import type { RecordDraft } from '../../model/record.ts';

/** Something that was done with gov itself, and not by a tool call. */
export interface Act {
  /** Stable word: `init`, `elevate-approved`, `stopped`. */
  readonly name: string;
  readonly detail: Readonly<Record<string, unknown>>;
  /** The agents' session that it is about; '' none. */
  readonly session?: string;
  readonly cwd?: string;
}

/** The record of an act. */
export function actDraft({ name, detail, session = '', cwd = '/' }: Act, now: number): RecordDraft {
  return {
    id: makeId(now),
    kind: 'gov',
    at: now,
    call: {
      agent: 'gov',
      agentVersion: GOV_VERSION,
      event: 'Other',
      rawEvent: name,
      session,
      callId: null,
      tool: 'other',
      rawTool: '',
      mcp: null,
      input: {},
      cwd,
      subagent: null,
      permissionMode: null,
      transcript: null,
      result: null,
      detail,
    },
    facts: null,
    decision: null,
    enforced: true,
    answer: '',
    latencyMs: 0,
    faults: [],
    govVersion: GOV_VERSION,
  };
}
