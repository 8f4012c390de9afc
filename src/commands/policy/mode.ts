import { Args, Flags } from '@oclif/core';
import { type GovConfig, readConfig } from '../../base/config.ts';
import { GovError } from '../../base/errors.ts';
import { visible } from '../../base/escape.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { type GovPaths, govPaths } from '../../base/gov-paths.ts';
import { agreesTo } from '../../cli/ask.ts';
import { policyInForce } from '../../cli/check-policy.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { ownFile } from '../../cli/own-file.ts';
import { paint } from '../../cli/paint.ts';
import { ruleNamed } from '../../cli/waivers.ts';
import type { CompiledRule } from '../../model/policy.ts';
import { countRules, countText, type RuleCount } from '../../policy/rule-count.ts';
import { saveConfig } from '../../register/install.ts';
import { requireNoAgent, requirePerson, thisStanding } from '../../register/person.ts';
import { recordAct } from '../../register/store.ts';
import { compilePolicy } from '../../rulebook/compile.ts';
import { printFinding } from '../../rulebook/finding.ts';
import { layersOf } from '../../rulebook/layers.ts';
import { publishLayers } from '../../rulebook/publish.ts';
import { withModes } from '../../rulebook/rule-mode.ts';

type RuleMode = CompiledRule['mode'];

interface ModeResult {
  readonly mode: GovConfig['mode'];
  readonly preset: string;
  readonly counts: RuleCount;
  /** Rules that are recorded only, or not asked. */
  readonly quiet: readonly { readonly id: string; readonly mode: RuleMode }[];
}

export default class PolicyMode extends GovCommand {
  static override summary = 'Enforce the rules or only watch; take single rules into the shadow and back.';
  static override description =
    'Without MODE it says how things stand. `enforce` and `monitor` are about all of gov: in monitor mode everything ' +
    'passes and is recorded with what would have been decided. With --rule, `enforce`, `shadow` and `off` are about ' +
    'that rule: one of yours, or an advisory one of a layer above. What makes gov milder needs a person at a terminal ' +
    'of their own.';
  static override examples = [
    '<%= config.bin %> policy mode',
    '<%= config.bin %> policy mode monitor',
    '<%= config.bin %> policy mode enforce',
    '<%= config.bin %> policy mode shadow --rule deploy.production',
    '<%= config.bin %> policy mode enforce --rule deploy.production',
  ];
  static override args = {
    mode: Args.string({ description: 'what is to hold', options: ['enforce', 'monitor', 'shadow', 'off'] }),
  };
  static override flags = {
    rule: Flags.string({ description: 'only this rule', multiple: true, helpValue: 'ID' }),
  };

  async run(): Promise<ModeResult> {
    const { args, flags } = await this.parse(PolicyMode);
    const paths = govPaths(process.env);
    const ids = flags.rule ?? [];
    if (args.mode !== undefined) {
      if (ids.length > 0) await this.setRules(ids, args.mode, paths);
      else await this.setDeployment(args.mode, paths);
    } else if (ids.length > 0)
      throw new GovError({ code: 'usage-mode', message: 'which mode?', help: 'enforce, shadow or off' });
    return this.show(paths);
  }

  private async setDeployment(mode: string, paths: GovPaths): Promise<void> {
    if (mode !== 'enforce' && mode !== 'monitor')
      throw new GovError({
        code: 'usage-mode',
        message: `\`${mode}\` is about single rules`,
        help: `gov policy mode ${mode} --rule ID; for all of gov it is enforce or monitor`,
      });
    const { config, fault } = readConfig(paths.configFile);
    if (fault !== '') throw new GovError({ code: 'policy-config', message: fault, help: 'repair or remove the file' });
    if (config.mode === mode) return;
    await this.permit(mode === 'monitor', 'Let everything pass, and only record?');
    // The preset of that name says nothing else than that nothing is enforced.
    const preset = mode === 'enforce' && config.preset === 'monitor' ? 'recommended' : config.preset;
    recordAct(paths, 'policy-mode', { mode, before: config.mode, preset }, Date.now());
    saveConfig(paths, { ...config, mode, preset }, process.execPath);
  }

  private async setRules(ids: readonly string[], mode: string, paths: GovPaths): Promise<void> {
    if (mode !== 'enforce' && mode !== 'shadow' && mode !== 'off')
      throw new GovError({
        code: 'usage-mode',
        message: `\`${mode}\` is about all of gov, not about single rules`,
        help: 'with --rule it is enforce, shadow or off',
      });
    const compiled = compilePolicy(layersOf(paths).sources);
    const rules = ids.map((id) => ruleNamed(id, compiled));
    const file = ownFile('modes.yaml');
    const text = withModes(file.read(), rules, mode);
    await this.permit(
      mode !== 'enforce',
      `Take ${ids.join(', ')} ${mode === 'off' ? 'out of force' : 'into the shadow'}?`,
    );
    const before = file.read();
    const faults = file.save(text);
    if (faults.length > 0)
      throw new GovError({
        code: 'usage-mode',
        message: `${ids.join(', ')} can't be made milder from your layer`,
        help: `${faults.map((f) => f.message).join('; ')}; nothing was changed`,
      });
    recordAct(paths, 'policy-mode', { mode, rules: ids }, Date.now());
    const published = publishLayers(paths, null);
    const broken = published.findings.filter((f) => f.severity === 'error');
    if (broken.length === 0) return;
    file.save(before);
    throw new GovError({
      code: 'policy-broken',
      message: 'the layers can not be built, so the rules in force stay as they are',
      help: broken.map(printFinding).join('\n\n'),
    });
  }

  /** SECURITY: an agent may change neither; what makes gov milder takes a person's word. */
  private async permit(milder: boolean, question: string): Promise<void> {
    if (!milder) return requireNoAgent('`gov policy mode`', thisStanding());
    requirePerson('`gov policy mode`', thisStanding());
    if (!(await agreesTo(question))) this.exit(EXIT.findings);
  }

  private async show(paths: GovPaths): Promise<ModeResult> {
    const { config, fault } = readConfig(paths.configFile);
    const policy = await policyInForce(process.env, undefined, null);
    const quiet = policy.rules.filter((r) => r.mode !== 'enforce').map(({ id, mode }) => ({ id, mode }));
    const counts = countRules(policy.rules);
    const p = paint(process.stdout);
    const word = config.mode === 'monitor' ? p.yellow('monitor: everything passes, and is recorded') : 'enforce';
    this.say(`${word} (preset ${config.preset}), ${countText(counts)}`);
    for (const { id, mode } of quiet) this.say(`  ${mode.padEnd(7)} ${visible(id)}`);
    if (fault !== '') process.stderr.write(`gov: ${visible(fault)}\n`);
    return { mode: config.mode, preset: config.preset, counts, quiet };
  }
}
