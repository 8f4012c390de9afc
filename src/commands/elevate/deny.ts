import { Args, Flags } from '@oclif/core';
import { GovError } from '../../base/errors.ts';
import { accountName, requestsHere, withWriter } from '../../cli/elevate.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { refuse } from '../../grants/person-said.ts';
import { findRequest } from '../../grants/requests.ts';
import { requireNoAgent, thisStanding } from '../../register/person.ts';

export default class ElevateDeny extends GovCommand {
  static override summary = 'Decide against a request: its code is worth nothing then, the agent is told why.';
  static override description =
    'The next time the agent tries the same call, or another that the rules of the request hold up, its message says ' +
    'that a person said no, with the note.';
  static override examples = [
    '<%= config.bin %> elevate deny K7QF',
    '<%= config.bin %> elevate deny K7QF --note "not on a Friday; open a pull request instead"',
  ];
  static override args = { code: Args.string({ description: 'code or id', required: true }) };
  static override flags = {
    note: Flags.string({ description: 'why; the agent is told', aliases: ['reason'], default: '' }),
  };

  async run(): Promise<{ readonly request: string }> {
    const { args, flags } = await this.parse(ElevateDeny);
    requireNoAgent('`gov elevate deny`', thisStanding());
    const now = Date.now();
    const request = findRequest(requestsHere(now), args.code);
    if (request.grant)
      throw new GovError({
        code: 'usage-approved',
        message: `\`${request.code}\` was approved already`,
        help: `\`gov elevate revoke ${request.code}\` ends what was granted`,
      });
    const said = { by: accountName(), note: flags.note.trim(), cwd: process.cwd() };
    withWriter((writer) => refuse(writer, request, said, now));
    this.say(`Denied ${request.code}. The agent is told when it tries again.`);
    return { request: request.id };
  }
}
