import { Args, Flags } from '@oclif/core';
import { endNamed } from '../../cli/elevate.ts';
import { GovCommand } from '../../cli/gov-command.ts';

export default class ElevateRevoke extends GovCommand {
  static override summary = 'Take a grant away, at once.';
  static override examples = [
    '<%= config.bin %> elevate revoke K7QF',
    '<%= config.bin %> elevate revoke K7QF --reason "done"',
  ];
  static override args = {
    code: Args.string({ description: 'code or id of the grant or its request', required: true }),
  };
  static override flags = { reason: Flags.string({ description: 'why', default: '' }) };

  async run(): Promise<{ readonly grant: string; readonly state: string }> {
    const { args, flags } = await this.parse(ElevateRevoke);
    const grant = endNamed(args.code, 'revoked', flags.reason, Date.now());
    this.say(`Grant ${grant} is revoked.`);
    return { grant, state: 'revoked' };
  }
}
