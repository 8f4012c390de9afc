import { existsSync, readFileSync } from 'node:fs';
import { Args, Flags, type Interfaces } from '@oclif/core';
import { type LoggedCheckpoint, readCheckpoints } from '../../audit/tend/checkpoint.ts';
import { type Verification, verifyArchive, verifyStore } from '../../audit/tend/verify.ts';
import { ownVerifierKey } from '../../audit/write/checkpoint.ts';
import { GovError } from '../../base/errors.ts';
import { visible } from '../../base/escape.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { govPaths } from '../../base/gov-paths.ts';
import { withStore } from '../../cli/audit-query.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { progressOn } from '../../cli/progress.ts';
import { time } from '../../report/sections.ts';

/** What signatures alone say. */
interface SignatureResult {
  readonly ok: boolean;
  readonly checkpoints: readonly LoggedCheckpoint['fields'][];
}

export default class AuditVerify extends GovCommand {
  static override summary = 'Recompute every hash: is the log what was written? Exit 1: it is not.';
  static override description =
    `Names the first record that differs, which column, and what that means; and says what a chain of hashes can’t prove.

With --checkpoint, signed notes that were kept elsewhere are compared too: they show whether the end was cut off since, or the chain rebuilt. Nothing is asked of a network.`;
  static override examples = [
    '<%= config.bin %> audit verify',
    '<%= config.bin %> audit verify --json',
    '<%= config.bin %> audit verify backup/audit.db',
    '<%= config.bin %> audit verify archive/audit-3f2a91c0-1-4000.jsonl',
    '<%= config.bin %> audit verify --checkpoint today.note',
    '<%= config.bin %> audit verify copy.db --checkpoint today.note --key gov.pub',
  ];
  static override args = {
    file: Args.string({ description: "a copy of a store, or an archive (.jsonl), instead of this user's own store" }),
  };
  static override flags = {
    checkpoint: Flags.string({
      description: 'a signed note, or a copy of checkpoints.jsonl; more than one may be named',
      multiple: true,
      multipleNonGreedy: true,
      helpValue: 'FILE',
    }),
    key: Flags.string({
      description: "public key that must have signed them, or a file that holds it (default: this user's own)",
      dependsOn: ['checkpoint'],
      helpValue: 'KEY|FILE',
    }),
    'signature-only': Flags.boolean({
      description: 'check signatures alone, where there is no store to compare with',
      dependsOn: ['checkpoint'],
    }),
  };

  async run(): Promise<Verification | SignatureResult> {
    const { args, flags } = await this.parse(AuditVerify);
    const checkpoints = checkpointsIn(flags);
    if (flags['signature-only']) return this.signatures(checkpoints);
    const { file } = args;
    if (file?.endsWith('.jsonl') === true && checkpoints.length > 0)
      throw new GovError({
        code: 'usage-checkpoint',
        message: 'a checkpoint is compared with a store, not with an archive',
      });
    const result = file?.endsWith('.jsonl') === true ? verifyArchive(file) : verifyWatched(file, checkpoints);
    this.print(result);
    if (!result.ok) process.exitCode = EXIT.findings;
    return result;
  }

  private signatures(checkpoints: readonly LoggedCheckpoint[]): SignatureResult {
    const p = paint(process.stdout);
    for (const { fields } of checkpoints)
      this.say(
        fields === null
          ? p.red('damaged, or signed with another key')
          : `${p.green('signed')}: record ${fields.seq} on ${time(fields.at)} UTC, head ${fields.head}, chain ${fields.chain}`,
      );
    const ok = checkpoints.every(({ fields }) => fields !== null);
    this.say(p.dim('not compared with any store'));
    if (!ok) process.exitCode = EXIT.findings;
    return { ok, checkpoints: checkpoints.map(({ fields }) => fields) };
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

/** Verifies a store, its progress on standard error. */
function verifyWatched(file: string | undefined, checkpoints: readonly LoggedCheckpoint[]): Verification {
  const progress = progressOn(process.stderr, 'verifying');
  try {
    return withStore(
      (store, paths) => verifyStore(store, file === undefined ? paths : undefined, checkpoints, progress.show),
      file,
    );
  } finally {
    progress.end();
  }
}

type CheckpointFlags = Pick<Interfaces.InferredFlags<typeof AuditVerify.flags>, 'checkpoint' | 'key'>;

function checkpointsIn({ checkpoint: files = [], key }: CheckpointFlags): readonly LoggedCheckpoint[] {
  const paths = govPaths(process.env);
  const given = key === undefined ? null : existsSync(key) ? readFileSync(key, 'utf8').trim() : key.trim();
  return files.flatMap((file) => readCheckpoints(file, given, (chain) => ownVerifierKey(paths, chain)));
}
