import { Args } from '@oclif/core';
import { readGrants } from '../../audit/read/grants.ts';
import { GovError } from '../../base/errors.ts';
import { withStore } from '../../cli/audit-query.ts';
import { requestLines, stateNow, termsLines } from '../../cli/elevate.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { findGrant, findRequest, type Request, readRequests } from '../../grants/requests.ts';
import type { Grant } from '../../model/grant.ts';

interface ShowResult {
  readonly request: Omit<Request, 'grant'> | null;
  readonly grant: Grant | null;
}

export default class ElevateShow extends GovCommand {
  static override summary = 'One request and what was granted on it, with the call explained.';
  static override examples = ['<%= config.bin %> elevate show K7QF'];
  static override args = { code: Args.string({ description: 'code or id', required: true }) };

  async run(): Promise<ShowResult> {
    const { args } = await this.parse(ElevateShow);
    const now = Date.now();
    const { request, grant } = withStore((store) => {
      const found = orNull(() => findRequest(readRequests(store, now), args.code));
      return { request: found, grant: found?.grant ?? orNull(() => findGrant(readGrants(store), args.code)) };
    });
    if (request === null && grant === null)
      throw new GovError({
        code: 'usage-no-request',
        message: `no request and no grant has the code \`${args.code}\``,
        help: '`gov elevate list --all` shows them',
      });
    if (request) for (const line of requestLines(request, paint(process.stdout), now)) this.say(line);
    if (grant) {
      this.say(`grant ${grant.terms.id}: ${stateNow(grant, now)}, ${grant.usesLeft} of ${grant.terms.uses} uses left`);
      for (const line of termsLines(grant.terms)) this.say(`  ${line}`);
      for (const { name } of grant.signatures) this.say(`  signed  ${name}`);
    }
    return { request, grant };
  }
}

function orNull<T>(find: () => T): T | null {
  try {
    return find();
  } catch (error) {
    if (error instanceof GovError && error.code.startsWith('usage-no-')) return null;
    throw error;
  }
}
