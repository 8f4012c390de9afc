import { readInstalled } from '../agents/installed.ts';
import { openStore, type Row } from '../audit/read/store.ts';
import { CANARY_SESSION } from '../base/canary.ts';
import { readConfig } from '../base/config.ts';
import { messageOf } from '../base/errors.ts';
import { visible } from '../base/escape.ts';
import { EXIT } from '../base/exit-codes.ts';
import { type GovPaths, govPaths } from '../base/gov-paths.ts';
import { makeId } from '../base/ids.ts';
import { GovCommand } from '../cli/gov-command.ts';
import { paint } from '../cli/paint.ts';
import { CANARIES, type CanaryRun, fireCanaries } from '../register/canary.ts';

interface Verified extends CanaryRun {
  readonly agent: string;
  readonly file: string;
}

export default class Verify extends GovCommand {
  static override summary = 'Fire test calls through each registered hook, as the agent would.';
  static override description =
    'Starts the program that the settings name, with the same arguments and without a shell, and gives it one call ' +
    'that must be blocked and one that must pass. The calls are judged and recorded, never run. Ends with 1 if ' +
    'anything is not as it must be.';
  static override examples = ['<%= config.bin %> verify', '<%= config.bin %> verify --json'];

  async run(): Promise<{ readonly ok: boolean; readonly problem: string; readonly canaries: readonly Verified[] }> {
    await this.parse(Verify);
    const paths = govPaths(process.env);
    const enforced = readConfig(paths.configFile).config.mode === 'enforce';
    const canaries: Verified[] = [];
    for (const item of readInstalled(paths)) {
      const session = `${CANARY_SESSION}${makeId(Date.now())}`;
      const runs = fireCanaries(item, enforced, session, process.cwd());
      const stored = recordsOf(paths, session);
      for (const run of runs) {
        const fault = run.fault || recordFault(run, stored);
        canaries.push({ ...run, fault, agent: item.agent, file: item.file });
      }
      if (runs.length === 0) canaries.push(nothingThere(item, session));
    }
    const problem = canaries.length === 0 ? 'gov is registered nowhere: run `gov init`' : '';
    const ok = problem === '' && canaries.every((canary) => canary.fault === '');
    this.print(canaries, problem, enforced);
    if (!ok) process.exitCode = EXIT.findings;
    return { ok, problem, canaries };
  }

  private print(canaries: readonly Verified[], problem: string, enforced: boolean): void {
    const p = paint(process.stdout);
    if (problem !== '') this.say(`${p.red('bad ')}  ${problem}`);
    for (const canary of canaries) {
      const mark = canary.fault === '' ? p.green('ok  ') : p.red('bad ');
      const what = CANARIES.find((item) => item.name === canary.canary)?.command ?? '';
      const said = canary.exitCode === 2 ? 'blocked' : 'passed';
      this.say(
        `${mark}  ${p.bold(canary.agent)}  ${canary.fault === '' ? `\`${what}\` ${said} in ${canary.ms.toFixed(0)} ms and is recorded` : visible(canary.fault)}`,
      );
      this.say(p.dim(`      ${visible(canary.file)}`));
    }
    if (!enforced) this.say(p.yellow('Monitor mode: nothing is blocked.'));
  }
}

/** The session's records, or what keeps them from being read. */
function recordsOf(paths: GovPaths, session: string): readonly Row[] | string {
  try {
    const store = openStore(paths.database);
    try {
      return store.list({ session }, { limit: 10 }).rows;
    } finally {
      store.close();
    }
  } catch (error) {
    return messageOf(error);
  }
}

function recordFault(run: CanaryRun, stored: readonly Row[] | string): string {
  if (typeof stored === 'string') return `its record can't be read: ${stored}`;
  // Not every agent numbers its calls.
  const said = CANARIES.find((item) => item.name === run.canary)?.command;
  const row =
    stored.find((item) => item.call_id === `${run.session}-${run.canary}`) ??
    stored.find((item) => item.call_id === '' && item.summary === said);
  if (!row) return 'it answered, and nothing is recorded';
  const want = run.exitCode === 2 ? 'deny' : 'allow';
  return row.answer === want ? '' : `it is recorded as \`${row.answer}\`, not \`${want}\``;
}

function nothingThere(item: { readonly agent: string; readonly file: string }, session: string): Verified {
  const fault = 'the settings hold no hook of gov: run `gov init` again';
  return {
    agent: item.agent,
    file: item.file,
    canary: 'block',
    command: '',
    exitCode: null,
    stdout: '',
    stderr: '',
    ms: 0,
    session,
    fault,
  };
}
