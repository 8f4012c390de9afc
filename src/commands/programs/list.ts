import { Flags } from '@oclif/core';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { type ProgramSummary, summaries } from '../../cli/program-summaries.ts';

export default class ProgramsList extends GovCommand {
  static override summary = 'List the programs whose arguments gov understands.';
  static override description =
    'A program without a model has the effect `unknown`: it is never taken for harmless, and the built-in rules treat ' +
    'it as ordinary work inside the workspace.';
  static override examples = [
    '<%= config.bin %> programs list',
    '<%= config.bin %> programs list --match git',
    '<%= config.bin %> programs list --json',
  ];
  static override flags = {
    match: Flags.string({ description: 'only programs whose name or summary contains this text' }),
  };

  async run(): Promise<readonly ProgramSummary[]> {
    const { flags } = await this.parse(ProgramsList);
    const text = flags.match?.toLowerCase() ?? '';
    const found = summaries().filter(
      (p) => p.names.some((name) => name.toLowerCase().includes(text)) || p.summary.toLowerCase().includes(text),
    );
    const p = paint(process.stdout);
    for (const { names, summary } of found) this.say(`${p.bold(names.join(' '))}  ${p.dim(summary)}`);
    const count = found.reduce((sum, { names }) => sum + names.length, 0);
    this.say(p.dim(`${count} names in ${found.length} models`));
    return found;
  }
}
