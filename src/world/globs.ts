import { LIMITS } from '../base/limits.ts';
import type { Value } from '../model/value.ts';
import type { View } from './layers.ts';
import { namePattern } from './patterns.ts';
import { absolute, type Component, componentsOf, locate } from './resolve.ts';
import { ORDINARY_SAMPLES, SECRET_SAMPLES } from './secrets.ts';

/** What a pattern matches, as the shell would write it. */
export interface Matches {
  readonly paths: readonly string[];
  /** Protected names that the pattern can only mean, where nothing that is known fits it. */
  readonly guesses: readonly string[];
  /** Every directory on the way was known. */
  readonly complete: boolean;
}

const MAX_NAMES = 50_000;

/**
 * Expands an unquoted pattern against the view; null if it has holes or starts nowhere known. `partial`: directories
 * may hold more names than they list.
 */
export function expand(cwd: Value, pattern: Value, view: View, partial: boolean): Matches | null {
  if (!absolute(cwd, pattern)) return null;
  const components = componentsOf(pattern);
  if (components.some((c) => c.hole)) return null;
  const first = pattern[0];
  const rooted = typeof first === 'string' && first.startsWith('/');
  const last = pattern.at(-1);
  const slash = typeof last === 'string' && last.endsWith('/');
  let complete = !partial;
  let paths: readonly string[] = [rooted ? '/' : ''];
  let guesses: readonly string[] = [];
  components.forEach((component, i) => {
    const guessed: string[] = guesses.flatMap((dir) => {
      const named = samples(dir, component);
      return named.length > 0 ? named : [under(dir, component.text)];
    });
    const found: string[] = [];
    for (const dir of paths) {
      const names = namesOf(dir, component, cwd, view);
      if (names === null) complete = false;
      if (component.pattern !== null && (partial || !names?.length)) {
        const there = new Set(names);
        guessed.push(...samples(dir, component).filter((path) => !there.has(path.slice(path.lastIndexOf('/') + 1))));
      }
      for (const name of names ?? []) {
        if (found.length < LIMITS.unroll) found.push(under(dir, name));
        else complete = false;
      }
    }
    const more = i < components.length - 1 && component.pattern !== null;
    paths = more ? found.filter((path) => couldBeDir(path, cwd, view)) : found;
    guesses = guessed.slice(0, LIMITS.unroll);
  });
  if (components.at(-1)?.pattern === null) paths = paths.filter((path) => mayExist(path, cwd, view));
  const end = slash ? '/' : '';
  return { paths: [...paths].sort().map((path) => path + end), guesses, complete };
}

function namesOf(dir: string, c: Component, cwd: Value, view: View): readonly string[] | null {
  if (c.pattern === null) return [c.text];
  const at = locate(cwd, [dir === '' ? '.' : dir], true, view);
  if (at.at === null || at.open || at.vague) return null;
  const names = view.list(at.at);
  if (names === null || names.length > MAX_NAMES) return null;
  return names.filter(namePattern(c.pattern));
}

function samples(dir: string, c: Component): string[] {
  if (c.pattern === null) return [];
  const fits = namePattern(c.pattern);
  // A pattern that ordinary names fit too says nothing about which are meant.
  return ORDINARY_SAMPLES.some(fits) ? [] : SECRET_SAMPLES.filter(fits).map((name) => under(dir, name));
}

function couldBeDir(path: string, cwd: Value, view: View): boolean {
  const at = locate(cwd, [path], true, view).at;
  return at === null || view.kind(at) !== 'file';
}

function mayExist(path: string, cwd: Value, view: View): boolean {
  const at = locate(cwd, [path], false, view).at;
  return at !== null && view.kind(at) !== 'none';
}

function under(dir: string, name: string): string {
  return dir === '' || dir === '/' ? dir + name : `${dir}/${name}`;
}
