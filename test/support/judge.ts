import { factsOf } from '../../src/facts/facts.ts';
import type { Decision } from '../../src/model/decision.ts';
import type { Facts } from '../../src/model/facts.ts';
import type { CompiledPolicy } from '../../src/model/policy.ts';
import type { ToolCall, ToolName } from '../../src/model/tool-call.ts';
import { decide } from '../../src/policy/decide.ts';
import { type FixtureSpec, fixtureWorld } from '../../src/world/fixture.ts';
import { compileBuiltin } from './policy.ts';

/** A call in the tests' own short form: shell text, or a tool with its input. */
export interface Ask {
  readonly tool?: ToolName;
  readonly rawTool?: string;
  readonly input?: Readonly<Record<string, unknown>>;
  readonly cwd?: string;
  readonly agent?: string;
  readonly world?: FixtureSpec;
}

const HOME = '/home/dev';
const WORKSPACE = '/home/dev/project';

let policy: CompiledPolicy | undefined;

/** Facts of a call in a fixture world: home /home/dev, workspace /home/dev/project, a git repository. */
export function factsFor(command: string | null, ask: Ask = {}): Facts {
  const world = fixtureWorld({ home: HOME, workspace: WORKSPACE, git: { branch: 'topic' }, ...ask.world });
  const call: ToolCall = {
    agent: ask.agent ?? 'claude-code',
    agentVersion: null,
    event: 'PreToolUse',
    rawEvent: 'PreToolUse',
    session: 's',
    callId: 'c',
    tool: ask.tool ?? 'shell',
    rawTool: ask.rawTool ?? 'Bash',
    mcp: null,
    input: ask.input ?? { command },
    cwd: ask.cwd ?? WORKSPACE,
    subagent: null,
    permissionMode: 'default',
    transcript: null,
    result: null,
    detail: {},
  };
  return factsOf(call, world);
}

/** What the recommended preset decides on a call. */
export function judge(command: string | null, ask: Ask = {}): Decision {
  policy ??= compileBuiltin('recommended');
  return decide(policy, factsFor(command, ask), { now: Date.UTC(2026, 0, 1) });
}
