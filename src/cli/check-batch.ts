import { messageOf } from '../base/errors.ts';
import type { CompiledPolicy } from '../model/policy.ts';
import { type FixtureSpec, fixtureWorld } from '../world/fixture.ts';
import { machineWorld } from '../world/machine.ts';
import { judgeCall, rounded } from './check-answer.ts';

/** One line of the answer to a batch. */
export type BatchAnswer =
  | { readonly id: unknown; readonly decision: string; readonly rules: readonly string[]; readonly ms: number }
  | { readonly id: unknown; readonly decision: 'deny'; readonly error: string };

export interface BatchDefaults {
  readonly cwd: string;
  readonly agent: string;
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Judges one line `{id, tool, input, cwd?, agent?, world?}`. A line that can't be read, and a fault in judging it,
 * is answered with deny and the error: the batch goes on.
 */
export function answerLine(line: string, policy: CompiledPolicy, defaults: BatchDefaults): BatchAnswer {
  let id: unknown = null;
  try {
    const asked: unknown = JSON.parse(line);
    if (!isRecord(asked)) return refusal(id, 'the line is not a JSON object');
    id = asked['id'] ?? null;
    const { tool, input, world, cwd, agent } = asked;
    if (typeof tool !== 'string' || tool === '') return refusal(id, '`tool` is missing or not a text');
    if (!isRecord(input)) return refusal(id, '`input` is missing or not an object');
    if (cwd !== undefined && typeof cwd !== 'string') return refusal(id, '`cwd` is not a text');
    if (world !== undefined && !isRecord(world)) return refusal(id, '`world` is not an object');
    const spec = world as FixtureSpec | undefined;
    const fixture = spec ? fixtureWorld(spec) : null;
    const directory = cwd ?? fixture?.workspace ?? defaults.cwd;
    const call = { tool, input, cwd: directory, agent: typeof agent === 'string' ? agent : defaults.agent };
    const seen = fixture ?? machineWorld({ cwd: directory, env: defaults.env });
    const { decision, ms } = judgeCall(call, seen, policy, false);
    return { id, decision: decision.answer, rules: decision.rules.map((hit) => hit.id), ms: rounded(ms) };
  } catch (error) {
    return refusal(id, messageOf(error));
  }
}

function refusal(id: unknown, error: string): BatchAnswer {
  return { id, decision: 'deny', error };
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
