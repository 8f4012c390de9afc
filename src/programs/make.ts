import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { known, render, textOf, type Value } from '../model/value.ts';
import { define, type Program } from './define.ts';
import { draft, isStdin } from './drafts.ts';
import { codeFrom } from './interpreter.ts';
import { expand, type Makefile, readMakefile, recipesOf, shellCalls } from './makefile.ts';
import type { Parsed } from './options.ts';
import { readText, unseen } from './package-scripts.ts';
import { below } from './paths.ts';
import { assignmentOf } from './split-value.ts';
import { just, task } from './task-runners.ts';

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

/** Assignments among the operands, commands that these run by themselves, and the targets. */
function split(operands: readonly Value[]): {
  readonly targets: readonly Value[];
  readonly variables: ReadonlyMap<string, string>;
  readonly shells: readonly Shell[];
} {
  const variables = new Map<string, string>();
  const targets: Value[] = [];
  const shells: Shell[] = [];
  for (const operand of operands) {
    const pair = assignmentOf(operand);
    const [, name, sign, value] = /^([\w.-]+)\s*(::?:?|\?|\+|!)=(.*)$/s.exec(render(operand)) ?? [];
    const text = pair ? textOf(pair[1]) : (value ?? null);
    if (!pair && name === undefined) {
      targets.push(operand);
      continue;
    }
    if (sign === '!') shells.push({ text: value as string, certain: true });
    else if (text !== null) {
      variables.set(pair?.[0] ?? (name as string), text);
      // A plain `=` is expanded where the makefile uses it, `:=` at once.
      for (const call of shellCalls(text)) shells.push({ text: call, certain: sign?.startsWith(':') ?? false });
    }
  }
  return { targets, variables, shells };
}

interface Shell {
  readonly text: string;
  readonly certain: boolean;
}

function make(args: Parsed, inv: Invocation): Outcome {
  const directory = directoryOf(args);
  const { targets, variables, shells } = split(args.operands);
  const seen = { subcommand: render(targets[0] ?? []), operands: args.operands };
  if (args.has('version', 'h')) return seen;
  const cwd = directory ? { cwd: below(inv.cwd, directory) } : {};
  const lookup = (name: string): string | null => {
    const own = inv.env.get(name);
    return own ? textOf(own) : inv.world.env(name);
  };
  const texts = args.values('eval');
  const evaluated = texts.map((t) => readMakefile(render(t), variables));
  const atRead = [
    ...shells.map(({ text, certain }): Nested => ({ ...nestedShell(inv, known(text), cwd), certain })),
    ...evaluated.flatMap((file) => file.shells.map((s) => nestedShell(inv, expand(file, s, new Map(), lookup), cwd))),
  ];
  const dry = args.has('n', 'q', 't');
  const tool = [...variables].find(
    ([name, value]) =>
      /^(CC|CXX|CPP|LD|AR|AS|MAKE|PYTHON|NODE)$/.test(name) && /^(\/tmp|\/var\/tmp|\/dev\/shm)\//.test(value),
  );
  const flags = variables.get('MAKEFLAGS') ?? '';
  const shell = variables.get('SHELL');
  const files: FileDraft[] = shell ? [draft('exec', known(shell))] : [];
  // Where an installation goes when its caller says so (GNU coding standards, DESTDIR and prefix).
  if (targets.some((target) => /^(un)?install/.test(render(target))) && !dry)
    for (const [name, value] of variables)
      if (/^(DESTDIR|PREFIX|prefix|INSTALL_ROOT)$/.test(name) && /^[/.]/.test(value))
        files.push(draft('write', known(value), { recursive: true, partial: true }));
  const named = args.value('f');
  const source = sourceOf(inv, directory, named);
  const shown: Value | null =
    source && (directory || named) ? source.path : directory ? below(directory, ['Makefile']) : null;
  if (shown && !isStdin(shown)) files.push(draft('exec', shown));
  const effects: EffectDraft[] = named && isStdin(named) ? [...codeFrom(inv.stdin.taints, inv.name)] : [];
  if (shell && !/^(?:\/usr)?(?:\/local)?(?:\/bin\/)?(?:env )?(?:ba|da|z|k)?sh$/.test(shell))
    effects.push({ kind: 'env-inject', target: 'SHELL', detail: `recipes run in ${shell}` });
  if (tool) effects.push({ kind: 'env-inject', target: tool[0], detail: `recipes run ${tool[1]}` });
  if (/--eval|\$\(shell/.test(flags)) effects.push({ kind: 'env-inject', target: 'MAKEFLAGS', detail: flags });
  const given = evaluated.flatMap((file) =>
    recipesOf(
      file,
      targets.length > 0 ? targets.map(render) : file.first === null ? [] : [file.first],
      lookup,
      dry,
    ).map((text): Nested => ({ kind: 'script', via: `${inv.name} --eval`, text, dialect: 'sh', ...cwd })),
  );
  if (!source || source.text === null) {
    return {
      ...seen,
      files,
      effects: [
        ...effects,
        ...(shown && isStdin(shown) ? [] : unseen(inv, shown ? [draft('exec', shown)] : [], 'Makefile')),
      ],
      nested: [...atRead, ...given],
      opaque: true,
    };
  }
  const file = withIncludes(inv, directory, readMakefile(source.text, variables), variables);
  // -n, -q and -t run few recipes, but the file is still read.
  const wanted = targets.length > 0 ? targets.map(render) : file.first === null ? [] : [file.first];
  const recipes = recipesOf(file, wanted, lookup, dry);
  const nested = [
    ...atRead,
    ...given,
    ...file.shells.slice(0, MOST_SHELLS).map((s) => nestedShell(inv, expand(file, s, new Map(), lookup), cwd)),
    ...(file.shells.length > MOST_SHELLS ? [nestedShell(inv, [MORE_SHELLS], cwd)] : []),
    ...recipes.map((text): Nested => ({ kind: 'script', via: inv.name, text, dialect: 'sh', ...cwd })),
  ];
  return { ...seen, files, effects, nested };
}

/** Commands that make runs while it reads a makefile; what is more is unknown. */
const MOST_SHELLS = 500;
const MORE_SHELLS = { hole: 'more commands of a makefile than are analysed', like: 'any', taint: 'cut' } as const;

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
