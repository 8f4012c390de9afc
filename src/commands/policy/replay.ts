import { Flags } from '@oclif/core';
import { visible } from '../../base/escape.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { withStore } from '../../cli/audit-query.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { policyNamed } from '../../cli/policy-named.ts';
import { parseWhen } from '../../cli/when.ts';
import { findSecrets } from '../../redact/redact.ts';
import { redecide, type WhatIf } from '../../replay/redecide.ts';
import { passesGate } from '../../rulebook/gate.ts';

interface ReplayResult extends WhatIf {
  readonly policy: string;
  /** Null: no gate was given. */
  readonly gate: boolean | null;
}

export default class PolicyReplay extends GovCommand {
  static override summary = 'What would these rules have done? Takes recorded decisions again; runs nothing.';
  static override description =
    'Decides each recorded call again on the facts of that time. First comes what was held up and would pass. ' +
    'A gate is a condition over records, decided, undecidable, unchanged, stricter, milder, newly_denied, newly_asked ' +
    'and newly_allowed; `%` is of those that were decided. Ends with 1 if the gate does not hold.';
  static override examples = [
    '<%= config.bin %> policy replay --against my-rules --since 30d',
    '<%= config.bin %> policy replay --against strict --gate "newly_denied == 0"',
  ];
  static override flags = {
    against: Flags.string({
      description: 'rules to try: `.` (in force), a preset, YAML files, a compiled bundle',
      default: '.',
    }),
    preset: Flags.string({ description: 'preset below the rules' }),
    since: Flags.string({ description: 'from this time on: 2h, 7d, today, 2026-01-05', helpValue: 'TIME' }),
    until: Flags.string({ description: 'before this time', helpValue: 'TIME' }),
    session: Flags.string({ description: 'only this session' }),
    gate: Flags.string({ description: 'condition that must hold, e.g. "newly_denied == 0"', helpValue: 'EXPR' }),
    limit: Flags.integer({ description: 'changes to print', default: 50, min: 1 }),
  };

  async run(): Promise<ReplayResult> {
    const { flags } = await this.parse(PolicyReplay);
    const now = Date.now();
    const policy = await policyNamed(flags.against, process.env, flags.preset);
    const filter = {
      since: flags.since === undefined ? undefined : parseWhen(flags.since, now),
      until: flags.until === undefined ? undefined : parseWhen(flags.until, now),
      session: flags.session,
    };
    const progress = (done: number): void => {
      if (process.stderr.isTTY && done > 0) process.stderr.write(`\r${done} records`);
    };
    const found = withStore((store) => redecide(store, filter, policy, { secrets: findSecrets }, progress));
    const gate = flags.gate === undefined ? null : passesGate(flags.gate, { ...found.counts });
    this.print(found, flags.limit, gate, flags.gate ?? '');
    if (gate === false) process.exitCode = EXIT.findings;
    return { policy: policy.digest, gate, ...found };
  }

  private print({ changes, undecidable, counts }: WhatIf, limit: number, gate: boolean | null, expr: string): void {
    const p = paint(process.stdout);
    for (const c of changes.slice(0, limit)) {
      const arrow = `${c.then} → ${c.now}`;
      const rule = c.change === 'milder' ? c.thenRule : c.nowRule;
      this.say(
        `${c.change === 'milder' ? p.red(arrow) : p.yellow(arrow)}  ${visible(rule)}  ${visible(c.summary)}  ${p.dim(c.id)}`,
      );
    }
    if (changes.length > limit) this.say(p.dim(`… ${changes.length - limit} more (--limit)`));
    for (const u of undecidable.slice(0, 10))
      this.say(`${p.dim("can't be decided again")}  ${visible(u.summary)}  ${p.dim(`${u.id}: ${visible(u.why)}`)}`);
    if (undecidable.length > 10) this.say(p.dim(`… ${undecidable.length - 10} more that can't be decided again`));
    this.say(
      `${counts.records} decisions: ${counts.unchanged} unchanged, ${counts.stricter} stricter (${counts.newly_denied} newly denied, ${counts.newly_asked} newly asked), ${counts.milder} milder (${counts.newly_allowed} newly allowed), ${counts.undecidable} can't be decided again`,
    );
    if (gate !== null) this.say(gate ? p.green(`gate holds: ${expr}`) : p.red(`gate does not hold: ${expr}`));
  }
}
