import { namePattern } from './patterns.ts';

/** One line of a .gitignore. */
export interface IgnoreRule {
  readonly negated: boolean;
  readonly dirOnly: boolean;
  /** Components; `**` stands for any number of directories. */
  readonly parts: readonly ('**' | ((name: string) => boolean))[];
}

const MAX_RULES = 2000;

/** The rules of a .gitignore (gitignore(5)), in order. */
export function ignoreRules(text: string): readonly IgnoreRule[] {
  const rules: IgnoreRule[] = [];
  for (const raw of text.split(/\r?\n/)) {
    if (rules.length >= MAX_RULES) break;
    let line = raw.replace(/(?<!\\)\s+$/, '');
    if (line === '' || line.startsWith('#')) continue;
    const negated = line.startsWith('!');
    if (negated) line = line.slice(1);
    const dirOnly = line.endsWith('/');
    if (dirOnly) line = line.slice(0, -1);
    const anchored = line.includes('/');
    const parts = line
      .split('/')
      .filter((p) => p !== '')
      .map((p) => (p === '**' ? '**' : namePattern(p, true)));
    if (parts.length > 0) rules.push({ negated, dirOnly, parts: anchored ? parts : ['**', ...parts] });
  }
  return rules;
}

/** True if the rules ignore the path (relative to their directory) or a directory above it. */
export function isIgnored(rules: readonly IgnoreRule[], below: string, isDir: boolean): boolean {
  const parts = below.split('/');
  for (let n = 1; n <= parts.length; n++) {
    const head = parts.slice(0, n);
    const dir = n < parts.length || isDir;
    let ignored = false;
    for (const rule of rules) if ((!rule.dirOnly || dir) && fits(rule.parts, head, 0, 0)) ignored = !rule.negated;
    if (ignored) return true;
  }
  return false;
}

function fits(rule: IgnoreRule['parts'], path: readonly string[], r: number, p: number): boolean {
  if (r === rule.length) return p === path.length;
  const part = rule[r];
  if (part === '**') {
    for (let skip = p; skip <= path.length; skip++) if (fits(rule, path, r + 1, skip)) return true;
    return false;
  }
  return p < path.length && typeof part === 'function' && part(path[p] as string) && fits(rule, path, r + 1, p + 1);
}
