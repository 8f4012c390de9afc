import { Flags } from '@oclif/core';
import { visible } from '../base/escape.ts';
import { EXIT } from '../base/exit-codes.ts';
import { govPaths } from '../base/gov-paths.ts';
import { agreesTo } from '../cli/ask.ts';
import { accountName } from '../cli/elevate.ts';
import { GovCommand } from '../cli/gov-command.ts';
import { recordOrder } from '../cli/stop-order.ts';
import { liftStop, stopsInForce } from '../grants/stop.ts';
import { requirePerson, thisStanding } from '../register/person.ts';

interface ResumeResult {
  readonly resumed: number;
  readonly recorded: boolean;
}

export default class Resume extends GovCommand {
  static override summary = 'Let stopped agents go on.';
  static override description =
    'Takes back what `gov stop` put in force: all of it, or the order for one session. Only a person at a terminal of ' +
    'their own can do that.';
  static override examples = ['<%= config.bin %> resume', '<%= config.bin %> resume --session 4f1c9a3e'];
  static override flags = {
    session: Flags.string({ description: 'only the order for this session', helpValue: 'ID' }),
    reason: Flags.string({ description: 'why; it is recorded', default: '' }),
  };

  async run(): Promise<ResumeResult> {
    const { flags } = await this.parse(Resume);
    requirePerson('`gov resume`', thisStanding());
    const paths = govPaths(process.env);
    const stops = stopsInForce(paths).filter((stop) => flags.session === undefined || stop.session === flags.session);
    if (stops.length === 0) {
      this.say(
        flags.session === undefined
          ? 'Nothing is stopped.'
          : `No order is about session ${visible(flags.session)}; \`gov status\` shows those in force.`,
      );
      return { resumed: 0, recorded: false };
    }
    for (const { session, reason, by } of stops) {
      const why = [by, reason].filter((text) => text !== '').join(': ');
      this.say(`stopped: ${visible(session === '' ? 'every agent' : `session ${session}`)}  ${visible(why)}`);
    }
    if (!(await agreesTo('Let them go on?'))) this.exit(EXIT.findings);
    let fault = '';
    for (const stop of stops) {
      liftStop(stop);
      fault ||= recordOrder(paths, 'resumed', { ...stop, at: Date.now(), reason: flags.reason, by: accountName() });
    }
    this.say('They can go on.');
    if (fault !== '') process.stderr.write(`gov: it is done, but not recorded: ${visible(fault)}\n`);
    return { resumed: stops.length, recorded: fault === '' };
  }
}
