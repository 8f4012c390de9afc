import type { Invocation, Outcome } from '../model/program.ts';
import { known, knownPrefix, render, textOf, type Value } from '../model/value.ts';
import { draft, drafts, effect, word } from './drafts.ts';
import { installs } from './installs.ts';
import { pip } from './pip.ts';
import { afterOptions, fetchedTool, runnerOutcome, valueAfter } from './python-runners.ts';
import { cut } from './words.ts';

export function uv(inv: Invocation, list: readonly Value[]): Outcome {
  const { own, rest } = afterOptions(list);
  const [verb, ...more] = rest;
  const name = word(verb);
  const plain = more.filter((w) => !render(w).startsWith('-'));
  switch (name) {
    case 'run': {
      const out = runnerOutcome(inv, 'uv run', [...own, ...more]);
      return { subcommand: name, ...out };
    }
    case 'pip':
      return { ...pip(more, inv), subcommand: `pip ${word(more[0])}` };
    case 'tool':
    case 'x': {
      const [action, ...tool] = more;
      if (word(action) === 'run') return { subcommand: 'tool run', ...fetchedTool(inv, 'uv tool run', tool) };
      if (word(action) === 'install')
        return {
          subcommand: 'tool install',
          effects: installs({ packages: tool.filter((w) => !render(w).startsWith('-')), global: true }),
        };
      return { subcommand: `tool ${word(action)}` };
    }
    case 'add':
      return { subcommand: name, effects: installs({ packages: packagesOf(more), ...indexOf(more) }) };
    case 'sync':
      return { subcommand: name, effects: installs({ packages: [] }) };
    case 'venv':
      return {
        subcommand: name,
        files: drafts('create', plain.length > 0 ? plain.slice(0, 1) : [['.venv']], { recursive: true }),
      };
    case 'init':
      return { subcommand: name, files: drafts('create', plain.slice(0, 1), { recursive: true }) };
    case 'publish':
      return {
        subcommand: name,
        effects: [effect('publish', 'Python package')],
        dests: [{ address: ['https://upload.pypi.org'], sends: 'file' }],
      };
    case 'build':
      return {
        subcommand: name,
        files: drafts('write', [valueAfter(more, '-o') ?? valueAfter(more, '--out-dir') ?? ['dist']], {
          recursive: true,
        }),
      };
    case 'python':
      return /^(?:install|uninstall)$/.test(word(more[0]))
        ? { subcommand: `python ${word(more[0])}`, effects: [effect('install-global', `Python ${word(more[1])}`)] }
        : { subcommand: name };
    case 'self':
      return word(more[0]) === 'update'
        ? { subcommand: 'self update', effects: [effect('install-global', 'uv')] }
        : { subcommand: name };
    case 'export':
      return {
        subcommand: name,
        files: drafts(
          'write',
          [valueAfter(more, '-o') ?? valueAfter(more, '--output-file') ?? []].filter((v) => v.length > 0),
        ),
      };
    default:
      return { subcommand: name };
  }
}

/** Options of `add` with a value that is no package. */
const VALUED = /^--(?:index|index-url|default-index|source|group|optional|extra|python|package|markers)$|^-[GpE]$/;

function packagesOf(list: readonly Value[]): readonly Value[] {
  return list.filter((w, at) => !render(w).startsWith('-') && !VALUED.test(render(list[at - 1] ?? [])));
}

function indexOf(list: readonly Value[]): { readonly index?: readonly Value[] } {
  const index = ['--index', '--index-url', '--default-index', '--source']
    .map((n) => valueAfter(list, n))
    .filter((v): v is Value => v !== null)
    // uv: an index may have a name, `pytorch=https://…`.
    .map((v) => (/^[\w-]+=https?:/.test(knownPrefix(v)) ? (cut(v, '=')?.[1] ?? v) : v));
  return index.length > 0 ? { index } : {};
}

/** Project managers that share their verbs: poetry, pdm, hatch, pipenv, rye. */
export function manager(inv: Invocation): Outcome {
  const { own, rest } = afterOptions(inv.argv.slice(1));
  const [verb, ...more] = rest;
  const name = word(verb);
  const plain = more.filter((w) => !render(w).startsWith('-'));
  const directory = valueAfter(own, '--directory') ?? valueAfter(own, '-C') ?? valueAfter(own, '-p');
  switch (name) {
    case 'run': {
      const runnable =
        inv.name === 'hatch' ? more.map((w, at) => (at === 0 ? known(render(w).replace(/^[\w.-]+:/, '')) : w)) : more;
      return {
        subcommand: name,
        ...runnerOutcome(inv, `${inv.name} run`, directory ? [known('--directory'), directory, ...runnable] : runnable),
      };
    }
    case 'add':
      return { subcommand: name, effects: installs({ packages: packagesOf(more), ...indexOf(more) }) };
    case 'install':
    case 'sync':
    case 'update':
    case 'lock':
      return {
        subcommand: name,
        effects: installs({ packages: inv.name === 'pipenv' ? plain : [], ...indexOf(more) }),
      };
    case 'publish':
      return {
        subcommand: name,
        effects: [effect('publish', 'Python package')],
        dests: [{ address: ['https://upload.pypi.org'], sends: 'file' }],
      };
    case 'build':
      return { subcommand: name };
    case 'new':
    case 'init':
      return { subcommand: name, files: drafts('create', plain.slice(0, 1), { recursive: true }) };
    case 'config':
      // `poetry config --local` and a mere look change nothing of the user's.
      return plain.length > 1 && !more.some((w) => textOf(w) === '--local')
        ? { subcommand: name, files: [draft('write', [`${inv.world.home}/.config/pypoetry/config.toml`])] }
        : { subcommand: name };
    case 'source': {
      const content = word(plain[0]) === 'add' ? `[[tool.poetry.source]]\nurl = "${render(plain[2] ?? [])}"` : null;
      return content === null
        ? { subcommand: name }
        : { subcommand: name, files: [draft('write', ['pyproject.toml'], { content: known(content) })] };
    }
    case 'self':
      return { subcommand: name, effects: [effect('install-global', inv.name)] };
    case 'env':
      return { subcommand: `env ${word(more[0])}` };
    default:
      return { subcommand: name };
  }
}

export function conda(inv: Invocation): Outcome {
  const [verb, ...more] = inv.argv.slice(1);
  const name = word(verb);
  const plain = more.filter(
    (w, at) => !render(w).startsWith('-') && !/^-(?:n|p|c|-name|-prefix|-channel)$/.test(render(more[at - 1] ?? [])),
  );
  const prefix = valueAfter(more, '-p') ?? valueAfter(more, '--prefix');
  const index = more.flatMap((w, at) =>
    /^(?:-c|--channel)$/.test(render(w)) && /^https?:/.test(render(more[at + 1] ?? [])) ? [more[at + 1] as Value] : [],
  );
  switch (name) {
    case 'run': {
      const { rest } = afterOptions(more);
      return {
        subcommand: name,
        nested: rest.length > 0 ? [{ kind: 'argv', via: `${inv.name} run`, argv: rest, stdin: inv.stdin }] : [],
      };
    }
    case 'install':
    case 'update':
    case 'create':
      return {
        subcommand: name,
        effects: installs({ packages: plain, index }),
        files: prefix ? drafts('create', [prefix], { recursive: true }) : [],
      };
    case 'remove':
    case 'uninstall':
      return {
        subcommand: name,
        files: prefix && more.some((w) => textOf(w) === '--all') ? drafts('delete', [prefix], { recursive: true }) : [],
      };
    case 'env': {
      const action = word(more[0]);
      return {
        subcommand: `env ${action}`,
        files: action === 'remove' && prefix ? drafts('delete', [prefix], { recursive: true }) : [],
      };
    }
    case 'config':
      return {
        subcommand: name,
        files: more.some((w) => /^--(?:add|append|prepend|set|remove)/.test(render(w)))
          ? [draft('write', [`${inv.world.home}/.condarc`])]
          : [],
      };
    case 'init':
      return { subcommand: name, files: [draft('write', [`${inv.world.home}/.bashrc`])] };
    default:
      return { subcommand: name };
  }
}
