import { Args } from '@oclif/core';
import type { Entry } from '../../audit/read/store.ts';
import { withStore } from '../../cli/audit-query.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { storyOf } from '../../cli/record-story.ts';

export default class AuditShow extends GovCommand {
  static override summary = 'Explain one record: call, answer, rules that fired or lost, effects, trace.';
  static override examples = [
    '<%= config.bin %> audit show 01kyz7c3m',
    '<%= config.bin %> audit show K7QF',
    '<%= config.bin %> audit show latest',
    '<%= config.bin %> audit show 17 --json',
  ];
  static override args = {
    id: Args.string({
      description: 'id (a unique prefix is enough), code in a message, sequence number, or `latest`',
      required: true,
    }),
  };

  async run(): Promise<Entry> {
    const { args } = await this.parse(AuditShow);
    const entry = withStore((store) => store.show(args.id));
    if (!this.jsonEnabled()) process.stdout.write(storyOf(entry, paint(process.stdout)));
    return entry;
  }
}
