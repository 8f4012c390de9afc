import type { EffectDraft } from '../model/effect.ts';
import { render } from '../model/value.ts';
import { effect, word } from './drafts.ts';
import type { Parsed } from './options.ts';

/** Uncommitted work that Mercurial throws away: hg(1), `update --clean`, `revert --all`, `purge`, `strip`. */
export function discardedByHg(args: Parsed): readonly EffectDraft[] {
  const [verb, ...rest] = args.operands;
  const name = word(verb);
  if (args.has('dry-run')) return [];
  if (/^(update|up|checkout|co|goto)$/.test(name) && args.has('clean')) return [effect('vcs-discard', 'hg update -C')];
  const whole = args.has('all') || rest.some((path) => /^\.?\/?$/.test(render(path)));
  if (name === 'revert' && whole) return [effect('vcs-discard', 'hg revert --all')];
  if (name === 'purge' && !args.has('print')) return [effect('vcs-clean', 'hg purge')];
  if (name === 'strip' || name === 'rollback') return [effect('vcs-rewrite', `hg ${name}`)];
  return [];
}

/** The same for Subversion: svn help revert, svn help cleanup. */
export function discardedBySvn(args: Parsed): readonly EffectDraft[] {
  const name = word(args.operands[0]);
  const deep = args.has('recursive') || word(args.value('depth')) === 'infinity';
  if (name === 'revert' && deep) return [effect('vcs-discard', 'svn revert -R')];
  if (name === 'cleanup' && args.has('remove-unversioned', 'remove-ignored'))
    return [effect('vcs-clean', 'svn cleanup')];
  return [];
}
