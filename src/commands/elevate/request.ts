import { Args, Flags } from '@oclif/core';
import { actDraft } from '../../audit/write/act.ts';
import { GovError } from '../../base/errors.ts';
import { codeOf } from '../../base/ids.ts';
import { policyInForce } from '../../cli/check-policy.ts';
import { forFlag, requestsHere, withWriter } from '../../cli/elevate.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { rulesOf } from '../../grants/approve.ts';
import { findRequest, type Request } from '../../grants/requests.ts';

interface RequestResult {
  readonly id: string;
  readonly code: string;
  readonly rules: readonly string[];
}

export default class ElevateRequest extends GovCommand {
  static override summary = 'Ask a person to lift rules for a time.';
  static override description =
    'Grants nothing: it records who wants what and why, and prints the code by which a person approves it. A call that ' +
    'was denied or asked about has a code already, in the message.';
  static override examples = [
    '<%= config.bin %> elevate request git.force-push --for 10m --reason "my own branch"',
    '<%= config.bin %> elevate request --tag deploy --uses 3 --session 4f1c --reason "2.1"',
    '<%= config.bin %> elevate request --decision K7QF --exact --reason "a leftover"',
  ];
  static override args = { rule: Args.string({ description: 'rule id' }) };
  static override flags = {
    tag: Flags.string({ description: 'all rules with this tag that can be lifted', multiple: true }),
    decision: Flags.string({ description: 'the rules that held this call up', helpValue: 'CODE|ID' }),
    for: Flags.string({ description: 'how long', helpValue: '10m' }),
    uses: Flags.integer({ description: 'how many calls', min: 1, helpValue: 'N' }),
    reason: Flags.string({ description: 'what for', required: true }),
    session: Flags.string({ description: 'only in this session', helpValue: 'ID' }),
    path: Flags.string({ description: 'only for files that match', helpValue: 'GLOB' }),
    exact: Flags.boolean({ description: 'only for the very call of --decision', dependsOn: ['decision'] }),
  };

  async run(): Promise<RequestResult> {
    const { args, flags } = await this.parse(ElevateRequest);
    if (flags.reason.trim() === '') throw new GovError({ code: 'usage-reason', message: 'the reason is empty' });
    const now = Date.now();
    const decision = flags.decision === undefined ? null : findRequest(requestsHere(now), flags.decision);
    const wanted = {
      rules: [...new Set([...(args.rule ? [args.rule] : []), ...(decision?.rules ?? [])])],
      tags: flags.tag ?? [],
    };
    if (wanted.rules.length === 0 && wanted.tags.length === 0)
      throw new GovError({ code: 'usage-rule', message: 'name a rule, --tag or --decision' });
    rulesOf(wanted, await policyInForce(process.env, undefined, process.cwd()));
    const detail = {
      ...wanted,
      for_ms: forFlag(flags.for),
      uses: flags.uses ?? null,
      path: flags.path ?? '',
      exact: flags.exact,
      reason: flags.reason.trim(),
      ...fromDecision(decision),
    };
    const session = flags.session ?? decision?.session ?? '';
    const draft = actDraft({ name: 'elevate-request', detail, session, cwd: process.cwd() }, now);
    withWriter((writer) => writer.append(draft));
    this.say(`Requested. A person can allow it in a terminal: gov elevate approve ${codeOf(draft.id)}`);
    return { id: draft.id, code: codeOf(draft.id), rules: wanted.rules };
  }
}

function fromDecision(decision: Request | null): Readonly<Record<string, unknown>> {
  if (decision === null) return {};
  return { digest: decision.digest, agent: decision.agent, workspace: decision.workspace };
}
