import { Args } from '@oclif/core';
import { GovError } from '../../base/errors.ts';
import { visible } from '../../base/escape.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { readWaiverFile, saveWaiverFile, waiverFile } from '../../cli/waivers.ts';
import { withExpiry } from '../../rulebook/waiver-file.ts';

interface Expired {
  readonly id: string;
  readonly expires: string;
}

export default class WaiverExpire extends GovCommand {
  static override summary = 'End one of your waivers now.';
  static override description = 'Makes rules stricter, so anybody may run it. It holds after `gov policy build`.';
  static override examples = ['<%= config.bin %> waiver expire W-17'];
  static override args = { id: Args.string({ required: true, description: 'id of the waiver' }) };

  async run(): Promise<Expired> {
    const { args } = await this.parse(WaiverExpire);
    const now = `${new Date().toISOString().slice(0, 19)}Z`;
    const before = readWaiverFile();
    const ended = withExpiry(before, args.id, now);
    if (ended === null)
      throw new GovError({
        code: 'usage-unknown-waiver',
        message: `there is no waiver \`${args.id}\` in ${waiverFile()}`,
        help: '`gov waiver list` shows all; those of other files end where they are written',
      });
    const { text, expires } = ended;
    // Within the same second the end is the same, too.
    const isNew = text !== before;
    if (isNew) saveWaiverFile(text);
    this.say(
      isNew
        ? `${visible(args.id)} ends at ${expires}; it holds after \`gov policy build\``
        : `${visible(args.id)} is over since ${visible(expires)}`,
    );
    return { id: args.id, expires };
  }
}
