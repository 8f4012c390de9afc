import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { concat, known, render, textOf, type Value } from '../model/value.ts';
import { draft } from './drafts.ts';
import type { Parsed } from './options.ts';
import { readText } from './package-scripts.ts';
import { below } from './paths.ts';
import { xargsWords } from './split-value.ts';
import { taskfileCommands } from './taskfile.ts';

interface Recipe {
  readonly needs: readonly string[];
  readonly lines: readonly string[];
}

/** Recipes of a justfile (just.systems/man): a name, its dependencies, indented lines. */
function justRecipes(text: string): {
  readonly recipes: ReadonlyMap<string, Recipe>;
  readonly first: string | null;
  readonly variables: ReadonlyMap<string, string>;
  /** Commands in back quotes among the assignments; they run whenever a recipe does. */
  readonly shells: readonly string[];
} {
  const recipes = new Map<string, Recipe>();
  const shells: string[] = [];
  const variables = new Map<string, string>();
  let lines: string[] | null = null;
  let first: string | null = null;
  for (const line of text.split('\n')) {
    if (/^[ \t]+\S/.test(line)) {
      lines?.push(line.trim());
      continue;
    }
    const assigned = /^(?:export\s+)?([\w-]+)\s*:=\s*["'](.*)["']\s*$/.exec(line);
    if (assigned) variables.set(assigned[1] as string, assigned[2] as string);
    else if (/^(?:export\s+)?[\w-]+\s*:=/.test(line))
      shells.push(
        ...[...line.matchAll(/`([^`]*)`|\bshell\(\s*["']([^"']*)["']/g)].map((m) => m[1] ?? (m[2] as string)),
      );
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
  return { recipes, first, variables, shells };
}

export function just(args: Parsed, inv: Invocation): Outcome {
  const [verb] = args.operands;
  const seen = { subcommand: render(verb ?? []), operands: args.operands };
  // The first ends its options: `-c` behind it belongs to the command.
  const [command] = args.values('c');
  if (command && command.length > 0) {
    const at = inv.argv.indexOf(command);
    if (inv.argv.slice(1, at).some((value) => /^(-n|--dry-run)$/.test(textOf(value) ?? ''))) return seen;
    // All that stands behind the command's name is its own, options too.
    const argv = [command, ...inv.argv.slice(at + 1)];
    return {
      ...seen,
      nested: [{ kind: 'argv', via: 'just --command', argv: argv.length > 1 ? argv : xargsWords(command) }],
    };
  }
  if (args.has('l', 's', 'summary', 'dump', 'fmt', 'choose', 'n', 'version', 'variables', 'groups', 'man', 'help'))
    return seen;
  const named = args.value('f');
  const directory = args.value('d');
  const source = [...(named ? [named] : ['justfile', 'Justfile', '.justfile'].map((n) => known(n)))].map((n) =>
    directory && !named ? below(directory, n) : n,
  );
  const files = named || directory ? [draft('exec', source[0] as Value)] : [];
  const at = directory ? { cwd: directory } : {};
  for (const path of source) {
    const { real } = inv.world.resolve(inv.cwd, path, true);
    const text = real === null ? null : readText(inv, real);
    if (text === null) continue;
    const { recipes, first, variables, shells } = justRecipes(text);
    const evaluated = shells.map((s): Nested => ({ kind: 'script', via: 'just', text: known(s), ...at }));
    if (args.has('evaluate')) return { ...seen, files, nested: evaluated };
    const named1 = args.operands.map(render).filter((n) => recipes.has(n));
    const wanted = verb ? named1 : first === null ? [] : [first];
    return { ...seen, files, nested: [...evaluated, ...recipeScripts(recipes, wanted, variables, at)] };
  }
  return { ...seen, files, opaque: true };
}

/** Commands of recipes that are looked at; what is more is unknown. */
const MOST_COMMANDS = 1000;
const MORE_COMMANDS = { hole: 'more recipes than are analysed', like: 'any', taint: 'cut' } as const;

function recipeScripts(
  recipes: ReadonlyMap<string, Recipe>,
  wanted: readonly string[],
  variables: ReadonlyMap<string, string>,
  base: { readonly cwd?: Value },
): readonly Nested[] {
  const nested: Nested[] = [];
  const done = new Set<string>();
  let cut = false;
  const visit = (name: string): void => {
    const recipe = recipes.get(name);
    if (!recipe || done.has(name) || cut) return;
    if (nested.length > MOST_COMMANDS) {
      cut = true;
      nested.push({ kind: 'script', via: 'just', text: [MORE_COMMANDS], ...base });
      return;
    }
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

export function task(args: Parsed, inv: Invocation): Outcome {
  const seen = { subcommand: render(args.operands[0] ?? []), operands: args.operands };
  if (args.has('l', 'a', 'version', 'summary')) return seen;
  const directory = args.value('d');
  const named = args.value('t');
  for (const name of named
    ? [named]
    : ['Taskfile.yml', 'Taskfile.yaml', 'taskfile.yml', 'Taskfile.dist.yml'].map((n) => known(n))) {
    const { real } = inv.world.resolve(inv.cwd, directory ? below(directory, name) : name, true);
    const text = real === null ? null : readText(inv, real);
    if (text === null) continue;
    const wanted = args.operands.length > 0 ? args.operands.map(render) : ['default'];
    const nested = taskfileCommands(text, wanted, args.has('n', 'status')).map(
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
