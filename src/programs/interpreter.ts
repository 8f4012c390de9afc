import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import {
  EMPTY_STREAM,
  isDynamic,
  known,
  type Stream,
  type Taint,
  taintsOf,
  textOf,
  type Value,
} from '../model/value.ts';
import { draft, isStdin } from './drafts.ts';
import { type CodeContext, type CodeFindings, type Language, scanCode } from './inline-code.ts';
import { localModules } from './local-modules.ts';
import { parentOf } from './paths.ts';
import { merge } from './subcommands.ts';

/** Effects of code by where it came from: certain, since the interpreter runs whatever it is given. */
export function codeFrom(taints: readonly Taint[], target: string): readonly EffectDraft[] {
  if (taints.includes('network'))
    return [{ kind: 'exec-remote', target, detail: `${target} runs code from the network` }];
  if (taints.includes('decoded')) return [{ kind: 'exec-decoded', target, detail: `${target} runs decoded text` }];
  if (taints.includes('cut'))
    return [{ kind: 'exec-unknown', target, detail: `${target} runs a text longer than is analysed` }];
  return [];
}

/** Program text given in an argument (`-c`, `-e`): what a scan finds in it. */
export function runsCode(
  inv: Invocation,
  language: Language,
  code: Value,
  args: readonly Value[],
  printsResult = false,
): Outcome {
  if (code.length > 0 && code.every((part) => typeof part !== 'string')) {
    const effects = codeFrom(taintsOf(code), inv.name);
    if (effects.length > 0) return { effects, opaque: true };
  }
  const own = outcomeOf(scan(inv, language, code, args, inv.stdin, { printsResult, inArgument: true }));
  const loaded = localModules(language, code);
  if (loaded.length === 0) return own;
  return merge(...loaded.map((paths) => ownCode(inv, language, paths)), { stdout: EMPTY_STREAM }, own);
}

/** The first of the files that is there: the project's own code that a tool runs without being told its name. */
export function ownCode(inv: Invocation, language: Language, paths: readonly Value[]): Outcome {
  for (const path of paths) {
    const { real } = inv.world.resolve(inv.cwd, path, true);
    const held = real === null ? null : inv.world.content(real);
    if (held?.value || held?.taints.includes('network')) return runsFile(inv, language, path, []);
  }
  return {};
}

/** Program text on standard input. */
export function runsStdin(inv: Invocation, language: Language, args: readonly Value[]): Outcome {
  if (inv.stdin.value === null && inv.stdin.taints.length === 0) return { opaque: !inv.stdinIsOpen };
  return runsText(inv, language, inv.stdin, args);
}

/** Program text from a stream, as far as it is known. */
function runsText(inv: Invocation, language: Language, { value, taints }: Stream, args: readonly Value[]): Outcome {
  const effects = codeFrom(taints, inv.name);
  if (value === null) return { effects, opaque: true };
  return merge({ effects }, outcomeOf(scan(inv, language, value, args, EMPTY_STREAM)));
}

/**
 * A program in a file. The text is scanned if it is known. Code that was there before the call is ordinary work: of it
 * only what is plainly written out counts; code written in this call or lying in scratch counts like inline code.
 */
export function runsFile(inv: Invocation, language: Language, path: Value, args: readonly Value[]): Outcome {
  if (isStdin(path)) return runsStdin(inv, language, args);
  const files: readonly FileDraft[] = [draft('exec', path)];
  const behind = inv.behind?.(path) ?? null;
  if (behind) return { ...runsText(inv, language, behind, args), files };
  if (textOf(path) === null) return { files, opaque: true };
  const { real } = inv.world.resolve(inv.cwd, path, true);
  const held = real === null ? null : inv.world.content(real);
  if (real === null || held === null) return { files, opaque: true };
  const effects = codeFrom(held.taints, inv.name);
  if (held.value === null) return { files, effects, opaque: true };
  if (effects.length > 0 && textOf(held.value) === null) return { files, effects, opaque: true };
  const found = scan(inv, language, held.value, args, inv.stdin);
  const isNew = inv.world.reversible(real) === 'scratch' || isDynamic(held.value);
  const own = merge({ files, effects }, outcomeOf(isNew ? found : plain(found)));
  const loaded = changedModules(inv, language, real, held.value);
  return loaded.length === 0 ? own : merge(...loaded, { stdout: EMPTY_STREAM }, own);
}

/** What the modules beside a program say that it loads and that this call wrote; what they load in turn is left. */
function changedModules(inv: Invocation, language: Language, real: string, code: Value): readonly Outcome[] {
  return localModules(language, code).flatMap((paths) => {
    const at = paths
      .map((path) => inv.world.resolve(parentOf(known(real)) ?? inv.cwd, path, true).real)
      .find((path) => path !== null && path !== real && inv.world.changed(path));
    return at ? [writtenOut(inv, language, at)] : [];
  });
}

/** Of a file's code what is written out in full: what it would do once something loads it. */
export function writtenOut(inv: Invocation, language: Language, real: string): Outcome {
  const held = inv.world.content(real);
  if (!held) return {};
  const effects = codeFrom(held.taints, inv.name);
  if (held.value === null) return { effects };
  const { files, dests, effects: found, nested } = plain(scan(inv, language, held.value, [], EMPTY_STREAM));
  return { files, dests, effects: [...effects, ...found], nested };
}

function scan(
  inv: Invocation,
  language: Language,
  code: Value,
  args: readonly Value[],
  stdin: Stream,
  more: Partial<CodeContext> = {},
): CodeFindings {
  return scanCode(code, language, {
    args,
    stdin,
    cwd: inv.cwd,
    env: inv.env,
    world: inv.world,
    via: inv.name,
    ...more,
  });
}

function outcomeOf(found: CodeFindings): Outcome {
  const { files, dests, effects, nested, stdout, opaque } = found;
  return {
    files,
    dests,
    effects,
    nested,
    ...(stdout.value !== null || stdout.taints.length > 0 ? { stdout } : {}),
    ...(opaque ? { opaque } : {}),
  };
}

/** Of a scan what is written out in full: no unknown paths, commands or code; destinations only with secrets. */
function plain(found: CodeFindings): CodeFindings {
  return {
    files: found.files.filter((f) => f.op !== 'read' && !isDynamic(f.path)),
    dests: found.dests.filter((d) => d.sends === 'secret'),
    effects: found.effects.filter(
      (e) => e.kind === 'exec-remote' || e.kind === 'exec-decoded' || e.kind === 'secret-read',
    ),
    nested: found.nested
      .filter((n) => (n.kind === 'script' ? !isDynamic(n.text) : n.kind === 'argv' && !n.argv.some(isDynamic)))
      .map((n) => ({ ...n, certain: false })),
    stdout: EMPTY_STREAM,
    opaque: found.opaque,
  };
}
