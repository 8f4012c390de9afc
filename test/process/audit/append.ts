import { readSync, writeSync } from 'node:fs';
import { findNativeBinding } from '../../../src/audit/write/binding.ts';
import { openWriter } from '../../../src/audit/write/writer.ts';
import { govPaths } from '../../../src/base/gov-paths.ts';
import { makeId } from '../../../src/base/ids.ts';
import type { RecordDraft } from '../../../src/model/record.ts';

/**
 * `append.cjs ROOT COUNT BUDGET_MS NAME [HOLD]`: appends records and acknowledges each on standard output once it is
 * durable. After HOLD of them it goes on for each byte that comes on standard input.
 */
const [root = '', count = '1', budget = '4000', name = 'p', hold = count] = process.argv.slice(2);
const paths = govPaths(process.env);
try {
  const writer = openWriter(paths, {
    nativeBinding: findNativeBinding(`${root}/dist/hook.cjs`),
    budgetMs: Number(budget),
  });
  for (let i = 0; i < Number(count); i++) {
    const { id, stored } = writer.append(draftOf(`echo ${name}-${i}`));
    writeSync(1, `${id} ${stored}\n`);
    if (i + 1 >= Number(hold) && i + 1 < Number(count)) readSync(0, Buffer.alloc(1), 0, 1, null);
  }
  writer.close();
} catch (error) {
  writeSync(1, `failed ${(error as { code?: string }).code ?? String(error)}\n`);
  process.exitCode = 2;
}

function draftOf(command: string): RecordDraft {
  const at = Date.now();
  return {
    id: makeId(at),
    kind: 'decision',
    at,
    call: {
      agent: 'claude-code',
      agentVersion: null,
      event: 'PreToolUse',
      rawEvent: 'PreToolUse',
      session: 's',
      callId: null,
      tool: 'shell',
      rawTool: 'Bash',
      mcp: null,
      input: { command },
      cwd: '/w',
      subagent: null,
      permissionMode: null,
      transcript: null,
      result: null,
      detail: {},
    },
    facts: null,
    decision: null,
    enforced: true,
    answer: 'allow',
    latencyMs: 1,
    faults: [],
    govVersion: '0.1.0',
  };
}
