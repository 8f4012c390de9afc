import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { Flags } from '@oclif/core';
import { type ExportFormat, exportLines } from '../../audit/read/export.ts';
import { openStore } from '../../audit/read/store.ts';
import { GovError, messageOf } from '../../base/errors.ts';
import { govPaths } from '../../base/gov-paths.ts';
import { FILTER_FLAGS, filterOf } from '../../cli/audit-query.ts';
import { GovCommand } from '../../cli/gov-command.ts';

export default class AuditExport extends GovCommand {
  static override summary = 'Write records with their bodies and hashes, oldest first, for another system.';
  static override description =
    'JSONL and JSON hold everything that is needed to recompute the chain; CSV holds the columns. Texts are as stored: redacted.';
  static override examples = [
    '<%= config.bin %> audit export > audit.jsonl',
    '<%= config.bin %> audit export --after 1200 --output new.jsonl',
    '<%= config.bin %> audit export --since 7d --format csv',
  ];
  static override flags = {
    ...FILTER_FLAGS,
    format: Flags.string({ description: 'how to write it', options: ['jsonl', 'json', 'csv'], default: 'jsonl' }),
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
    const filter = { ...filterOf(flags, Date.now()), ...(flags.after === undefined ? {} : { after: flags.after }) };
    const store = openStore(govPaths(process.env).database);
    try {
      const out = flags.output === undefined ? process.stdout : createWriteStream(flags.output, { mode: 0o600 });
      const failed = once(out, 'error').then(([error]) => {
        throw new GovError({ code: 'usage-output', message: `can't write: ${messageOf(error)}`, cause: error });
      });
      let records = 0;
      let last: number | null = null;
      const writing = async (): Promise<void> => {
        for (const { text, seq } of exportLines(store, filter, flags.format as ExportFormat, flags.limit)) {
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
