import { resolve } from 'node:path';
import { Args, Flags } from '@oclif/core';
import { GovError } from '../../base/errors.ts';
import { visible } from '../../base/escape.ts';
import { commandText, toolCallOf } from '../../cli/check-call.ts';
import { policyInForce } from '../../cli/check-policy.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { factsOf } from '../../facts/facts.ts';
import { decide } from '../../policy/decide.ts';
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
  readonly decision: string;
  readonly rule: string | null;
  readonly rules: readonly ExplainedRule[];
}

export default class PolicyExplain extends GovCommand {
  static override summary = 'Show what each rule makes of a shell command, operand by operand.';
  static override description =
    'The command is only looked at, never run. Without --rule the rules that fired are shown.';
  static override examples = [
    "<%= config.bin %> policy explain -- 'rm -rf ../other'",
    "<%= config.bin %> policy explain --rule fs.delete-outside -- 'rm -rf build'",
  ];
  static override strict = false;
  static override args = { command: Args.string({ required: true, description: 'a shell command' }) };
  static override flags = {
    rule: Flags.string({ description: 'only this rule' }),
    preset: Flags.string({ description: 'another preset than the configured one' }),
    cwd: Flags.string({ description: 'directory it would run in' }),
  };

  async run(): Promise<ExplainResult> {
    const { argv, flags } = await this.parse(PolicyExplain);
    const cwd = resolve(flags.cwd ?? process.cwd());
    const policy = await policyInForce(process.env, flags.preset, cwd);
    const input = { command: commandText(argv as string[]) };
    const call = toolCallOf({ tool: 'Bash', input, cwd, agent: 'claude-code' });
    const facts = factsOf(call, machineWorld({ cwd, env: process.env }));
    const context = { now: Date.now(), services: { secrets: findSecrets } };
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
      const fired = items.filter((i) => i.parts.every((part) => part.value !== 'false'));
      if (flags.rule === undefined && !hit) return [];
      const outcome = hit ? `${hit.effect} because ${hit.because}` : rule.mode === 'off' ? 'off' : 'silent';
      return [{ id: rule.id, outcome, items: flags.rule === undefined ? fired : items }];
    });
    this.print(decision.answer, decision.rule, rules);
    return { decision: decision.answer, rule: decision.rule, rules };
  }

  private print(answer: string, rule: string | null, rules: readonly ExplainedRule[]): void {
    const p = paint(process.stdout);
    this.say(`${p.bold(answer)}${rule === null ? ': no rule objects' : ` by ${visible(rule)}`}`);
    for (const explained of rules) {
      this.say(`\n${p.bold(visible(explained.id))}: ${explained.outcome}`);
      if (explained.items.length === 0) this.say(p.dim('  nothing in this call is what the rule looks at'));
      for (const item of explained.items) {
        this.say(p.dim(`  ${visible(item.subject)}`));
        for (const part of item.parts) this.say(`    ${part.value.padEnd(8)} ${visible(part.text)}`);
      }
    }
  }
}
