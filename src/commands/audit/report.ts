import { writeFileSync } from 'node:fs';
import { Flags } from '@oclif/core';
import type { Filter } from '../../audit/read/filter.ts';
import type { Store } from '../../audit/read/store.ts';
import { coverageOf } from '../../audit/tend/coverage.ts';
import { verifyStore } from '../../audit/tend/verify.ts';
import { GovError, messageOf } from '../../base/errors.ts';
import { visible } from '../../base/escape.ts';
import type { GovPaths } from '../../base/gov-paths.ts';
import { GOV_VERSION } from '../../base/version.ts';
import { FILTER_FLAGS, filterOf, withStore } from '../../cli/audit-query.ts';
import { policyInForce } from '../../cli/check-policy.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { progressOn } from '../../cli/progress.ts';
import { withCandidates } from '../../cli/search.ts';
import { callsIn, transcriptDir, transcriptsIn } from '../../cli/transcripts.ts';
import { RENDER, REPORT_FORMATS, type ReportFormat } from '../../report/formats/index.ts';
import { renderText } from '../../report/formats/text.ts';
import { type NumbersOptions, numbersOf } from '../../report/numbers.ts';
import type { Report, ReportedCoverage } from '../../report/report.ts';

/** Stores up to this many records are verified with every report; it takes about a second at most. */
const VERIFY_UP_TO = 50_000;

/** Bytes of agents' logs that are read with every report; it takes about a second. */
const COVER_UP_TO = 64e6;

export default class AuditReport extends GovCommand {
  static override summary = 'What agents did and what was decided: counts, blocked calls, rules, integrity.';
  static override description =
    'The same records and the same options give the same bytes. JSON is the authority; the other formats render it.';
  static override examples = [
    '<%= config.bin %> audit',
    '<%= config.bin %> audit report --since 7d --format html --output report.html',
    '<%= config.bin %> audit report --since 2026-01-01 --until 2026-02-01 --verify --json',
  ];
  static override flags = {
    ...FILTER_FLAGS,
    format: Flags.string({ description: 'how to write it', options: [...REPORT_FORMATS], default: 'text' }),
    limit: Flags.integer({ description: 'rows of each table', min: 1, max: 1000, default: 10, helpValue: 'N' }),
    output: Flags.string({ char: 'o', description: 'write to this file (mode 0600) instead', helpValue: 'FILE' }),
    coverage: Flags.boolean({
      description: 'compare the agents’ own logs too (done for up to 64 MB of them, unless the report is narrowed)',
      allowNo: true,
    }),
    verify: Flags.boolean({
      description: `recompute every hash too (always done up to ${VERIFY_UP_TO} records)`,
      allowNo: true,
    }),
  };

  async run(): Promise<Report> {
    const { flags } = await this.parse(AuditReport);
    const policy = await policyHere();
    const report = withStore((store, paths) => {
      const verify = flags.verify ?? store.ends().last <= VERIFY_UP_TO;
      const progress = progressOn(process.stderr, 'verifying');
      const verification = verify ? verifyStore(store, paths, [], progress.show) : null;
      progress.end();
      const filter = filterOf(flags, Date.now());
      const coverage = coverageIn(store, paths, filter, flags.coverage);
      const options = { govVersion: GOV_VERSION, top: flags.limit, verification, coverage, ...policy };
      return numbersOf(store, withCandidates(store, paths, filter), options);
    });
    const format = flags.format as ReportFormat;
    if (flags.output !== undefined) {
      save(flags.output, RENDER[format](report));
      this.say(`written to ${visible(flags.output)}`);
    } else if (!this.jsonEnabled())
      process.stdout.write(format === 'text' ? forTerminal(report) : RENDER[format](report));
    return report;
  }
}

/** Rules and waivers that hooks decide with, those of a project aside; nothing if no policy can be read. */
async function policyHere(): Promise<Pick<NumbersOptions, 'policyRules' | 'policyWaivers'>> {
  try {
    const { rules, waivers = [] } = await policyInForce(process.env, undefined, null);
    return { policyRules: rules.filter((rule) => rule.mode !== 'off').map((rule) => rule.id), policyWaivers: waivers };
  } catch {
    return {};
  }
}

/** Logs are only compared unasked where it takes a moment, and where the report is about all calls of its period. */
function coverageIn(store: Store, paths: GovPaths, filter: Filter, wanted?: boolean): ReportedCoverage | null {
  const { since, until, ...narrowed } = filter;
  if (wanted === false || (wanted === undefined && Object.keys(narrowed).length > 0)) return null;
  const files = transcriptsIn(transcriptDir(process.env), since);
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (files.length === 0 || (wanted === undefined && bytes > COVER_UP_TO)) return null;
  const options = { now: Date.now(), since, until, limit: 0, spool: paths.spool };
  const calls = callsIn(files.map(({ file }) => file));
  const { calls: all, recorded, ungoverned, excused, reasons } = coverageOf(store, calls, options);
  return { logs: files.length, calls: all, recorded, ungoverned, excused, reasons };
}

function forTerminal(report: Report): string {
  const p = paint(process.stdout);
  return renderText(report, {
    width: process.stdout.columns ?? 100,
    bold: p.bold,
    red: p.red,
    yellow: p.yellow,
    dim: p.dim,
  });
}

function save(file: string, text: string): void {
  try {
    writeFileSync(file, text, { mode: 0o600 });
  } catch (cause) {
    throw new GovError({ code: 'usage-output', message: `can't write \`${file}\`: ${messageOf(cause)}`, cause });
  }
}
