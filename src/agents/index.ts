import type { Agent } from './agent.ts';
import { decode as decodeClaudeCode } from './claude-code/decode.ts';
import { canAsk as canAskClaudeCode, canRedact, encode as encodeClaudeCode } from './claude-code/encode.ts';
import { decode as decodeCodex } from './codex/decode.ts';
import { canAsk as canAskCodex, encode as encodeCodex } from './codex/encode.ts';
import { decode as decodeGemini } from './gemini-cli/decode.ts';
import { canAsk as canAskGemini, encode as encodeGemini } from './gemini-cli/encode.ts';

/** Every agent whose hooks gov can answer; another one is one folder and one line here. */
export const agents: readonly Agent[] = [
  { name: 'claude-code', decode: decodeClaudeCode, canAsk: canAskClaudeCode, canRedact, encode: encodeClaudeCode },
  { name: 'codex', decode: decodeCodex, canAsk: canAskCodex, encode: encodeCodex },
  { name: 'gemini-cli', decode: decodeGemini, canAsk: canAskGemini, encode: encodeGemini },
];

/** The agent that a launcher was registered for, or null. */
export function agentNamed(name: string): Agent | null {
  return agents.find((agent) => agent.name === name) ?? null;
}
