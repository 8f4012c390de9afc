import { readFileSync } from 'node:fs';
import { Args, Flags } from '@oclif/core';
import { GovError } from '../../base/errors.ts';
import { EXIT } from '../../base/exit-codes.ts';
import { fileError } from '../../base/file-errors.ts';
import { govPaths } from '../../base/gov-paths.ts';
import { agreesTo, answerTo } from '../../cli/ask.ts';
import { policyInForce } from '../../cli/check-policy.ts';
import {
  accountName,
  forFlag,
  proposalLines,
  requestLines,
  requestsHere,
  termsLines,
  withWriter,
} from '../../cli/elevate.ts';
import { GovCommand } from '../../cli/gov-command.ts';
import { paint } from '../../cli/paint.ts';
import { addSignatures, approve, propose } from '../../grants/approve.ts';
import { readElevationSettings } from '../../grants/approvers.ts';
import { answerKeys } from '../../grants/person-said.ts';
import { findRequest, type Request } from '../../grants/requests.ts';
import { signTerms } from '../../grants/signature.ts';
import type { Grant, GrantSignature, GrantState, GrantTerms } from '../../model/grant.ts';
import { requirePerson, thisStanding } from '../../register/person.ts';

interface ApproveResult {
  readonly grant: string;
  readonly state: GrantState;
  readonly terms: GrantTerms;
}

export default class ElevateApprove extends GovCommand {
  static override summary = 'Lift rules for a time, for a reason, after a look at what that means.';
  static override description =
    'Shows the call, what it would do and the rules that would be lifted, and asks. Only a person at a terminal of ' +
    'their own can approve; rules with `self_approve: false` want the key of a listed approver as well.';
  static override examples = [
    '<%= config.bin %> elevate approve K7QF',
    '<%= config.bin %> elevate approve K7QF --for 5m --uses 2 --reason "one-off clean-up"',
    '<%= config.bin %> elevate approve K7QF --note "only this once; use a branch next time"',
    '<%= config.bin %> elevate approve K7QF --key ~/keys/approver.pem',
  ];
  static override args = { code: Args.string({ description: 'code or id', required: true }) };
  static override flags = {
    for: Flags.string({ description: 'how long; never longer than the rules allow', helpValue: '10m' }),
    uses: Flags.integer({ description: 'how many calls', min: 1, helpValue: 'N' }),
    reason: Flags.string({ description: 'what for (asked for if it is not given)' }),
    note: Flags.string({ description: 'a word to the agent, with the call that passes', default: '' }),
    session: Flags.string({ description: 'only in this session', helpValue: 'ID' }),
    path: Flags.string({ description: 'only for files that match', helpValue: 'GLOB' }),
    exact: Flags.boolean({
      description: 'only this very call; --no-exact: any call that the rules fire on',
      allowNo: true,
    }),
    key: Flags.string({ description: 'private Ed25519 key of an approver (PEM)', multiple: true, helpValue: 'FILE' }),
  };

  async run(): Promise<ApproveResult> {
    const { args, flags } = await this.parse(ElevateApprove);
    requirePerson('`gov elevate approve`', thisStanding());
    const now = Date.now();
    const p = paint(process.stdout);
    const request = findRequest(requestsHere(now), args.code);
    for (const line of requestLines(request, p, now)) this.say(line);
    this.say();
    if (request.grant?.state === 'approved') return this.sign(request.grant, flags.key ?? []);
    this.refuseAgain(request);
    const settings = readElevationSettings(govPaths(process.env));
    const proposal = propose(
      request,
      {
        forMs: forFlag(flags.for),
        uses: flags.uses ?? null,
        path: flags.path ?? null,
        session: flags.session ?? null,
        exact: flags.exact ?? null,
        reason: flags.reason ?? (request.asked.reason || (await answerTo('Reason: '))),
      },
      {
        policy: await policyInForce(process.env, undefined, request.workspace || process.cwd()),
        settings,
        approver: accountName(),
        now,
      },
    );
    for (const line of proposalLines(proposal, p)) this.say(line);
    const { terms } = proposal;
    const signatures = (flags.key ?? []).map((file) => signTerms(terms, keyIn(file), settings.approvers));
    if (!(await agreesTo('Allow this?'))) this.exit(EXIT.findings);
    const aside = { note: flags.note.trim(), keys: answerKeys(request) };
    const state = withWriter((writer) => approve(writer, terms, signatures, settings, aside));
    this.tell(state, terms, signatures);
    return { grant: terms.id, state, terms };
  }

  private refuseAgain(request: Request): void {
    if (request.grant === null) return;
    throw new GovError({
      code: 'usage-approved',
      message: `\`${request.code}\` was approved before, and that grant is ${request.grant.state}`,
      help: 'the next time the agent tries, its message has a new code',
    });
  }

  /** A further signature on what somebody approved before. */
  private async sign(grant: Grant, keys: readonly string[]): Promise<ApproveResult> {
    const settings = readElevationSettings(govPaths(process.env));
    const { terms } = grant;
    for (const line of termsLines(terms)) this.say(`  ${line}`);
    if (keys.length === 0)
      throw new GovError({
        code: 'usage-key',
        message: `it waits for ${terms.signatures} signature(s) and has ${grant.signatures.length}`,
        help: 'another approver says --key FILE',
      });
    const added = keys.map((file) => signTerms(terms, keyIn(file), settings.approvers));
    if (!(await agreesTo('Sign this?'))) this.exit(EXIT.findings);
    const state = withWriter((writer) => addSignatures(writer, grant, added, settings, Date.now()));
    this.tell(state, terms, [...grant.signatures, ...added]);
    return { grant: terms.id, state, terms };
  }

  private tell(state: GrantState, terms: GrantTerms, signatures: readonly GrantSignature[]): void {
    if (state === 'active') this.say('Allowed. The agent can try again.');
    else
      this.say(
        `Not in force yet: ${signatures.length} of ${terms.signatures} signatures. Another approver says --key.`,
      );
  }
}

function keyIn(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (cause) {
    throw fileError('usage-key', file, cause);
  }
}
