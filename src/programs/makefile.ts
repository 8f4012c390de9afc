import { concat, known, type Value } from '../model/value.ts';

/** A makefile as far as it can be read without running it. */
export interface Makefile {
  readonly rules: readonly Rule[];
  readonly variables: ReadonlyMap<string, string>;
  /** Commands of `$(shell …)` and `!=` that run while the file is read. */
  readonly shells: readonly string[];
  /** The first target that is no special name. */
  readonly first: string | null;
  /** Other makefiles that it includes, as written. */
  readonly includes: readonly string[];
}

interface Rule {
  readonly targets: readonly string[];
  readonly needs: readonly string[];
  readonly recipe: readonly string[];
}

/** Reads a makefile: assignments, rules with their recipes, `define` blocks (GNU make manual, 3 and 6). */
export function readMakefile(text: string, given: ReadonlyMap<string, string>): Makefile {
  const variables = new Map<string, string>(given);
  const rules: { targets: string[]; needs: string[]; recipe: string[] }[] = [];
  const shells: string[] = [];
  const includes: string[] = [];
  let current: { recipe: string[] }[] = [];
  const lines = text.replace(/\r\n/g, '\n').split('\n');
  for (let i = 0; i < lines.length; i++) {
    let line = lines[i] as string;
    while (line.endsWith('\\') && i + 1 < lines.length) line = `${line.slice(0, -1)} ${(lines[++i] as string).trim()}`;
    if (line.startsWith('\t') && current.length > 0) {
      for (const rule of current) rule.recipe.push(line.slice(1));
      continue;
    }
    const bare = line.replace(/(^|[^\\])#.*$/, '$1').trimEnd();
    const start = bare.trim();
    if (start === '') continue;
    for (const command of shellCalls(bare)) if (!isRecipe(line)) shells.push(command);
    if (/^(?:define)\s/.test(start)) {
      const name = start.split(/\s+/)[1] ?? '';
      const body: string[] = [];
      while (i + 1 < lines.length && !/^\s*endef\b/.test(lines[i + 1] as string))
        body.push((lines[++i] as string).replace(/^\t/, ''));
      variables.set(name, body.join('\n'));
      continue;
    }
    if (/^-?include\s|^sinclude\s/.test(start)) {
      includes.push(...start.split(/\s+/).slice(1));
      continue;
    }
    if (/^(?:if(?:n?eq|n?def)?|else|endif|endef|unexport|vpath|\.?override\s*$)\b/.test(start)) continue;
    if (assignment(start, variables, given, shells)) {
      current = [];
      continue;
    }
    const rule = ruleOf(bare);
    if (!rule) continue;
    rules.push(rule);
    current = [rule];
  }
  const first = rules.flatMap((r) => r.targets).find((t) => !t.startsWith('.') && !t.includes('%')) ?? null;
  return { rules, variables, shells, first, includes };
}

function isRecipe(line: string): boolean {
  return line.startsWith('\t');
}

const ASSIGN = /^(?:export\s+|override\s+|private\s+)*([\w.-]+)\s*(::?:?=|\?=|\+=|!=|=)\s*(.*)$/s;

function assignment(
  line: string,
  variables: Map<string, string>,
  given: ReadonlyMap<string, string>,
  shells: string[],
): boolean {
  const found = ASSIGN.exec(line);
  if (!found) return false;
  const [, name, sign, value] = found as unknown as [string, string, string, string];
  if (sign === '!=') shells.push(value);
  if (given.has(name)) return true;
  if (sign === '?=' && variables.has(name)) return true;
  variables.set(
    name,
    sign === '+=' ? `${variables.get(name) ?? ''} ${value}`.trim() : sign === '!=' ? `$(shell ${value})` : value,
  );
  return true;
}

function ruleOf(line: string): { targets: string[]; needs: string[]; recipe: string[] } | null {
  const colon = topLevel(line, ':');
  if (colon <= 0) return null;
  const semicolon = topLevel(line, ';');
  const head = line.slice(0, colon).trim();
  const rest = line.slice(colon).replace(/^::?/, '');
  const inline = semicolon > colon ? line.slice(semicolon + 1).trim() : '';
  const needs = (semicolon > colon ? line.slice(colon, semicolon).replace(/^::?/, '') : rest)
    .replace(/\|/g, ' ')
    .trim();
  if (/^[\w.-]+\s*[:?+]?=/.test(needs)) return null;
  return {
    targets: head.split(/\s+/),
    needs: needs === '' ? [] : needs.split(/\s+/),
    recipe: inline === '' ? [] : [inline],
  };
}

/** Index of a character outside `$(…)`, or -1. */
function topLevel(line: string, mark: string): number {
  let depth = 0;
  for (let i = 0; i < line.length; i++) {
    const c = line[i];
    if (c === '$' && (line[i + 1] === '(' || line[i + 1] === '{')) {
      depth++;
      i++;
    } else if ((c === ')' || c === '}') && depth > 0) depth--;
    else if (c === mark && depth === 0 && line[i + 1] !== '=') return i;
  }
  return -1;
}

/** The commands of `$(shell …)` in a text, and the writes of `$(file >NAME,…)` as commands (GNU make manual, 8). */
export function shellCalls(line: string): readonly string[] {
  return [...line.matchAll(/\$[({](shell|file)\s/g)].map((match) => {
    const body = line.slice(match.index + match[0].length, closingAt(line, match.index + 1)).trim();
    return match[1] === 'shell' ? body : /^>/.test(body) ? `: ${body.replace(/,.*$/s, '')}` : ':';
  });
}

function closingAt(text: string, open: number): number {
  const close = text[open] === '{' ? '}' : ')';
  const opener = text[open];
  let depth = 0;
  for (let i = open; i < text.length; i++) {
    if (text[i] === opener) depth++;
    else if (text[i] === close && --depth === 0) return i;
  }
  return text.length;
}

/** Names that make sets by itself (GNU make manual, 10.3 and 6.14). */
const BUILT_IN = new Map([
  ['MAKE', 'make'],
  ['SHELL', '/bin/sh'],
  ['RM', 'rm -f'],
  ['CC', 'cc'],
  ['CXX', 'g++'],
  ['AR', 'ar'],
  ['MAKEFLAGS', ''],
  ['CURDIR', '.'],
]);

/** Text with make's variables put in; what is not known becomes a hole. `$$` is the shell's `$`. */
export function expand(
  file: Makefile,
  text: string,
  automatic: ReadonlyMap<string, string>,
  lookup: (name: string) => string | null,
  depth = 0,
): Value {
  const parts: Value[] = [];
  let run = '';
  const flush = (): void => {
    if (run !== '') parts.push(known(run));
    run = '';
  };
  for (let i = 0; i < text.length; i++) {
    if (text[i] !== '$') {
      run += text[i];
      continue;
    }
    const next = text[i + 1];
    if (next === '$' || next === undefined) {
      run += '$';
      i++;
      continue;
    }
    let name = next;
    if (next === '(' || next === '{') {
      const end = closingAt(text, i + 1);
      name = text.slice(i + 2, end);
      i = end;
    } else i++;
    flush();
    parts.push(reference(file, name, automatic, lookup, depth));
  }
  flush();
  return concat(...parts);
}

function reference(
  file: Makefile,
  name: string,
  automatic: ReadonlyMap<string, string>,
  lookup: (name: string) => string | null,
  depth: number,
): Value {
  if (depth > 12) return [{ hole: `$(${name})`, like: 'any' }];
  const fixed = automatic.get(name);
  if (fixed !== undefined) return known(fixed);
  // The command runs in a shell, as a substitution does.
  if (name.startsWith('shell '))
    return concat(['$('], expand(file, name.slice(6), automatic, lookup, depth + 1), [')']);
  const call = /^call\s+([\w.-]+)/.exec(name);
  if (call) name = call[1] as string;
  const filter = /^(?:strip|abspath|realpath|info|sort)\s+(.*)$/s.exec(name);
  if (filter) return expand(file, filter[1] as string, automatic, lookup, depth + 1);
  if (/\s|:/.test(name)) return [{ hole: `$(${name.slice(0, 40)})`, like: 'any' }];
  const own = file.variables.get(name);
  if (own !== undefined) return expand(file, own, automatic, lookup, depth + 1);
  const built = BUILT_IN.get(name) ?? lookup(name);
  return built !== undefined && built !== null ? known(built) : known('');
}

/** Targets that are made and commands of their recipes; what is more is unknown. */
const MOST_TARGETS = 1000;
const MOST_COMMANDS = 2000;

/**
 * Recipes of a target and of what it needs, in the order in which they would run; bounded. With `dry`, those that run
 * even when make only prints: lines that begin with `+` or call make (GNU make manual, 5.7.1 and 9.3).
 */
export function recipesOf(
  file: Makefile,
  targets: readonly string[],
  lookup: (name: string) => string | null,
  dry = false,
): readonly Value[] {
  const done = new Set<string>();
  const lines: Value[] = [];
  let cut = false;
  const leave = (): void => {
    cut = true;
    lines.push([{ hole: 'more recipes than are analysed', like: 'any', taint: 'cut' }]);
  };
  const visit = (target: string, depth: number): void => {
    if (done.has(target) || cut) return;
    if (depth > 30 || done.size > MOST_TARGETS || lines.length > MOST_COMMANDS) return leave();
    done.add(target);
    for (const rule of rulesFor(file, target, lookup)) {
      const needs = rule.needs.flatMap((n) => wordsIn(expand(file, n, new Map(), lookup)));
      for (const need of needs) visit(need, depth + 1);
      const stem = stemOf(rule.targets, target);
      const automatic = new Map([
        ['@', target],
        ['<', (needs[0] ?? '').replace('%', stem)],
        ['^', needs.join(' ')],
        ['+', needs.join(' ')],
        ['?', needs.join(' ')],
        ['*', stem],
        ['@D', '.'],
        ['@F', target],
        ...(dry ? ([['MAKE', 'make -n']] as const) : []),
      ]);
      for (const line of rule.recipe) {
        const [marks = ''] = /^\s*(?:[@+-]\s*)*/.exec(line) ?? [];
        const text = line.slice(marks.length);
        if (text === '' || text.startsWith('#') || cut) continue;
        // Even a line that is only printed is expanded first, and every `$(file >…)` writes.
        const runs = !dry || marks.includes('+') || /\$[({]MAKE[)}]/.test(text);
        for (const call of shellCalls(text))
          if (!runs || call.startsWith(': >')) lines.push(expand(file, call, automatic, lookup));
        if (!runs) continue;
        if (lines.length > MOST_COMMANDS) leave();
        else lines.push(expand(file, text, automatic, lookup));
      }
    }
  };
  for (const target of targets) visit(target, 0);
  return lines;
}

function rulesFor(file: Makefile, target: string, lookup: (name: string) => string | null): readonly Rule[] {
  const named = (rule: Rule): boolean =>
    rule.targets.some(
      (t) => t === target || (t.includes('$') && wordsIn(expand(file, t, new Map(), lookup)).includes(target)),
    );
  const exact = file.rules.filter(named);
  if (exact.some((r) => r.recipe.length > 0)) return exact;
  const pattern = file.rules.find(
    (r) => r.recipe.length > 0 && r.targets.some((t) => t.includes('%') && matches(t, target)),
  );
  return pattern ? [...exact, pattern] : exact;
}

function matches(pattern: string, target: string): boolean {
  const [before, after] = pattern.split('%') as [string, string];
  return target.length > before.length + after.length - 1 && target.startsWith(before) && target.endsWith(after);
}

function stemOf(targets: readonly string[], target: string): string {
  const pattern = targets.find((t) => t.includes('%') && matches(t, target));
  if (!pattern) return '';
  const [before, after] = pattern.split('%') as [string, string];
  return target.slice(before.length, target.length - after.length);
}

function wordsIn(value: Value): readonly string[] {
  return value
    .map((p) => (typeof p === 'string' ? p : ''))
    .join('')
    .split(/\s+/)
    .filter(Boolean);
}
