import type { Invocation } from '../model/program.ts';
import { known, render, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { drafts, effect, word } from './drafts.ts';
import { installs } from './installs.ts';
import { runsNotebooks } from './notebooks.ts';
import { ordinary } from './ordinary.ts';
import { pip } from './pip.ts';
import { conda, manager, uv } from './python-projects.ts';
import { fetchedTool } from './python-runners.ts';
import { merge } from './subcommands.ts';
import { withToolCode } from './tool-code.ts';

const rest = (inv: Invocation): readonly Value[] => inv.argv.slice(1);

/** Python's package and project tools. */
export const pythonTools: readonly Program[] = withToolCode([
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
          effects:
            db === 'upgrade' || db === 'downgrade'
              ? [effect(db === 'downgrade' && word(args.operands[2]) === 'base' ? 'db-drop' : 'db-write', db)]
              : [],
        };
      }
      return { subcommand: verb, effects: [effect('listen', render(args.value('p') ?? args.value('b') ?? ['8000']))] };
    },
  }),
  define({
    names: words('jupyter jupyter-notebook jupyter-lab'),
    manual: 'jupyter(1)',
    summary: 'serves or converts notebooks',
    options:
      'to:, output:, output-dir:, execute, inplace, port:, ip:, no-browser, allow-root, NotebookApp.token:, ServerApp.token:, IdentityProvider.token:, NotebookApp.password:, ServerApp.password:',
    run: (args, inv) => {
      const verb = word(args.operands[0]);
      const notebooks = args.operands.slice(1);
      if (verb === 'nbconvert') {
        const seen = {
          subcommand: verb,
          files: [
            ...drafts(args.has('inplace') ? 'write' : 'read', notebooks),
            ...drafts('write', args.values('output-dir')),
          ],
        };
        return args.has('execute') ? merge(seen, runsNotebooks(inv, notebooks)) : seen;
      }
      if (/^(?:execute|run)$/.test(verb)) return merge({ subcommand: verb }, runsNotebooks(inv, notebooks));
      if (!/^(?:|notebook|lab|server)$/.test(verb)) return { subcommand: verb, effects: [] };
      const port = render(args.value('port') ?? ['8888']);
      // Whoever reaches an open server without a token runs code here.
      const open = /^(?:0\.0\.0\.0|\*|::)$/.test(word(args.value('ip')));
      const unguarded = args
        .values('NotebookApp.token', 'ServerApp.token', 'IdentityProvider.token')
        .some((t) => t.length === 0);
      const shared = open && unguarded ? [effect('share-publicly', port, 'a notebook server that is open to all')] : [];
      return { subcommand: verb, effects: [effect('listen', port), ...shared] };
    },
  }),
  define({
    names: ['papermill', 'jupyter-execute', 'jupyter-run'],
    manual: 'papermill --help: INPUT OUTPUT; jupyter execute',
    summary: 'executes notebooks',
    options:
      'p parameters:, r parameters_raw:, f parameters_file:, y parameters_yaml:, b:, k kernel:, cwd:, log-output, inplace, timeout:, kernel_name:, allow-errors',
    run: (args, inv) => {
      const [input, output] = args.operands;
      if (inv.name !== 'papermill') return runsNotebooks(inv, args.operands);
      return merge({ files: drafts('write', output ? [output] : []) }, runsNotebooks(inv, input ? [input] : []));
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
    names: words('sphinx-build mkdocs pdoc'),
    manual: 'sphinx-build(1)',
    summary: 'builds documentation',
    options: 'b:, d:, c:, W, n, E, a, j:, D:, f config-file:, site-dir:, q, o output-dir:',
    writes: ['d', 'site-dir', 'o'],
    verbs: true,
    skip: 99,
  }),
  define({
    names: ['cookiecutter', 'copier', 'cruft'],
    manual: 'cookiecutter --help: templates have hooks',
    summary: 'makes a project from a template',
    options: 'o output-dir:, c checkout:, directory:, no-input, f overwrite-if-exists, r vcs-ref:, d data:, T, trust',
    run: (args) => {
      const source = args.operands.find((value) => /^(?:https?:|git@|git\+|gh:|gl:|bb:)/.test(render(value)));
      return {
        subcommand: word(args.operands[0]),
        files: drafts('write', args.values('o'), { recursive: true }),
        effects: source ? [effect('install-remote', render(source), 'its hooks run')] : [],
      };
    },
  }),
  ordinary({
    names: words('build pyproject-build flit cibuildwheel'),
    manual: 'python -m build',
    summary: 'builds packages',
    options: 'o outdir:, s sdist, w wheel, n no-isolation',
    writes: ['o'],
    verbs: true,
    skip: 99,
  }),
]);
