// Builds everything into dist/: every module (TypeScript), the commands with shared chunks, the compiled built-in
// policy, the hook's bundle and oclif's manifest. Does nothing twice if called twice.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { bundleCli } from './cli-bundle.mjs';
import { compileClient } from './client.mjs';
import { bundleDaemon } from './daemon-bundle.mjs';
import { bundleHook } from './hook-bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
process.chdir(root);
const node = process.execPath;
const step = (name, run) => {
  const started = performance.now();
  run();
  if (process.env.GOV_BUILD_TIMES) console.error(`${name} ${Math.round(performance.now() - started)} ms`);
};

rmSync('dist', { recursive: true, force: true });
step('types', () =>
  execFileSync(
    node,
    // In dist/, so that checkouts that share their node_modules don't take each other's notes for their own.
    ['node_modules/typescript/bin/tsc', '-p', 'tsconfig.json', '--tsBuildInfoFile', 'dist/.tsbuildinfo'],
    { stdio: 'inherit' },
  ),
);
rmSync('dist/.tsbuildinfo', { force: true });
if (existsSync('dist/rulebook/build-builtin.js'))
  step('policy', () => execFileSync(node, ['dist/rulebook/build-builtin.js'], { stdio: 'inherit' }));

await bundleHook(root);
await bundleDaemon();
step('client', () => compileClient());
await bundleCli(root);
step('code cache', () => execFileSync(node, ['dist/register/code-cache.js'], { stdio: 'inherit' }));
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
  const env = {
    ...process.env,
    XDG_CACHE_HOME: join(root, 'node_modules', '.cache'),
    NO_COLOR: '1',
    OCLIF_COLUMNS: '80',
  };
  // What it says is kept for when it fails: it also looks for newer versions of itself, and says so.
  step('manifest', () =>
    execFileSync(node, ['node_modules/oclif/bin/run.js', 'manifest'], {
      stdio: ['ignore', 'ignore', 'pipe'],
      env,
    }),
  );
  // The first page is the same for everybody, so bin/run.js has it ready.
  writeFileSync('dist/cli/help.txt', execFileSync(node, ['bin/run.js', '--help'], { env }));
}
