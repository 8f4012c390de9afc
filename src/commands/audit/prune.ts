import { Flags } from '@oclif/core';
import { type PrunePlan, type Pruning, planPrune, prune } from '../../audit/tend/prune.ts';
import { findNativeBinding } from '../../audit/write/binding.ts';
import { GovError } from '../../base/errors.ts';
import { visible } from '../../base/escape.ts';
import { govPaths } from '../../base/gov-paths.ts';
import { agreesTo } from '../../cli/ask.ts';
import { withStore } from '../../cli/audit-query.ts';
import { accountName } from '../../cli/elevate.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { parseBytes, parseKeep } from '../../cli/sizes.ts';
import { parseWhen } from '../../cli/when.ts';
import { requireNoAgent, thisStanding } from '../../register/person.ts';

interface PruneResult extends PrunePlan {
  readonly dry_run: boolean;
  /** Null if nothing was taken out. */
  readonly done: Pruning | null;
}

export default class AuditPrune extends GovCommand {
  static override summary = 'Take the oldest records out of the store, into an archive.';
  static override description =
    `Verifies the store, writes the records that go as JSON lines with all their hashes (mode 0600), reads the archive back, takes them out, and records that. \`audit verify\` then begins where the archive ends; \`audit verify ARCHIVE\` checks the archive.

Records of the last 24 hours stay, and all from the approval of a grant in force on. A store that does not verify is not pruned.`;
  static override examples = [
    '<%= config.bin %> audit prune --keep 90d --dry-run',
    '<%= config.bin %> audit prune --before 2026-01-01 --yes',
    '<%= config.bin %> audit prune --max-size 500MB --archive /mnt/backup/gov --yes',
  ];
  static override flags = {
    before: Flags.string({ description: 'records before this time: 90d, 2026-01-05', helpValue: 'TIME' }),
    keep: Flags.string({ description: 'all but the newest: 90d, or a number of records', helpValue: 'SPAN|N' }),
    'max-size': Flags.string({ description: 'the oldest, until the store is at most so big', helpValue: 'SIZE' }),
    archive: Flags.string({ description: 'directory for the archive (default: beside the store)', helpValue: 'DIR' }),
    'dry-run': Flags.boolean({ description: 'say what would go, change nothing' }),
    yes: Flags.boolean({ char: 'y', description: "don't ask; needed where there is no terminal" }),
  };

  async run(): Promise<PruneResult> {
    const { flags } = await this.parse(AuditPrune);
    const dryRun = flags['dry-run'];
    const now = Date.now();
    const keep = flags.keep === undefined ? {} : parseKeep(flags.keep, now);
    const before = flags.before === undefined ? keep.before : parseWhen(flags.before, now);
    const maxBytes = flags['max-size'] === undefined ? undefined : parseBytes(flags['max-size']);
    if (before === undefined && keep.keep === undefined && maxBytes === undefined)
      throw new GovError({
        code: 'usage-prune',
        message: 'say what is to go',
        help: 'add --before, --keep or --max-size',
      });
    if (!dryRun) requireNoAgent('`gov audit prune`', thisStanding());
    const plan = withStore((store) => planPrune(store, { before, keep: keep.keep, maxBytes }, now));
    const none = plan.records === 0;
    this.say(none ? 'no record goes' : `${plan.records} records go: ${plan.first} to ${plan.last}`);
    if (plan.held !== '') this.say(`  ${plan.held}`);
    if (none || dryRun || !(await this.agreed(flags.yes))) return { ...plan, dry_run: dryRun, done: null };
    const done = prune(govPaths(process.env), plan, {
      now,
      by: accountName(),
      archiveDir: flags.archive,
      writer: { nativeBinding: findNativeBinding() },
    });
    this.say(`archive ${visible(done.archive)}`);
    this.say(`sha256  ${done.sha256}`);
    this.say(`store   ${megabytes(done.bytes[0])} before, ${megabytes(done.bytes[1])} now`);
    return { ...plan, dry_run: false, done };
  }

  private async agreed(yes: boolean): Promise<boolean> {
    if (yes) return true;
    if (!process.stdin.isTTY || this.jsonEnabled())
      throw new GovError({ code: 'usage-yes', message: 'there is no terminal to ask at', help: 'say --yes' });
    return agreesTo('Take them out?');
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
