import { readFileSync, writeFileSync } from 'node:fs';
import { Args, Flags } from '@oclif/core';
import { visible } from '../../base/escape.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { diffLines } from '../../register/diff.ts';
import { formatPolicy } from '../../rulebook/format.ts';
import { readSources } from '../../rulebook/source-files.ts';

interface FmtResult {
  readonly ok: boolean;
  /** Files that are not, or were not, in canonical form. */
  readonly changed: readonly string[];
}

export default class PolicyFmt extends GovCommand {
  static override summary = 'Put policy files in canonical form: order of keys, spelling of conditions.';
  static override description =
    'Comments stay, and so does a condition that holds one; what a condition means is compared before and after. With --check nothing is written and 1 is the end if a file would change.';
  static override examples = ['<%= config.bin %> policy fmt my-rules', '<%= config.bin %> policy fmt --check my-rules'];
  static override strict = false;
  static override args = { paths: Args.string({ required: true, description: 'files or directories' }) };
  static override flags = {
    check: Flags.boolean({ description: 'only say which files would change' }),
    diff: Flags.boolean({ description: 'only show what would change' }),
  };

  async run(): Promise<FmtResult> {
    const { argv, flags } = await this.parse(PolicyFmt);
    const p = paint(process.stdout);
    const changed: string[] = [];
    for (const { path } of readSources(argv as string[])) {
      const before = readFileSync(path, 'utf8');
      const after = formatPolicy(before);
      if (after === before) continue;
      changed.push(path);
      this.say(visible(path));
      if (flags.diff)
        for (const line of diffLines(before, after))
          this.say(
            line.startsWith('+') ? p.green(visible(line)) : line.startsWith('-') ? p.red(visible(line)) : visible(line),
          );
      if (!flags.check && !flags.diff) writeFileSync(path, after);
    }
    const ok = changed.length === 0;
    if (flags.check && !ok) process.exitCode = EXIT.findings;
    if (ok) this.say('all in canonical form');
    return { ok, changed };
  }
}
