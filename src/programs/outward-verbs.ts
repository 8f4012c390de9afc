import type { EffectDraft } from '../model/effect.ts';
import { textOf, type Value } from '../model/value.ts';

/** Words that in every command line mean: show it to others. */
const VERBS = /^(?:(?:\w+[:-])?(?:deploy|publish)|deploy:\w+|publish:\w+|gh-deploy|deploy-gh-pages)$/;
/** Words before the verb: what is shown. */
const GROUPS = /^(?:app|theme|site|pages|project|hosting|functions?|workers?|package|pkg|stack|service|svc|release)$/;
const LOOKS = /^--?(?:h|help|version|dry|dry-?run|list|check|preview|local)(?:=|$)/i;

/** `tool deploy`, `tool publish`: what a development tool does to others when its first word says so. */
export function outwardVerb(name: string, words: readonly Value[]): readonly EffectDraft[] {
  const texts = words.map((value) => textOf(value) ?? '');
  const [first = '', second = ''] = texts.filter((text) => text !== '' && !text.startsWith('-'));
  const verb = GROUPS.test(first) ? second : first;
  if (!VERBS.test(verb) || texts.some((text) => LOOKS.test(text))) return [];
  const kind = verb.includes('deploy') && !verb.startsWith('gh-') ? 'infra-apply' : 'publish';
  return [{ kind, target: name, detail: `${name} ${verb}` }];
}
