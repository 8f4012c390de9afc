import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Compilation, type CompileOptions, compilePolicy, type SourceInput } from './compile.ts';
import type { Finding } from './finding.ts';
import { type KnownSources, readSources } from './source-files.ts';

/** Where the rules lie that come with gov. */
const BUILTIN_RULES = fileURLToPath(new URL('../../rules', import.meta.url));

export function builtinSources(known?: KnownSources): readonly SourceInput[] {
  return readSources([BUILTIN_RULES], 'builtin', dirname(BUILTIN_RULES), known);
}

/** A compilation, narrowed to the files that were asked for. */
export interface InContext extends Compilation {
  readonly files: readonly string[];
  /** Findings in the files that were asked for. */
  readonly own: readonly Finding[];
}

/** Faults of a file on its own that vanish when it stands among others. */
const UNRESOLVED = new Set([
  'cel-name',
  'cel-field',
  'budget-without-rule',
  'cel-type',
  'evidence-unknown-kind',
  'import-missing',
  'overlay-unknown-target',
  'waiver-unknown-rule',
]);

/**
 * Compiles files as an author means them: on their own if that works; else below the built-in rules, whose lists and
 * macros they may use; overlays and waivers also beside the files of their directory, or below the layers of this user,
 * where what they are about may stand.
 */
export function compileInContext(
  paths: readonly string[],
  options: CompileOptions = {},
  known?: KnownSources,
  layers?: () => readonly SourceInput[],
): InContext {
  const sources = readSources(paths, undefined, undefined, known).map(asItWouldStand);
  const files = new Set(sources.map((s) => s.path));
  const attempt = (context: readonly SourceInput[]): InContext => {
    const result = compilePolicy([...context, ...sources], options);
    // What the files import belongs to them.
    const around = new Set(context.map((s) => s.path));
    const own = result.findings.filter((f) => !around.has(f.at.file));
    const imported = result.policy.sources.map((s) => s.path).filter((path) => !around.has(path));
    return { ...result, files: [...new Set([...files, ...imported])], own };
  };
  const unresolved = (c: InContext): boolean => c.own.some((f) => UNRESOLVED.has(f.code));
  const alone = attempt([]);
  if (!unresolved(alone)) return alone;
  const below = attempt(builtinSources(known));
  if (!unresolved(below)) return below;
  if (lacksOther(alone)) {
    const beside = attempt(neighbours(sources, files));
    if (!lacksOther(beside)) return beside;
    const given = new Set([...files].map((f) => resolve(f)));
    const above = layers && attempt(layers().filter((s) => !given.has(resolve(s.path))));
    if (above && !lacksOther(above)) return above;
  }
  // Among the built-in rules it can be told what a name of theirs was meant to be.
  const asksForBuiltin = alone.own.some((f) => f.code === 'import-missing');
  return below.own.length < alone.own.length || asksForBuiltin ? below : alone;
}

/** True if an overlay or a waiver is about a pack or a rule that is not there. */
function lacksOther({ own }: InContext): boolean {
  return own.some((f) => f.code === 'overlay-unknown-target' || f.code === 'waiver-unknown-rule');
}

/** Rules of a checkout are checked as what they will be: those of a project, which may only tighten. */
function asItWouldStand(source: SourceInput): SourceInput {
  const inProject = source.layer === undefined && /(?:^|\/)\.gov\//.test(resolve(source.path));
  return inProject ? { ...source, layer: 'project' } : source;
}

function neighbours(sources: readonly SourceInput[], files: ReadonlySet<string>): readonly SourceInput[] {
  const given = new Set([...files].map((f) => resolve(f)));
  const dirs = [...new Set(sources.map((s) => dirname(s.path)))];
  return dirs.flatMap((dir) => readSources([join(dir)])).filter((s) => !given.has(resolve(s.path)));
}
