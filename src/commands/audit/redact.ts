import { Args, Flags } from '@oclif/core';
import { type Erasure, eraseBodies } from '../../audit/tend/erase.ts';
import { findNativeBinding } from '../../audit/write/binding.ts';
import { GovError } from '../../base/errors.ts';
import { visible } from '../../base/escape.ts';
import { govPaths } from '../../base/gov-paths.ts';
import { agreesTo } from '../../cli/ask.ts';
import { withStore } from '../../cli/audit-query.ts';
import { accountName } from '../../cli/elevate.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { requireNoAgent, thisStanding } from '../../register/person.ts';

export default class AuditRedact extends GovCommand {
  static override summary = 'Erase what a record says, for good; that it was there, and was erased, stays.';
  static override description =
    `For text that should never have been recorded, such as a secret that nothing recognised. The body and the summary go, of this record and of the others of the same call. Time, session, agent, decision and rules stay, and the chain still verifies.

Copies that were made before (exports, archives, backups, the agent's own log) are not touched.`;
  static override examples = [
    "<%= config.bin %> audit redact 01kyz7c3m --reason 'customer name in a path'",
    "<%= config.bin %> audit redact 17 --reason 'token' --yes",
  ];
  static override args = {
    id: Args.string({ description: 'id (a unique prefix is enough) or sequence number', required: true }),
  };
  static override flags = {
    reason: Flags.string({ description: 'why; it is recorded', required: true, helpValue: 'TEXT' }),
    yes: Flags.boolean({ char: 'y', description: "don't ask; needed where there is no terminal" }),
  };

  async run(): Promise<Erasure | null> {
    const { args, flags } = await this.parse(AuditRedact);
    requireNoAgent('`gov audit redact`', thisStanding());
    const entry = withStore((store) => store.show(args.id));
    const { row, related } = entry;
    this.say(`${row.seq}  ${row.id}  ${visible(row.raw_tool || row.event)}  ${visible(row.summary)}`);
    if (related.length > 0) this.say(`and ${related.length} more of the same call`);
    if (!flags.yes) {
      if (!process.stdin.isTTY || this.jsonEnabled())
        throw new GovError({ code: 'usage-yes', message: 'there is no terminal to ask at', help: 'say --yes' });
      if (!(await agreesTo('Erase what they say?'))) return null;
    }
    const erasure = eraseBodies(govPaths(process.env), entry, {
      now: Date.now(),
      by: accountName(),
      reason: flags.reason,
      writer: { nativeBinding: findNativeBinding() },
    });
    this.say(`erased: ${erasure.erased.map(({ seq }) => seq).join(', ')}; recorded as ${erasure.id}`);
    return erasure;
  }
}
