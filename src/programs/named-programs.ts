import type { EffectDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { render, textOf, type Value } from '../model/value.ts';
import { effect } from './drafts.ts';

/**
 * Programs that an option of another program names (`sort --compress-program=…`). Their text is followed as shell
 * text; a file that is named there by its path is code that nobody has shown.
 */
export function namedPrograms(via: string, texts: readonly Value[]): Pick<Outcome, 'nested' | 'effects'> {
  const given = texts.filter((text) => text.length > 0);
  const nested = given.map((text): Nested => ({ kind: 'script', via, text }));
  const effects = given
    .filter(namesFile)
    .map((text): EffectDraft => effect('exec-unknown', render(text), `${via} runs ${render(text)}`));
  return { nested, effects };
}

/**
 * Code that an option names (a plug-in, a preload, another build file) and that nobody has shown: it lies outside the
 * project, and can't be read. Code in the project is ordinary work, code of the system is installed.
 */
export function strangeCode(inv: Invocation, paths: readonly Value[]): readonly EffectDraft[] {
  return paths.flatMap((path): readonly EffectDraft[] => {
    const { real, zone } = inv.world.resolve(inv.cwd, path, true);
    if (zone === 'workspace' || zone === 'system' || zone === null) return [];
    if (real !== null && inv.world.content(real)?.value) return [];
    return [effect('exec-unknown', inv.name, `${inv.name} loads ${render(path)}`)];
  });
}

/** True if the program or the script it is given is a path outside the directories of the system. */
function namesFile(text: Value): boolean {
  const whole = textOf(text);
  if (whole === null) return true;
  const [program = '', ...rest] = whole.trim().split(/\s+/);
  if (program.includes('/')) return !/^\/(usr\/(local\/)?)?s?bin\/|^\/opt\/homebrew\/bin\//.test(program);
  return (
    /^(sh|bash|zsh|dash|ksh|python3?|perl|ruby|node)$/.test(program) &&
    rest[0] !== undefined &&
    !rest[0].startsWith('-')
  );
}
