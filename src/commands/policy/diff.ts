import { Args, Flags } from '@oclif/core';
import { visible } from '../../base/escape.ts';
import { withStore } from '../../cli/audit-query.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { policyNamed } from '../../cli/policy-named.ts';
import { parseWhen } from '../../cli/when.ts';
import { findSecrets } from '../../redact/redact.ts';
import { redecide } from '../../replay/redecide.ts';
import { diffPolicies, type PolicyDiff } from '../../rulebook/policy-diff.ts';

interface HistoryDiff {
  readonly records: number;
  /** Recorded calls that the two policies answer differently. */
  readonly calls: readonly {
    readonly id: string;
    readonly summary: string;
    readonly from: string;
    readonly to: string;
    readonly rule: string;
  }[];
}

interface DiffResult extends PolicyDiff {
  readonly history: HistoryDiff | null;
}

export default class PolicyDiffCommand extends GovCommand {
  static override summary = 'Compare two policies: rules, lists, and what they would have done.';
  static override description =
    'A policy is `.` (in force), a preset, YAML files or a directory (on top of the built-in rules), or a compiled bundle.';
  static override examples = [
    '<%= config.bin %> policy diff recommended strict',
    '<%= config.bin %> policy diff . my-rules --over-history --since 30d',
  ];
  static override args = {
    a: Args.string({ required: true, description: 'one policy' }),
    b: Args.string({ required: true, description: 'the other' }),
  };
  static override flags = {
    'over-history': Flags.boolean({ description: 'also decide recorded calls with both' }),
    since: Flags.string({ description: 'recorded from this time on', helpValue: 'TIME', dependsOn: ['over-history'] }),
  };

  async run(): Promise<DiffResult> {
    const { args, flags } = await this.parse(PolicyDiffCommand);
    const a = await policyNamed(args.a, process.env);
    const b = await policyNamed(args.b, process.env);
    const diff = diffPolicies(a, b);
    let history: HistoryDiff | null = null;
    if (flags['over-history']) {
      const filter = { since: flags.since === undefined ? undefined : parseWhen(flags.since, Date.now()) };
      const services = { secrets: findSecrets };
      history = withStore((store) => {
        const then = redecide(store, filter, a, services);
        const now = redecide(store, filter, b, services);
        return { records: then.counts.records, calls: differing(then.changes, now.changes) };
      });
    }
    this.print(diff, history);
    return { ...diff, history };
  }

  private print(diff: PolicyDiff, history: HistoryDiff | null): void {
    const p = paint(process.stdout);
    for (const d of diff.defaults) this.say(`${d.key}: ${d.from} → ${d.to}`);
    for (const d of diff.values) this.say(visible(`${d.key}: ${d.from} → ${d.to}`));
    for (const id of diff.added) this.say(p.green(`+ ${visible(id)}`));
    for (const id of diff.removed) this.say(p.red(`- ${visible(id)}`));
    for (const rule of diff.changed) {
      this.say(p.yellow(`~ ${visible(rule.id)}`));
      for (const { key, from, to } of rule.keys) this.say(`    ${key}: ${visible(from)} → ${visible(to)}`);
    }
    for (const list of diff.lists) {
      const parts = [...list.added.map((x) => `+${x}`), ...list.removed.map((x) => `-${x}`)];
      this.say(
        `  lists.${visible(list.name)}: ${visible(parts.slice(0, 12).join(' '))}${parts.length > 12 ? ' …' : ''}`,
      );
    }
    const sum = diff.added.length + diff.removed.length + diff.changed.length;
    this.say(`${sum} ${sum === 1 ? 'rule differs' : 'rules differ'}`);
    if (history === null) return;
    for (const call of history.calls.slice(0, 50))
      this.say(`${call.from} → ${call.to}  ${visible(call.rule)}  ${visible(call.summary)}  ${p.dim(call.id)}`);
    this.say(`${history.calls.length} of ${history.records} recorded calls are answered differently`);
  }
}

type Changes = ReturnType<typeof redecide>['changes'];

/** Both lists say where a policy departs from the record; a call that departs in one alone, or elsewhere, differs. */
function differing(a: Changes, b: Changes): HistoryDiff['calls'] {
  const first = new Map(a.map((c) => [c.id, c]));
  const second = new Map(b.map((c) => [c.id, c]));
  return [...new Set([...first.keys(), ...second.keys()])].flatMap((id) => {
    const [x, y] = [first.get(id), second.get(id)];
    const any = (x ?? y) as Changes[number];
    const [from, to] = [x?.now ?? any.then, y?.now ?? any.then];
    if (from === to) return [];
    const rule = (y ? y.nowRule : any.thenRule) || (x ? x.nowRule : any.thenRule);
    return [{ id, summary: any.summary, from, to, rule }];
  });
}
