import { Flags } from '@oclif/core';
import { visible } from '../base/escape.ts';
import { govPaths } from '../base/gov-paths.ts';
import { accountName } from '../cli/elevate.ts';
import { GovCommand } from '../cli/gov-command.ts';
import { paint } from '../cli/paint.ts';
import { sessionMeant, stopNow } from '../cli/stop-order.ts';
import { type Stop, stopFile } from '../grants/stop.ts';

interface StopResult {
  readonly session: string;
  readonly file: string;
  readonly recorded: boolean;
}

export default class StopCommand extends GovCommand {
  static override summary = 'Stop every agent on this machine, or one session, at its next call.';
  static override description =
    'A file in the state directory decides, so that it works with a locked store, a full disk, and without the daemon. ' +
    'Every call is blocked, in monitor mode too, until a person runs `gov resume`.';
  static override examples = [
    '<%= config.bin %> stop',
    '<%= config.bin %> stop --reason "look at the migration first"',
    '<%= config.bin %> stop --session 4f1c9a3e',
  ];
  static override flags = {
    session: Flags.string({
      description: 'only this session (its id, or the beginning of it)',
      default: '',
      helpValue: 'ID',
    }),
    reason: Flags.string({ description: 'why; the agents are told', default: '' }),
  };

  async run(): Promise<StopResult> {
    const { flags } = await this.parse(StopCommand);
    const paths = govPaths(process.env);
    const meant = flags.session === '' ? { id: '', known: true } : sessionMeant(paths, flags.session);
    const stop: Stop = { session: meant.id, at: Date.now(), reason: flags.reason, by: accountName() };
    const recorded = stopNow(paths, stop);
    const p = paint(process.stdout);
    const whom = stop.session === '' ? 'Every agent on this machine is' : `Session ${visible(stop.session)} is`;
    this.say(`${p.bold(p.red('STOPPED'))}  ${whom} blocked at its next call. Go on with: gov resume`);
    if (meant.known === false)
      process.stderr.write(
        'gov: no call of a session with this id was recorded so far; the others go on\n' +
          '     `gov status` and `gov replay --json` show the ids; `gov stop` stops all\n',
      );
    if (meant.known === null)
      process.stderr.write('gov: the store can not be read, so what was given was taken for the whole id\n');
    if (recorded !== '') process.stderr.write(`gov: it is in force, but not recorded: ${visible(recorded)}\n`);
    return { session: stop.session, file: stopFile(paths, stop.session), recorded: recorded === '' };
  }
}
