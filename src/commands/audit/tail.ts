import { setTimeout as wait } from 'node:timers/promises';
import { Flags, type Interfaces } from '@oclif/core';
import type { Filter } from '../../audit/read/filter.ts';
import type { Row, Store } from '../../audit/read/store.ts';
import { GovError } from '../../base/errors.ts';
import { visible } from '../../base/escape.ts';
import { govPaths } from '../../base/gov-paths.ts';
import { FILTER_FLAGS, filterOf, withStore } from '../../cli/audit-query.ts';
import { accountName } from '../../cli/elevate.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { CTRL_C, onKey } from '../../cli/keys.ts';
import { liveLine } from '../../cli/live-lines.ts';
import { type Paint, paint } from '../../cli/paint.ts';
import { lineOf } from '../../cli/record-lines.ts';
import { stopNow } from '../../cli/stop-order.ts';

const POLL_MS = 200;

const FLAGS = {
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
};

interface TailResult {
  readonly rows: readonly Row[];
}

type TailFlags = Interfaces.InferredFlags<typeof FLAGS>;

export default class AuditTail extends GovCommand {
  static override summary = 'The newest records, oldest of them first; with --follow, those to come too.';
  static override description =
    'At a terminal, --follow shows one line a record as it comes. Press s to stop every agent at once, q to leave.';
  static override examples = [
    '<%= config.bin %> audit tail',
    '<%= config.bin %> audit tail --follow --decision blocked',
    '<%= config.bin %> audit tail --follow --format jsonl',
  ];
  static override flags = {
    ...FLAGS,
    follow: Flags.boolean({ char: 'f', description: 'go on until interrupted', exclusive: ['json'] }),
  };

  async run(): Promise<TailResult> {
    const { flags } = await this.parse(AuditTail);
    return this.tail(flags, flags.follow);
  }

  protected async tail(flags: TailFlags, follow: boolean): Promise<TailResult> {
    const filter = filterOf(flags, Date.now());
    const p = paint(process.stdout);
    const print = printer(flags.format, follow, p);
    const start = readStart(filter, flags.limit, follow);
    if (!this.jsonEnabled()) for (const row of start.rows) print(row);
    if (follow) await watch(filter, start.last, print, p);
    return { rows: start.rows };
  }
}

/** Somebody who watches may begin before there is anything to see. */
function readStart(filter: Filter, limit: number, follow: boolean): { readonly rows: readonly Row[]; last: number } {
  try {
    return withStore((store) => ({
      rows: limit === 0 ? [] : [...store.list(filter, { limit }).rows].reverse(),
      last: store.ends().last,
    }));
  } catch (error) {
    if (follow && error instanceof GovError && error.code === 'store-missing') return { rows: [], last: 0 };
    throw error;
  }
}

/** Opens the store anew for each look, so that it neither holds it nor misses that it was replaced. */
async function watch(filter: Filter, from: number, print: (row: Row) => void, p: Paint): Promise<void> {
  let left = false;
  let after = from;
  const leave = (): void => {
    left = true;
  };
  process.once('SIGINT', leave);
  process.once('SIGTERM', leave);
  process.stdout.once('error', leave);
  if (process.stdin.isTTY) process.stderr.write(`${p.dim('s stops every agent at once, q leaves')}\n`);
  const unhear = onKey(process.stdin, (key) => {
    if (key === 's') process.stderr.write(`${stopAll(p)}\n`);
    else if (key === 'q' || key === CTRL_C) leave();
  });
  try {
    while (!left) {
      await wait(POLL_MS);
      const seen = after;
      after = lookAgain(() => withStore((store) => printNew(store, filter, seen, print)), seen);
    }
  } finally {
    unhear();
  }
}

/** A store that is not there yet has nothing new. */
function lookAgain(look: () => number, seen: number): number {
  try {
    return look();
  } catch (error) {
    if (error instanceof GovError && error.code === 'store-missing') return seen;
    throw error;
  }
}

function stopAll(p: Paint): string {
  const fault = stopNow(govPaths(process.env), { session: '', at: Date.now(), reason: '', by: accountName() });
  const note = fault === '' ? '' : `  (not recorded: ${visible(fault)})`;
  return `${p.bold(p.red('STOPPED'))}  every agent is blocked at its next call; go on with: gov resume${note}`;
}

function printNew(store: Store, filter: Filter, after: number, print: (row: Row) => void): number {
  const { last } = store.ends();
  if (last > after) for (const row of store.each({ ...filter, after })) if (row.seq <= last) print(row);
  return Math.max(after, last);
}

function printer(format: string, live: boolean, p: Paint): (row: Row) => void {
  const line = live ? liveLine : lineOf;
  return (row) => {
    process.stdout.write(
      format === 'jsonl' ? `${JSON.stringify(row)}\n` : `${line(row, p, process.stdout.columns ?? 120)}\n`,
    );
  };
}
