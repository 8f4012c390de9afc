import { Flags } from '@oclif/core';
import { readInstalled } from '../agents/installed.ts';
import { SCOPES } from '../agents/registrar.ts';
import { GovError } from '../base/errors.ts';
import { visible } from '../base/escape.ts';
import { EXIT } from '../base/exit-codes.ts';
import { govPaths } from '../base/gov-paths.ts';
import { agreesTo } from '../cli/ask.ts';
import { GovCommand } from '../cli/gov-command.ts';
import { paint } from '../cli/paint.ts';
import { planDiff, planLines } from '../cli/plan-lines.ts';
import { stopDaemon } from '../daemon/client.ts';
import { registrarNamed, registrars } from '../register/agents.ts';
import { requireNoAgent, thisStanding } from '../register/person.ts';
import type { Plan } from '../register/plan.ts';
import { recordAct } from '../register/store.ts';
import { planUninstall, uninstall } from '../register/uninstall.ts';

interface UninstallResult {
  readonly dryRun: boolean;
  readonly files: readonly { agent: string; file: string; removed: boolean; diff: readonly string[] }[];
}

export default class Uninstall extends GovCommand {
  static override summary = "Take gov's hooks out of the agents' settings again.";
  static override description =
    'A settings file that nobody changed since `gov init` becomes what it was, byte for byte; from another one only ' +
    "gov's own hooks are taken. Records and configuration stay where they are. At a terminal the change is told in " +
    'short, and asked about.';
  static override examples = [
    '<%= config.bin %> uninstall --dry-run',
    '<%= config.bin %> uninstall',
    '<%= config.bin %> uninstall --agent claude-code --yes',
    '<%= config.bin %> uninstall --scope project',
  ];
  static override flags = {
    agent: Flags.string({
      description: 'agent to take gov out of (default: all)',
      multiple: true,
      options: registrars.map((item) => item.agent),
    }),
    scope: Flags.option({
      description: "only from these settings: yours, this project's, or everyone's on this machine (default: all)",
      options: SCOPES,
    })(),
    'dry-run': Flags.boolean({ description: 'show every line that would change, change nothing' }),
    diff: Flags.boolean({ description: 'show every line that changes, also at a terminal' }),
    yes: Flags.boolean({ char: 'y', description: 'do not ask; needed where there is no terminal' }),
  };

  async run(): Promise<UninstallResult> {
    const { flags } = await this.parse(Uninstall);
    const terminal = Boolean(process.stdin.isTTY);
    const dryRun = flags['dry-run'];
    if (!dryRun) requireNoAgent('`gov uninstall`', thisStanding());
    const paths = govPaths(process.env);
    const wanted = readInstalled(paths).filter(
      (item) => (!flags.agent || flags.agent.includes(item.agent)) && (!flags.scope || flags.scope === item.scope),
    );
    const plans: Plan[] = [];
    for (const entry of wanted) {
      const registrar = registrarNamed(entry.agent);
      if (registrar) plans.push(planUninstall(registrar, entry));
    }
    if (plans.length > 0 && !dryRun && !terminal && !flags.yes)
      throw new GovError({
        code: 'usage-yes',
        message: 'without a terminal nothing is taken out unasked',
        help: 'look at `gov uninstall --dry-run`, then say --yes',
      });
    if (plans.length === 0) this.say(`gov is registered nowhere${flags.agent || flags.scope ? ' there' : ''}.`);
    const whole = dryRun || flags.diff || !process.stdout.isTTY;
    for (const plan of plans) for (const line of planLines(plan, whole, paint(process.stdout))) this.say(line);
    if (!dryRun && plans.length > 0 && !flags.yes && !(await agreesTo('Take gov out of these settings?'))) {
      this.say('Nothing was changed.');
      this.exit(EXIT.findings);
    }
    const now = Date.now();
    for (const plan of dryRun ? [] : plans) {
      uninstall(plan, paths);
      // The store may be what is broken: that must not keep anybody from taking gov out.
      try {
        recordAct(paths, 'uninstall', { agent: plan.registrar.agent, file: plan.file }, now);
      } catch (error) {
        process.stderr.write(`gov: this is not recorded: ${visible(String(error))}\n`);
      }
    }
    if (!dryRun && plans.length > 0) await stopDaemon(paths);
    if (dryRun) this.say('Nothing was changed (--dry-run).');
    else if (plans.length > 0) this.say(`Your records stay in ${paths.state}, the configuration in ${paths.config}.`);
    return { dryRun, files: plans.map(fileOf) };
  }
}

function fileOf(plan: Plan): UninstallResult['files'][number] {
  return { agent: plan.registrar.agent, file: plan.file, removed: plan.after === null, diff: planDiff(plan) };
}
