import { userInfo } from 'node:os';
import { unpackFacts } from '../audit/format/body.ts';
import { readGrants } from '../audit/read/grants.ts';
import { findNativeBinding } from '../audit/write/binding.ts';
import { openWriter, type Writer } from '../audit/write/writer.ts';
import { CANARY_SESSION } from '../base/canary.ts';
import { GovError } from '../base/errors.ts';
import { visible } from '../base/escape.ts';
import { govPaths } from '../base/gov-paths.ts';
import { codeOf } from '../base/ids.ts';
import { endGrant, type Proposal } from '../grants/approve.ts';
import { durationOf } from '../grants/approvers.ts';
import { overBecause } from '../grants/in-force.ts';
import { findGrant, type Request, readRequests } from '../grants/requests.ts';
import type { Grant, GrantTerms } from '../model/grant.ts';
import { withStore } from './audit-query.ts';
import { explanation } from './check-explain.ts';
import type { Paint } from './paint.ts';

/** Runs `use` on a writer of this user's store, and closes it whatever happens. */
export function withWriter<T>(use: (writer: Writer) => T): T {
  const writer = openWriter(govPaths(process.env), { nativeBinding: findNativeBinding() });
  try {
    return use(writer);
  } finally {
    writer.close();
  }
}

/** All that can be approved here. */
export function requestsHere(now: number): readonly Request[] {
  return withStore((store) => readRequests(store, now));
}

/** What waits for a person: not answered, not made by `gov verify`, and newer than a time. */
export function isWaiting(request: Request, since: number): boolean {
  return request.grant === null && !request.denied && !request.session.startsWith(CANARY_SESSION) && request.at > since;
}

/** Ends the grant with this code and gives back its id. Throws `usage-…`, `store-…`. */
export function endNamed(code: string, state: 'dropped' | 'revoked', reason: string, now: number): string {
  const grant = findGrant(withStore(readGrants), code);
  withWriter((writer) => endGrant(writer, grant, state, { by: accountName(), reason }, now));
  return grant.terms.id;
}

/** Milliseconds of `--for`; null if it was not given. Throws `usage-duration`. */
export function forFlag(text: string | undefined): number | null {
  if (text === undefined) return null;
  const ms = durationOf(text);
  if (ms === null)
    throw new GovError({
      code: 'usage-duration',
      message: `\`${text}\` is no duration`,
      help: 'write 90s, 10m or 2h',
    });
  return ms;
}

/** Name of the account that this process runs as. */
export function accountName(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.() ?? '');
  }
}

/** A duration as people say it: `10 m`, `1 h 30 m`, `45 s`. */
export function spoken(ms: number): string {
  const s = Math.max(0, Math.round(ms / 1000));
  const parts = [
    [Math.floor(s / 3600), 'h'],
    [Math.floor((s % 3600) / 60), 'm'],
    [s % 60, 's'],
  ] as const;
  const said = parts.filter(([n]) => n > 0).map(([n, unit]) => `${n} ${unit}`);
  return said.slice(0, 2).join(' ') || '0 s';
}

/** What a request is about: the call and what it would do, or what was asked for in words. */
export function requestLines(request: Request, p: Paint, now: number): readonly string[] {
  const { body } = request;
  const ago = `${spoken(now - request.at)} ago`;
  const who = [request.agent, request.session === '' ? '' : `session ${request.session}`].filter((x) => x !== '');
  const lines = [`${p.bold(request.code)}  ${visible([...who, ago].join(', '))}  ${p.dim(request.id)}`];
  if (body.decision && body.facts) {
    const facts = unpackFacts(body.facts, body.call);
    const said = facts.tool.input['command'];
    if (typeof said === 'string') lines.push('', ...said.split('\n').map((line) => `  ${p.cyan(visible(line))}`), '');
    lines.push(...explanation({ facts, decision: body.decision, ms: body.latency_us / 1000 }, p).slice(0, -2));
  } else {
    lines.push(`  rules ${visible([...request.rules, ...request.tags.map((tag) => `tag ${tag}`)].join(', '))}`);
  }
  return lines;
}

/** What would be lifted, for how long, where, and why. */
export function proposalLines({ terms, rules, bounds }: Proposal, p: Paint): readonly string[] {
  const lines = [p.bold('This would lift')];
  for (const rule of rules.slice(0, 20))
    lines.push(`  ${rule.effect.padEnd(5)} ${rule.pack}/${rule.id}  ${p.dim(visible(rule.title))}`);
  if (rules.length > 20) lines.push(p.dim(`  … ${rules.length - 20} more`));
  lines.push(...termsLines(terms).map((line) => `  ${line}`));
  if (bounds.signatures > 0) lines.push(`  needs   ${bounds.signatures} signature(s) of listed approvers`);
  return lines;
}

/** The bounds of a grant, one a line. */
export function termsLines(terms: GrantTerms): readonly string[] {
  const where = [
    terms.digest === '' ? 'any call that the rules fire on' : 'this very call',
    terms.path === '' ? '' : `files in ${terms.path}`,
    terms.session === '' ? 'any session' : `session ${terms.session}`,
    terms.agent === '' ? '' : `agent ${terms.agent}`,
    terms.workspace === '' ? '' : `workspace ${terms.workspace}`,
  ].filter((part) => part !== '');
  return [
    `for     ${spoken(terms.until - terms.from)}, until ${new Date(terms.until).toISOString().slice(0, 19)}Z`,
    `uses    ${terms.uses}`,
    `where   ${where.join('; ')}`,
    `reason  ${terms.reason}`,
    `by      ${terms.approver}`,
  ].map(visible);
}

/** The state of a grant as it is now: what has run out counts as over, whether or not a record says so yet. */
export function stateNow(grant: Grant, now: number): string {
  if (grant.state !== 'active' && grant.state !== 'approved') return grant.state;
  return overBecause({ terms: grant.terms, newest: grant.terms.from }, now) === '' ? grant.state : 'expired';
}

/** One grant on one line. */
export function grantLine(grant: Grant, p: Paint, now: number): string {
  const { terms } = grant;
  const state = stateNow(grant, now);
  const left = state === 'active' ? `${spoken(terms.until - now)}, ${grant.usesLeft} of ${terms.uses} uses left` : '';
  const word = state === 'active' ? p.green(state.padEnd(8)) : p.dim(state.padEnd(8));
  const rules = [...terms.rules, ...terms.tags.map((tag) => `tag ${tag}`)].join(', ');
  return `${codeOf(terms.request)}  ${word}  ${visible(rules)}  ${visible(left)}  ${p.dim(visible(`${terms.approver}: ${terms.reason}`))}`;
}
