import { readInstalled } from '../agents/installed.ts';
import { messageOf } from '../base/errors.ts';
import { visible } from '../base/escape.ts';
import { EXIT } from '../base/exit-codes.ts';
import { govPaths } from '../base/gov-paths.ts';
import { GovCommand } from '../cli/gov-command.ts';
import { paint } from '../cli/paint.ts';
import { lookAtDaemon } from '../daemon/client.ts';
import { checkAgents } from '../register/check-agents.ts';
import { checkDaemon } from '../register/check-daemon.ts';
import { checkInstallation } from '../register/check-installation.ts';
import { bad, type Check } from '../register/health.ts';
import { bundleFile } from '../register/hooks-dir.ts';
import { thisPlace } from '../register/place.ts';

export default class Doctor extends GovCommand {
  static override summary = 'Find what keeps gov from protecting, and how to repair it.';
  static override description = 'Ends with 1 if something is wrong. Run it in the project that you work in.';
  static override examples = ['<%= config.bin %> doctor', '<%= config.bin %> doctor --json'];

  async run(): Promise<{ readonly checks: readonly Check[] }> {
    await this.parse(Doctor);
    const paths = govPaths(process.env);
    const daemon = checkDaemon(paths, await lookAtDaemon(paths, bundleFile()), process.env);
    const checks = [...checkInstallation(paths), ...daemon, ...this.agentChecks(paths)];
    const p = paint(process.stdout);
    const marks = { ok: p.green('ok  '), warn: p.yellow('warn'), bad: p.red('bad ') };
    for (const check of checks) {
      this.say(`${marks[check.state]}  ${p.bold(check.id)}  ${visible(check.message)}`);
      if (check.fix !== '') this.say(`      fix: ${visible(check.fix)}`);
    }
    if (checks.some((check) => check.state === 'bad')) process.exitCode = EXIT.findings;
    return { checks };
  }

  private agentChecks(paths: ReturnType<typeof govPaths>): readonly Check[] {
    try {
      return checkAgents(thisPlace(), readInstalled(paths));
    } catch (error) {
      return [bad('registered', messageOf(error), 'run `gov init` again')];
    }
  }
}
