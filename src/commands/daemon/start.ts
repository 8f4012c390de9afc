import { daemonMode, readConfig } from '../../base/config.ts';
import { GovError } from '../../base/errors.ts';
import { visible } from '../../base/escape.ts';
import { govPaths } from '../../base/gov-paths.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { type DaemonState, ensureDaemon } from '../../daemon/client.ts';
import { fitsSocket } from '../../daemon/place.ts';
import { bundleFile } from '../../register/hooks-dir.ts';

export default class DaemonStart extends GovCommand {
  static override summary = 'Start the process that answers hooks without starting Node for each.';
  static override description =
    'Not needed where the configuration says `auto`, as it does by itself: the first call starts it. It ends when ' +
    'nobody asked it for ten minutes.';
  static override examples = ['<%= config.bin %> daemon start'];

  async run(): Promise<DaemonState> {
    await this.parse(DaemonStart);
    const paths = govPaths(process.env);
    if (daemonMode(readConfig(paths.configFile).config, process.env) === 'off')
      throw new GovError({
        code: 'daemon-off',
        message: 'the daemon is switched off',
        help: `take "daemon": "off" out of ${visible(paths.configFile)}, or GOV_DAEMON out of the environment`,
      });
    if (!fitsSocket(paths))
      throw new GovError({
        code: 'daemon-path',
        message: `\`${paths.daemon}\` is too long a path for a socket`,
        help: 'set GOV_HOME to a shorter one; without it each call has a hook of its own',
      });
    const state = await ensureDaemon(paths, bundleFile(), process.env);
    if (state === null)
      throw new GovError({
        code: 'daemon-start',
        message: 'the daemon does not come up',
        help: 'see what `gov daemon run` says; until then each call has a hook of its own',
      });
    this.say(`The daemon answers, process ${state.pid}.`);
    return state;
  }
}
