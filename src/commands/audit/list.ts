import { Flags } from '@oclif/core';
import type { Listing } from '../../audit/read/store.ts';
import { FILTER_FLAGS, filterOf, withStore } from '../../cli/audit-query.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { CSV_HEAD, csvOf, lineOf } from '../../cli/record-lines.ts';
import { withCandidates } from '../../cli/search.ts';
import AuditSql from './sql.ts';

/** So many of the newest records are looked through first. */
const NEAR = 5000;

export default class AuditList extends GovCommand {
  static override summary = 'List recorded decisions and outcomes, newest first.';
  static override examples = [
    '<%= config.bin %> audit list --decision blocked --since 2h',
    "<%= config.bin %> audit list --rule 'git.*' --format csv",
    '<%= config.bin %> audit list --limit 50 --before 1200 --json',
    '<%= config.bin %> audit list --sql "SELECT command FROM decisions WHERE answer = \'deny\'"',
  ];
  static override flags = {
    ...FILTER_FLAGS,
    format: Flags.string({
      description: 'how to write it',
      options: ['text', 'json', 'jsonl', 'csv'],
      default: 'text',
    }),
    limit: Flags.integer({ description: 'at most so many', min: 1, max: 100_000, default: 30, helpValue: 'N' }),
    before: Flags.integer({
      description: 'only records before this sequence number: the next page',
      min: 1,
      helpValue: 'SEQ',
    }),
    after: Flags.integer({
      description: 'only records after this sequence number: with --reverse, the next page',
      min: 0,
      helpValue: 'SEQ',
    }),
    reverse: Flags.boolean({ char: 'r', description: 'oldest first' }),
    sql: Flags.string({
      description: 'one SELECT over the documented views instead (`audit sql` shows them)',
      helpValue: 'SELECT',
      exclusive: [...Object.keys(FILTER_FLAGS), 'before', 'after', 'reverse'],
    }),
  };

  async run(): Promise<Listing> {
    const { flags } = await this.parse(AuditList);
    if (flags.sql !== undefined) return this.bySql(flags.sql, flags);
    const listing = withStore((store, paths) => {
      const filter = {
        ...filterOf(flags, Date.now()),
        ...(flags.after === undefined ? {} : { after: flags.after }),
        ...(flags.before === undefined ? {} : { upTo: flags.before - 1 }),
      };
      const order = flags.reverse ? 'oldest' : 'newest';
      const page = { limit: flags.limit, order } as const;
      // What was said again and again is found among the newest at once, without an index.
      if (filter.text !== undefined && order === 'newest') {
        const from = Math.min(flags.before ?? Number.POSITIVE_INFINITY, store.ends().last) - NEAR;
        const near = store.list({ ...filter, after: Math.max(filter.after ?? 0, from) }, page);
        if (near.next !== null) return near;
      }
      return store.list(withCandidates(store, paths, filter), page);
    });
    if (!this.jsonEnabled()) print(listing, flags.format, flags.reverse ? 'after' : 'before');
    return listing;
  }

  /** The other way of asking has a command of its own, which prints. */
  private async bySql(query: string, { format, limit }: { format: string; limit: number }): Promise<never> {
    const json = this.jsonEnabled() || format === 'json';
    await AuditSql.run([query, '--limit', String(limit), ...(json ? ['--json'] : ['--format', format])], this.config);
    return this.exit(Number(process.exitCode ?? 0));
  }
}

function print({ rows, next }: Listing, format: string, more: 'before' | 'after'): void {
  const out = process.stdout;
  if (format === 'json') out.write(`${JSON.stringify({ rows, next }, null, 2)}\n`);
  else if (format === 'jsonl') for (const row of rows) out.write(`${JSON.stringify(row)}\n`);
  else if (format === 'csv') out.write(CSV_HEAD + rows.map(csvOf).join(''));
  else {
    const p = paint(out);
    for (const row of rows) out.write(`${lineOf(row, p, out.columns ?? 120)}\n`);
    if (rows.length === 0) process.stderr.write('no record matches\n');
    else if (next !== null) process.stderr.write(`more: --${more} ${next}\n`);
  }
}
