import { known } from '../model/value.ts';
import type { Run } from './run.ts';
import { findVariable, type State } from './state.ts';
import { placeOf, readText } from './variables.ts';

/** What a command's name leads to. `file`: something local that only looks like a program of that name. */
export type Found =
  | { readonly kind: 'program'; readonly name: string }
  | { readonly kind: 'file'; readonly name: string; readonly real: string | null };

const SYSTEM_DIR =
  /^\/(?:usr\/|opt\/homebrew\/|opt\/local\/|nix\/store\/[^/]+\/|run\/current-system\/sw\/|snap\/|usr\/local\/|home\/linuxbrew\/\.linuxbrew\/)?(?:local\/)?s?bin\//;

/** Directories in which package managers put a project's own copies of tools. */
const TOOL_DIR =
  /(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin|env\/bin|\.virtualenv\/bin|vendor\/bin|\.bundle\/bin|\.tox\/[^/]+\/bin|\.bin|\.yarn\/releases)\/[^/]+$/;

/** Wrapper scripts that projects carry and that behave as the tool they are named after. */
const WRAPPERS: ReadonlySet<string> = new Set([
  'gradlew', 'mvnw', 'sbt', 'mill', 'pants', 'bazelisk', 'rails', 'rake', 'rspec', 'bundle', 'manage.py', 'artisan', 'console', 'configure',
]); // biome-ignore format: a list

/** Several tools in one file: they go by the name they are called with. */
const MULTICALL: ReadonlySet<string> = new Set(['busybox', 'coreutils', 'toybox', 'uutils', 'gnubox']);

/** A script of that name in a directory that the call put on PATH. */
function onPath(run: Run, s: State, name: string): Found | null {
  if (!findVariable(s, 'PATH')) return null;
  const path = readText(run, s, 'PATH');
  const first = path?.[0];
  if (typeof first !== 'string') return null;
  const place = placeOf(run, s).value;
  for (const dir of first.split(':').slice(0, MAX_PATH_DIRS)) {
    if (SYSTEM_DIR.test(`${dir}/`)) return null;
    const { real } = run.world.resolve(place, known(`${dir === '' ? '.' : dir}/${name}`), true);
    if (real !== null && (run.written.has(real) || run.world.kind(real) === 'file'))
      return TOOL_DIR.test(real) && !run.written.has(real) ? null : { kind: 'file', name, real };
  }
  return null;
}

const MAX_PATH_DIRS = 16;

/** Finds out what a name, with or without a path, would run. */
export function programAt(run: Run, s: State, text: string): Found {
  const base = text.slice(text.lastIndexOf('/') + 1);
  if (!text.includes('/')) return onPath(run, s, text) ?? { kind: 'program', name: base };
  const { value } = placeOf(run, s);
  const { real, zone } = run.world.resolve(value, known(text), true);
  const plain = run.world.resolve(value, known(text), false).real;
  const copied =
    (real === null ? undefined : run.copies.get(real)) ?? (plain === null ? undefined : run.copies.get(plain));
  if (copied !== undefined) return { kind: 'program', name: copied };
  if (SYSTEM_DIR.test(text)) return { kind: 'program', name: base };
  if (real !== null && SYSTEM_DIR.test(real)) {
    const target = real.slice(real.lastIndexOf('/') + 1);
    return {
      kind: 'program',
      name:
        MULTICALL.has(target) || run.programs.has(base) === run.programs.has(target)
          ? plain === real
            ? target
            : base
          : target,
    };
  }
  if (real !== null && run.written.has(real)) return { kind: 'file', name: base, real };
  if (TOOL_DIR.test(text) || (real !== null && TOOL_DIR.test(real))) return { kind: 'program', name: base };
  if (WRAPPERS.has(base) && run.programs.has(base)) return { kind: 'program', name: base };
  const local = zone === 'workspace' || zone === 'temp' || zone === 'vcs' || zone === null;
  if (local || (real !== null && run.world.readText(real) !== null)) return { kind: 'file', name: base, real };
  return { kind: 'program', name: base };
}
