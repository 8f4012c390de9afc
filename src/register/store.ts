import { findNativeBinding } from '../audit/write/binding.ts';
import { openWriter } from '../audit/write/writer.ts';
import type { GovPaths } from '../base/gov-paths.ts';
import { makeId } from '../base/ids.ts';
import { GOV_VERSION } from '../base/version.ts';

/** Records what a person did with gov itself (`init`, `uninstall`); creates the store if there is none. Throws if it can't. */
export function recordAct(paths: GovPaths, act: string, detail: Readonly<Record<string, unknown>>, now: number): void {
  const writer = openWriter(paths, { nativeBinding: findNativeBinding() });
  try {
    writer.append({
      id: makeId(now),
      kind: 'gov',
      at: now,
      call: {
        agent: 'gov',
        agentVersion: GOV_VERSION,
        event: 'Other',
        rawEvent: act,
        session: '',
        callId: null,
        tool: 'other',
        rawTool: '',
        mcp: null,
        input: {},
        cwd: process.cwd(),
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
    });
  } finally {
    writer.close();
  }
}
