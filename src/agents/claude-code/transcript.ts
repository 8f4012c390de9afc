import type { LoggedCall } from '../../model/transcript.ts';
import { type Fields, fieldsOf, own, textField } from '../fields.ts';

/**
 * The tool calls in one transcript of Claude Code (`projects/<dir>/<session>.jsonl`, subagents in
 * `<session>/subagents/agent-<id>.jsonl`): JSON lines, of which those of type `assistant` hold `tool_use` blocks and
 * those of type `user` their `tool_result`. Lines that are no JSON (the last one of a running session) are passed over.
 * Seen with clients 2.0 to 2.1.332.
 */
export function callsInTranscript(lines: Iterable<string>): readonly LoggedCall[] {
  const calls = new Map<string, Making>();
  const ends = new Map<string, LoggedCall['end']>();
  const faults = new Map<string, string>();
  for (const line of lines) {
    if (!line.includes('tool') && !line.includes('"hook_')) continue; // Most of a transcript is something else.
    const entry = entryOf(line);
    if (entry === null) continue;
    const type = textField(entry, 'type');
    if (type === 'attachment') noteFault(entry, faults);
    if (type !== 'assistant' && type !== 'user') continue;
    for (const block of blocksOf(entry)) {
      if (type === 'assistant') {
        const call = callIn(block, entry);
        if (call !== null && !calls.has(call.callId)) calls.set(call.callId, call);
      }
      const answered = textField(block, 'tool_use_id');
      if (answered !== null) ends.set(answered, endOf(block));
    }
  }
  return [...calls.values()].map((call) => ({
    ...call,
    end: ends.get(call.callId) ?? 'none',
    hookFault: faults.get(call.callId) ?? '',
  }));
}

type Making = Omit<LoggedCall, 'end' | 'hookFault'>;

function entryOf(line: string): Fields | null {
  try {
    return fieldsOf(JSON.parse(line));
  } catch {
    return null;
  }
}

function blocksOf(entry: Fields): readonly Fields[] {
  const content = own(fieldsOf(own(entry, 'message')) ?? {}, 'content');
  return Array.isArray(content) ? content.map(fieldsOf).filter((block) => block !== null) : [];
}

function callIn(block: Fields, entry: Fields): Making | null {
  const type = textField(block, 'type');
  const server = type === 'server_tool_use' || type === 'mcp_tool_use';
  const callId = textField(block, 'id');
  const tool = textField(block, 'name');
  if ((type !== 'tool_use' && !server) || !callId || !tool) return null;
  const at = Date.parse(textField(entry, 'timestamp') ?? '');
  return {
    agent: 'claude-code',
    session: textField(entry, 'sessionId') ?? '',
    callId,
    tool,
    summary: summaryOf(fieldsOf(own(block, 'input')) ?? {}),
    at: Number.isNaN(at) ? null : at,
    cwd: textField(entry, 'cwd') ?? '',
    subagent: own(entry, 'isSidechain') === true,
    ranBy: server ? 'server' : 'agent',
  };
}

const TELLING = ['command', 'file_path', 'notebook_path', 'url', 'query', 'pattern', 'description', 'prompt'] as const;
const SUMMARY_CHARS = 4000;

function summaryOf(input: Fields): string {
  const said = textField(input, ...TELLING) ?? Object.values(input).find((value) => typeof value === 'string');
  return typeof said === 'string' ? said.slice(0, SUMMARY_CHARS) : '';
}

/** What the client puts into a result when it did not run the tool at all. */
const REFUSED = /<tool_use_error>(?:InputValidationError|Error: No such tool)|^\[Request interrupted by user/;

function endOf(block: Fields): LoggedCall['end'] {
  if (own(block, 'is_error') !== true) return 'result';
  const content = own(block, 'content');
  const text = Array.isArray(content)
    ? content.map((part) => textField(fieldsOf(part) ?? {}, 'text') ?? '').join('\n')
    : String(content);
  return REFUSED.test(text) ? 'refused' : 'result';
}

const FAULTS = new Set(['hook_non_blocking_error', 'hook_error_during_execution', 'hook_cancelled']);
const FAULT_CHARS = 200;

function noteFault(entry: Fields, faults: Map<string, string>): void {
  const attachment = fieldsOf(own(entry, 'attachment')) ?? {};
  const callId = textField(attachment, 'toolUseID');
  if (callId === null || textField(attachment, 'hookEvent') !== 'PreToolUse') return;
  const type = textField(attachment, 'type') ?? '';
  if (!FAULTS.has(type)) return;
  const said = textField(attachment, 'stderr', 'content') ?? '';
  faults.set(callId, `${type}${said === '' ? '' : `: ${said.trim().slice(0, FAULT_CHARS)}`}`);
}
