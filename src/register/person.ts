import type { Env } from '../agents/agent.ts';
import { GovError } from '../base/errors.ts';
import { type Ancestor, agentIn, ancestorsOf, typistIn } from './ancestors.ts';

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

/** What is looked at to tell a person from an agent. */
export interface Standing {
  readonly env: Env;
  /** Standard input is a terminal. */
  readonly terminal: boolean;
  readonly ancestors: readonly Ancestor[];
}

/** Where this process stands. */
export function thisStanding(): Standing {
  return {
    env: process.env,
    terminal: Boolean(process.stdin.isTTY && process.stderr.isTTY),
    ancestors: ancestorsOf(process.pid),
  };
}

/** The agent that an environment names, or null. */
export function agentAbove(env: Env): string | null {
  for (const [name, agent] of MARKERS) if (env[name]) return agent;
  return null;
}

/** The agent that this process runs under, by its own environment, the programs above it, and theirs; null: none shows. */
function agentOver({ env, ancestors }: Pick<Standing, 'env' | 'ancestors'>): string | null {
  const own = agentAbove(env);
  if (own !== null) return own;
  for (const ancestor of ancestors) {
    const found = agentIn(ancestor) ?? (ancestor.env === null ? null : agentAbove(ancestor.env));
    if (found !== null) return found;
  }
  return null;
}

/**
 * Refuses to change the protection from under an agent. SECURITY: a process of the same user can cut its ancestry and
 * clean its environment, so the rules also stop the command itself where a hook sees it.
 */
export function requireNoAgent(what: string, standing: Standing): void {
  const agent = agentOver(standing);
  if (agent === null) return;
  throw new GovError({
    code: 'usage-under-agent',
    message: `${what} is for a person, and this process runs under ${agent}`,
    help: 'run it yourself, in a terminal that no agent started',
  });
}

/** As `requireNoAgent`; and there has to be a terminal that no program types into. */
export function requirePerson(what: string, standing: Standing): void {
  requireNoAgent(what, standing);
  const typist = standing.ancestors.map(typistIn).find((name) => name !== null);
  if (typist)
    throw new GovError({
      code: 'usage-no-person',
      message: `${what} needs a person, and this terminal is held by \`${typist}\``,
      help: 'run it in a terminal of your own',
    });
  if (!standing.terminal)
    throw new GovError({
      code: 'usage-no-person',
      message: `${what} needs a person's answer, and there is no terminal to ask at`,
      help: 'run it yourself, in a terminal',
    });
}
