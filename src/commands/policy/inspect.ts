import { Args } from '@oclif/core';
import { visible } from '../../base/escape.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { policyNamed } from '../../cli/policy-named.ts';
import type { CompiledPolicy } from '../../model/policy.ts';
import { countRules, countText, type RuleCount } from '../../policy/rule-count.ts';

interface InspectResult extends RuleCount {
  readonly digest: string;
  readonly preset: string;
  readonly default: string;
  readonly layers: Readonly<Record<string, number>>;
  readonly lists: Readonly<Record<string, number>>;
  /** What would pass while records can only be put into the spool: `pass`, `ask`, `deny`. */
  readonly while_failing: 'pass' | 'ask' | 'deny';
  /** Kinds of evidence that rules ask for, with what they mean. */
  readonly evidence: Readonly<Record<string, string>>;
  readonly waivers: readonly { readonly id: string; readonly rule: string; readonly expires: string }[];
  readonly sources: CompiledPolicy['sources'];
  readonly project: CompiledPolicy['project'] | null;
}

export default class PolicyInspect extends GovCommand {
  static override summary = 'Look into a compiled policy: digest, layers, files it was made of, waivers.';
  static override examples = ['<%= config.bin %> policy inspect', '<%= config.bin %> policy inspect strict --json'];
  static override args = {
    policy: Args.string({ description: '`.` (in force), a preset, YAML files, or a compiled bundle', default: '.' }),
  };

  async run(): Promise<InspectResult> {
    const { args } = await this.parse(PolicyInspect);
    const policy = await policyNamed(args.policy, process.env);
    const layers: Record<string, number> = {};
    for (const rule of policy.rules) layers[rule.layer] = (layers[rule.layer] ?? 0) + 1;
    const result: InspectResult = {
      digest: policy.digest,
      preset: policy.preset,
      default: policy.defaultEffect,
      ...countRules(policy.rules),
      layers,
      lists: Object.fromEntries(Object.entries(policy.lists).map(([name, items]) => [name, items.length])),
      while_failing: policy.auditFailure ?? 'pass',
      evidence: Object.fromEntries(Object.entries(policy.evidence ?? {}).map(([kind, e]) => [kind, e.description])),
      waivers: (policy.waivers ?? []).map((w) => ({
        id: w.id,
        rule: w.rule,
        expires: new Date(w.expires).toISOString(),
      })),
      sources: policy.sources,
      project: policy.project ?? null,
    };
    this.print(result);
    return result;
  }

  private print(result: InspectResult): void {
    const p = paint(process.stdout);
    const line = (name: string, text: string): void => this.say(`${p.dim(name.padEnd(9))}${visible(text)}`);
    line('digest', result.digest);
    line('preset', `${result.preset}, default ${result.default}`);
    const layers = Object.entries(result.layers).map(([layer, n]) => `${n} ${layer}`);
    line('rules', `${countText(result)} (${layers.join(', ')})`);
    line(
      'lists',
      Object.entries(result.lists)
        .map(([name, n]) => `${name} ${n}`)
        .join(', '),
    );
    if (result.while_failing !== 'pass')
      line('records', `while the database can't be written: ${result.while_failing}`);
    for (const [kind, what] of Object.entries(result.evidence)) line('evidence', `${kind}: ${what}`);
    for (const w of result.waivers) line('waiver', `${w.id} lifts ${w.rule} until ${w.expires}`);
    if (result.project) {
      line('project', `${result.project.workspace}${result.project.malformed ? ' (every write is asked about)' : ''}`);
      for (const { file, why } of result.project.ignored) line('', `${file} is left out: ${why}`);
    }
    for (const s of result.sources) line('from', `${s.sha256.slice(0, 12)} ${s.path}`);
  }
}
