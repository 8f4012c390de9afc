import { Args } from '@oclif/core';
import { type Verification, verifyArchive, verifyStore } from '../../audit/tend/verify.ts';
import { visible } from '../../base/escape.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { withStore } from '../../cli/audit-query.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';

export default class AuditVerify extends GovCommand {
  static override summary = 'Recompute every hash and say whether the log is what was written. Exit 1: it is not.';
  static override description =
    'Names the first record that differs, which column, and what that means; and says what a chain of hashes can’t prove.';
  static override examples = [
    '<%= config.bin %> audit verify',
    '<%= config.bin %> audit verify --json',
    '<%= config.bin %> audit verify backup/audit.db',
    '<%= config.bin %> audit verify archive/audit-3f2a91c0-1-4000.jsonl',
  ];
  static override args = {
    file: Args.string({ description: "a copy of a store, or an archive (.jsonl), instead of this user's own store" }),
  };

  async run(): Promise<Verification> {
    const { args } = await this.parse(AuditVerify);
    const result =
      args.file?.endsWith('.jsonl') === true
        ? verifyArchive(args.file)
        : withStore((store, paths) => verifyStore(store, args.file === undefined ? paths : undefined), args.file);
    this.print(result);
    if (!result.ok) process.exitCode = EXIT.findings;
    return result;
  }

  private print(result: Verification): void {
    const p = paint(process.stdout);
    const range = result.records === 0 ? 'no records' : `${result.records} records (${result.first} to ${result.last})`;
    this.say(
      result.ok
        ? p.green(`intact: ${range}, every hash recomputed`)
        : p.red(`NOT INTACT: ${range}, ${result.wrong} findings`),
    );
    for (const finding of result.findings) {
      this.say(`  ${p.bold(finding.code)}  ${visible(finding.message)}`);
      this.say(`    ${visible(finding.meaning)}`);
    }
    if (result.wrong > result.findings.length) this.say(`  … ${result.wrong - result.findings.length} more`);
    for (const note of result.notes) this.say(`  note: ${visible(note)}`);
    if (result.chain !== '') this.say(`  chain ${result.chain}`);
    this.say(`  head  ${result.head}`);
    for (const limit of result.limits) this.say(p.dim(`  not provable: ${limit}`));
  }
}
