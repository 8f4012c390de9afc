import { statSync } from 'node:fs';
import { listSpool } from '../../audit/write/spool.ts';
import { GOV_VERSION } from '../../base/version.ts';
import { FILTER_FLAGS, filterOf, withStore } from '../../cli/audit-query.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { withCandidates } from '../../cli/search.ts';
import { numbersOf } from '../../report/numbers.ts';
import type { Report } from '../../report/report.ts';
import { headline, scopeOf } from '../../report/sections.ts';

interface Stats {
  readonly store: { readonly file: string; readonly bytes: number; readonly records: number; readonly waiting: number };
  readonly period: Report['period'];
  readonly totals: Report['totals'];
  readonly latency: Report['latency'];
}

export default class AuditStats extends GovCommand {
  static override summary = 'The bare numbers: size of the store, records, decisions, latency.';
  static override examples = ['<%= config.bin %> audit stats', '<%= config.bin %> audit stats --since 24h --json'];
  static override flags = FILTER_FLAGS;

  async run(): Promise<Stats> {
    const { flags } = await this.parse(AuditStats);
    return withStore((store, paths) => {
      const report = numbersOf(store, withCandidates(store, paths, filterOf(flags, Date.now())), {
        govVersion: GOV_VERSION,
        top: 1,
        verification: null,
      });
      const bytes = [store.file, `${store.file}-wal`].reduce(
        (sum, file) => sum + (statSync(file, { throwIfNoEntry: false })?.size ?? 0),
        0,
      );
      const { first_seq, last_seq } = report.integrity;
      const records = last_seq === 0 ? 0 : last_seq - first_seq + 1;
      const { period, totals, latency } = report;
      const stats: Stats = {
        store: { file: store.file, bytes, records, waiting: listSpool(paths.spool).waiting.length },
        period,
        totals,
        latency,
      };
      this.say(
        `${store.file}: ${records} records, ${(bytes / 1e6).toFixed(1)} MB, ${stats.store.waiting} waiting in the spool`,
      );
      this.say(scopeOf(report));
      for (const [name, value] of headline(report)) this.say(`  ${name.padEnd(18)} ${value}`);
      this.say(`  ${'answered in'.padEnd(18)} p50 ${latency.p50} ms, p95 ${latency.p95} ms, p99 ${latency.p99} ms`);
      return stats;
    });
  }
}
