import type { EffectDraft, FileDraft } from '../model/effect.ts';
import type { Invocation, Nested, Outcome } from '../model/program.ts';
import { known, knownPrefix, render, textOf, type Value } from '../model/value.ts';
import { define, type Program, words } from './define.ts';
import { draft, drafts, isStdin } from './drafts.ts';
import { freshSources } from './fresh-sources.ts';
import type { Parsed } from './options.ts';
import { splitValue } from './split-value.ts';
import { wrapper } from './wrapper.ts';

/** Options of compilers and linkers that name a file to be written, attached or apart. */
function written(args: Parsed): readonly Value[] {
  return ['o', 'MF', 'Map', 'dumpdir', 'save-temps']
    .flatMap((name) => args.values(name))
    .filter((v) => v.length > 0 && textOf(v) !== '-' && textOf(v) !== '/dev/null');
}

/** `-wrapper sh,-c,text`, `-fplugin=lib.so`, `-B dir`, `@file`: code that the compiler starts or options it reads. */
function started(
  inv: Invocation,
  args: Parsed,
): { readonly nested: readonly Nested[]; readonly files: readonly FileDraft[] } {
  const helpers = args.values('B').filter((path) => path.length > 0);
  const nested = args
    .values('wrapper')
    .map((text): Nested => ({ kind: 'argv', via: `${inv.name} -wrapper`, argv: splitValue(text, /,/), certain: true }));
  const files: FileDraft[] = [...drafts('exec', helpers)];
  for (const first of args.values('wrapper').flatMap((text) => splitValue(text, /,/).slice(0, 1)))
    if (render(first).includes('/')) files.push(draft('exec', first));
  for (const word of inv.argv.slice(1)) {
    const text = render(word);
    const plugin =
      /^-(?:fplugin|fpass-plugin|load|specs|fuse-ld|plugin)=(.+)$/s.exec(text) ?? /^-Xclang=?(.*\.so)$/.exec(text);
    if (plugin?.[1]?.includes('/')) files.push(draft('exec', known(plugin[1])));
    if (text.startsWith('@')) files.push(draft('read', known(text.slice(1))));
  }
  return { nested, files };
}

function compile(args: Parsed, inv: Invocation): Outcome {
  const { nested, files } = started(inv, args);
  const sources = args.operands.filter((o) => !isStdin(o) && !knownPrefix(o).startsWith('@'));
  const out = written(args);
  const links =
    out.length === 0 && !args.has('c', 'S', 'E', 'fsyntax-only', 'M', 'MM', 'version', 'v') && sources.length > 0;
  const fresh = freshSources(inv, sources);
  return {
    nested: [...nested, ...(fresh.nested ?? [])],
    files: [
      ...(fresh.files ?? []),
      ...drafts('read', sources),
      ...drafts('write', out),
      ...(links ? [draft('write', ['a.out'])] : []),
      ...files,
    ],
    effects: strangePlugins(inv, files),
  };
}

/** Plug-ins from scratch or home directories. */
function strangePlugins(inv: Invocation, files: readonly FileDraft[]): readonly EffectDraft[] {
  return files.flatMap((file): readonly EffectDraft[] => {
    if (file.op !== 'exec') return [];
    const { zone } = inv.world.resolve(inv.cwd, file.path, true);
    if (zone === 'workspace' || zone === 'system' || zone === null) return [];
    return [{ kind: 'exec-unknown', target: inv.name, detail: `${inv.name} loads ${render(file.path)}` }];
  });
}

/** Compilers, linkers, assemblers, generators of C code, and what wraps them. */
export const compilers: readonly Program[] = [
  define({
    names: words(
      'gcc g++ cc c89 c99 c++ clang clang++ tcc icc icx icpx cpp gfortran gnat emcc em++ nvcc hipcc dpcpp clang-cl zcc avr-gcc arm-none-eabi-gcc arm-linux-gnueabihf-gcc aarch64-linux-gnu-gcc x86_64-linux-gnu-gcc x86_64-w64-mingw32-gcc musl-gcc afl-gcc afl-clang-fast gccgo gdc ldc2 dmd fpc',
    ),
    manual: 'gcc(1), clang(1)',
    summary: 'compiles and links',
    options:
      'o:, c, S, E, x:, I:, L:, l:, D:, U:, include:, imacros:, isystem:, iquote:, idirafter:, MF:, MT:, MQ:, M, MM, MD, MMD, wrapper:, T:, u:, z:, B:, Xlinker:, Xassembler:, Xpreprocessor:, Xclang:, arch:, target:, framework:, aux-info:, param:, std:, version, v, w, g?, O?, pipe, shared, static, pthread, fsyntax-only, save-temps?, Map:',
    style: { singleDashLong: true, abbreviations: false },
    run: compile,
  }),
  define({
    names: words(
      'ld ld.gold ld.lld lld mold gold as gas nasm yasm fasm llc opt llvm-link dsymutil objdump2 lipo install_name_tool libtool windres wasm-ld wasm-opt wat2wasm wasm2wat',
    ),
    manual: 'ld(1), as(1), nasm(1)',
    summary: 'links or assembles',
    options:
      'o output:, e:, T:, L:, l:, m:, Map:, f:, I:, D:, plugin:, rpath:, soname:, dynamic-linker:, z:, arch:, l:, g, O?, shared, static, create, thin:',
    style: { singleDashLong: true, abbreviations: false },
    run: (args, inv) => {
      const out = [...args.values('o'), ...args.values('Map')];
      const files = [
        ...drafts('read', args.operands),
        ...drafts('write', out.length > 0 || args.operands.length === 0 ? out : [['a.out']]),
      ];
      const plugins = [...drafts('exec', args.values('plugin')), ...started(inv, args).files];
      return { files: [...files, ...plugins], effects: strangePlugins(inv, plugins) };
    },
  }),
  wrapper({
    names: words(
      'ccache sccache distcc icecc bear intercept-build scan-build colorgcc fastbuild compiledb wine wine64 qemu-x86_64 qemu-aarch64 valgrind callgrind heaptrack',
    ),
    manual: 'ccache(1), bear(1), scan-build(1), valgrind(1)',
    summary: 'runs a compiler or a program',
    options:
      'o output:, v verbose, append, a, s show-stats, C clear, z zero-stats, c cleanup, M max-size:, cdb:, tool:, log-file:, leak-check:, suppressions:, num-callers:, status-bugs, use-cc:, use-c++:, p show-config, error-exitcode:, show-leak-kinds:, track-origins:, q quiet',
    files: (args) => drafts('write', [...args.values('o'), ...args.values('log-file'), ...args.values('cdb')]),
  }),
  define({
    names: words(
      'protoc thrift flatc capnp swig bison yacc byacc flex lex re2c gperf ragel antlr antlr4 lemon rpcgen gsoap wsdl2h uic moc rcc gdbus-codegen glib-compile-resources glib-compile-schemas msgfmt xgettext msgmerge lrelease lupdate asn1c',
    ),
    manual: 'protoc(1), bison(1), flex(1)',
    summary: 'generates sources',
    options:
      'o output outfile:, I proto_path:, plugin:, descriptor_set_out:, d defines:, b file-prefix:, p:, g gen:, r, v verbose, h header:, L language:, out?, e:, target:, Dlanguage:',
    run: (args, inv) => {
      const outs = inv.argv.slice(1).flatMap((w) => {
        const found = /^--[\w-]+_out=(?:.*:)?(.*)$/s.exec(render(w));
        return found?.[1] ? [known(found[1])] : [];
      });
      const plugins = args.values('plugin').map((p) => draft('exec', known(render(p).replace(/^[^=]*=/, ''))));
      return {
        files: [
          ...drafts('read', args.operands),
          ...drafts('write', [...args.values('o'), ...args.values('descriptor_set_out'), ...outs]),
          ...plugins,
        ],
      };
    },
  }),
  define({
    names: ['m4'],
    manual: 'm4(1): syscmd and esyscmd run shell commands',
    summary: 'expands macros',
    options:
      'D define:, I include:, P prefix-builtins, s synclines, o error-output:, R reload-state:, F freeze-state:, U undefine:, t trace:',
    run: (args, inv) => {
      const texts = [
        ...args.values('D'),
        ...(args.operands.length === 0 || args.operands.some(isStdin) ? [inv.stdin.value ?? []] : []),
      ];
      const nested = texts.flatMap((t) =>
        [
          ...render(t)
            .slice(0, 50_000)
            .matchAll(/\be?syscmd\(\s*[`"']?([^)'"`]*)/g),
        ].map((m): Nested => ({ kind: 'script', via: 'm4', text: known(m[1] as string), certain: false })),
      );
      return {
        files: [
          ...drafts(
            'read',
            args.operands.filter((o) => !isStdin(o)),
          ),
          ...drafts('write', args.values('F')),
        ],
        nested,
      };
    },
  }),
  define({
    names: words(
      'pkg-config pkgconf llvm-config python3-config sdl2-config ldd-tree ldconfig-print nm-config autoscan ifnames',
    ),
    manual: 'pkg-config(1)',
    summary: 'prints how to build against a library',
    run: () => ({}),
  }),
  define({
    names: words(
      'autoreconf autoconf automake aclocal autoheader libtoolize autopoint gettextize configure autogen.sh config.status bootstrap',
    ),
    manual: 'autoreconf(1), the configure scripts of projects',
    summary: 'prepares a build',
    options:
      'f force, i install, v verbose, I include:, o output:, prefix:, srcdir:, cache-file:, host:, build:, q quiet, C config-cache, disable-shared, help',
    run: (args, inv) => ({
      files: drafts('write', [...args.values('o'), ...args.values('cache-file')]),
      opaque: /^(?:configure|autogen\.sh|config\.status|bootstrap)$/.test(inv.name),
      operands: args.operands,
    }),
  }),
];
