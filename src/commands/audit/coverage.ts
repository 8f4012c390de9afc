import { Flags } from '@oclif/core';
import { type Coverage, coverageOf } from '../../audit/tend/coverage.ts';
import { visible } from '../../base/escape.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { withStore } from '../../cli/audit-query.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { type Paint, paint } from '../../cli/paint.ts';
import { callsIn, transcriptDir, transcriptsIn } from '../../cli/transcripts.ts';
import { parseWhen } from '../../cli/when.ts';
import { time } from '../../report/sections.ts';

interface CoverageResult extends Coverage {
  /** The agents' logs that were read. */
  readonly transcripts: number;
}

export default class AuditCoverage extends GovCommand {
  static override summary = 'Compare the agents’ own logs with the records: what went around the hook?';
  static override description =
    `Reads Claude Code's transcripts (CLAUDE_CONFIG_DIR or ~/.claude, below projects/) and matches each tool call with the records by its id. Says why a call has no record where that can be known.

With --gate it ends with 1 if calls went around the hook. Calls from before the registration, calls whose records were pruned, and tools that the model's provider runs don't count for that.`;
  static override examples = [
    '<%= config.bin %> audit coverage --since 7d',
    '<%= config.bin %> audit coverage --since 24h --gate --json',
    '<%= config.bin %> audit coverage --transcript ~/.claude/projects/-src-shop/0b5e.jsonl',
  ];
  static override flags = {
    transcript: Flags.string({
      description: 'this log, instead of all; more than one may be named',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'FILE',
    }),
    since: Flags.string({ description: 'calls from this time on: 2h, 7d, today, 2026-01-05', helpValue: 'TIME' }),
    until: Flags.string({ description: 'calls before this time', helpValue: 'TIME' }),
    limit: Flags.integer({
      description: 'list at most so many calls',
      min: 1,
      max: 100_000,
      default: 20,
      helpValue: 'N',
    }),
    gate: Flags.boolean({ description: 'end with 1 if calls went around the hook' }),
  };

  async run(): Promise<CoverageResult> {
    const { flags } = await this.parse(AuditCoverage);
    const now = Date.now();
    const since = flags.since === undefined ? undefined : parseWhen(flags.since, now);
    const until = flags.until === undefined ? undefined : parseWhen(flags.until, now);
    const files = flags.transcript ?? transcriptsIn(transcriptDir(process.env), since).map(({ file }) => file);
    const coverage = withStore((store, paths) =>
      coverageOf(store, callsIn(files), { now, since, until, limit: flags.limit, spool: paths.spool }),
    );
    const result: CoverageResult = { transcripts: files.length, ...coverage };
    if (!this.jsonEnabled()) this.print(result, paint(process.stdout));
    if (flags.gate && result.ungoverned > 0) process.exitCode = EXIT.findings;
    return result;
  }

  private print(result: CoverageResult, p: Paint): void {
    const { calls, recorded, not_run, pending, excused, ungoverned } = result;
    const logs = result.transcripts === 1 ? '1 log' : `${result.transcripts} logs`;
    if (calls === 0) this.say(`no tool calls in ${logs}`);
    else if (ungoverned === 0) this.say(p.green(`no call went around the hook: ${calls} calls in ${logs}`));
    else this.say(p.red(`${ungoverned} of ${calls} calls went around the hook (${logs})`));
    this.say(
      `  recorded ${recorded}, not run ${not_run}, without a record but explained ${excused}${pending > 0 ? `, just begun ${pending}` : ''}`,
    );
    for (const { reason, calls: n, meaning } of result.reasons)
      this.say(`  ${String(n).padStart(6)}  ${p.bold(reason)}: ${meaning}`);
    const open = result.sessions.filter((session) => session.ungoverned + session.excused > 0);
    if (open.length > 0) this.say('\nsession                               calls  recorded  explained  ungoverned');
    for (const s of open.slice(0, 20))
      this.say(
        `${(s.session || '(none)').padEnd(36).slice(0, 36)}  ${[s.calls, s.recorded, s.excused].map((n, i) => String(n).padStart([5, 8, 9][i] ?? 0)).join('  ')}  ${count(s.ungoverned, p)}`,
      );
    if (result.uncovered.length > 0) this.say('');
    for (const call of result.uncovered) {
      const when = call.at === null ? 'unknown time       ' : time(call.at);
      const word = call.excused ? p.dim(call.reason) : p.red(call.reason);
      this.say(
        `${when}  ${visible(call.tool)}  ${visible(call.summary)}  [${word}]${call.subagent ? ' subagent' : ''}`,
      );
      if (call.note !== '') this.say(`    ${visible(call.note)}`);
    }
    const left = ungoverned + excused - result.uncovered.length;
    if (left > 0) this.say(`… ${left} more: --limit`);
    for (const limit of result.limits) this.say(p.dim(`not provable: ${limit}`));
  }
}

function count(n: number, p: Paint): string {
  const text = String(n).padStart(10);
  return n > 0 ? p.red(text) : text;
}
