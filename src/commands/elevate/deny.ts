import { Args, Flags } from '@oclif/core';
import { actDraft } from '../../audit/write/act.ts';
import { GovError } from '../../base/errors.ts';
import { accountName, requestsHere, withWriter } from '../../cli/elevate.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { findRequest } from '../../grants/requests.ts';

export default class ElevateDeny extends GovCommand {
  static override summary = 'Decide against a request: its code can no longer be approved.';
  static override examples = [
    '<%= config.bin %> elevate deny K7QF',
    '<%= config.bin %> elevate deny K7QF --reason "not on a Friday"',
  ];
  static override args = { code: Args.string({ description: 'code or id', required: true }) };
  static override flags = { reason: Flags.string({ description: 'why', default: '' }) };

  async run(): Promise<{ readonly request: string }> {
    const { args, flags } = await this.parse(ElevateDeny);
    const now = Date.now();
    const request = findRequest(requestsHere(now), args.code);
    if (request.grant)
      throw new GovError({
        code: 'usage-approved',
        message: `\`${request.code}\` was approved already`,
        help: `\`gov elevate revoke ${request.code}\` ends what was granted`,
      });
    const detail = { request: request.id, by: accountName(), reason: flags.reason };
    withWriter((writer) =>
      writer.append(actDraft({ name: 'elevate-denied', detail, session: request.session, cwd: process.cwd() }, now)),
    );
    this.say(`Denied ${request.code}.`);
    return { request: request.id };
  }
}
