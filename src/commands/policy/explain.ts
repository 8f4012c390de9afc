import { resolve } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { type RecordBody, unpackFacts } from '../../audit/format/body.ts';
import { GovError } from '../../base/errors.ts';
import { visible } from '../../base/escape.ts';
import { withStore } from '../../cli/audit-query.ts';
import { commandText, toolCallOf } from '../../cli/check-call.ts';
import { policyInForce } from '../../cli/check-policy.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { recordedEvidence } from '../../evidence/recorded.ts';
import { factsOf } from '../../facts/facts.ts';
import type { RuleHit } from '../../model/decision.ts';
import type { Facts } from '../../model/facts.ts';
import type { CompiledPolicy } from '../../model/policy.ts';
import { type DecisionContext, decide } from '../../policy/decide.ts';
import { findSecrets } from '../../redact/redact.ts';
import { explainRule, type ItemParts } from '../../rulebook/explain.ts';
import { suggestion } from '../../rulebook/finding.ts';
import { machineWorld } from '../../world/machine.ts';

interface ExplainedRule {
  readonly id: string;
  readonly outcome: string;
  readonly items: readonly ItemParts[];
}

interface ExplainResult {
  /** What was decided at the time. */
  readonly recorded?: Recorded;
  readonly decision: string;
  readonly rule: string | null;
  readonly rules: readonly ExplainedRule[];
}

/** A call to explain, and how it was decided if it was. */
interface Asked {
  readonly facts: Facts;
  readonly policy: CompiledPolicy;
  readonly context: DecisionContext;
  readonly recorded: Recorded | null;
}

interface Recorded {
  readonly id: string;
  readonly decision: string;
  readonly rule: string | null;
  readonly at: string;
}

export default class PolicyExplain extends GovCommand {
  static override summary = 'Show what each rule makes of a recorded call or a command, part by part.';
  static override description =
    'A recorded call is named by its id or the beginning of it; the rules that are in force now are asked about the ' +
    'facts of that time. A command is only looked at, never run. Without --rule the rules that fired are shown.';
  static override examples = [
    "<%= config.bin %> policy explain -- 'rm -rf ../other'",
    "<%= config.bin %> policy explain --rule fs.delete-outside -- 'rm -rf build'",
    '<%= config.bin %> policy explain 01jx2k3m4n5p',
  ];
  static override strict = false;
  static override args = {
    command: Args.string({ required: true, description: 'id of a recorded decision, or a shell command' }),
  };
  static override flags = {
    rule: Flags.string({ description: 'only this rule' }),
    preset: Flags.string({ description: 'another preset than the configured one' }),
    cwd: Flags.string({ description: 'directory a command would run in' }),
  };

  async run(): Promise<ExplainResult> {
    const { argv, flags } = await this.parse(PolicyExplain);
    const words = argv as string[];
    const asked = (await recordNamed(words, flags.preset)) ?? (await commandNamed(words, flags.preset, flags.cwd));
    const { facts, policy, context, recorded } = asked;
    const decision = decide(policy, facts, context);
    const chosen = policy.rules.filter((r) => flags.rule === undefined || r.id === flags.rule);
    if (chosen.length === 0)
      throw new GovError({
        code: 'usage-unknown-rule',
        message: `there is no rule \`${flags.rule}\``,
        help:
          suggestion(
            flags.rule ?? '',
            policy.rules.map((r) => r.id),
          ) || '`gov policy list` shows all',
      });
    const rules = chosen.flatMap((rule): ExplainedRule[] => {
      const hit = decision.rules.find((h) => h.id === rule.id);
      const items = rule.on.includes(facts.event.name) ? explainRule(policy, rule, facts, context) : [];
      const fired = items.filter((i) => i.parts.every((part) => part.value !== (part.requires ? 'true' : 'false')));
      if (flags.rule === undefined && !hit) return [];
      const outcome = hit ? outcomeOf(hit) : rule.mode === 'off' ? 'off' : 'silent';
      return [{ id: rule.id, outcome, items: flags.rule === undefined ? fired : items }];
    });
    if (recorded) {
      const by = recorded.rule === null ? '' : ` by ${recorded.rule}`;
      this.say(visible(`${recorded.decision}${by} at ${recorded.at}; the rules in force now say:`));
    }
    this.print(decision.answer, decision.rule, rules);
    return { decision: decision.answer, rule: decision.rule, rules, ...(recorded ? { recorded } : {}) };
  }

  private print(answer: string, rule: string | null, rules: readonly ExplainedRule[]): void {
    const p = paint(process.stdout);
    this.say(`${p.bold(answer)}${rule === null ? ': no rule objects' : ` by ${visible(rule)}`}`);
    for (const explained of rules) {
      this.say(`\n${p.bold(visible(explained.id))}: ${visible(explained.outcome)}`);
      if (explained.items.length === 0) this.say(p.dim('  nothing in this call is what the rule looks at'));
      for (const item of explained.items) {
        this.say(p.dim(`  ${visible(item.subject)}`));
        for (const part of item.parts) {
          this.say(`    ${part.value.padEnd(8)} ${visible(part.text)}`);
          for (const look of part.looks ?? []) this.say(p.dim(`               ${visible(look)}`));
        }
      }
    }
  }
}

function outcomeOf({ effect, because, enforced, lifted_by }: RuleHit): string {
  const lifted = lifted_by === '' ? '' : `, lifted by ${lifted_by}`;
  return `${effect} because ${because}${enforced ? '' : ', in the shadow'}${lifted}`;
}

async function commandNamed(words: readonly string[], preset?: string, dir?: string): Promise<Asked> {
  const cwd = resolve(dir ?? process.cwd());
  const policy = await policyInForce(process.env, preset, cwd);
  const call = toolCallOf({ tool: 'Bash', input: { command: commandText(words) }, cwd, agent: 'claude-code' });
  const facts = factsOf(call, machineWorld({ cwd, env: process.env }));
  return { facts, policy, context: { now: Date.now(), services: { secrets: findSecrets } }, recorded: null };
}

/** The record that the only word names; null if it is no id of one. Throws `usage-no-facts`, `usage-ambiguous`. */
async function recordNamed(words: readonly string[], preset?: string): Promise<Asked | null> {
  const [id = ''] = words;
  if (words.length !== 1 || !/^(?:[0-9a-z]{8,20}|latest)$/.test(id)) return null;
  const body = bodyOf(id);
  if (body === null) return null;
  if (!body.facts)
    throw new GovError({
      code: 'usage-no-facts',
      message: `the record \`${body.id}\` holds no facts`,
      help: 'take a record of kind `decision`',
    });
  const facts = unpackFacts(body.facts, body.call);
  const policy = await policyInForce(process.env, preset, facts.event.workspace);
  const { decision, at } = body;
  const session = decision?.session;
  const evidence = recordedEvidence(decision?.evidence ?? []);
  return {
    facts,
    policy,
    context: { now: at, services: { secrets: findSecrets, evidence }, ...(session ? { session } : {}) },
    recorded: {
      id: body.id,
      decision: decision?.answer ?? '',
      rule: decision?.rule ?? null,
      at: new Date(at).toISOString(),
    },
  };
}

function bodyOf(id: string): RecordBody | null {
  try {
    return withStore((store) => store.show(id)).body;
  } catch (error) {
    if (error instanceof GovError && (error.code === 'usage-no-record' || error.code === 'store-missing')) return null;
    throw error;
  }
}
