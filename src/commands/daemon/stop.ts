import { govPaths } from '../../base/gov-paths.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { stopDaemon } from '../../daemon/client.ts';
import { requireNoAgent, thisStanding } from '../../register/person.ts';

interface StopResult {
  /** Process that was ended; null if none ran. */
  readonly pid: number | null;
}

export default class DaemonStop extends GovCommand {
  static override summary = 'End the daemon.';
  static override description =
    'Calls are answered all the same, each by a hook of its own; where the configuration says `auto` the next one ' +
    'starts the daemon again. `"daemon": "off"` in the configuration keeps it away.';
  static override examples = ['<%= config.bin %> daemon stop'];

  async run(): Promise<StopResult> {
    await this.parse(DaemonStop);
    requireNoAgent('`gov daemon stop`', thisStanding());
    const pid = await stopDaemon(govPaths(process.env));
    this.say(pid === null ? 'No daemon is running.' : `The daemon, process ${pid}, has ended.`);
    return { pid };
  }
}
