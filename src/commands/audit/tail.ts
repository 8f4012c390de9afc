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
import { isHeld, isNoise, liveLines, type Tally, tally } from '../../cli/live-lines.ts';
import { liveScreen } from '../../cli/live-screen.ts';
import { paint } from '../../cli/paint.ts';
import { lineOf } from '../../cli/record-lines.ts';
import { stopNow } from '../../cli/stop-order.ts';
import { stopsInForce } from '../../grants/stop.ts';

const POLL_MS = 200;
const HOW_TO_RESUME = 'every agent is blocked at its next call; go on with: gov resume';

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
    const live = follow && flags.format === 'text';
    const screen = live ? liveScreen(process.stdout, p) : null;
    const counts: Tally = { calls: 0, denied: 0, asked: 0 };
    // Whoever asks for outcomes gets all of them.
    const all = filter.kind !== undefined || filter.rule !== undefined;
    const print: Printer = (rows, store) => {
      if (screen === null) {
        const line = flags.format === 'jsonl' ? JSON.stringify : (row: Row) => lineOf(row, p, columns());
        for (const row of rows) process.stdout.write(`${line(row)}\n`);
        return;
      }
      for (const row of rows) {
        if (!all && isNoise(row)) continue;
        screen.print(liveLines(row, isHeld(row) ? store.show(String(row.seq)).body : null, p, columns()));
      }
    };
    const start = readStart(filter, flags.limit, follow, this.jsonEnabled() ? () => {} : print);
    if (follow)
      await watch(filter, start.last, {
        print: (rows, store) => {
          for (const row of rows) tally(counts, row);
          print(rows, store);
        },
        look: () => screen?.refresh(counts, stoppedNow()),
        end: (stopped) => {
          screen?.close();
          if (stopped) process.stderr.write(`${p.bold(p.red('STOPPED'))}  ${HOW_TO_RESUME}\n`);
        },
      });
    return { rows: start.rows };
  }
}

type Printer = (rows: readonly Row[], store: Store) => void;

function columns(): number {
  return process.stdout.columns ?? 120;
}

/** Whom an order to stop holds for, and how to take it back; '' without one. */
function stoppedNow(): string {
  const stops = stopsInForce(govPaths(process.env));
  const [first] = stops;
  if (first === undefined) return '';
  const whom = first.session === '' ? 'every agent' : stops.length === 1 ? `session ${first.session}` : 'some sessions';
  return visible(`${whom} is blocked: gov resume`);
}

/** Somebody who watches may begin before there is anything to see. */
function readStart(
  filter: Filter,
  limit: number,
  follow: boolean,
  print: Printer,
): { readonly rows: readonly Row[]; last: number } {
  try {
    return withStore((store) => {
      // Looked at first: a record that comes while these are printed is one of those to come.
      const { last } = store.ends();
      const rows = limit === 0 ? [] : [...store.list({ ...filter, upTo: last }, { limit }).rows].reverse();
      print(rows, store);
      return { rows, last };
    });
  } catch (error) {
    if (follow && error instanceof GovError && error.code === 'store-missing') return { rows: [], last: 0 };
    throw error;
  }
}

interface Watching {
  readonly print: Printer;
  /** After each look at the store. */
  look(): void;
  /** True if the order to stop was given here. */
  end(stopped: boolean): void;
}

/** Opens the store anew for each look, so that it neither holds it nor misses that it was replaced. */
async function watch(filter: Filter, from: number, { print, look, end }: Watching): Promise<void> {
  let left = false;
  let after = from;
  let stopped = false;
  let fault = '';
  const leave = (): void => {
    left = true;
  };
  process.once('SIGINT', leave);
  process.once('SIGTERM', leave);
  process.stdout.once('error', leave);
  const unhear = onKey(process.stdin, (key) => {
    if (key === 's') {
      stopped = true;
      fault = stopAll();
      look();
    } else if (key === 'q' || key === CTRL_C) leave();
  });
  try {
    while (!left) {
      look();
      await wait(POLL_MS);
      const seen = after;
      after = lookAgain(() => withStore((store) => printNew(store, filter, seen, print)), seen);
    }
  } finally {
    unhear();
    end(stopped);
    if (fault !== '') process.stderr.write(`gov: the stop is in force, but not recorded: ${visible(fault)}\n`);
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

/** Gives back why the order is not recorded, or ''. */
function stopAll(): string {
  return stopNow(govPaths(process.env), { session: '', at: Date.now(), reason: '', by: accountName() });
}

function printNew(store: Store, filter: Filter, after: number, print: Printer): number {
  const { last } = store.ends();
  if (last > after)
    print(
      [...store.each({ ...filter, after })].filter((row) => row.seq <= last),
      store,
    );
  return Math.max(after, last);
}
