import { Flags } from '@oclif/core';
import { type Registrar, SCOPES, type Scope } from '../agents/registrar.ts';
import { type GovConfig, readConfig } from '../base/config.ts';
import { GovError } from '../base/errors.ts';
import { visible } from '../base/escape.ts';
import { EXIT } from '../base/exit-codes.ts';
import { govPaths } from '../base/gov-paths.ts';
import { agreesTo } from '../cli/ask.ts';
import { folded } from '../cli/check-explain.ts';
import { GovCommand } from '../cli/gov-command.ts';
import { ownRulesFrom } from '../cli/own-rules.ts';
import { paint } from '../cli/paint.ts';
import { planDiff, planLines } from '../cli/plan-lines.ts';
import { builtPresets } from '../cli/presets.ts';
import { agentsFound, registrarNamed, registrars } from '../register/agents.ts';
import { bundleFile, hooksDir } from '../register/hooks-dir.ts';
import { install, saveConfig, warmUp } from '../register/install.ts';
import { requireNoAgent, thisStanding } from '../register/person.ts';
import { thisPlace } from '../register/place.ts';
import { type Plan, planInstall } from '../register/plan.ts';
import { recordAct } from '../register/store.ts';

interface InitResult {
  readonly dryRun: boolean;
  readonly config: GovConfig;
  /** Rules besides the built-in ones that are in the bundles now. */
  readonly own_rules: number;
  readonly files: readonly { agent: string; scope: Scope; file: string; changed: boolean; diff: readonly string[] }[];
}

export default class Init extends GovCommand {
  static override summary = "Register gov's hooks in the coding agents found here.";
  static override description =
    'Merges into the settings that are there: other hooks, order and indentation stay. The settings as they were are ' +
    'kept beside the store, and `gov uninstall` brings them back. Rules of yours are built; if one of them is broken, ' +
    'nothing is changed. At a terminal the change is told in short: --diff or --dry-run shows every line of it. Without a terminal, --yes is needed; under an agent the command refuses to run.';
  static override examples = [
    '<%= config.bin %> init --dry-run',
    '<%= config.bin %> init --agent claude-code --agent codex',
    '<%= config.bin %> init --agent claude-code --scope project --yes',
    'sudo <%= config.bin %> init --agent claude-code --scope managed',
  ];
  static override flags = {
    agent: Flags.string({
      description: 'agent to register in (default: those found)',
      multiple: true,
      options: registrars.map((item) => item.agent),
    }),
    scope: Flags.option({
      description: "whose settings: yours, this project's, or everyone's on this machine",
      options: SCOPES,
      default: 'user' as const,
    })(),
    preset: Flags.string({ description: 'built-in policy', options: [...builtPresets()] }),
    'dry-run': Flags.boolean({ description: 'show every line that would change, change nothing' }),
    diff: Flags.boolean({ description: 'show every line that changes, also at a terminal' }),
    yes: Flags.boolean({ char: 'y', description: 'do not ask' }),
  };

  async run(): Promise<InitResult> {
    const { flags } = await this.parse(Init);
    const terminal = Boolean(process.stdin.isTTY);
    const dryRun = flags['dry-run'];
    if (!dryRun) requireNoAgent('`gov init`', thisStanding());
    const place = thisPlace();
    const paths = govPaths(process.env);
    const chosen = this.choose(flags.agent ?? [], agentsFound(place));
    const plans = chosen.map((registrar) => planInstall(registrar, flags.scope, place, hooksDir()));
    const whole = dryRun || flags.diff || !process.stdout.isTTY;
    for (const plan of plans) this.show(plan, whole);
    if (!whole && plans.some((plan) => planDiff(plan).length > 0)) this.say('--diff shows every line of it.');

    const before = readConfig(paths.configFile).config;
    const config = flags.preset
      ? {
          ...before,
          mode: flags.preset === 'monitor' ? ('monitor' as const) : ('enforce' as const),
          preset: flags.preset,
        }
      : before;
    const own = await ownRulesFrom(paths);
    if (own) this.say(`${own.count === 1 ? '1 rule' : `${own.count} rules`} of yours will be built, too.`);
    const result = { dryRun, config, files: plans.map(fileOf), own_rules: own?.count ?? 0 };
    if (dryRun) {
      this.say('Nothing was changed (--dry-run).');
      return result;
    }
    if (!flags.yes && !(await this.agreed(terminal))) this.exit(EXIT.findings);
    const now = Date.now();
    own?.build();
    saveConfig(paths, config, process.execPath);
    warmUp(bundleFile());
    const kept: string[] = [];
    for (const plan of plans) {
      const { backup } = install(plan, paths, hooksDir(), now);
      if (backup !== null && plan.before !== plan.after) kept.push(backup);
      recordAct(paths, 'init', { agent: plan.registrar.agent, scope: plan.scope, file: plan.file }, now);
    }
    this.say();
    for (const line of this.ending(config, plans, flags.scope)) this.tell(line);
    for (const file of kept) this.tell(`The settings as they were: ${visible(file)}`);
    this.tell('Next: `gov verify` fires test calls through the hook; `gov audit` shows what happened.');
    return result;
  }

  private ending(config: GovConfig, plans: readonly Plan[], scope: Scope): readonly string[] {
    return [
      config.mode === 'monitor'
        ? 'gov records every call and blocks nothing (monitor mode).'
        : `gov is in force for new sessions (preset ${config.preset}).`,
      ...(scope === 'project'
        ? [`The settings name ${hooksDir()}: who shares this file needs gov there, or is blocked.`]
        : []),
      ...plans.flatMap(({ registrar }) => (registrar.next ? [`${registrar.title}: ${registrar.next}`] : [])),
    ];
  }

  /** A sentence, folded where standard output is a terminal. */
  private tell(sentence: string): void {
    for (const line of folded('', sentence)) this.say(line);
  }

  private choose(named: readonly string[], found: readonly Registrar[]): readonly Registrar[] {
    if (named.length > 0) return named.map((name) => registrarNamed(name)).filter((item) => item !== null);
    if (found.length > 0) return found;
    throw new GovError({
      code: 'usage-no-agent',
      message: 'no coding agent that gov knows was found here',
      help: `name one: ${registrars.map((item) => `--agent ${item.agent}`).join(', ')}`,
    });
  }

  private show(plan: Plan, whole: boolean): void {
    for (const line of planLines(plan, whole, paint(process.stdout))) this.say(line);
    if (plan.before === plan.after) this.say('  already registered: nothing to change');
  }

  private async agreed(terminal: boolean): Promise<boolean> {
    if (!terminal)
      throw new GovError({
        code: 'usage-yes',
        message: 'there is no terminal to ask at',
        help: 'look at `gov init --dry-run`, then say --yes',
      });
    return agreesTo('Write this?');
  }
}

function fileOf(plan: Plan): InitResult['files'][number] {
  const { registrar, scope, file, before, after } = plan;
  return { agent: registrar.agent, scope, file, changed: before !== after, diff: planDiff(plan) };
}
