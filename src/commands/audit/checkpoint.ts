import { type Checkpoint, makeCheckpoint } from '../../audit/tend/checkpoint.ts';
import { withStore } from '../../cli/audit-query.ts';
import { GovCommand } from '../../cli/gov-command.ts';

export default class AuditCheckpoint extends GovCommand {
  static override summary = 'Sign how long the log is and what it ends in, so that a cut-off end shows later.';
  static override description =
    'Appends to checkpoints.jsonl beside the store; `audit verify` compares. Keep copies on another machine: whoever owns these files can sign too.';
  static override examples = ['<%= config.bin %> audit checkpoint', '<%= config.bin %> audit checkpoint --json'];

  async run(): Promise<Checkpoint> {
    await this.parse(AuditCheckpoint);
    const checkpoint = withStore((store, paths) => makeCheckpoint(store, paths, Date.now()));
    this.say(`signed: record ${checkpoint.seq}, head ${checkpoint.head}`);
    this.say(`key ${checkpoint.key}`);
    return checkpoint;
  }
}
