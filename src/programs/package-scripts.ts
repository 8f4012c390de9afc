import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { concat, known, render, textOf, type Value } from '../model/value.ts';
import { draft } from './drafts.ts';
import { below } from './paths.ts';
import { quotedText } from './split-value.ts';

/** A package.json that was found, with its scripts. */
interface Manifest {
  readonly directory: Value;
  readonly scripts: ReadonlyMap<string, string>;
}

/** Directories above the current one that are searched, as npm does. */
const UPWARD = 12;

/** The manifest that governs a directory; null if there is none or it can't be read. */
export function manifestOf(
  inv: Invocation,
  directory: Value | null,
  file = 'package.json',
  key = 'scripts',
): Manifest | null {
  const start = directory ? below(inv.cwd, directory) : inv.cwd;
  const { real } = inv.world.resolve(inv.cwd, start.length > 0 ? start : ['.'], true);
  let at = real;
  for (let i = 0; at !== null && at !== '' && i < UPWARD; i++) {
    const text = readText(inv, `${at === '/' ? '' : at}/${file}`);
    if (text !== null) return { directory: known(at), scripts: scriptsIn(text, key) };
    if (directory !== null || at === '/') return null;
    at = at.slice(0, at.lastIndexOf('/')) || '/';
  }
  return null;
}

/** Text of a file as the call left it. */
export function readText(inv: Invocation, path: string): string | null {
  const held = inv.world.content(path);
  if (held !== null) return held.value === null ? null : textOf(held.value);
  return inv.world.readText(path);
}

function scriptsIn(text: string, key: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  try {
    const parsed: unknown = JSON.parse(text);
    const scripts = typeof parsed === 'object' && parsed !== null ? (parsed as Record<string, unknown>)[key] : null;
    if (typeof scripts === 'object' && scripts !== null) {
      for (const [name, script] of Object.entries(scripts)) {
        const body =
          typeof script === 'string'
            ? script
            : typeof script === 'object' && script !== null && 'command' in script
              ? (script as { command: unknown }).command
              : null;
        if (typeof body === 'string') found.set(name, body);
      }
    }
  } catch {
    // A manifest that is no JSON runs nothing.
  }
  return found;
}

interface ScriptRun {
  readonly via: string;
  readonly directory?: Value | null;
  /** Script names, each with its `pre` and `post` scripts; those that don't exist are left out. */
  readonly names: readonly string[];
  /** Appended to the scripts themselves. */
  readonly args?: readonly Value[];
  readonly ignoreScripts?: boolean;
}

/** Runs package scripts: their text as nested shell code in the package's directory. */
export function packageScripts(inv: Invocation, run: ScriptRun): Outcome {
  const files: readonly FileDraft[] = run.directory ? [draft('exec', below(run.directory, ['package.json']))] : [];
  const manifest = manifestOf(inv, run.directory ?? null);
  if (!manifest) return { files, effects: unseen(inv, files, 'package.json'), opaque: true };
  return { files, nested: run.names.flatMap((name) => scriptWithHooks(manifest, name, run)) };
}

/**
 * Code that can't be read: of a place outside the workspace that is named, or of a tree that came from the network just
 * now. `usual` is the file that is read when none is named.
 */
export function unseen(inv: Invocation, files: readonly FileDraft[], usual: string): readonly EffectDraft[] {
  const named = files[0]?.path;
  const path: Value = named ?? [usual];
  const { real } = inv.world.resolve(inv.cwd, path, true);
  const written = real === null ? null : inv.world.content(real);
  const taints = [...(inv.behind?.(path)?.taints ?? []), ...(written?.taints ?? [])];
  if (taints.includes('network')) return [fetched(inv, path)];
  if (taints.includes('cut'))
    return [{ kind: 'exec-unknown', target: inv.name, detail: `${inv.name} runs a text longer than is analysed` }];
  if (written && !hasText(written.value)) return [rewritten(inv, path)];
  const zone = named ? inv.world.resolve(inv.cwd, named, true).zone : null;
  if (zone === 'workspace' || zone === null) return [];
  return [
    {
      kind: 'exec-unknown',
      target: inv.name,
      detail: `${inv.name} runs what ${render(path)} says, which can't be read`,
    },
  ];
}

/** True if some of it is known text. */
function hasText(value: Value | null): boolean {
  return value?.some((part) => typeof part === 'string' && part.trim() !== '') === true;
}

function rewritten(inv: Invocation, path: Value): EffectDraft {
  const detail = `${inv.name} runs what ${render(path)} says, which was changed just now`;
  return { kind: 'exec-unknown', target: inv.name, detail };
}

function fetched(inv: Invocation, path: Value): EffectDraft {
  return {
    kind: 'exec-unknown',
    target: inv.name,
    detail: `${inv.name} runs what ${render(path)} says, which came from the network just now`,
  };
}

function scriptWithHooks(manifest: Manifest, name: string, run: ScriptRun): readonly Nested[] {
  return [`pre${name}`, name, `post${name}`].flatMap((script): readonly Nested[] => {
    const text = manifest.scripts.get(script);
    if (text === undefined || (run.ignoreScripts && script !== name)) return [];
    const args = script === name && run.args && run.args.length > 0 ? concat([' '], quotedText(run.args)) : [];
    return [
      {
        kind: 'script',
        via: `${run.via} ${script}`,
        text: concat(known(text), args),
        cwd: manifest.directory,
        dialect: 'sh',
      },
    ];
  });
}

/** True if the manifest has such a script. */
export function hasScript(inv: Invocation, directory: Value | null, name: string): boolean {
  return manifestOf(inv, directory)?.scripts.has(name) === true;
}
