import { Flags } from '@oclif/core';
import { GovError } from '../../base/errors.ts';
import { visible } from '../../base/escape.ts';
import { policyInForce } from '../../cli/check-policy.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import type { CompiledRule } from '../../model/policy.ts';
import { countRules, countText } from '../../policy/rule-count.ts';

interface ListedRule {
  readonly id: string;
  readonly version: number;
  readonly title: string;
  readonly pack: string;
  readonly layer: string;
  readonly level: string;
  readonly severity: string;
  readonly effect: string;
  readonly mode: CompiledRule['mode'];
  readonly tags: readonly string[];
  /** File and line. */
  readonly origin: string;
}

interface ListResult {
  readonly preset: string;
  readonly digest: string;
  readonly default: string;
  readonly rules: readonly ListedRule[];
}

export default class PolicyList extends GovCommand {
  static override summary = 'List the rules in force, with layer, level, effect and origin.';
  static override examples = [
    '<%= config.bin %> policy list',
    '<%= config.bin %> policy list --pack version-control --json',
  ];
  static override flags = {
    preset: Flags.string({ description: 'another preset than the configured one' }),
    pack: Flags.string({ description: 'only rules of this pack' }),
  };

  async run(): Promise<ListResult> {
    const { flags } = await this.parse(PolicyList);
    const policy = await policyInForce(process.env, flags.preset);
    const rules = policy.rules.filter((r) => flags.pack === undefined || r.pack === flags.pack).map(listed);
    if (flags.pack !== undefined && rules.length === 0) {
      const packs = [...new Set(policy.rules.map((r) => r.pack))].sort();
      throw new GovError({
        code: 'usage-no-pack',
        message: `there is no pack \`${flags.pack}\``,
        help: `one of ${packs.join(', ')}`,
      });
    }
    this.print(rules);
    return { preset: policy.preset, digest: policy.digest, default: policy.defaultEffect, rules };
  }

  private print(rules: readonly ListedRule[]): void {
    const p = paint(process.stdout);
    const width = Math.max(4, ...rules.map((r) => r.id.length));
    this.say(p.bold(`${'rule'.padEnd(width)}  effect   level     layer    title`));
    for (const rule of rules) {
      const effect = rule.mode === 'enforce' ? rule.effect : rule.mode;
      const columns = [rule.id.padEnd(width), effect.padEnd(7), rule.level.padEnd(8), rule.layer.padEnd(7), rule.title];
      this.say(visible(columns.join('  ')));
    }
    this.say(p.dim(countText(countRules(rules))));
  }
}

function listed(rule: CompiledRule): ListedRule {
  const { id, version, title, pack, layer, level, severity, effect, mode, tags, source } = rule;
  const origin = source ? `${visible(source.file)}:${source.line}` : '';
  return { id, version, title, pack, layer, level, severity, effect, mode, tags, origin };
}
