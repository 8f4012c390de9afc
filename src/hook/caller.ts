import type { Env } from '../agents/agent.ts';

/** Whoever called the hook: what a decision may take from it, and nothing else. */
export interface Caller {
  /** Of its environment what stands in `CALLER_ENV`. */
  readonly env: Env;
  /** Its working directory, or null if that is gone. */
  readonly cwd: string | null;
}

/**
 * All variables that a decision depends on: gov's own places, what systems set at log-in (src/world/machine.ts), and
 * what agents say about themselves (src/agents/). The launcher's client of the daemon sends these; a test holds the two
 * lists together.
 */
export const CALLER_ENV: readonly string[] = [
  'GOV_HOME',
  'HOME',
  'XDG_CONFIG_HOME',
  'XDG_STATE_HOME',
  'XDG_CACHE_HOME',
  'XDG_DATA_HOME',
  'XDG_RUNTIME_DIR',
  'USER',
  'LOGNAME',
  'SHELL',
  'TMPDIR',
  'LANG',
  'CLAUDE_PROJECT_DIR',
  'AI_AGENT',
  'COPILOT_CLI',
  'COPILOT_CLI_BINARY_VERSION',
  'CURSOR_VERSION',
  'GOV_DAEMON',
];

/** What a decision may read of an environment. */
export function callerEnv(env: Env): Env {
  const own: Record<string, string | undefined> = Object.create(null);
  for (const name of CALLER_ENV) if (env[name] !== undefined) own[name] = env[name];
  return own;
}
