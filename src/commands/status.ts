import { existsSync } from 'node:fs';
import { type Installed, readInstalled } from '../agents/installed.ts';
import { type DaemonMode, daemonMode, type GovConfig, readConfig } from '../base/config.ts';
import { messageOf } from '../base/errors.ts';
import { visible } from '../base/escape.ts';
import { govPaths } from '../base/gov-paths.ts';
import { GOV_VERSION } from '../base/version.ts';
import { GovCommand } from '../cli/gov-command.ts';
import { paint } from '../cli/paint.ts';
import { codesWaiting, type SessionNow, sessionsNow } from '../cli/session-list.ts';
import { type DaemonLook, lookAtDaemon } from '../daemon/client.ts';
import { type StopInForce, stopsInForce } from '../grants/stop.ts';
import { loadPolicy } from '../policy/load.ts';
import { countRules, countText, type RuleCount } from '../policy/rule-count.ts';
import { policyFileFor } from '../register/check-installation.ts';
import { bundleFile } from '../register/hooks-dir.ts';

interface StatusResult {
  readonly version: string;
  readonly config: GovConfig;
  readonly configFault: string;
  /** Orders to stop that are in force. */
  readonly stops: readonly StopInForce[];
  /** Sessions of the last hour and how they stand. */
  readonly sessions: readonly SessionNow[];
  /** Codes that wait for a person. */
  readonly waiting: readonly string[];
  readonly policy: RuleCount & { readonly file: string; readonly digest: string; readonly fault: string };
  readonly store: { readonly file: string; readonly exists: boolean };
  /** `mode`: as configuration and environment say. */
  readonly daemon: DaemonLook & { readonly mode: DaemonMode };
  readonly registrations: readonly (Installed & { readonly present: boolean })[];
}

export default class Status extends GovCommand {
  static override summary = 'What is in force: stops, mode, policy, store, registrations, sessions.';
  static override examples = ['<%= config.bin %> status', '<%= config.bin %> status --json'];

  async run(): Promise<StatusResult> {
    await this.parse(Status);
    const paths = govPaths(process.env);
    const { config, fault } = readConfig(paths.configFile);
    const { limits, ...policy } = policyIn(policyFileFor(paths, config.preset));
    const result: StatusResult = {
      version: GOV_VERSION,
      config,
      configFault: fault,
      stops: stopsInForce(paths),
      sessions: sessionsNow(paths, limits, Date.now()),
      waiting: codesWaiting(paths, Date.now()),
      policy,
      store: { file: paths.database, exists: existsSync(paths.database) },
      daemon: { mode: daemonMode(config, process.env), ...(await lookAtDaemon(paths, bundleFile())) },
      registrations: readInstalled(paths).map((item) => ({ ...item, present: existsSync(item.file) })),
    };
    this.print(result);
    return result;
  }

  private print(result: StatusResult): void {
    const p = paint(process.stdout);
    const line = (name: string, text: string): void => this.say(`${p.bold(name.padEnd(10))}${visible(text)}`);
    for (const stop of result.stops) {
      const whom = stop.session === '' ? 'every agent on this machine' : `session ${stop.session}`;
      const why = [stop.by, stop.reason].filter((text) => text !== '').join(': ');
      this.say(p.bold(p.red(`STOPPED   ${visible(`${whom}${why === '' ? '' : ` (${why})`}; gov resume`)}`)));
    }
    line('gov', result.version);
    line('mode', result.configFault || `${result.config.mode}, preset ${result.config.preset}`);
    line('policy', result.policy.fault || `${countText(result.policy)}; digest ${result.policy.digest.slice(0, 12)}`);
    line('store', `${result.store.file}${result.store.exists ? '' : ' (nothing recorded yet)'}`);
    line('daemon', daemonText(result.daemon));
    for (const item of result.registrations)
      line('hooks', `${item.agent}, ${item.scope}: ${item.file}${item.present ? '' : ' (gone!)'}`);
    if (result.registrations.length === 0) line('hooks', 'registered nowhere: run `gov init`');
    if (result.waiting.length > 0) {
      const more = result.waiting.length > 5 ? ` and ${result.waiting.length - 5} more` : '';
      line('waiting', `${result.waiting.slice(0, 5).join(', ')}${more}: gov elevate list`);
    }
    for (const { session, agent, state } of result.sessions.slice(0, 10)) {
      const word = state === 'active' ? state : state === 'elevated' ? p.yellow(state) : p.red(state);
      this.say(`${p.bold('session'.padEnd(10))}${word}  ${visible(`${agent}  ${session}`)}`);
    }
  }
}

function daemonText({ mode, socket, running, current }: StatusResult['daemon']): string {
  if (running === null) {
    if (mode === 'off') return 'off';
    const why = socket === 'silent' ? 'does not answer: gov doctor' : 'not running';
    return mode === 'require' ? `${why}, and required: calls are blocked` : why;
  }
  const since = new Date(running.started).toISOString().slice(0, 19);
  const other = current ? '' : '; of another build, ends with the next call';
  return `process ${running.pid}, gov ${running.version}, since ${since}Z, ${running.served} calls${other}`;
}

function policyIn(file: string): StatusResult['policy'] & { readonly limits: ReadonlySet<string> } {
  try {
    const policy = loadPolicy(file);
    const limits = new Set(policy.rules.filter((rule) => rule.limit).map((rule) => rule.id));
    return { file, digest: policy.digest, ...countRules(policy.rules), fault: '', limits };
  } catch (error) {
    return { file, digest: '', ...countRules([]), fault: messageOf(error), limits: new Set() };
  }
}
