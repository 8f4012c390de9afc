import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { known, knownPrefix, render, textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { drafts, effect, word } from './drafts.ts';
import { runsCode, runsFile, runsStdin } from './interpreter.ts';
import { strangeCode } from './named-programs.ts';
import type { OptionLines, Parsed } from './options.ts';
import { manifestOf, packageScripts } from './package-scripts.ts';
import { servesFiles } from './serving.ts';
import { merge } from './subcommands.ts';
import { withToolCode } from './tool-code.ts';

const NODE: OptionLines =
  'e eval:, p print, pe:, c check, i interactive, r require:, import:, loader experimental-loader:, C conditions:, h help, v version, input-type:, env-file:, env-file-if-exists:, test, test-name-pattern:, test-reporter:, test-reporter-destination:, watch, watch-path:, inspect?, inspect-brk?, title:, run:, max-old-space-size?, stack-trace-limit?, no-warnings, enable-source-maps, tsconfig:, P project:, T transpile-only, O compiler-options:, snapshot-blob:, build-snapshot, cpu-prof, heap-prof, redirect-warnings:, trace-event-file-pattern:, diagnostic-dir:, report-dir:, report-filename:, icu-data-dir:, openssl-config:, disable-warning:, allow-fs-read:, allow-fs-write:';

/** Modules preloaded with `-r`: a path is code that runs. */
function preloads(inv: Invocation, args: Parsed): Outcome {
  const paths = [...args.values('r'), ...args.values('import'), ...args.values('loader')].filter(
    (p) => /^(?:\.{0,2}\/|~)/.test(knownPrefix(p)) || textOf(p) === null,
  );
  const remote = [...args.values('r'), ...args.values('import'), ...args.values('loader')].filter((p) =>
    /^https?:/.test(knownPrefix(p)),
  );
  const reporters = args.values('test-reporter').filter((p) => /^[/.~]/.test(knownPrefix(p)));
  return merge(
    {
      effects: [
        ...strangeCode(inv, [...paths, ...reporters]),
        ...remote.map((p) => effect('exec-remote', render(p), 'node loads code from the network')),
      ],
    },
    ...paths.map((path) => runsFile(inv, 'node', path, [])),
  );
}

function runNode(args: Parsed, inv: Invocation): Outcome {
  if (args.has('v', 'version', 'h', 'help')) return {};
  const before = preloads(inv, args);
  const files = [
    ...drafts(
      'write',
      [...args.values('test-reporter-destination'), ...args.values('redirect-warnings')].filter(
        (v) => !/^std/.test(render(v)),
      ),
    ),
  ];
  const [first, ...rest] = args.operands;
  if (args.has('run'))
    return merge(
      { files },
      packageScripts(inv, { via: 'node --run', names: [word(args.value('run'))], args: args.operands }),
    );
  const codes = [...args.values('e'), ...args.values('pe')];
  const prints = args.has('p', 'pe');
  if (codes.length > 0)
    return merge({ files }, before, ...codes.map((code) => runsCode(inv, 'node', code, args.operands, prints)));
  // `-p CODE`: the option takes none of its own, the code is the first operand.
  if (args.has('p') && first) return merge({ files }, before, runsCode(inv, 'node', first, rest, true));
  if (args.has('test'))
    return merge({ files, opaque: true }, before, { files: drafts('exec', args.operands, { certain: false }) });
  if (args.has('c')) return { files: drafts('read', args.operands) };
  if (!first) return merge({ files }, before, runsStdin(inv, 'node', []));
  return merge({ files, nested: asGov(inv, first, rest) }, before, runsFile(inv, 'node', first, rest));
}

/** gov started by the path of its program is gov. */
function asGov(inv: Invocation, script: Value, rest: readonly Value[]): readonly Nested[] {
  const { real } = inv.world.resolve(inv.cwd, script, true);
  if (real === null || !/\/bin\/run\.js$/.test(real)) return [];
  const own = /\/gov\/bin\/run\.js$/.test(real) || inv.world.own.some((directory) => real.startsWith(`${directory}/`));
  return own ? [{ kind: 'argv', via: 'node', argv: [known('gov'), ...rest] }] : [];
}

function runDeno(args: Parsed, inv: Invocation): Outcome {
  const [verb, ...more] = args.operands;
  const name = word(verb);
  switch (name) {
    case 'run':
    case 'serve':
    case 'watch':
      return { subcommand: name, ...denoRun(inv, more) };
    case 'eval': {
      const [code, ...rest] = optionsFirst(more).operands;
      return {
        subcommand: name,
        ...(code ? runsCode(inv, 'node', code, rest, optionsFirst(more).flags.includes('-p')) : {}),
      };
    }
    case 'task': {
      const task = optionsFirst(more).operands;
      return { subcommand: name, ...denoTask(inv, word(task[0]), task.slice(1)) };
    }
    case 'fmt':
      return {
        subcommand: name,
        files: more.some((w) => textOf(w) === '--check')
          ? []
          : drafts('write', optionsFirst(more).operands, { recursive: true, partial: true }),
      };
    case 'install':
    case 'add':
      return {
        subcommand: name,
        effects: [
          ...more
            .filter((w) => /^https?:\/\//.test(render(w)))
            .map((w) => effect('install-remote', render(w), 'installs from an address')),
          more.some((w) => /^(?:-g|--global)$/.test(render(w)))
            ? effect('install-global', render(optionsFirst(more).operands[0] ?? []))
            : effect('install', optionsFirst(more).operands.map(render).join(' ') || 'dependencies of the project'),
        ],
      };
    case 'compile':
    case 'bundle': {
      const at = more.findIndex((w) => /^(?:-o|--output)$/.test(render(w)));
      return { subcommand: name, files: at < 0 ? [] : drafts('write', more.slice(at + 1, at + 2)) };
    }
    case 'publish':
      return {
        subcommand: name,
        effects: more.some((w) => textOf(w) === '--dry-run') ? [] : [effect('publish', 'package')],
      };
    case 'test':
    case 'bench':
      return { subcommand: name, opaque: true };
    default:
      return { subcommand: name, ...(/[./]/.test(name) ? denoRun(inv, args.operands) : {}) };
  }
}

function denoRun(inv: Invocation, list: readonly Value[]): Outcome {
  const { operands, flags } = optionsFirst(list);
  const [target, ...rest] = operands;
  if (!target) return {};
  const text = render(target);
  if (/^https?:\/\//.test(text)) {
    const all = flags.some((f) => f === '-A' || f === '--allow-all');
    return {
      dests: [{ address: target, sends: 'nothing' }],
      effects: [
        {
          kind: 'exec-remote',
          target: text,
          detail: all ? 'runs code from the network with all permissions' : 'runs code from the network',
        },
      ],
    };
  }
  if (/^jsr:@std\/http(?:@[^/]*)?\/file-server$/.test(text))
    return { effects: [effect('install', text), ...servesFiles(inv, optionsFirst(rest).operands[0] ?? null, '4507')] };
  if (/^(?:npm|jsr):/.test(text)) return { effects: [effect('install', text)], opaque: true };
  return text === '-' ? runsStdin(inv, 'node', rest) : runsFile(inv, 'node', target, rest);
}

function denoTask(inv: Invocation, name: string, args: readonly Value[]): Outcome {
  for (const file of ['deno.json', 'deno.jsonc']) {
    const manifest = manifestOf(inv, null, file, 'tasks');
    const text = manifest?.scripts.get(name);
    if (manifest && text)
      return {
        nested: [
          {
            kind: 'script',
            via: `deno task ${name}`,
            text: known(`${text} ${args.map(render).join(' ')}`.trim()),
            cwd: manifest.directory,
          },
        ],
      };
  }
  return packageScripts(inv, { via: 'deno task', names: [name], args });
}

/** Leading options, then operands. */
function optionsFirst(list: readonly Value[]): {
  readonly flags: readonly string[];
  readonly operands: readonly Value[];
} {
  const at = list.findIndex((w) => !/^-./.test(render(w)));
  const cut = at < 0 ? list.length : at;
  return { flags: list.slice(0, cut).map(render), operands: list.slice(cut) };
}

/** Node and the programs that run JavaScript and TypeScript as it does. */
export const node: readonly Program[] = withToolCode([
  define({
    names: words('node nodejs iojs'),
    manual: 'node(1)',
    summary: 'runs JavaScript',
    options: NODE,
    style: { stopAtOperand: true },
    run: runNode,
  }),
  define({
    names: words('tsx ts-node ts-node-esm ts-node-script babel-node esno vite-node jiti swc-node tsn esbuild-runner'),
    manual: 'tsx(1), ts-node(1)',
    summary: 'runs TypeScript',
    options: NODE,
    style: { stopAtOperand: true },
    run: (args, inv) => {
      const verb = word(args.operands[0]);
      // `tsx watch file.ts` has a verb before the file.
      if (verb === 'watch' || verb === 'test') return runsOperand(args.operands.slice(1), inv);
      return runNode(args, inv);
    },
  }),
  define({
    names: ['deno'],
    manual: 'deno help',
    summary: 'runs JavaScript and TypeScript',
    options: 'L log-level:, q quiet, V version, h help',
    style: { stopAtOperand: true },
    run: runDeno,
  }),
  define({
    names: words('zx'),
    manual: 'zx(1)',
    summary: 'runs a JavaScript file with shell commands',
    options: 'e eval:, shell:, prefix:, quiet, install, i',
    style: { stopAtOperand: true },
    run: (args, inv) => {
      const code = args.value('e');
      if (code) return runsCode(inv, 'node', code, args.operands);
      const [first, ...rest] = args.operands;
      if (first && /^https?:/.test(knownPrefix(first)))
        return { dests: [{ address: first, sends: 'nothing' }], effects: [effect('exec-remote', render(first))] };
      return first ? runsFile(inv, 'node', first, rest) : runsStdin(inv, 'node', []);
    },
  }),
]);

function runsOperand(operands: readonly Value[], inv: Invocation): Outcome {
  const [first, ...rest] = operands;
  return first ? runsFile(inv, 'node', first, rest) : {};
}
