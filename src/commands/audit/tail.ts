import { setTimeout as wait } from 'node:timers/promises';
import { Flags } from '@oclif/core';
import type { Filter } from '../../audit/read/filter.ts';
import type { Row, Store } from '../../audit/read/store.ts';
import { FILTER_FLAGS, filterOf, withStore } from '../../cli/audit-query.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { type Paint, paint } from '../../cli/paint.ts';
import { lineOf } from '../../cli/record-lines.ts';

const POLL_MS = 300;

export default class AuditTail extends GovCommand {
  static override summary = 'The newest records, oldest of them first; with --follow, those to come too.';
  static override examples = [
    '<%= config.bin %> audit tail',
    '<%= config.bin %> audit tail --follow --decision blocked',
    '<%= config.bin %> audit tail --follow --format jsonl',
  ];
  static override flags = {
    ...FILTER_FLAGS,
    format: Flags.string({ description: 'how to write it', options: ['text', 'jsonl'], default: 'text' }),
    limit: Flags.integer({
      char: 'n',
      description: 'so many to begin with',
      min: 0,
      max: 10_000,
      default: 10,
      helpValue: 'N',
    }),
    follow: Flags.boolean({ char: 'f', description: 'go on until interrupted', exclusive: ['json'] }),
  };

  async run(): Promise<{ readonly rows: readonly Row[] }> {
    const { flags } = await this.parse(AuditTail);
    const filter = filterOf(flags, Date.now());
    const print = printer(flags.format, paint(process.stdout));
    const start = withStore((store) => ({
      rows: flags.limit === 0 ? [] : [...store.list(filter, { limit: flags.limit }).rows].reverse(),
      last: store.ends().last,
    }));
    if (!this.jsonEnabled()) for (const row of start.rows) print(row);
    if (flags.follow) await follow(filter, start.last, print);
    return { rows: start.rows };
  }
}

/** Opens the store anew for each look, so that it neither holds it nor misses that it was replaced. */
async function follow(filter: Filter, from: number, print: (row: Row) => void): Promise<void> {
  let stopped = false;
  let after = from;
  const stop = (): void => {
    stopped = true;
  };
  process.once('SIGINT', stop);
  process.once('SIGTERM', stop);
  process.stdout.once('error', stop);
  while (!stopped) {
    await wait(POLL_MS);
    after = withStore((store) => printNew(store, filter, after, print));
  }
}

function printNew(store: Store, filter: Filter, after: number, print: (row: Row) => void): number {
  const { last } = store.ends();
  if (last > after) for (const row of store.each({ ...filter, after })) if (row.seq <= last) print(row);
  return Math.max(after, last);
}

function printer(format: string, p: Paint): (row: Row) => void {
  return (row) => {
    process.stdout.write(
      format === 'jsonl' ? `${JSON.stringify(row)}\n` : `${lineOf(row, p, process.stdout.columns ?? 120)}\n`,
    );
  };
}
