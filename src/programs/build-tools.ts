import type { Invocation, Outcome } from '../model/program.ts';
import { render, textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { draft, drafts, effect, word } from './drafts.ts';
import { strangeCode } from './named-programs.ts';
import { grammar, type Parsed, parseOptions } from './options.ts';
import { ordinary } from './ordinary.ts';
import { withToolCode } from './tool-code.ts';
import { assigned } from './wrapper.ts';

const E = grammar('r R recursive, f force, q quiet', { stopAtOperand: true });

/** `cmake -E`: small file tools (cmake(1), Run a Command-Line Tool). */
function cmakeTool(inv: Invocation, list: readonly Value[]): Outcome {
  const [verb, ...rest] = list;
  const name = word(verb);
  const args = parseOptions([[''], ...rest], E);
  const paths = args.operands;
  const last = paths.slice(-1);
  const sources = paths.slice(0, -1);
  const seen = { subcommand: `-E ${name}` };
  switch (name) {
    case 'rm':
      return {
        ...seen,
        files: drafts('delete', paths, {
          follow: false,
          ...(args.has('r') ? { recursive: true } : {}),
          ...(args.has('f') ? { force: true } : {}),
        }),
      };
    case 'remove':
      return { ...seen, files: drafts('delete', paths, { follow: false }) };
    case 'remove_directory':
      return { ...seen, files: drafts('delete', paths, { recursive: true, follow: false }) };
    case 'copy':
    case 'copy_if_different':
    case 'copy_directory':
    case 'copy_directory_if_different':
      return {
        ...seen,
        files: [
          ...drafts('read', sources, { recursive: true }),
          ...drafts('write', last, { recursive: name.startsWith('copy_directory'), partial: true }),
        ],
      };
    case 'rename':
      return { ...seen, files: paths[0] && paths[1] ? [draft('move', paths[0], { to: paths[1], follow: false })] : [] };
    case 'make_directory':
      return { ...seen, files: drafts('create', paths) };
    case 'touch':
    case 'touch_nocreate':
      return { ...seen, files: drafts('write', paths) };
    case 'create_symlink':
    case 'create_hardlink':
      return {
        ...seen,
        files:
          paths[0] && paths[1]
            ? [
                draft('link', paths[1], {
                  to: paths[0],
                  follow: false,
                  ...(name === 'create_hardlink' ? { hard: true } : {}),
                }),
              ]
            : [],
      };
    case 'cat':
    case 'md5sum':
    case 'sha256sum':
    case 'compare_files':
      return { ...seen, files: drafts('read', paths) };
    case 'tar':
      return { ...seen, files: drafts(/x/.test(render(paths[0] ?? [])) ? 'read' : 'write', paths.slice(1, 2)) };
    case 'env': {
      const plain = rest.filter((w) => !/^--(?:unset|modify)=/.test(render(w)));
      const { argv, env, effects, nested } = assigned(inv, textOf(plain[0] ?? []) === '--' ? plain.slice(1) : plain);
      return {
        ...seen,
        effects,
        nested: [...nested, ...(argv.length > 0 ? [{ kind: 'argv' as const, via: 'cmake -E env', argv, env }] : [])],
      };
    }
    case 'chdir':
      return {
        ...seen,
        nested:
          rest.length > 1 ? [{ kind: 'argv', via: 'cmake -E chdir', argv: rest.slice(1), cwd: rest[0] as Value }] : [],
      };
    case 'time':
      return { ...seen, nested: rest.length > 0 ? [{ kind: 'argv', via: 'cmake -E time', argv: rest }] : [] };
    case 'environment':
      return { ...seen, effects: [effect('secret-read', 'environment')], stdout: { value: null, taints: ['secret'] } };
    default:
      return seen;
  }
}

function cmake(args: Parsed, inv: Invocation): Outcome {
  const at = inv.argv.findIndex((w) => textOf(w) === '-E');
  if (at > 0) return cmakeTool(inv, inv.argv.slice(at + 1));
  const script = args.value('P');
  if (script)
    return { subcommand: '-P', files: [draft('exec', script)], effects: strangeCode(inv, [script]), opaque: true };
  const cache = strangeCode(
    inv,
    args.values('C').filter((path) => textOf(path) !== null),
  );
  if (cache.length > 0) return { effects: cache, opaque: true };
  if (args.has('install')) {
    const prefix = args.value('prefix');
    return {
      subcommand: '--install',
      files: drafts('write', [prefix ?? ['/usr/local']], {
        recursive: true,
        partial: true,
        ...(prefix ? {} : { certain: false }),
      }),
    };
  }
  if (args.has('build'))
    return {
      subcommand: '--build',
      files: drafts(
        'write',
        args.values('build').filter((v) => v.length > 0),
        { recursive: true, partial: true, certain: false },
      ),
    };
  const dir = args.value('B');
  return { files: [...drafts('read', args.values('S')), ...(dir ? drafts('create', [dir], { recursive: true }) : [])] };
}

function bazel(args: Parsed): Outcome {
  const [verb, ...rest] = args.operands;
  const name = word(verb);
  if (name === 'clean') return { subcommand: name, files: [] };
  return { subcommand: name, opaque: name === 'run', operands: rest };
}

/** Build systems besides make. */
export const buildTools: readonly Program[] = withToolCode([
  define({
    names: ['cmake', 'cmake3'],
    manual: 'cmake(1)',
    summary: 'configures and builds a project; -E has file tools',
    options:
      'S:, B:, G:, D:, U:, C:, P:, A:, T:, E:, N, L?, W:, build?, install?, open?, preset:, target t:, config:, prefix:, component:, j parallel?, clean-first, v verbose, toolchain:, install-prefix:, log-level:, trace, fresh, strip, workflow, help, version, list-presets?, graphviz:, debug-output',
    run: cmake,
  }),
  ordinary({
    names: words(
      'ctest cpack ninja ninja-build samu meson muon scons waf premake4 premake5 xmake gn gyp qmake qmake6 bjam conan vcpkg hunter build2 tup redo pants buck buck2',
    ),
    manual: 'ctest(1), ninja(1), meson(1)',
    summary: 'builds or tests a project',
    options:
      'C:, f:, t:, j:, k:, n, v, d:, w:, B:, G:, R tests-regex:, E exclude-regex:, L label-regex:, S script:, test-dir:, output-on-failure, output-junit:, O:, D:, prefix:, buildtype:, o:, config:, destdir:, timeout:, r:, s:, pr:, if:, of:, output-folder:',
    writes: ['output-junit', 'prefix', 'destdir', 'output-folder'],
    reads: ['S'],
    skip: 99,
    loads: ['f', 'S'],
  }),
  define({
    names: ['bazel', 'bazelisk', 'blaze'],
    manual: 'bazel help',
    summary: 'builds and tests targets',
    options: 'c compilation_mode:, config:, output_base:, k keep_going, j jobs:, s, output:, noshow_progress',
    run: bazel,
  }),
  ordinary({
    names: words('doxygen latexmk tectonic typst mdbook hugo jekyll zola groff dot neato mmdc plantuml d2 quarto'),
    manual: 'doxygen(1), latexmk(1), hugo(1)',
    summary: 'makes documents',
    options:
      'o output:, f from:, t to:, d destination destination-dir:, D destination-dir:, s standalone, T:, O?, i input:, output-directory outdir:, jobname:, c css:, V:, M:, template:, filter F:, lua-filter L:, H:, A:, B:, shell-escape, pdf, cd, interaction:, port p:, bind:, a:, r:, b:, w:',
    writes: ['o', 'd', 'output-directory', 'D'],
    verbs: true,
    skip: 0,
  }),
]);
