import { Args, Flags } from '@oclif/core';
import { endNamed } from '../../cli/elevate.ts';
import { GovCommand } from '../../cli/gov-command.ts';

export default class ElevateDrop extends GovCommand {
  static override summary = 'Give a grant back before its time.';
  static override examples = [
    '<%= config.bin %> elevate drop K7QF',
    '<%= config.bin %> elevate drop K7QF --reason "done"',
  ];
  static override args = {
    code: Args.string({ description: 'code or id of the grant or its request', required: true }),
  };
  static override flags = { reason: Flags.string({ description: 'why', default: '' }) };

  async run(): Promise<{ readonly grant: string; readonly state: string }> {
    const { args, flags } = await this.parse(ElevateDrop);
    const grant = endNamed(args.code, 'dropped', flags.reason, Date.now());
    this.say(`Grant ${grant} is dropped.`);
    return { grant, state: 'dropped' };
  }
}
