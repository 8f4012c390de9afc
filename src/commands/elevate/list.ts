import { Flags } from '@oclif/core';
import { readGrants } from '../../audit/read/grants.ts';
import { visible } from '../../base/escape.ts';
import { withStore } from '../../cli/audit-query.ts';
import { grantLine, isWaiting, spoken, stateNow } from '../../cli/elevate.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { type Paint, paint } from '../../cli/paint.ts';
import { type Request, readRequests } from '../../grants/requests.ts';
import type { Grant } from '../../model/grant.ts';

interface ListResult {
  readonly requests: readonly {
    readonly code: string;
    readonly id: string;
    readonly at: number;
    readonly rules: readonly string[];
    readonly tags: readonly string[];
    readonly session: string;
    readonly reason: string;
  }[];
  readonly grants: readonly (Omit<Grant, 'state'> & { readonly state: string })[];
}

const RECENT_MS = 3_600_000;

export default class ElevateList extends GovCommand {
  static override summary = 'What waits for a person, and what is granted.';
  static override examples = ['<%= config.bin %> elevate list', '<%= config.bin %> elevate list --all --json'];
  static override flags = { all: Flags.boolean({ description: 'also older requests and grants that have ended' }) };

  async run(): Promise<ListResult> {
    const { flags } = await this.parse(ElevateList);
    const now = Date.now();
    const { requests, grants } = withStore((store) => ({
      requests: readRequests(store, now).filter((request) => isWaiting(request, flags.all ? 0 : now - RECENT_MS)),
      grants: readGrants(store).filter(
        (grant) =>
          flags.all || ['active', 'approved'].includes(stateNow(grant, now)) || grant.terms.from > now - RECENT_MS,
      ),
    }));
    this.print(requests, grants, paint(process.stdout), now);
    return {
      requests: requests.map(({ code, id, at, rules, tags, session, asked }) => {
        return { code, id, at, rules, tags, session, reason: asked.reason };
      }),
      grants: grants.map((grant) => ({ ...grant, state: stateNow(grant, now) })),
    };
  }

  private print(requests: readonly Request[], grants: readonly Grant[], p: Paint, now: number): void {
    this.say(p.bold(requests.length === 0 ? 'Nothing waits for a person.' : 'Waiting (gov elevate approve CODE)'));
    const shown = requests.slice(0, 30);
    const width = Math.min(40, Math.max(0, ...shown.map((request) => rulesOf(request).length)));
    for (const request of shown) this.say(`  ${requestLine(request, p, now, width)}`);
    if (requests.length > 30) this.say(p.dim(`  … ${requests.length - 30} more (--json shows all)`));
    if (grants.length === 0) return;
    this.say(p.bold('Granted'));
    for (const grant of grants) this.say(`  ${grantLine(grant, p, now)}`);
  }
}

/** What a request would lift, as it is shown. */
function rulesOf({ rules, tags }: Request): string {
  return visible([...rules, ...tags.map((tag) => `tag ${tag}`)].join(', '));
}

function requestLine(request: Request, p: Paint, now: number, width: number): string {
  const said = request.body.call.input['command'];
  const what = typeof said === 'string' ? said : request.asked.reason || request.body.call.rawTool;
  const text = visible(what.slice(0, 80));
  return `${p.bold(request.code)}  ${spoken(now - request.at).padEnd(9)}  ${rulesOf(request).padEnd(width)}  ${p.dim(text)}`;
}
