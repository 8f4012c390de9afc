import { daemonMode, readConfig } from '../../base/config.ts';
import { visible } from '../../base/escape.ts';
import { govPaths } from '../../base/gov-paths.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { type DaemonLook, lookAtDaemon } from '../../daemon/client.ts';
import { socketFile } from '../../daemon/place.ts';
import { bundleFile } from '../../register/hooks-dir.ts';

interface StatusResult extends Omit<DaemonLook, 'socket'> {
  /** `auto`, `off` or `require`, as configuration and environment say. */
  readonly mode: string;
  readonly socket: string;
}

/** What becomes of calls that no daemon takes. */
const WITHOUT = {
  auto: 'each call has a hook of its own; the next one starts it',
  off: 'each call has a hook of its own',
  require: 'calls are blocked until one answers: gov daemon start',
} as const;

export default class DaemonStatus extends GovCommand {
  static override summary = 'Whether the daemon runs, and for which build.';
  static override examples = ['<%= config.bin %> daemon status', '<%= config.bin %> daemon status --json'];

  async run(): Promise<StatusResult> {
    await this.parse(DaemonStatus);
    const paths = govPaths(process.env);
    const { running, current, possible, socket, compiledClient } = await lookAtDaemon(paths, bundleFile());
    const mode = daemonMode(readConfig(paths.configFile).config, process.env);
    const result: StatusResult = { mode, running, current, socket: socketFile(paths), possible, compiledClient };
    this.say(`mode      ${result.mode}`);
    this.say(
      `socket    ${visible(result.socket)}${result.possible ? '' : ' (too long a path: no daemon is possible)'}`,
    );
    this.say(`client    ${result.compiledClient ? 'compiled' : 'in Perl, where that is found'}`);
    if (socket === 'silent') this.say('daemon    does not answer: gov doctor');
    else if (running === null)
      this.say(`daemon    ${mode === 'off' ? 'switched off' : 'not running'}: ${WITHOUT[mode]}`);
    else {
      const since = new Date(running.started).toISOString().slice(0, 19);
      const memory = Math.round(running.memory / 2 ** 20);
      this.say(`daemon    process ${running.pid} since ${since}Z, ${running.served} calls, ${memory} MiB`);
      if (!result.current) this.say('          of another build: it ends with the next call');
    }
    return result;
  }
}
