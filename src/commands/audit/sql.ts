import { Args, Flags } from '@oclif/core';
import { querySql, type SqlResult, VIEWS } from '../../audit/read/sql.ts';
import { csvCell } from '../../base/csv.ts';
import { visible, visibleJson } from '../../base/escape.ts';
import { withStore } from '../../cli/audit-query.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';

type Cell = SqlResult['rows'][number][number];

export default class AuditSql extends GovCommand {
  static override summary = 'Ask the records in SQL: one SELECT over documented, read-only views.';
  static override description =
    'Without a query: the views and their columns. They stay as they are between versions; the tables don’t.';
  static override examples = [
    '<%= config.bin %> audit sql',
    '<%= config.bin %> audit sql "SELECT rule, count(*) AS n FROM rules GROUP BY rule"',
    '<%= config.bin %> audit sql --format csv "SELECT path FROM files WHERE op = \'delete\'"',
  ];
  static override args = { query: Args.string({ description: 'SELECT …' }) };
  static override flags = {
    format: Flags.string({ description: 'how to write it', options: ['text', 'csv', 'jsonl'], default: 'text' }),
    limit: Flags.integer({
      description: 'at most so many rows',
      min: 1,
      max: 1_000_000,
      default: 1000,
      helpValue: 'N',
    }),
  };

  async run(): Promise<SqlResult | { readonly views: readonly object[] }> {
    const { args, flags } = await this.parse(AuditSql);
    const { query } = args;
    if (query === undefined) return this.describe();
    const result = withStore((store) => querySql(store, query, flags.limit));
    if (this.jsonEnabled()) return result;
    if (flags.format === 'csv')
      for (const row of [result.columns, ...result.rows])
        process.stdout.write(`${row.map((cell) => csvCell(plain(cell) ?? '')).join(',')}\r\n`);
    else if (flags.format === 'jsonl')
      for (const row of result.rows)
        this.say(
          visibleJson(
            JSON.stringify(Object.fromEntries(result.columns.map((name, i) => [name, plain(row[i] ?? null)]))),
          ),
        );
    else this.table(result);
    if (result.more) process.stderr.write('more: --limit\n');
    return result;
  }

  private describe(): { readonly views: readonly object[] } {
    const p = paint(process.stdout);
    for (const view of VIEWS) {
      this.say(`${p.bold(view.name)}: ${view.about}`);
      for (const [name, about] of view.columns) this.say(`  ${name.padEnd(12)} ${p.dim(about)}`);
    }
    return { views: VIEWS.map(({ name, about, columns }) => ({ name, about, columns: Object.fromEntries(columns) })) };
  }

  private table({ columns, rows }: SqlResult): void {
    const p = paint(process.stdout);
    const cells = [columns, ...rows].map((row) => row.map((cell) => visible(String(plain(cell) ?? ''))));
    const widths = columns.map((_, i) => Math.min(80, Math.max(...cells.map((row) => (row[i] ?? '').length))));
    cells.forEach((row, at) => {
      const line = row.map((cell, i) => (i === row.length - 1 ? cell : cell.padEnd(widths[i] ?? 0))).join('  ');
      this.say(at === 0 ? p.dim(line) : line);
    });
  }
}

function plain(cell: Cell): string | number | null {
  if (Buffer.isBuffer(cell)) return cell.toString('hex');
  return typeof cell === 'bigint' ? String(cell) : cell;
}
