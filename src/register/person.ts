import type { Env } from '../agents/agent.ts';
import { GovError } from '../base/errors.ts';

/** Variables that agents set for what they start, with the agent's name. */
const MARKERS: ReadonlyMap<string, string> = new Map([
  ['CLAUDECODE', 'Claude Code'],
  ['CLAUDE_CODE_ENTRYPOINT', 'Claude Code'],
  ['CODEX_SANDBOX', 'Codex'],
  ['CODEX_THREAD_ID', 'Codex'],
  ['GEMINI_CLI', 'Gemini CLI'],
  ['GEMINI_SESSION_ID', 'Gemini CLI'],
  ['QWEN_CODE_SESSION_ID', 'Qwen Code'],
  ['COPILOT_CLI', 'Copilot CLI'],
  ['CURSOR_AGENT', 'Cursor'],
  ['FACTORY_PROJECT_DIR', 'Factory droid'],
  ['OPENCODE', 'opencode'],
  ['CLINE_ACTIVE', 'Cline'],
  ['AI_AGENT', 'an agent'],
]);

/** The agent that this process runs under, by its environment; null: none shows. */
export function agentAbove(env: Env): string | null {
  for (const [name, agent] of MARKERS) if (env[name]) return agent;
  return null;
}

/**
 * Refuses to change the protection from inside an agent that has no person at a terminal. An environment marker is
 * only a hint and can be taken away, so the rules also stop the command itself where a hook sees it.
 */
export function requirePerson(what: string, env: Env, terminal: boolean): void {
  const agent = agentAbove(env);
  if (agent === null || terminal) return;
  throw new GovError({
    code: 'usage-under-agent',
    message: `${what} changes what protects you, and this process runs under ${agent} without a terminal`,
    help: 'run it yourself, in a terminal that no agent started',
  });
}
