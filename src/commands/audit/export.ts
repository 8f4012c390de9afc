import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Flags } from '@oclif/core';
import type { RecordBody } from '../../audit/format/body.ts';
import { type ExportFormat, exportLines } from '../../audit/read/export.ts';
import type { Filter } from '../../audit/read/filter.ts';
import { openStore, reading, type Store } from '../../audit/read/store.ts';
import { GovError, messageOf } from '../../base/errors.ts';
import { visibleJson } from '../../base/escape.ts';
import { govPaths } from '../../base/gov-paths.ts';
import { GOV_VERSION } from '../../base/version.ts';
import { FILTER_FLAGS, filterOf } from '../../cli/audit-query.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { withCandidates } from '../../cli/search.ts';
import { ocsfEvent } from '../../report/ocsf.ts';

function* ocsfLines(store: Store, filter: Filter, limit = Number.MAX_SAFE_INTEGER): Generator<Line> {
  const body = store.db.prepare('SELECT body FROM bodies WHERE seq = ? AND json_valid(body)').pluck();
  let left = limit;
  for (const row of store.each({ ...filter, kind: 'decision' })) {
    if (left-- <= 0) return;
    const text = reading(store.file, () => body.get(row.seq)) as string | undefined;
    const event = ocsfEvent(row, text === undefined ? null : (JSON.parse(text) as RecordBody), GOV_VERSION);
    if (event !== null) yield { text: `${visibleJson(JSON.stringify(event))}\n`, seq: row.seq };
  }
}

interface Line {
  readonly text: string;
  readonly seq: number | null;
}

export default class AuditExport extends GovCommand {
  static override summary = 'Write records with their bodies and hashes, oldest first, for another system.';
  static override description =
    'JSONL and JSON hold everything that is needed to recompute the chain; CSV holds the columns; OCSF (1.8.0) is one event a decision, a Detection Finding where a rule fired, else an API Activity. Texts are as stored: redacted.';
  static override examples = [
    '<%= config.bin %> audit export > audit.jsonl',
    '<%= config.bin %> audit export --after 1200 --output new.jsonl',
    '<%= config.bin %> audit export --since 7d --format csv',
    '<%= config.bin %> audit export --after 1200 --format ocsf --output events.jsonl',
  ];
  static override flags = {
    ...FILTER_FLAGS,
    format: Flags.string({
      description: 'how to write it',
      options: ['jsonl', 'json', 'csv', 'ocsf'],
      default: 'jsonl',
    }),
    limit: Flags.integer({ description: 'at most so many', min: 1, helpValue: 'N' }),
    after: Flags.integer({ description: 'only records after this sequence number', min: 0, helpValue: 'SEQ' }),
    output: Flags.string({ char: 'o', description: 'write to this file (mode 0600) instead', helpValue: 'FILE' }),
  };

  async run(): Promise<{ readonly records: number; readonly last: number | null }> {
    const { flags } = await this.parse(AuditExport);
    // With --json, standard output belongs to the summary.
    if (this.jsonEnabled() && flags.output === undefined)
      throw new GovError({
        code: 'usage-output',
        message: '--json prints a summary',
        help: 'add --output FILE, or use --format json',
      });
    const asked = { ...filterOf(flags, Date.now()), ...(flags.after === undefined ? {} : { after: flags.after }) };
    const paths = govPaths(process.env);
    const store = openStore(paths.database);
    try {
      const filter = withCandidates(store, paths, asked);
      const out = flags.output === undefined ? process.stdout : createWriteStream(flags.output, { mode: 0o600 });
      const failed = once(out, 'error').then(([error]) => {
        // `… | head`: whoever reads has enough.
        if (out === process.stdout && (error as NodeJS.ErrnoException).code === 'EPIPE') return;
        throw new GovError({ code: 'usage-output', message: `can't write: ${messageOf(error)}`, cause: error });
      });
      const lines =
        flags.format === 'ocsf'
          ? ocsfLines(store, filter, flags.limit)
          : exportLines(store, filter, flags.format as ExportFormat, flags.limit);
      let records = 0;
      let last: number | null = null;
      const writing = async (): Promise<void> => {
        for (const { text, seq } of lines) {
          if (!out.write(text)) await once(out, 'drain');
          if (seq === null) continue;
          records++;
          last = seq;
        }
        if (out !== process.stdout) {
          out.end();
          await once(out, 'finish');
        }
      };
      await Promise.race([writing(), failed]);
      return { records, last };
    } finally {
      store.close();
    }
  }
}
