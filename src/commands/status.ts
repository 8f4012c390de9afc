import { existsSync } from 'node:fs';
import { type Installed, readInstalled } from '../agents/installed.ts';
import { type GovConfig, readConfig } from '../base/config.ts';
import { messageOf } from '../base/errors.ts';
import { visible } from '../base/escape.ts';
import { govPaths } from '../base/gov-paths.ts';
import { GOV_VERSION } from '../base/version.ts';
import { GovCommand } from '../cli/gov-command.ts';
import { paint } from '../cli/paint.ts';
import { loadPolicy } from '../policy/load.ts';
import { policyFileFor } from '../register/check-installation.ts';

interface StatusResult {
  readonly version: string;
  readonly config: GovConfig;
  readonly configFault: string;
  readonly policy: { readonly file: string; readonly digest: string; readonly rules: number; readonly fault: string };
  readonly store: { readonly file: string; readonly exists: boolean };
  readonly registrations: readonly (Installed & { readonly present: boolean })[];
}

export default class Status extends GovCommand {
  static override summary = 'What is in force: mode, policy, store, registrations.';
  static override examples = ['<%= config.bin %> status', '<%= config.bin %> status --json'];

  async run(): Promise<StatusResult> {
    await this.parse(Status);
    const paths = govPaths(process.env);
    const { config, fault } = readConfig(paths.configFile);
    const result: StatusResult = {
      version: GOV_VERSION,
      config,
      configFault: fault,
      policy: policyIn(policyFileFor(paths, config.preset)),
      store: { file: paths.database, exists: existsSync(paths.database) },
      registrations: readInstalled(paths).map((item) => ({ ...item, present: existsSync(item.file) })),
    };
    this.print(result);
    return result;
  }

  private print(result: StatusResult): void {
    const p = paint(process.stdout);
    const line = (name: string, text: string): void => this.say(`${p.bold(name.padEnd(10))}${visible(text)}`);
    line('gov', result.version);
    line('mode', result.configFault || `${result.config.mode}, preset ${result.config.preset}`);
    line('policy', result.policy.fault || `${result.policy.rules} rules, digest ${result.policy.digest.slice(0, 12)}`);
    line('store', `${result.store.file}${result.store.exists ? '' : ' (nothing recorded yet)'}`);
    for (const item of result.registrations)
      line('hooks', `${item.agent}, ${item.scope}: ${item.file}${item.present ? '' : ' (gone!)'}`);
    if (result.registrations.length === 0) line('hooks', 'registered nowhere: run `gov init`');
  }
}

function policyIn(file: string): StatusResult['policy'] {
  try {
    const policy = loadPolicy(file);
    return { file, digest: policy.digest, rules: policy.rules.length, fault: '' };
  } catch (error) {
    return { file, digest: '', rules: 0, fault: messageOf(error) };
  }
}
