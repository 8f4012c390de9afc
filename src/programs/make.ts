import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { concat, known, render, textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { draft, isStdin } from './drafts.ts';
import { codeFrom } from './interpreter.ts';
import { expand, type Makefile, readMakefile, recipesOf } from './makefile.ts';
import type { Parsed } from './options.ts';
import { readText, unseen } from './package-scripts.ts';
import { below } from './paths.ts';
import { assignmentOf } from './split-value.ts';

const NAMES = ['GNUmakefile', 'makefile', 'Makefile', 'BSDmakefile'];

/** The text of a makefile: one that is named, standard input, or the first usual name there is; null if unknown. */
function sourceOf(
  inv: Invocation,
  directory: Value | null,
  named: Value | null,
): { readonly path: Value; readonly text: string | null } | null {
  if (named && isStdin(named))
    return {
      path: named,
      text: inv.stdin.value === null ? null : inv.stdin.value.map((p) => (typeof p === 'string' ? p : '')).join(''),
    };
  const candidates = named ? [named] : NAMES.map((n) => known(n));
  for (const name of candidates) {
    const path = directory ? below(directory, name) : name;
    const { real } = inv.world.resolve(inv.cwd, path, true);
    const text = real === null ? null : readText(inv, real);
    if (text !== null) return { path, text };
    if (named) return { path, text: null };
  }
  return null;
}

function directoryOf(args: Parsed): Value | null {
  const given = args.values('C');
  if (given.length === 0) return null;
  return given.reduce<Value>((at, next) => (at.length === 0 ? next : below(at, next)), []);
}

/** Assignments among the operands, and the targets. */
function split(operands: readonly Value[]): {
  readonly targets: readonly Value[];
  readonly variables: ReadonlyMap<string, string>;
} {
  const variables = new Map<string, string>();
  const targets: Value[] = [];
  for (const operand of operands) {
    const pair = assignmentOf(operand);
    const text = pair ? textOf(pair[1]) : null;
    if (pair) {
      if (text !== null) variables.set(pair[0], text);
    } else targets.push(operand);
  }
  return { targets, variables };
}

function make(args: Parsed, inv: Invocation): Outcome {
  const directory = directoryOf(args);
  const { targets, variables } = split(args.operands);
  const seen = { subcommand: render(targets[0] ?? []), operands: args.operands };
  if (args.has('version', 'h')) return seen;
  const cwd = directory ? { cwd: below(inv.cwd, directory) } : {};
  const lookup = (name: string): string | null => {
    const own = inv.env.get(name);
    return own ? textOf(own) : inv.world.env(name);
  };
  const texts = args.values('eval');
  const evaluated = texts.map((t) => readMakefile(render(t), variables));
  const atRead = evaluated.flatMap((file) =>
    file.shells.map((s) => nestedShell(inv, expand(file, s, new Map(), lookup), cwd)),
  );
  const shell = variables.get('SHELL');
  const files: FileDraft[] = shell ? [draft('exec', known(shell))] : [];
  const named = args.value('f');
  const source = sourceOf(inv, directory, named);
  const shown: Value | null =
    source && (directory || named) ? source.path : directory ? below(directory, ['Makefile']) : null;
  if (shown && !isStdin(shown)) files.push(draft('exec', shown));
  const effects: EffectDraft[] = named && isStdin(named) ? [...codeFrom(inv.stdin.taints, inv.name)] : [];
  if (shell && !/^(?:\/usr)?(?:\/local)?(?:\/bin\/)?(?:env )?(?:ba|da|z|k)?sh$/.test(shell))
    effects.push({ kind: 'env-inject', target: 'SHELL', detail: `recipes run in ${shell}` });
  if (!source || source.text === null) {
    return {
      ...seen,
      files,
      effects: [...effects, ...unseen(inv, shown && !isStdin(shown) ? [draft('exec', shown)] : [])],
      nested: atRead,
      opaque: true,
    };
  }
  const file = withIncludes(inv, directory, readMakefile(source.text, variables), variables);
  // -n, -q and -t run no recipes, but the file is still read.
  const runs = !args.has('n', 'q', 't');
  const wanted = targets.length > 0 ? targets.map(render) : file.first === null ? [] : [file.first];
  const recipes = runs ? recipesOf(file, wanted, lookup) : [];
  const nested = [
    ...atRead,
    ...file.shells.slice(0, 50).map((s) => nestedShell(inv, expand(file, s, new Map(), lookup), cwd)),
    ...recipes.map((text): Nested => ({ kind: 'script', via: inv.name, text, dialect: 'sh', ...cwd })),
  ];
  return { ...seen, files, effects, nested };
}

function nestedShell(inv: Invocation, text: Value, cwd: { readonly cwd?: Value }): Nested {
  return { kind: 'script', via: `${inv.name} $(shell)`, text, dialect: 'sh', ...cwd };
}

/** One level of included makefiles with plain names. */
function withIncludes(
  inv: Invocation,
  directory: Value | null,
  file: Makefile,
  given: ReadonlyMap<string, string>,
): Makefile {
  const more = file.includes.slice(0, 20).flatMap((name) => {
    if (/[$*?%]/.test(name)) return [];
    const path = directory ? below(directory, known(name)) : known(name);
    const { real } = inv.world.resolve(inv.cwd, path, true);
    const text = real === null ? null : readText(inv, real);
    return text === null ? [] : [readMakefile(text, given)];
  });
  if (more.length === 0) return file;
  return {
    ...file,
    rules: [...file.rules, ...more.flatMap((m) => m.rules)],
    variables: new Map([...more.flatMap((m) => [...m.variables]), ...file.variables]),
    shells: [...file.shells, ...more.flatMap((m) => m.shells)],
    first: file.first ?? more.find((m) => m.first !== null)?.first ?? null,
  };
}

interface Recipe {
  readonly needs: readonly string[];
  readonly lines: readonly string[];
}

/** Recipes of a justfile (just.systems/man): a name, its dependencies, indented lines. */
function justRecipes(text: string): {
  readonly recipes: ReadonlyMap<string, Recipe>;
  readonly first: string | null;
  readonly variables: ReadonlyMap<string, string>;
} {
  const recipes = new Map<string, Recipe>();
  const variables = new Map<string, string>();
  let lines: string[] | null = null;
  let first: string | null = null;
  for (const line of text.split('\n').slice(0, 20_000)) {
    if (/^[ \t]+\S/.test(line)) {
      lines?.push(line.trim());
      continue;
    }
    const assigned = /^(?:export\s+)?([\w-]+)\s*:=\s*["'](.*)["']\s*$/.exec(line);
    if (assigned) variables.set(assigned[1] as string, assigned[2] as string);
    const head = /^@?([\w-]+)([^:=]*):(?!=)(.*)$/.exec(line);
    if (!head || /^(?:set|alias|import|mod|export)\s/.test(line)) {
      if (line.trim() !== '' && !line.startsWith('#')) lines = null;
      continue;
    }
    lines = [];
    first ??= head[1] as string;
    const needs = [...(head[3] as string).replace(/#.*$/, '').matchAll(/\(?([\w-]+)[^\s)]*\)?/g)].map(
      (m) => m[1] as string,
    );
    recipes.set(head[1] as string, { needs, lines });
  }
  return { recipes, first, variables };
}

function just(args: Parsed, inv: Invocation): Outcome {
  const [verb] = args.operands;
  const seen = { subcommand: render(verb ?? []), operands: args.operands };
  if (
    args.has(
      'l',
      's',
      'summary',
      'dump',
      'evaluate',
      'fmt',
      'choose',
      'n',
      'version',
      'variables',
      'groups',
      'man',
      'help',
    )
  )
    return seen;
  const command = args.value('c');
  if (args.has('c') && command)
    return { ...seen, nested: [{ kind: 'argv', via: 'just --command', argv: [command, ...args.operands] }] };
  const named = args.value('f');
  const directory = args.value('d');
  const source = [...(named ? [named] : ['justfile', 'Justfile', '.justfile'].map((n) => known(n)))].map((n) =>
    directory && !named ? below(directory, n) : n,
  );
  const files = named || directory ? [draft('exec', source[0] as Value)] : [];
  for (const path of source) {
    const { real } = inv.world.resolve(inv.cwd, path, true);
    const text = real === null ? null : readText(inv, real);
    if (text === null) continue;
    const { recipes, first, variables } = justRecipes(text);
    const named1 = args.operands.map(render).filter((n) => recipes.has(n));
    const wanted = verb ? named1 : first === null ? [] : [first];
    return { ...seen, files, nested: recipeScripts(recipes, wanted, variables, directory ? { cwd: directory } : {}) };
  }
  return { ...seen, files, opaque: true };
}

function recipeScripts(
  recipes: ReadonlyMap<string, Recipe>,
  wanted: readonly string[],
  variables: ReadonlyMap<string, string>,
  base: { readonly cwd?: Value },
): readonly Nested[] {
  const nested: Nested[] = [];
  const done = new Set<string>();
  const visit = (name: string): void => {
    const recipe = recipes.get(name);
    if (!recipe || done.has(name) || nested.length > 200) return;
    done.add(name);
    for (const need of recipe.needs) visit(need);
    const filled = recipe.lines.map((line) => braces(line, variables));
    // A recipe that begins with `#!` is one script; others run line by line.
    if (recipe.lines[0]?.startsWith('#!')) {
      if (/\b(?:ba|z|da|k)?sh\b/.test(recipe.lines[0]))
        nested.push({
          kind: 'script',
          via: 'just',
          text: concat(...filled.flatMap((l): Value[] => [l, ['\n']])),
          ...base,
        });
      return;
    }
    for (const [at, line] of filled.entries()) {
      const text = typeof line[0] === 'string' ? concat([line[0].replace(/^[@-]+/, '')], line.slice(1)) : line;
      if (!(recipe.lines[at] as string).startsWith('#')) nested.push({ kind: 'script', via: 'just', text, ...base });
    }
  };
  for (const name of wanted) visit(name);
  return nested;
}

/** `{{name}}` from the file's own assignments; other expressions are holes. */
function braces(line: string, variables: ReadonlyMap<string, string>): Value {
  return concat(
    ...line.split(/(\{\{[^}]*\}\})/).map((piece): Value => {
      if (!piece.startsWith('{{')) return known(piece);
      const name = piece.slice(2, -2).trim();
      const value = variables.get(name);
      return value === undefined ? [{ hole: name, like: 'any' }] : known(value);
    }),
  );
}

/** Commands of a task in a Taskfile (taskfile.dev): `cmds:` entries, `cmd:`, or a text of its own. */
function taskCommands(text: string, name: string): readonly string[] {
  const lines = text.split('\n').slice(0, 20_000);
  const start = lines.findIndex((l) => new RegExp(`^  ["']?${name.replace(/[^\w:-]/g, '')}["']?:`).test(l));
  if (start < 0) return [];
  const inline = /^ {2}[^:]+:\s*(\S.*)$/.exec(lines[start] as string)?.[1];
  const found: string[] = inline ? [inline] : [];
  for (const line of lines.slice(start + 1)) {
    if (/^ {0,2}\S/.test(line)) break;
    const command = /^\s+(?:-\s+(?:cmd:\s*)?|cmd:\s*)(?!task:|defer:)(\S.*)$/.exec(line)?.[1];
    if (command) found.push(command);
  }
  return found.map((c) => c.replace(/^(["'])(.*)\1$/, '$2')).slice(0, 100);
}

function task(args: Parsed, inv: Invocation): Outcome {
  const seen = { subcommand: render(args.operands[0] ?? []), operands: args.operands };
  if (args.has('l', 'a', 'n', 'version', 'summary', 'status')) return seen;
  const directory = args.value('d');
  const named = args.value('t');
  for (const name of named
    ? [named]
    : ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'Taskfile.dist.yml'].map((n) => known(n))) {
    const { real } = inv.world.resolve(inv.cwd, directory ? below(directory, name) : name, true);
    const text = real === null ? null : readText(inv, real);
    if (text === null) continue;
    const wanted = args.operands.length > 0 ? args.operands.map(render) : ['default'];
    const nested = wanted
      .flatMap((w) => taskCommands(text, w))
      .map(
        (line): Nested => ({
          kind: 'script',
          via: 'task',
          text: goTemplate(line),
          ...(directory ? { cwd: directory } : {}),
        }),
      );
    return { ...seen, nested };
  }
  return { ...seen, opaque: true };
}

function goTemplate(line: string): Value {
  return concat(
    ...line
      .split(/(\{\{[^}]*\}\})/)
      .map((p): Value => (p.startsWith('{{') ? [{ hole: p.slice(2, -2).trim(), like: 'any' }] : known(p))),
  );
}

/** make, just and task: recipes of the requested targets are read and analysed as shell code. */
export const makes: readonly Program[] = [
  define({
    names: ['make', 'gmake', 'bmake', 'mingw32-make', 'remake'],
    manual: 'make(1), GNU',
    summary: 'runs the recipes of a makefile',
    options:
      'f file makefile:, C directory:, E eval:, j jobs?, l load-average?, I include-dir:, o old-file:, W what-if:, n just-print dry-run recon, q question, t touch, k keep-going, s silent quiet, B always-make, i ignore-errors, e environment-overrides, p print-data-base, r no-builtin-rules, R no-builtin-variables, w print-directory, d, debug?, O output-sync?, no-print-directory, v version, h help, S, trace',
    run: make,
  }),
  define({
    names: ['just'],
    manual: 'just(1)',
    summary: 'runs the recipes of a justfile',
    options:
      'f justfile:, d working-directory:, l list, s show:, summary, dump, evaluate, fmt, choose, n dry-run, c command:, set:, q quiet, v verbose, u unstable, e edit, version, variables, groups, man, help, shell:, shell-arg:, yes, unsorted, dotenv-path:, color:',
    style: { stopAtOperand: true },
    run: just,
  }),
  define({
    names: ['task', 'go-task'],
    manual: 'task(1), taskfile.dev',
    summary: 'runs the tasks of a Taskfile',
    options:
      'd dir:, t taskfile:, l list, a list-all, n dry, p parallel, w watch, f force, s silent, v verbose, y yes, version, summary, status, C concurrency:, o output:, x exit-code, g global',
    run: task,
  }),
];
