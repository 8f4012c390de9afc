import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { daemonMode, readConfig } from '../../base/config.ts';
import { visible } from '../../base/escape.ts';
import { govPaths } from '../../base/gov-paths.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { type DaemonState, daemonState } from '../../daemon/client.ts';
import { fitsSocket, socketFile } from '../../daemon/place.ts';
import { bundleFile } from '../../register/hooks-dir.ts';

interface StatusResult {
  /** `auto`, `off` or `require`, as configuration and environment say. */
  readonly mode: string;
  readonly running: DaemonState | null;
  /** True if it belongs to this installation as it is now. */
  readonly current: boolean;
  readonly socket: string;
  /** False where the path is too long for a socket. */
  readonly possible: boolean;
}

export default class DaemonStatus extends GovCommand {
  static override summary = 'Whether the daemon runs, and for which build.';
  static override examples = ['<%= config.bin %> daemon status', '<%= config.bin %> daemon status --json'];

  async run(): Promise<StatusResult> {
    await this.parse(DaemonStatus);
    const paths = govPaths(process.env);
    const running = await daemonState(paths);
    const result: StatusResult = {
      mode: daemonMode(readConfig(paths.configFile).config, process.env),
      running,
      current: running !== null && running.build === installedBuild(),
      socket: socketFile(paths),
      possible: fitsSocket(paths),
    };
    this.say(`mode      ${result.mode}`);
    this.say(
      `socket    ${visible(result.socket)}${result.possible ? '' : ' (too long a path: no daemon is possible)'}`,
    );
    if (running === null) this.say('daemon    not running: each call has a hook of its own');
    else {
      const since = new Date(running.started).toISOString().slice(0, 19);
      this.say(`daemon    process ${running.pid} since ${since}Z, ${running.served} calls`);
      if (!result.current) this.say('          of another build: it ends with the next call');
    }
    return result;
  }
}

function installedBuild(): string {
  try {
    return readFileSync(join(dirname(bundleFile()), 'build-id'), 'utf8').trim();
  } catch {
    return '';
  }
}
