import { abilityBefore, reachable } from '../agents/ability.ts';
import { agentNamed } from '../agents/index.ts';
import { EXIT } from '../base/exit-codes.ts';
import { factsOf } from '../facts/facts.ts';
import type { Decision } from '../model/decision.ts';
import type { Facts } from '../model/facts.ts';
import type { CompiledPolicy } from '../model/policy.ts';
import type { World } from '../model/world.ts';
import { decide } from '../policy/decide.ts';
import { findSecrets } from '../redact/redact.ts';
import { type AskedCall, toolCallOf } from './check-call.ts';

/** One call judged, with what it was judged by. */
export interface Judged {
  readonly facts: Facts;
  readonly decision: Decision;
  /** Milliseconds for facts and decision. */
  readonly ms: number;
}

/** What `gov check --json` prints. */
export interface CheckResult {
  readonly decision: string;
  readonly reason: string;
  readonly rules: readonly {
    readonly id: string;
    readonly effect: string;
    readonly layer: string;
    readonly message: string;
  }[];
  readonly commands: Facts['commands'];
  readonly files: Facts['files'];
  readonly dests: Facts['dests'];
  readonly effects: Facts['effects'];
  readonly unknowns: Facts['unknowns'];
  readonly trace: Decision['trace'];
  readonly ms: number;
}

/** Facts and decision of one call on one world, as the hook of the agent that is named would take it. Nothing is recorded. */
export function judgeCall(asked: AskedCall, world: World, policy: CompiledPolicy, trace: boolean): Judged {
  const started = performance.now();
  const call = toolCallOf(asked);
  const facts = factsOf(call, world);
  const agent = agentNamed(asked.agent);
  const context = { now: Date.now(), services: { secrets: findSecrets }, trace };
  const decision = agent
    ? reachable(decide(policy, facts, { ...context, can: abilityBefore(call, agent) }), call, agent)
    : decide(policy, facts, context);
  return { facts, decision, ms: performance.now() - started };
}

export function resultOf({ facts, decision, ms }: Judged): CheckResult {
  return {
    decision: decision.answer,
    reason: decision.reason,
    rules: decision.rules.map((hit) => ({
      id: hit.id,
      effect: hit.effect,
      layer: hit.layer,
      message: hit.message,
      because: hit.because,
      severity: hit.severity,
      enforced: hit.enforced,
      subject: hit.subject,
      remediation: hit.remediation,
      suggest: hit.suggest,
      lifted_by: hit.lifted_by,
    })),
    commands: facts.commands,
    files: facts.files,
    dests: facts.dests,
    effects: facts.effects,
    unknowns: facts.unknowns,
    trace: decision.trace,
    ms: rounded(ms),
  };
}

/** What `--exit-code` ends with. */
export function exitCodeOf(answer: Decision['answer']): number {
  return answer === 'allow' ? EXIT.ok : answer === 'ask' ? EXIT.findings : EXIT.block;
}

export function rounded(ms: number): number {
  return Math.round(ms * 1000) / 1000;
}
