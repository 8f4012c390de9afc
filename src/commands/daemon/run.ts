import { spawnSync } from 'node:child_process';
import { Flags } from '@oclif/core';
import { EXIT } from '../../base/exit-codes.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { daemonProgram } from '../../daemon/client.ts';
import { bundleFile } from '../../register/hooks-dir.ts';

export default class DaemonRun extends GovCommand {
  static override summary = 'Run the daemon in the foreground: for a service manager, or to see its errors.';
  static override examples = ['<%= config.bin %> daemon run', '<%= config.bin %> daemon run --idle 3600'];
  static override flags = {
    idle: Flags.integer({ description: 'seconds without a call after which it ends', default: 600, min: 1 }),
  };

  async run(): Promise<void> {
    const { flags } = await this.parse(DaemonRun);
    const args = [daemonProgram(bundleFile()), String(flags.idle * 1000)];
    const { status } = spawnSync(process.execPath, args, { stdio: 'inherit' });
    if (status !== EXIT.ok) this.exit(status ?? EXIT.internal);
  }
}
