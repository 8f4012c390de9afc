import { Args, Flags } from '@oclif/core';
import { GovError } from '../../base/errors.ts';
import { visibleLines } from '../../base/escape.ts';
import { policyInForce } from '../../cli/check-policy.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import type { CompiledEvidence, CompiledRule } from '../../model/policy.ts';
import { suggestion } from '../../rulebook/finding.ts';

export default class PolicyShow extends GovCommand {
  static override summary = 'Show one rule: condition, effect, who can lift it, where it was written.';
  static override examples = ['<%= config.bin %> policy show fs.delete-outside'];
  static override args = { id: Args.string({ required: true, description: 'id of the rule' }) };
  static override flags = { preset: Flags.string({ description: 'another preset than the configured one' }) };

  async run(): Promise<CompiledRule> {
    const { args, flags } = await this.parse(PolicyShow);
    const { rules, evidence } = await policyInForce(process.env, flags.preset);
    const rule = rules.find((r) => r.id === args.id);
    if (!rule)
      throw new GovError({
        code: 'usage-unknown-rule',
        message: `there is no rule \`${args.id}\``,
        help:
          suggestion(
            args.id,
            rules.map((r) => r.id),
          ) || '`gov policy list` shows all',
      });
    this.print(rule, evidence ?? {});
    return rule;
  }

  private print(rule: CompiledRule, evidence: Readonly<Record<string, CompiledEvidence>>): void {
    const p = paint(process.stdout);
    const line = (name: string, text: string): void => {
      if (text !== '')
        this.say(
          `${p.dim(name.padEnd(14))}${visibleLines(text)
            .trim()
            .replaceAll('\n', `\n${' '.repeat(14)}`)}`,
        );
    };
    this.say(`${p.bold(visibleLines(rule.id))}  ${visibleLines(rule.title)}`);
    line('effect', rule.mode === 'enforce' ? rule.effect : `${rule.effect} (${rule.mode})`);
    line('severity', rule.severity);
    line('level', LEVELS[rule.level]);
    line('layer', `${rule.layer}, pack ${rule.pack}, version ${rule.version}`);
    line('on', rule.on.join(', '));
    line('tools', rule.tools.join(', '));
    line('programs', rule.programs.join(', '));
    line('each', rule.each);
    line('when', rule.when.source);
    line('requires', rule.requires?.source ?? '');
    for (const kind of rule.asks ?? []) line('evidence', aboutEvidence(kind, evidence[kind]));
    line('unknown', rule.onDynamic);
    line('error', rule.onError);
    line('message', rule.message);
    line('instead', rule.remediation);
    for (const [catalogue, entries] of Object.entries(rule.mappings ?? {})) line(catalogue, entries.join(', '));
    line('see', (rule.references ?? []).join('\n'));
    line('written in', rule.source ? `${rule.source.file}:${rule.source.line}` : '');
  }
}

const LEVELS = {
  hard: 'hard: nothing lifts it',
  soft: 'soft: a waiver or a grant may lift it',
  advisory: 'advisory: lower layers may switch it off',
} as const;

function aboutEvidence(kind: string, declared: CompiledEvidence | undefined): string {
  if (!declared) return kind;
  const { source } = declared;
  return `${kind}: ${declared.description}${source ? ` (${source.file}:${source.line})` : ''}`;
}
