import type { EffectDraft } from '../model/effect.ts';
import type { Invocation, Outcome } from '../model/program.ts';
import { concat, EMPTY_STREAM, isDynamic, known, render, textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { django, djangoAdmin } from './django.ts';
import { drafts, effect, isStdin } from './drafts.ts';
import { runsCode, runsFile, runsStdin } from './interpreter.ts';
import { servesFiles } from './serving.ts';
import { merge } from './subcommands.ts';
import { withToolCode } from './tool-code.ts';

/** Where the interpreter's own options end: `-c CODE`, `-m MODULE`, a script, or nothing. */
interface Line {
  readonly kind: 'code' | 'module' | 'file' | 'none';
  readonly value: Value;
  readonly rest: readonly Value[];
  readonly flags: readonly string[];
}

const LONG_WITH_VALUE = new Set(['--check-hash-based-pycs']);

function lineOf(argv: readonly Value[]): Line {
  const flags: string[] = [];
  for (let i = 1; i < argv.length; i++) {
    const word = argv[i] as Value;
    const first = word[0];
    const start = typeof first === 'string' ? first : '';
    if (!start.startsWith('-') || start === '-') return { kind: 'file', value: word, rest: argv.slice(i + 1), flags };
    if (start.startsWith('--')) {
      flags.push(start.slice(2));
      if (textOf(word) === '--') continue;
      if (LONG_WITH_VALUE.has(start)) i++;
      continue;
    }
    for (let at = 1; at < start.length; at++) {
      const letter = start[at] as string;
      flags.push(letter);
      if (letter !== 'c' && letter !== 'm' && letter !== 'W' && letter !== 'X') continue;
      const attached = concat(
        [start.slice(at + 1)].filter((s) => s !== ''),
        word.slice(1),
      );
      if (attached.length === 0) i++;
      const value = attached.length > 0 ? attached : (argv[i] ?? []);
      if (letter === 'c') return { kind: 'code', value, rest: argv.slice(i + 1), flags };
      if (letter === 'm') return { kind: 'module', value, rest: argv.slice(i + 1), flags };
      break;
    }
  }
  return { kind: 'none', value: [], rest: [], flags };
}

function run(inv: Invocation): Outcome {
  const line = lineOf(inv.argv);
  const flags = line.flags;
  const injected = warningsModule(inv);
  const seen = { flags, operands: line.kind === 'none' ? [] : [line.value, ...line.rest] };
  switch (line.kind) {
    case 'code':
      return { ...merge(injected, runsCode(inv, 'python', line.value, line.rest)), ...seen };
    case 'module':
      return { ...merge(injected, runsModule(inv, line.value, line.rest)), ...seen };
    case 'file':
      return { ...merge(injected, runsScript(inv, line.value, line.rest)), ...seen };
    case 'none':
      if (flags.some((f) => f === 'V' || f === 'version' || f === 'h' || f === 'help')) return { ...injected, ...seen };
      return { ...merge(injected, runsStdin(inv, 'python', [])), ...seen };
  }
}

/** Modules named in PYTHONWARNINGS categories and PYTHONSTARTUP-like variables are loaded (python(1), -W). */
function warningsModule(inv: Invocation): Outcome {
  const value = inv.env.get('PYTHONWARNINGS');
  const category = value ? /^[^:]*:[^:]*:([\w]+)\.[\w.]*/.exec(render(value))?.[1] : undefined;
  if (!category) return {};
  return { effects: [{ kind: 'env-inject', target: 'PYTHONWARNINGS', detail: `imports ${category} at start` }] };
}

function runsScript(inv: Invocation, script: Value, args: readonly Value[]): Outcome {
  if (/(?:^|\/)manage\.py$/.test(textOf(script) ?? '')) {
    return merge(runsFile(inv, 'python', script, args), { stdout: EMPTY_STREAM }, django(inv, args));
  }
  if (/(?:^|\/)setup\.py$/.test(textOf(script) ?? '') && args.some((w) => /^(?:upload|register)$/.test(render(w))))
    return merge(runsFile(inv, 'python', script, args), { effects: [effect('publish', 'Python package')] });
  return runsFile(inv, 'python', script, args);
}

/** Modules whose command line is that of a program we know. */
const PROGRAMS = new Map<string, string>([
  ...words(
    'pip pytest black ruff mypy twine build tox nox jupyter notebook poetry virtualenv uv pipx flask alembic isort pylint flake8 pyright coverage ipython gunicorn uvicorn hypercorn streamlit mkdocs sphinx pre_commit autopep8 yapf pdm hatch conda celery scrapy ansible awscli litellm',
  ).map((name) => [name, name.replace('pre_commit', 'pre-commit')] as const),
  ['py.test', 'pytest'],
  ['django', 'django-admin'],
  ['IPython', 'ipython'],
]);

function runsModule(inv: Invocation, module: Value, rest: readonly Value[]): Outcome {
  const name = textOf(module);
  if (name === null)
    return {
      opaque: true,
      effects: [{ kind: 'exec-unknown', target: inv.name, detail: 'a module that is not known' }],
    };
  const program = PROGRAMS.get(name);
  if (program) return { nested: [{ kind: 'argv', via: `${inv.name} -m`, argv: [known(program), ...rest] }] };
  const plain = rest.filter((w) => !render(w).startsWith('-'));
  switch (name) {
    case 'http.server':
    case 'SimpleHTTPServer':
    case 'RangeHTTPServer':
    case 'pyftpdlib':
    case 'uploadserver':
      return { effects: pythonServes(inv, rest) };
    case 'venv':
      return { files: drafts('create', plain, { recursive: true }) };
    case 'json.tool': {
      const [input, output] = plain;
      return {
        files: [...drafts('read', input && !isStdin(input) ? [input] : []), ...drafts('write', output ? [output] : [])],
      };
    }
    case 'code':
      return runsStdin(inv, 'python', []);
    case 'timeit':
      return merge(...plain.map((code) => runsCode(inv, 'python', code, [])));
    case 'pdb':
    case 'cProfile':
    case 'profile':
    case 'trace':
    case 'runpy':
      return plain[0] ? runsScript(inv, plain[0], plain.slice(1)) : {};
    case 'zipfile':
    case 'tarfile':
      return { files: archiveFiles(rest, plain) };
    case 'ensurepip':
      return { effects: [effect('install', 'pip')] };
    case 'webbrowser':
      return { dests: plain.slice(0, 1).map((address) => ({ address, sends: 'nothing' })) };
    case 'base64':
      return /^-[a-z]*d/.test(render(rest[0] ?? [])) ? { stdout: { value: null, taints: ['decoded'] } } : {};
    default: {
      const own = [`${name.replaceAll('.', '/')}.py`, `${name.replaceAll('.', '/')}/__main__.py`].find((file) =>
        isFile(inv, known(file)),
      );
      if (own && /^[\w.]+$/.test(name)) return runsFile(inv, 'python', known(own), rest);
      // A module of the project or a tool: ordinary work that can't be read here.
      return {
        opaque:
          !/^(?:py_compile|compileall|unittest|ast|dis|tokenize|site|sysconfig|platform|doctest|pydoc|calendar|this|base64)$/.test(
            name,
          ),
      };
    }
  }
}

function isFile(inv: Invocation, path: Value): boolean {
  const { real } = inv.world.resolve(inv.cwd, path, true);
  return real !== null && inv.world.content(real)?.value != null;
}

function archiveFiles(rest: readonly Value[], plain: readonly Value[]): ReturnType<typeof drafts> {
  const option = rest.map(render).find((w) => w.startsWith('-')) ?? '';
  if (/^-(?:e|-extract)/.test(option))
    return [...drafts('read', plain.slice(0, 1)), ...drafts('write', plain.slice(1, 2), { recursive: true })];
  if (/^-(?:c|-create)/.test(option)) return drafts('write', plain.slice(0, 1));
  return drafts('read', plain.slice(0, 1));
}

/** Python and the programs that start it (python(1)). */
export const python: readonly Program[] = withToolCode([
  define({
    names: words('python python2 python3 pypy pypy3 pythonw python.exe'),
    manual: 'python(1): -c, -m, script, standard input',
    summary: 'runs Python code',
    style: { stopAtOperand: true },
    run: (_, inv) => run(inv),
  }),
  define({
    names: words('ipython ipython3 bpython ptpython'),
    manual: 'ipython(1)',
    summary: 'runs Python code, or shell lines that begin with !',
    options: 'c:, m:, i, pylab?, profile:, no-banner, quiet, simple-prompt',
    style: { stopAtOperand: true },
    run: (args, inv) => {
      const code = args.value('c');
      if (code) return merge(runsCode(inv, 'python', code, args.operands), shellLines(inv, code));
      const [script, ...rest] = args.operands;
      return script ? runsFile(inv, 'python', script, rest) : runsStdin(inv, 'python', []);
    },
  }),
  djangoAdmin,
  define({
    names: ['coverage'],
    manual: 'coverage.py: run, combine, report, html, erase',
    summary: 'measures the coverage of a Python run',
    options:
      'rcfile:, data-file:, d directory:, o:, m module, p parallel-mode, a append, source:, omit:, include:, fail-under:, branch, i, q',
    style: { stopAtOperand: true },
    run: (args, inv) => {
      const [verb, ...rest] = args.operands;
      if (textOf(verb ?? []) !== 'run') return { subcommand: textOf(verb ?? []) ?? '' };
      const at = rest.findIndex((w) => !render(w).startsWith('-'));
      if (at < 0) return { subcommand: 'run' };
      const module = rest.slice(0, at).some((w) => /^(?:-m|--module)$/.test(render(w)));
      const target = rest[at] as Value;
      const argv = module
        ? [known('python'), known('-m'), target, ...rest.slice(at + 1)]
        : [known('python'), target, ...rest.slice(at + 1)];
      return { subcommand: 'run', nested: [{ kind: 'argv', via: 'coverage run', argv, stdin: inv.stdin }] };
    },
  }),
]);

/** Lines that begin with `!` in IPython are shell commands. */
function shellLines(inv: Invocation, code: Value): Outcome {
  const text = textOf(code);
  if (text === null || isDynamic(code)) return {};
  const nested = text
    .split('\n')
    .flatMap((line) =>
      /^\s*!/.test(line) ? [{ kind: 'script', via: inv.name, text: known(line.trim().slice(1)) } as const] : [],
    );
  return { nested };
}

/** `python -m http.server [-d DIR] [-b ADDRESS] [PORT]`. */
function pythonServes(inv: Invocation, words: readonly Value[]): readonly EffectDraft[] {
  let directory: Value | null = null;
  let port = '8000';
  words.forEach((value, at) => {
    const text = textOf(value) ?? '';
    if (/^(-d|--directory)$/.test(text)) directory = words[at + 1] ?? null;
    const joined = /^--directory=/.exec(text);
    if (joined) directory = known(text.slice(joined[0].length));
    if (/^\d+$/.test(text)) port = text;
  });
  return servesFiles(inv, directory, port);
}
