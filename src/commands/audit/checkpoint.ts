import { writeFileSync } from 'node:fs';
import { Flags } from '@oclif/core';
import { type Checkpoint, makeCheckpoint, ownVerifierKey } from '../../audit/write/checkpoint.ts';
import { GovError, messageOf } from '../../base/errors.ts';
import { withStore } from '../../cli/audit-query.ts';
import { GovCommand } from '../../cli/gov-command.ts';

export default class AuditCheckpoint extends GovCommand {
  static override summary = 'Sign how long the log is and what it ends in, so that a cut-off end shows later.';
  static override description =
    `Appends to checkpoints.jsonl beside the store, which \`audit verify\` compares with it. The end of a session makes one too. Keep copies on another machine: whoever owns these files can sign too.

A checkpoint is a signed note (C2SP, Ed25519). Any tool for such notes can check it with the public key, and so can \`audit verify --checkpoint FILE --key KEY\`.`;
  static override examples = [
    '<%= config.bin %> audit checkpoint',
    '<%= config.bin %> audit checkpoint --output today.note',
    '<%= config.bin %> audit checkpoint --public-key',
  ];
  static override flags = {
    output: Flags.string({ char: 'o', description: 'write the signed note to this file too', helpValue: 'FILE' }),
    'public-key': Flags.boolean({ description: 'print the key that checks the notes, sign nothing' }),
  };

  async run(): Promise<Checkpoint | { readonly key: string }> {
    const { flags } = await this.parse(AuditCheckpoint);
    if (flags['public-key']) return this.tellKey();
    const checkpoint = withStore((store, paths) => makeCheckpoint(store.ends(), paths, Date.now()));
    if (flags.output !== undefined) save(flags.output, checkpoint.note);
    this.say(`signed: record ${checkpoint.seq}, head ${checkpoint.head}`);
    this.say(`key ${checkpoint.key}`);
    return checkpoint;
  }

  private tellKey(): { readonly key: string } {
    const key = withStore((store, paths) => ownVerifierKey(paths, store.ends().chain));
    if (key === null)
      throw new GovError({
        code: 'usage-key',
        message: 'there is no key yet',
        help: '`gov audit checkpoint` makes it with the first checkpoint',
      });
    this.say(key);
    return { key };
  }
}

function save(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } catch (cause) {
    throw new GovError({ code: 'usage-output', message: `can't write \`${file}\`: ${messageOf(cause)}`, cause });
  }
}
