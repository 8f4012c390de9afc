import type { DestDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { known, knownPrefix, render, textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { draft, drafts, effect, word } from './drafts.ts';
import { installs } from './installs.ts';
import { grammar, type Parsed, parseOptions } from './options.ts';
import { ordinary } from './ordinary.ts';

const PIP =
  'r requirement:, c constraint:, e editable:, t target:, prefix:, root:, d dest:, w wheel-dir:, i index-url:, extra-index-url:, f find-links:, U upgrade, user, break-system-packages, no-deps, pre, y yes, q quiet, v verbose, group:, no-index, cache-dir:, python:, p:, only-binary:, no-binary:, platform:, python-version:, log:, proxy:, timeout:, trusted-host:, global, site, force-reinstall, system, n no-build-isolation, report:, dry-run, progress-bar:, index:, default-index:, override:, resolution:, o output-file:, extra:, all-extras';

/** `pip …` and `uv pip …`. */
export function pip(words: readonly Value[], inv: Invocation): Outcome {
  const args = parseOptions([[''], ...words], grammar(PIP));
  const [verb, ...names] = args.operands;
  const name = word(verb);
  return { subcommand: name, flags: args.flags, operands: args.operands, ...pipVerb(name, names, args, inv) };
}

function pipVerb(name: string, names: readonly Value[], args: Parsed, inv: Invocation): Outcome {
  switch (name) {
    case 'install':
    case 'sync':
      if (args.has('dry-run')) return {};
      return {
        files: [
          ...drafts(
            'read',
            [...args.values('r'), ...args.values('c')].filter((p) => !/^https?:/.test(knownPrefix(p))),
          ),
          ...drafts('write', [...args.values('t'), ...args.values('prefix'), ...args.values('root')], {
            recursive: true,
          }),
        ],
        effects: installs({
          packages: [...names, ...args.values('e'), ...args.values('r').filter((p) => /^https?:/.test(knownPrefix(p)))],
          global: args.has('user', 'break-system-packages', 'system'),
          index: [
            ...args.values('i'),
            ...args.values('extra-index-url'),
            ...args.values('index'),
            ...args.values('default-index'),
            ...args.values('f').filter((p) => /^https?:/.test(knownPrefix(p))),
          ],
          ...(names.length === 0 && args.has('r', 'e', 'group') ? { what: 'dependencies of the project' } : {}),
        }),
      };
    case 'download':
      return {
        files: drafts('write', [args.value('d') ?? ['.']], { partial: true }),
        effects: installs({ packages: names, index: args.values('i') }),
      };
    case 'wheel':
      return {
        files: drafts('write', [args.value('w') ?? ['.']], { partial: true }),
        effects: installs({ packages: names, index: args.values('i') }),
      };
    case 'compile':
      return { files: [...drafts('read', names), ...drafts('write', args.values('o'))] };
    case 'config': {
      const verb = word(names[0]);
      if (!/^(?:set|unset|edit)$/.test(verb)) return {};
      const path = args.has('global') ? '/etc/pip.conf' : `${inv.world.home}/.config/pip/pip.conf`;
      return { files: [draft('write', [path])] };
    }
    default:
      return {};
  }
}

/** Where a runner's own options end: its options that take a value. */
const VALUED = new Set(
  words(
    '--with --with-editable --with-requirements --python -p --directory --project --extra --group --env-file --index --index-url --default-index --package --from -n --name --prefix --cwd -C -e --env --only-group --no-group --isolated-dir --refresh-package -P',
  ),
);

/** The program after a runner's own options, and the options before it. */
export function afterOptions(
  list: readonly Value[],
  valued: ReadonlySet<string> = VALUED,
): { readonly own: readonly Value[]; readonly rest: readonly Value[] } {
  let i = 0;
  for (; i < list.length; i++) {
    const text = render(list[i] as Value);
    if (text === '--') return { own: list.slice(0, i), rest: list.slice(i + 1) };
    if (!text.startsWith('-')) break;
    if (text === '-' || text === '-m' || text === '--module' || text === '-s' || text === '--script') break;
    if (valued.has(text)) i++;
  }
  return { own: list.slice(0, i), rest: list.slice(i) };
}

/** `uv run`, `poetry run`: a program, a Python file, `-m module`, `-` or a URL. */
export function runnerOutcome(inv: Invocation, via: string, list: readonly Value[]): Outcome {
  const { own, rest } = afterOptions(list);
  const directory = valueAfter(own, '--directory') ?? valueAfter(own, '--cwd') ?? valueAfter(own, '-C');
  const [first, ...more] = rest;
  if (!first) return {};
  const text = render(first);
  const base = directory ? { via, cwd: directory } : { via };
  if (/^https?:\/\//.test(text))
    return { dests: [urlDest(first)], effects: [effect('exec-remote', text, `${via} runs code from the network`)] };
  const isPython = text === '-' || text === '-m' || /\.pyw?$/.test(text) || text === '--script' || text === '-s';
  const argv =
    text === '--script' || text === '-s' || text === '--module'
      ? [known('python'), ...(text === '--module' ? [known('-m')] : []), ...more]
      : isPython
        ? [known('python'), ...rest]
        : rest;
  const nested: Nested = { kind: 'argv', argv, stdin: inv.stdin, ...base };
  return { nested: [nested], ...withPackages(own) };
}

function urlDest(address: Value): DestDraft {
  return { address, sends: 'nothing' };
}

function valueAfter(list: readonly Value[], name: string): Value | null {
  const at = list.findIndex((w) => textOf(w) === name);
  return at < 0 ? null : (list[at + 1] ?? null);
}

/** `uv run --with PACKAGE`. */
function withPackages(own: readonly Value[]): Outcome {
  const packages = own.flatMap((w, at) => (textOf(own[at - 1] ?? []) === '--with' ? [w] : []));
  return packages.length > 0 ? { effects: installs({ packages }) } : {};
}

/** Tools run from a registry: `uvx ruff`, `pipx run black`. */
function fetchedTool(inv: Invocation, via: string, list: readonly Value[]): Outcome {
  const { own, rest } = afterOptions(list);
  const from = valueAfter(own, '--from') ?? valueAfter(own, '--spec');
  const [first, ...more] = rest;
  if (!first) return {};
  const name = render(first)
    .replace(/(?:@|==).*$/, '')
    .replace(/\[.*\]$/, '');
  return {
    effects: installs({ packages: [from ?? first] }),
    nested: [{ kind: 'argv', via, argv: [known(name), ...more], stdin: inv.stdin }],
  };
}

function uv(inv: Invocation, list: readonly Value[]): Outcome {
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
      return { subcommand: name, effects: installs({ packages: plain, ...indexOf(more) }) };
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

function indexOf(list: readonly Value[]): { readonly index?: readonly Value[] } {
  const index = ['--index', '--index-url', '--default-index', '--source']
    .map((n) => valueAfter(list, n))
    .filter((v): v is Value => v !== null);
  return index.length > 0 ? { index } : {};
}

/** Project managers that share their verbs: poetry, pdm, hatch, pipenv, rye. */
function manager(inv: Invocation): Outcome {
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
      return { subcommand: name, effects: installs({ packages: plain, ...indexOf(more) }) };
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
    case 'self':
      return { subcommand: name, effects: [effect('install-global', inv.name)] };
    case 'env':
      return { subcommand: `env ${word(more[0])}` };
    default:
      return { subcommand: name };
  }
}

function conda(inv: Invocation): Outcome {
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

const rest = (inv: Invocation): readonly Value[] => inv.argv.slice(1);

/** Python's package and project tools. */
export const pythonTools: readonly Program[] = [
  define({
    names: words('pip pip2 pip3'),
    manual: 'pip(1)',
    summary: 'installs Python packages',
    run: (_, inv) => pip(rest(inv), inv),
  }),
  define({
    names: ['pipx'],
    manual: 'pipx(1)',
    summary: 'installs or runs Python tools in environments of their own',
    run: (args, inv) => {
      const [verb, ...more] = args.operands;
      const name = word(verb);
      if (name === 'run') return { subcommand: name, ...fetchedTool(inv, 'pipx run', rest(inv).slice(1)) };
      if (/^(?:install|inject|upgrade)$/.test(name))
        return { subcommand: name, effects: installs({ packages: more, global: true }) };
      return { subcommand: name };
    },
  }),
  define({
    names: ['uv'],
    manual: 'uv help',
    summary: 'manages Python projects, environments and tools',
    run: (_, inv) => uv(inv, rest(inv)),
  }),
  define({
    names: ['uvx'],
    manual: 'uv help tool run',
    summary: 'runs a Python tool from the registry',
    run: (_, inv) => fetchedTool(inv, 'uvx', rest(inv)),
  }),
  define({
    names: words('poetry pdm hatch pipenv rye'),
    manual: 'poetry(1), pdm(1), hatch(1), pipenv(1)',
    summary: 'manages a Python project',
    run: (_, inv) => manager(inv),
  }),
  define({
    names: words('conda mamba micromamba'),
    manual: 'conda(1)',
    summary: 'manages environments',
    run: (_, inv) => conda(inv),
  }),
  define({
    names: ['virtualenv'],
    manual: 'virtualenv(1)',
    summary: 'makes a Python environment',
    options: 'p python:, prompt:, clear, system-site-packages, q quiet, v verbose',
    run: (args) => ({ files: drafts('create', args.operands, { recursive: true }) }),
  }),
  define({
    names: words('pytest py.test'),
    manual: 'pytest(1)',
    summary: 'runs the tests of the project',
    options:
      'k:, m:, x, q quiet, v verbose, s, l, n numprocesses:, p:, c:, o override-ini:, rootdir:, basetemp:, junitxml junit-xml:, maxfail:, tb:, cov?, cov-report:, cov-fail-under:, durations:, ignore:, deselect:, pdbcls:, log-file:, html:, r:, W:, lf, ff, timeout:, confcutdir:, import-mode:',
    run: (args) => ({
      files: [
        ...drafts('write', [...args.values('junitxml'), ...args.values('log-file'), ...args.values('html')]),
        ...drafts('delete', args.values('basetemp'), { recursive: true }),
        ...drafts(
          'exec',
          args.operands.map((path) => known(render(path).replace(/::.*$/s, ''))).filter((p) => p.length > 0),
          { certain: false },
        ),
      ],
    }),
  }),
  define({
    names: words('flask uvicorn gunicorn hypercorn streamlit fastapi daphne waitress-serve'),
    manual: 'flask(1), uvicorn(1), gunicorn(1)',
    summary: 'serves a Python application',
    options:
      'app:, A:, debug, h host:, p port:, b bind:, w workers:, k worker-class:, reload, c config:, e env-file:, log-level:, factory',
    run: (args, inv) => {
      const verb = word(args.operands[0]);
      if (inv.name === 'flask' && verb !== 'run') {
        const db = verb === 'db' ? word(args.operands[1]) : '';
        return {
          subcommand: [verb, db].filter(Boolean).join(' '),
          effects: db === 'upgrade' || db === 'downgrade' ? [effect('db-write', db)] : [],
        };
      }
      return { subcommand: verb, effects: [effect('listen', render(args.value('p') ?? args.value('b') ?? ['8000']))] };
    },
  }),
  define({
    names: words('jupyter jupyter-notebook jupyter-lab'),
    manual: 'jupyter(1)',
    summary: 'serves or converts notebooks',
    options: 'to:, output:, output-dir:, execute, inplace, port:, ip:, no-browser, allow-root',
    run: (args) => {
      const verb = word(args.operands[0]);
      if (verb === 'nbconvert') {
        const files = args.operands.slice(1);
        return {
          subcommand: verb,
          files: [
            ...drafts(args.has('inplace') ? 'write' : 'read', files),
            ...drafts('write', args.values('output-dir')),
          ],
          opaque: args.has('execute'),
        };
      }
      return {
        subcommand: verb,
        effects: /^(?:|notebook|lab|server)$/.test(verb)
          ? [effect('listen', render(args.value('port') ?? ['8888']))]
          : [],
      };
    },
  }),
  define({
    names: ['ruff'],
    manual: 'ruff help',
    summary: 'checks and formats Python code',
    options:
      'fix, fix-only, unsafe-fixes, diff, check, select:, ignore:, config:, o output-file:, output-format:, line-length:, exclude:, q quiet, n no-cache, e exit-zero',
    run: (args) => {
      const [verb, ...paths] = args.operands;
      const name = word(verb);
      const rewrites = !args.has('diff') && (name === 'format' ? !args.has('check') : args.has('fix', 'fix-only'));
      const files = paths.length > 0 ? paths : [['.']];
      return {
        subcommand: name,
        files: [
          ...drafts(rewrites ? 'write' : 'read', files, { recursive: true, partial: true }),
          ...drafts('write', args.values('o')),
        ],
      };
    },
  }),
  ordinary({
    names: words('black isort autopep8 yapf autoflake pyupgrade docformatter'),
    manual: 'black(1), isort(1)',
    summary: 'formats Python code',
    options:
      'check, diff, c code:, l line-length:, q quiet, v verbose, i in-place, r recursive, check-only, profile:, t target-version:, config:, exclude:, style:',
    rewrites: true,
    unless: ['check', 'diff', 'check-only', 'code'],
  }),
  ordinary({
    names: words(
      'mypy pyright basedpyright pylint flake8 bandit vulture pydocstyle pyflakes pycodestyle pytype ty pyre deptry',
    ),
    manual: 'mypy(1), pylint(1), flake8(1)',
    summary: 'checks Python code',
    options:
      'p:, m:, config-file:, config:, rcfile:, r:, f:, o output:, select:, ignore:, max-line-length:, strict, j:, exclude:, junit-xml:, output-file:, severity-level:, install-types, non-interactive',
    writes: ['o', 'junit-xml', 'output-file'],
  }),
  ordinary({
    names: words('tox nox'),
    manual: 'tox(1), nox(1)',
    summary: 'runs the sessions of the project',
    options: 'e:, s:, k:, f:, c conf:, r, p:, q, v, workdir:, t:, x:',
    writes: ['workdir'],
    skip: 99,
  }),
  ordinary({
    names: words('sphinx-build mkdocs pdoc cookiecutter'),
    manual: 'sphinx-build(1)',
    summary: 'builds documentation',
    options: 'b:, d:, c:, W, n, E, a, j:, D:, f config-file:, site-dir:, q, o output-dir:',
    writes: ['d', 'site-dir', 'o'],
    skip: 99,
  }),
  ordinary({
    names: words('build pyproject-build flit cibuildwheel'),
    manual: 'python -m build',
    summary: 'builds packages',
    options: 'o outdir:, s sdist, w wheel, n no-isolation',
    writes: ['o'],
    skip: 99,
  }),
];
