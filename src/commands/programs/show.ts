import { Args } from '@oclif/core';
import { GovError } from '../../base/errors.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { type ProgramDetail, programDetail } from '../../cli/program-summaries.ts';

export default class ProgramsShow extends GovCommand {
  static override summary = 'Show what gov knows of a program: its options and where the facts come from.';
  static override examples = ['<%= config.bin %> programs show rsync', '<%= config.bin %> programs show git --json'];
  static override args = { name: Args.string({ required: true, description: "the program's name, as in a command" }) };

  async run(): Promise<ProgramDetail> {
    const { args } = await this.parse(ProgramsShow);
    const detail = programDetail(args.name);
    if (!detail)
      throw new GovError({
        code: 'usage-program',
        message: `\`${args.name}\` has no model: gov records its effect as unknown`,
        help: 'see `gov programs list`, and `gov check --explain` for what a whole command does',
      });
    const p = paint(process.stdout);
    this.say(`${p.bold(detail.names.join(' '))}  ${detail.summary}`);
    this.say(p.dim(`source: ${detail.manual}`));
    if (detail.options.length > 0) this.say('options');
    for (const { names, takes } of detail.options)
      this.say(
        `  ${names.map(dashed).join(', ')}${takes === 'nothing' ? '' : takes === 'value' ? ' VALUE' : ' [VALUE]'}`,
      );
    if (detail.notes.length > 0) this.say(p.dim(detail.notes.join('; ')));
    return detail;
  }
}

function dashed(name: string): string {
  return name.length === 1 ? `-${name}` : `--${name}`;
}
