import { Args, Flags } from '@oclif/core';
import { GovError } from '../../base/errors.ts';
import { visibleLines } from '../../base/escape.ts';
import { policyInForce } from '../../cli/check-policy.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import type {
  CompiledEvidence,
  CompiledException,
  CompiledLimit,
  CompiledRule,
  CompiledSequence,
  Elevation,
} from '../../model/policy.ts';
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
    if (rule.sequence) line('sequence', sequenceText(rule.sequence));
    if (rule.limit) line('limit', limitText(rule.limit));
    line('requires', rule.requires?.source ?? '');
    for (const kind of rule.asks ?? []) line('evidence', aboutEvidence(kind, evidence[kind]));
    line('unknown', rule.onDynamic);
    line('error', rule.onError);
    if (rule.fallback.length > 0) line('else', `${rule.fallback.join(', ')}, for agents that can't do it`);
    line('message', rule.messageExpr ? `${rule.messageExpr.source}\nor: ${rule.message}` : rule.message);
    line('suggests', rule.suggest?.source ?? '');
    line('instead', rule.remediation);
    for (const [name, shape] of Object.entries(rule.exceptions ?? {})) line('exception', exceptionText(name, shape));
    if (rule.elevation) line('elevation', elevationText(rule.elevation));
    for (const [name, value] of Object.entries(rule.audit ?? {})) line('records', `${name}: ${value.source}`);
    line('tags', rule.tags.join(', '));
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

function sequenceText({ withinMs, key, steps }: CompiledSequence): string {
  const before = steps.map(({ name, on, each, when }) => {
    const of = each === '' ? '' : `, each ${each}`;
    return `${name} (${on.join(', ')}${of}): ${when.source.trim()}`;
  });
  return [`within ${lengthOf(withinMs)} of the first step, by ${key.source}`, ...before, 'then `when`'].join('\n');
}

function limitText({ count, windowMs, key, counts }: CompiledLimit): string {
  return `${count} (${counts}) in ${lengthOf(windowMs)}, by ${key.source}`;
}

function exceptionText(name: string, { fields, comps }: CompiledException): string {
  const each = Object.entries(fields).map(([field, { source }]) => `${field} (${comps[field] ?? 'eq'}): ${source}`);
  return `${name}: ${each.join('; ')}`;
}

function elevationText({ maxMs, uses, scope, bind, approvers, selfApprove }: Elevation): string {
  const who = `${approvers} ${approvers === 1 ? 'approver' : 'approvers'}${selfApprove ? '' : ', not who asks'}`;
  return `at most ${lengthOf(maxMs)}, ${uses} ${uses === 1 ? 'use' : 'uses'}, ${scope}, ${bind}, ${who}`;
}

/** A length of time as rule files write it. */
function lengthOf(ms: number): string {
  for (const [unit, size] of [
    ['d', 86_400_000],
    ['h', 3_600_000],
    ['m', 60_000],
    ['s', 1000],
  ] as const)
    if (ms >= size && ms % size === 0) return `${ms / size}${unit}`;
  return `${ms}ms`;
}
