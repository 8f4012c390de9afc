import { readFileSync } from 'node:fs';
import { Flags } from '@oclif/core';
import { abilityBefore, reachable } from '../../agents/ability.ts';
import { partOf, type Verdict } from '../../agents/agent.ts';
import { agentNamed, agents } from '../../agents/index.ts';
import { contextFor } from '../../agents/wording.ts';
import { GovError, messageOf } from '../../base/errors.ts';
import { visible, visibleLines } from '../../base/escape.ts';
import { fileError } from '../../base/file-errors.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { policyNamed } from '../../cli/policy-named.ts';
import { factsOf } from '../../facts/facts.ts';
import type { Decision, TraceStep } from '../../model/decision.ts';
import type { Facts } from '../../model/facts.ts';
import type { CompiledPolicy } from '../../model/policy.ts';
import type { ToolCall } from '../../model/tool-call.ts';
import { type DecisionContext, decide } from '../../policy/decide.ts';
import { agentMessage } from '../../policy/message.ts';
import { abilityAfter, toldAfter } from '../../policy/told-after.ts';
import { findSecrets } from '../../redact/redact.ts';
import { explainRule } from '../../rulebook/explain.ts';
import { machineWorld } from '../../world/machine.ts';

interface EvalResult {
  readonly decision: Decision;
  /** What the agent would get. */
  readonly output: { readonly stdout: string; readonly stderr: string; readonly exitCode: number };
  /** Rules whose event, tools, programs, agents or kind of item leave this call out. */
  readonly not_asked: readonly string[];
}

export default class PolicyEval extends GovCommand {
  static override summary = "Decide one recorded payload: each rule's outcome, and what the agent gets.";
  static override description =
    'The file holds what the agent gives to its hook, as JSON. Nothing is run or recorded, and history is empty.';
  static override examples = [
    '<%= config.bin %> policy eval --event payload.json',
    '<%= config.bin %> policy eval --event payload.json --agent codex --against my-rules --json',
  ];
  static override flags = {
    event: Flags.string({ required: true, description: 'file with the payload', helpValue: 'FILE' }),
    agent: Flags.string({
      description: 'whose payload it is',
      default: 'claude-code',
      options: agents.map((a) => a.name),
    }),
    against: Flags.string({ description: '`.` (in force), a preset, YAML files, or a compiled bundle', default: '.' }),
  };

  async run(): Promise<EvalResult> {
    const { flags } = await this.parse(PolicyEval);
    const policy = await policyNamed(flags.against, process.env);
    const agent = agentNamed(flags.agent);
    const decoded = agent?.decode(payloadIn(flags.event), process.env);
    if (!agent || !decoded?.ok)
      throw new GovError({
        code: 'usage-event',
        message: `\`${flags.event}\` is not a payload of ${flags.agent}: ${decoded?.ok === false ? decoded.problem : ''}`,
        help: 'give the JSON as the agent writes it to the hook, and --agent',
      });
    const { call } = decoded;
    const facts = factsOf(call, machineWorld({ cwd: call.cwd, env: process.env }));
    const after = partOf(call.event) === 'outcome';
    const redacts = agent.canRedact?.(call) ?? false;
    const context = {
      now: Date.now(),
      services: { secrets: findSecrets },
      can: after ? abilityAfter(redacts) : abilityBefore(call, agent),
      trace: true,
    };
    const taken = decide(policy, facts, context);
    const decision = after ? taken : reachable(taken, call, agent);
    const { stdout, stderr, exitCode } = agent.encode(after ? saidAfter(taken, call, redacts) : said(decision), call);
    const result = {
      decision: { ...decision, trace: decision.trace.map((step) => withOperand(step, policy, facts, context)) },
      output: { stdout, stderr, exitCode },
      not_asked: notAsked(policy, decision),
    };
    this.print(result);
    return result;
  }

  private print({ decision, output, not_asked }: EvalResult): void {
    const p = paint(process.stdout);
    this.say(`${p.bold(decision.answer)}${decision.rule === null ? '' : ` by ${visible(decision.rule)}`}`);
    for (const step of decision.trace.filter((s) => s.outcome !== 'off').slice(0, 200))
      this.say(
        `  ${step.outcome.padEnd(8)} ${visible(step.rule)}  ${p.dim(visible(step.subject))}${step.note ? `  ${visible(step.note)}` : ''}`,
      );
    if (not_asked.length > 0)
      this.say(p.dim(`  ${not_asked.length} rules are not about such a call (--json names them)`));
    this.say(`exit code ${output.exitCode}`);
    for (const [name, text] of [
      ['standard output', output.stdout],
      ['standard error', output.stderr],
    ] as const)
      if (text !== '') this.say(`${name}:\n${visibleLines(text).trimEnd()}`);
  }
}

/** What the agent is told before a call. */
function said(decision: Decision): Verdict {
  const passes = decision.answer === 'allow';
  const context = passes ? contextFor(decision, []) : '';
  return { answer: decision.answer, reason: passes ? '' : agentMessage(decision, ''), context, notice: '' };
}

/** A call that was made can't be stopped any more. */
function saidAfter(decision: Decision, call: ToolCall, redacts: boolean): Verdict {
  const { context, output } = toldAfter(decision, call.result?.text ?? '', redacts);
  return { answer: 'allow', reason: '', context, ...(output === null ? {} : { output }), notice: '' };
}

/** A step of a rule that did not fire, with the operand that was the first to be false. */
function withOperand(step: TraceStep, policy: CompiledPolicy, facts: Facts, context: DecisionContext): TraceStep {
  const rule = policy.rules.find((r) => r.id === step.rule);
  if (step.outcome !== 'false' || step.note !== '' || !rule) return step;
  const item = explainRule(policy, rule, facts, context).find((i) => i.subject === step.subject);
  const part = item?.parts.find((p) => p.value === 'false');
  const why = part
    ? `false: ${part.text}`
    : rule.limit
      ? 'the limit is not reached'
      : rule.sequence
        ? 'the steps before were not seen'
        : '';
  return { ...step, note: why };
}

function notAsked(policy: CompiledPolicy, { trace }: Decision): readonly string[] {
  const asked = new Set(trace.map((step) => step.rule));
  return policy.rules.filter((rule) => rule.mode !== 'off' && !asked.has(rule.id)).map((rule) => rule.id);
}

function payloadIn(file: string): unknown {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (cause) {
    throw fileError('usage-event', file, cause);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new GovError({
      code: 'usage-event',
      message: `\`${file}\` can't be read as JSON: ${messageOf(cause)}`,
      cause,
    });
  }
}
