import { canonicalInput, toolNamed } from '../agents/tools.ts';
import { GovError } from '../base/errors.ts';
import type { ToolCall } from '../model/tool-call.ts';

/** A call written down by hand or on a batch line. */
export interface AskedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
  readonly cwd: string;
  readonly agent: string;
}

/** The call as an agent's hook would decode it, just before the tool runs. */
export function toolCallOf({ tool, input, cwd, agent }: AskedCall): ToolCall {
  const name = toolNamed(tool, input);
  const mcp = /^mcp__(.+?)__(.+)$/.exec(tool);
  return {
    agent,
    agentVersion: null,
    event: 'PreToolUse',
    rawEvent: 'PreToolUse',
    session: 'check',
    callId: null,
    tool: name,
    rawTool: tool,
    mcp: mcp ? { server: mcp[1] as string, tool: mcp[2] as string } : null,
    input: canonicalInput(name, input),
    cwd,
    subagent: null,
    permissionMode: null,
    transcript: null,
    result: null,
    detail: {},
  };
}

/** The fields of a tool as JSON text. Throws GovError `usage-input`. */
export function parseInput(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new GovError({
      code: 'usage-input',
      message: `--input is not JSON: ${(cause as Error).message}`,
      help: `for example --tool Read --input '{"file_path": "README.md"}'`,
      cause,
    });
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value))
    throw new GovError({ code: 'usage-input', message: '--input is not a JSON object' });
  return value as Readonly<Record<string, unknown>>;
}

/** One word stays as it is: it is shell text. Several were split by a shell, so they are quoted again. */
export function commandText(words: readonly string[]): string {
  const [only] = words;
  if (words.length === 1 && only !== undefined) return only;
  return words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`)).join(' ');
}
