// For the hook's bundle: modules that few calls need stay apart until one of their functions is called.
import { realpathSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Modules that export functions only, none of which is compared with another. What `cd x && git status | head` does not
 * need is here; a module that half the calls need is not, for each piece costs a read of its own.
 */
const LAZY = [
  ...below('src/agents', 'codex/decode codex/encode gemini-cli/decode gemini-cli/encode installed'),
  ...below('src/hook', 'disarm ended outcome refresh start-daemon stopped'),
  ...below('src/redact', 'assignments fingerprint names placeholder'),
  ...below('src/grants', 'approvers cover in-force limits person-said signature'),
  ...below('src/audit/format', 'grant'),
  ...below('src/world', 'addresses content-role derived globs ignore index-file patterns reversible settings-code'),
  ...below('src/facts', 'codex-patch edits fetch-tool file-tools generic-tool tool-scripts'),
  ...below('src/shell', 'arithmetic braces branches conditions functions joining local-files loops nested operators'),
  ...below('src/shell', 'parameters process-substitution prompts shell-setup substitution widening'),
  ...below('src/policy', 'glob regex touch waivers wording'),
  ...below('src/programs', 'inline-code variables'),
  ...below('node_modules/unbash/dist', 'ansi-c arithmetic-parts'),
];

function below(dir, names) {
  return names.split(' ').map((name) => `${dir}/${name}`);
}

/** Entry points and an esbuild plugin. `dist/` must be built: the names of the functions are read from it. */
export function lazyModules(root) {
  const fileOf = (name) =>
    name.startsWith('src/') ? join(root, `${name}.ts`) : realpathSync(join(root, `${name}.js`));
  const builtOf = (name) => (name.startsWith('src/') ? join(root, 'dist', `${name.slice(4)}.js`) : fileOf(name));
  const pieceOf = (name) => `lazy-${name.slice(name.indexOf('/') + 1).replaceAll('/', '-')}`;
  const byFile = new Map(LAZY.map((name) => [fileOf(name), name]));
  return {
    entryPoints: Object.fromEntries(LAZY.map((name) => [pieceOf(name), fileOf(name)])),
    plugin: {
      name: 'lazy-modules',
      setup(build) {
        build.onResolve({ filter: /^\..*\.[jt]s$/ }, ({ path, kind, resolveDir }) => {
          const file = join(resolveDir, path);
          return kind !== 'entry-point' && byFile.has(file) ? { path: file, namespace: 'lazy' } : undefined;
        });
        build.onLoad({ filter: /./, namespace: 'lazy' }, async ({ path }) => {
          const name = byFile.get(path);
          const module = await import(pathToFileURL(builtOf(name)).href);
          return { contents: stub(name, pieceOf(name), module), loader: 'js' };
        });
      },
    },
  };
}

function stub(name, piece, module) {
  const lines = Object.entries(module).map(([own, value]) => {
    if (typeof value !== 'function' || /^class\b/.test(Function.prototype.toString.call(value)))
      throw new Error(`${name} can't be lazy: \`${own}\` is no function`);
    return `export function ${own}(...args) { return __gov_piece('${piece}.js').${own}(...args); }`;
  });
  return lines.join('\n');
}
