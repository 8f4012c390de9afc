import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import { render, type Value } from '../model/value.ts';
import { reads, word } from './drafts.ts';
import { grammar, parseOptions } from './options.ts';
import { contentOf } from './streams.ts';
import { cut, drop, say, starts } from './words.ts';

const API = grammar(
  'X method:, f raw-field:, F field form:, H header:, input:, q jq:, t template:, hostname:, cache:, p preview:, output:, i include, paginate, slurp, silent, verbose, help, R repo:, repo:',
  { abbreviations: false },
);

/** Talk about the work, not the work itself: comments, reviews, labels, reactions. */
const TALK =
  /(\/(comments|replies|reviews|reactions|labels|assignees|requested_reviewers|lock|notes|discussions|award_emoji|subscription|read|threads)(\/|$|\?))|\/(issues|pulls|merge_requests)(\/\d+)?(\?|$)|^\/?(notifications|markdown|user\/starred)/;

/** What a GraphQL mutation of GitHub does, by its name. */
const GRAVE =
  /^(delete|remove(?!Reaction|Star|Label|Assignee|Upvote)|archive|transfer|merge|update(Ref|Branch|Repository|Enterprise)|create(Ref|Repository|CommitOnBranch|Deployment)|revert)/;

/** `gh api` and `glab api`: what a request to the forge's own interface does. */
export function forgeApi(words: readonly Value[], inv: Invocation): Outcome {
  const args = parseOptions(words, API);
  const path = args.operands[0] ?? [];
  const fields = args.values('raw-field', 'field');
  const files: FileDraft[] = [];
  for (const field of args.values('field')) {
    const value = cut(field, '=')?.[1];
    if (value && starts(value, '@') && word(value) !== '@-') files.push(...reads([drop(value, 1)]));
  }
  const input = args.value('input');
  if (input) files.push(...reads([input]));
  const method = (word(args.value('method')) || (fields.length > 0 || input ? 'POST' : 'GET')).toUpperCase();
  const facts: Outcome = {
    subcommand: 'api',
    flags: args.flags,
    operands: args.operands,
    files,
    stdout: { value: null, taints: ['network'] },
  };
  const target = say(path);
  const effect = (kind: EffectDraft['kind'], detail = `${method} ${target}`, certain = true): Outcome => ({
    ...facts,
    effects: [{ kind, target, detail, ...(certain ? {} : { certain }) }],
  });
  if (/^\/?(api\/)?graphql$/.test(word(path))) {
    const query = fields.find((f) => starts(f, 'query='));
    const body = query ? render(drop(query, 6)) : input ? bodyOf(input, inv) : '';
    const text = body?.startsWith('@') ? bodyOf([body.slice(1)], inv) : body;
    if (text === null || (text === '' && input)) return effect('remote-comment', 'GraphQL', false);
    const names = mutations(text);
    if (names.length === 0) return facts;
    const grave = names.find((n) => GRAVE.test(n));
    if (!grave) return effect('remote-comment', names.join(', '));
    return effect(/^(delete|remove|archive)/.test(grave) ? 'infra-destroy' : 'infra-apply', grave);
  }
  if (method === 'GET' || method === 'HEAD') return facts;
  if (TALK.test(target)) return effect('remote-comment');
  return effect(method === 'DELETE' ? 'infra-destroy' : 'infra-apply');
}

function bodyOf(path: Value, inv: Invocation): string | null {
  const { value } = contentOf(inv, path);
  return value === null ? null : render(value);
}

/** Names of the fields that a mutation asks for. */
function mutations(text: string): readonly string[] {
  const at = text.search(/\bmutation\b/);
  if (at < 0) return [];
  return [...text.slice(at).matchAll(/[{}\s,]\s*(?:\w+\s*:\s*)?([a-z]\w+)\s*\(/g)]
    .map((m) => m[1] as string)
    .filter((n) => n !== 'mutation');
}
