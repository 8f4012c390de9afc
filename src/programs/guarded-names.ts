import type { Invocation } from '../model/program.ts';
import { textOf, type Value } from '../model/value.ts';
import { below } from './paths.ts';

/** Directories of coding agents, in which settings lie that no search is meant to reach. */
const AGENT_DIRS = [
  '.claude',
  '.codex',
  '.gemini',
  '.qwen',
  '.cursor',
  '.factory',
  '.opencode',
  '.copilot',
  '.kiro',
  '.amp',
  '.windsurf',
  '.devin',
];
const MOST_FILES = 64;

/** What a search says about the files that it takes. */
interface Choice {
  /** Patterns of names and of whole paths, either of which a file must match. */
  readonly names: readonly string[];
  readonly paths: readonly string[];
  /** Patterns of paths and names that it leaves out. */
  readonly without: readonly string[];
  readonly depth: number;
  readonly ignoreCase: boolean;
}

/** Files of agents' own directories right below a starting point that a search would take, where they exist. */
export function agentFiles(inv: Invocation, root: Value, choice: Choice): readonly Value[] {
  const { real } = inv.world.resolve(inv.cwd, root, true);
  const start = textOf(root);
  if (real === null || start === null || choice.depth < 1) return [];
  const found: Value[] = [];
  const own = real.slice(real.lastIndexOf('/') + 1);
  const dirs = AGENT_DIRS.includes(own) ? [''] : AGENT_DIRS;
  for (const dir of dirs) {
    const place = dir === '' ? real : `${real}/${dir}`;
    if (inv.world.kind(place) !== 'dir') continue;
    if (dir !== '' && takes(choice, start, dir)) found.push(below(root, [dir]));
    if (choice.depth < (dir === '' ? 1 : 2)) continue;
    for (const name of (inv.world.list(place) ?? []).slice(0, MOST_FILES)) {
      const rest = dir === '' ? name : `${dir}/${name}`;
      if (takes(choice, start, rest)) found.push(below(root, [rest]));
    }
  }
  return found;
}

function takes(choice: Choice, start: string, rest: string): boolean {
  const name = rest.slice(rest.lastIndexOf('/') + 1);
  const path = `${start.replace(/\/+$/, '')}/${rest}`;
  const fits = (pattern: string, text: string) => matches(pattern, text, choice.ignoreCase);
  if (choice.without.some((pattern) => fits(pattern, path) || fits(pattern, name) || fits(`${pattern}/*`, path)))
    return false;
  return choice.names.some((pattern) => fits(pattern, name)) || choice.paths.some((pattern) => fits(pattern, path));
}

/** A shell pattern against a text, `*` over slashes too (find -path); greedy with one step back, so linear enough. */
function matches(pattern: string, text: string, ignoreCase: boolean): boolean {
  const [p, t] = ignoreCase ? [pattern.toLowerCase(), text.toLowerCase()] : [pattern, text];
  let [at, star, mark] = [0, -1, 0];
  let i = 0;
  while (i < t.length) {
    const set = p[at] === '[' ? /^\[[!^]?\]?[^\]]*\]/.exec(p.slice(at))?.[0] : undefined;
    if (p[at] === '*') {
      star = at++;
      mark = i;
    } else if (set !== undefined ? inSet(set, t[i] as string) : p[at] === '?' || p[at] === t[i]) {
      at += set?.length ?? 1;
      i++;
    } else if (star >= 0) {
      at = star + 1;
      i = ++mark;
    } else return false;
  }
  while (p[at] === '*') at++;
  return at === p.length;
}

function inSet(set: string, char: string): boolean {
  const negated = /^\[[!^]/.test(set);
  const body = set.slice(negated ? 2 : 1, -1);
  for (let at = 0; at < body.length; at++) {
    const [from, dash, to] = [body[at] as string, body[at + 1], body[at + 2]];
    if (dash === '-' && to !== undefined) {
      if (char >= from && char <= to) return !negated;
      at += 2;
    } else if (from === char) return !negated;
  }
  return negated;
}
