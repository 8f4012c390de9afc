// Builds dist/hook.cjs and dist/hook.bundle.js: the hook in pieces, so that a call reads what it needs of it. esbuild
// cuts them: the hook itself, each family of programs, what is marked lazy, and what several of these share.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { build, transform } from 'esbuild';
import { lazyModules } from './lazy-modules.mjs';
import { families, lazyPrograms } from './lazy-programs.mjs';

const TARGET = 'node20.19';
/** Modules of Node that most calls do not need, and of which functions alone are used: loaded at the first call of one. */
const SELDOM = new Set(['node:os', 'node:module']);

/** `dist/` must hold the built TypeScript: names of programs and exports are read from it. */
export async function bundleHook(root) {
  const lazy = lazyModules(root);
  const result = await build({
    entryPoints: {
      main: 'src/hook/main.ts',
      check: 'src/cli/quick-check.ts',
      ...families(root).entryPoints,
      ...lazy.entryPoints,
    },
    outdir: 'dist',
    bundle: true,
    splitting: true,
    chunkNames: 'shared-[hash]',
    platform: 'node',
    target: TARGET,
    format: 'esm',
    minify: true,
    sourcemap: false,
    metafile: true,
    write: false,
    external: ['*.node'],
    plugins: [lazyPrograms(root), lazy.plugin, nodeModules(root), leanSqlite],
    // The first touch of `performance` loads perf_hooks, which costs 1.3 ms; `process.uptime` counts from the same start.
    define: {
      'import.meta.url': '__gov_place.url',
      'import.meta.dirname': '__gov_place.dir',
      'performance.now': '__gov_now',
    },
    logLevel: 'warning',
  });
  // What got in is a contract: a test reads this list.
  const { outputs } = result.metafile;
  const inputs = new Set(reachable(outputs, 'dist/check.js').flatMap((path) => Object.keys(outputs[path].inputs)));
  writeFileSync('dist/hook.inputs.json', JSON.stringify([...inputs], null, 1));

  for (const file of inputs) refuseLiveBindings(file);
  const modules = new Map(result.outputFiles.map(({ path, text }) => [basename(path), asFunction(text)]));
  const core = coreOf(result.metafile, 'dist/main.js');
  const pieces = [
    ['core', table(core.map((name) => [name, modules.get(name)]))],
    ...[...modules]
      .filter(([name]) => !core.includes(name))
      .map(([name, source]) => [name, `(${source})`])
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  ];
  const index = {};
  let at = 0;
  for (const [i, [name, source]] of pieces.entries()) {
    index[name] = [i, at, source.length];
    at += source.length;
  }
  const bundle = pieces.map(([, source]) => source).join('');
  writeFileSync('dist/hook.bundle.js', bundle);
  const name = createHash('sha256').update(bundle).digest('hex').slice(0, 16);
  const boot = readFileSync('scripts/hook-boot.cjs', 'utf8');
  const whole = boot.replace("/* INDEX */ ['', {}]", () => JSON.stringify([name, index]));
  const { code } = await transform(whole, { minify: true, target: TARGET });
  writeFileSync('dist/hook.cjs', code);
  // `gov check` in its plain forms starts from the same pieces.
  writeFileSync('dist/check.cjs', code.replace('"main.js"', '"check.js"'));
}

/** All outputs but one, and but what only that one imports. */
function reachable(outputs, except) {
  const found = new Set(Object.keys(outputs).filter((path) => path !== except && outputs[path].entryPoint));
  for (const path of found) for (const { path: next } of outputs[path].imports) if (outputs[next]) found.add(next);
  return [...found];
}

/** Node's modules as modules of the bundle, of which esbuild keeps the exports that are used; no `import` is left of them. */
const nodeModules = (root) => ({
  name: 'node-modules',
  setup(build) {
    build.onResolve({ filter: /[\\/]sqlite\.ts$/ }, () => ({ path: join(root, 'src', 'audit', 'sqlite-in-hook.ts') }));
    build.onResolve({ filter: /^node:crypto$/ }, () => ({ path: join(root, 'src', 'hook', 'light-crypto.ts') }));
    build.onResolve({ filter: /^node:/ }, ({ path, kind }) =>
      kind === 'import-statement' ? { path, namespace: 'node', sideEffects: false } : undefined,
    );
    build.onLoad({ filter: /./, namespace: 'node' }, async ({ path }) => {
      const module = await import(path);
      const names = Object.keys(module).filter((name) => name !== 'default' && name !== 'module.exports');
      const lines = names.map((name) =>
        SELDOM.has(path) && typeof module[name] === 'function'
          ? `export const ${name} = (...args) => __gov_node('${path}', '${name}')(...args);`
          : `export const ${name} = /* @__PURE__ */ __gov_node('${path}', '${name}');`,
      );
      return { contents: [`export default /* @__PURE__ */ __gov_node('${path}');`, ...lines].join('\n'), loader: 'js' };
    });
  },
});

/** The hook opens, executes and prepares; the rest of better-sqlite3's JavaScript stays out. */
const leanSqlite = {
  name: 'lean-sqlite',
  setup(build) {
    const unused =
      /better-sqlite3[\\/]lib[\\/]methods[\\/](?:transaction|backup|serialize|function|aggregate|table|inspect)\.js$/;
    build.onLoad({ filter: unused }, () => ({ contents: 'module.exports = undefined;', loader: 'js' }));
    build.onLoad({ filter: /[\\/]bindings[\\/]bindings\.js$/ }, () => ({
      contents: 'module.exports = undefined;',
      loader: 'js',
    }));
  },
};

/** The hook's own module and all that it imports: one piece. */
function coreOf({ outputs }, main) {
  const found = new Set([main]);
  for (const path of found)
    for (const { path: next, kind } of outputs[path].imports)
      if (kind === 'import-statement' && outputs[next]) found.add(next);
  return [...found].map((path) => basename(path));
}

const table = (functions) => `({${functions.map(([name, source]) => `${JSON.stringify(name)}:${source}`).join(',')}})`;

/** Imports are copied when a module starts: an exported variable that is set later would stay behind. */
function refuseLiveBindings(file) {
  if (!file.includes(':') && /^export (?:let|var)\b/m.test(readFileSync(file, 'utf8')))
    throw new Error(`${file} exports a variable: export a function in its place`);
}

/**
 * What esbuild made of a module, as a function: `import` statements, of which all stand in front, become reads, and the
 * one `export` statement at the end a write. One byte a character: one character beyond ASCII would double what V8
 * reads, and the time for it. An escape means the same wherever the minifier leaves such a character (texts,
 * templates, patterns).
 */
function asFunction(text) {
  const statement =
    /\s*import\s*(?:(?<name>[\w$]+)|\*\s*as\s+(?<all>[\w$]+))?\s*,?\s*(?:\{(?<list>[^}]*)\})?\s*(?:from)?\s*"(?<from>[^"]+)";/y;
  let head = '';
  let at = 0;
  for (let m = statement.exec(text); m; m = statement.exec(text)) {
    at = statement.lastIndex;
    const { name, all, list, from } = m.groups;
    const parts = [name, all, list && `{${list.replace(/([\w$]+)\s+as\s+([\w$]+)/g, '$1:$2')}}`].filter(Boolean);
    if (parts.length === 0) head += `require("${from}");`;
    for (const part of parts) head += `var ${part}=require("${from}");`;
  }
  const exported = /export\s*\{(?<list>[^}]*)\};?\s*$/.exec(text);
  const tail = exported?.groups.list.replace(/([\w$]+)\s+as\s+([\w$]+)/g, '$2:$1');
  const body = text.slice(at, exported?.index);
  if (/^\s*(?:import|export)\b/m.test(body))
    throw new Error('esbuild wrote its modules in another way than is known here');
  const own = `${head}${body}${tail === undefined ? '' : `;module.exports={${tail}}`}`;
  const ascii = own.replace(/[^\0-\x7f]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return `function(exports,require,module,__gov_place,__gov_now,__gov_piece,__gov_node){"use strict";${ascii}\n}`;
}
