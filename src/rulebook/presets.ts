import type { SourceInput } from './compile.ts';

/** Names of the presets among the built-in sources; each has a file of its name in rules/presets. */
export function presetsOf(sources: readonly SourceInput[]): readonly string[] {
  return sources.flatMap(({ path }) => /(?:^|\/)rules\/presets\/([a-z-]+)\.ya?ml$/.exec(path)?.[1] ?? []);
}
