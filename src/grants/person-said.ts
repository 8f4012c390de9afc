import { actDraft } from '../audit/write/act.ts';
import { keyedDigest } from '../audit/write/draft.ts';
import { type Answered, isAnythingAnswered, newestAnswer } from '../audit/write/grants.ts';
import type { Writer } from '../audit/write/writer.ts';
import type { Facts } from '../model/facts.ts';
import type { CompiledRule } from '../model/policy.ts';
import { oneLine } from '../policy/wording.ts';
import { withoutSpool } from './approve.ts';
import type { Request } from './requests.ts';

/** How long a person's no is told to who tries again. */
const TOLD_MS = 24 * 3_600_000;

/** What an answer to a request is found by when the agent tries again: the very call, or the rules and tags asked for. */
export function answerKeys(
  request: Pick<Request, 'session' | 'digest' | 'rules' | 'tags' | 'hits'>,
): readonly string[] {
  const { session, digest, rules, tags, hits } = request;
  if (hits.length > 0 && digest !== '') return [`${session} ${digest}`];
  return [...rules.map((id) => `${session} rule:${id}`), ...tags.map((tag) => `${session} tag:${tag}`)];
}

/** Records that a person decided against a request; the agent is told so when it tries again. Throws `store-unwritable`. */
export function refuse(
  writer: Writer,
  request: Request,
  said: { readonly by: string; readonly note: string; readonly cwd: string },
  now: number,
): void {
  const { by, note, cwd } = said;
  const detail = { request: request.id, by, reason: note };
  withoutSpool(() =>
    writer.append(actDraft({ name: 'elevate-denied', detail, session: request.session, cwd }, now), (ledger) => {
      ledger.answered(answerKeys(request), 'no', now);
      return [];
    }),
  );
}

/**
 * What a person who said no to this call, or to lifting the rules that hold it up, wants the agent to know, on one
 * line; '' if nobody did, or somebody allowed it since. Throws SQLite's error if the store can't be read.
 */
export function refusalOf(
  writer: Writer,
  on: { readonly facts: Facts; readonly rules: readonly CompiledRule[]; readonly now: number },
): string {
  const since = on.now - TOLD_MS;
  // Nobody answered anything, as is usual: then no key is read and no digest made.
  if (!writer.read((db) => isAnythingAnswered(db))) return '';
  const { session, call_digest: digest } = on.facts.event;
  const key = writer.key();
  const things = [
    digest,
    ...(key === null ? [] : [keyedDigest(digest, key)]),
    ...on.rules.flatMap((rule) => [`rule:${rule.id}`, ...rule.tags.map((tag) => `tag:${tag}`)]),
  ];
  const keys = [...new Set(['', session])].flatMap((whose) => things.map((thing) => `${whose} ${thing}`));
  const said = writer.read((db) => newestAnswer(db, keys, since));
  return said === null || said.answer === 'yes' ? '' : refusalText(said);
}

function refusalText({ key, at, by, note }: Answered): string {
  const what = /^\S* (rule|tag):(.*)$/s.exec(key);
  const about = what === null ? 'this call' : `lifting ${what[1] === 'tag' ? 'rules with the tag ' : ''}${what[2]}`;
  const when = `${new Date(at).toISOString().slice(0, 16)}Z`;
  return oneLine(`a person (${by || '?'}, ${when}) said no to ${about}${note === '' ? '' : `: ${note}`}`);
}
