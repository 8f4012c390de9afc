// Builds everything into dist/: the command line (TypeScript, one module a file), the compiled built-in
// policy, the hook bundle (one CommonJS file) and oclif's manifest. Does nothing twice if called twice.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { lazyPrograms } from './lazy-programs.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const node = process.execPath;
const step = (name, run) => {
  const started = performance.now();
  run();
  if (process.env.GOV_BUILD_TIMES) console.error(`${name} ${Math.round(performance.now() - started)} ms`);
};

rmSync('dist', { recursive: true, force: true });
rmSync('node_modules/.cache/gov-tsbuildinfo', { force: true });
step('types', () =>
  execFileSync(node, ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json'], { stdio: 'inherit' }),
);
if (existsSync('dist/rulebook/build-builtin.js'))
  step('policy', () => execFileSync(node, ['dist/rulebook/build-builtin.js'], { stdio: 'inherit' }));

if (existsSync('src/hook/main.ts')) {
  const result = await build({
    entryPoints: ['src/hook/main.ts'],
    outfile: 'dist/hook.bundle.js',
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    minify: true,
    sourcemap: false,
    metafile: true,
    external: ['*.node'],
    plugins: [lazyPrograms(root)],
    // The first touch of `performance` loads perf_hooks, which costs 1.3 ms; `process.uptime` counts from the same start.
    define: { 'import.meta.url': '__gov_import_meta_url', 'performance.now': '__gov_now' },
    // A function of its own, as Node wraps modules: scripts/hook-boot.cjs runs it from V8's code cache.
    banner: {
      js: "(function (exports, require, module, __filename, __dirname) { const __gov_import_meta_url = require('node:url').pathToFileURL(__filename).href, __gov_now = () => process.uptime() * 1000;",
    },
    footer: { js: '})' },
    logLevel: 'warning',
  });
  // What got in is a contract: a test reads this list.
  writeFileSync(
    'dist/hook.inputs.json',
    JSON.stringify(Object.keys(result.metafile.outputs['dist/hook.bundle.js'].inputs), null, 1),
  );
  // One byte a character: one character beyond ASCII would double what V8 reads, and the time for it. An escape means
  // the same wherever the minifier leaves such a character (texts, templates, patterns).
  const escaped = (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`;
  const bundle = readFileSync('dist/hook.bundle.js', 'utf8');
  writeFileSync('dist/hook.bundle.js', bundle.replace(/[^\0-\x7f]/g, escaped));
  copyFileSync('scripts/hook-boot.cjs', 'dist/hook.cjs');
  step('code cache', () => execFileSync(node, ['dist/register/code-cache.js'], { stdio: 'inherit' }));
}
// The web viewer: one script without dependencies, and two files beside it.
await build({
  entryPoints: { viewer: 'src/replay/web/main.ts' },
  outdir: 'dist/replay/web',
  bundle: true,
  platform: 'browser',
  target: 'es2022',
  format: 'iife',
  minify: true,
  logLevel: 'warning',
});
for (const file of ['index.html', 'viewer.css', 'icon.svg'])
  copyFileSync(`src/replay/web/${file}`, `dist/replay/web/${file}`);
if (existsSync('src/commands') && existsSync('bin/run.js')) {
  chmodSync('bin/run.js', 0o755);
  // What it says is kept for when it fails: it also looks for newer versions of itself, and says so.
  step('manifest', () =>
    execFileSync(node, ['node_modules/oclif/bin/run.js', 'manifest'], { stdio: ['ignore', 'ignore', 'pipe'] }),
  );
}
