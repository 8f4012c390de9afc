// Builds dist/gov-daemon.cjs, one file, and dist/build-id: the name by which the launchers and the daemon know that they
// belong to the same build. Whatever takes part in an answer goes into it.
import { createHash } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { build } from 'esbuild';

const PLACE = '@@GOV_BUILD@@';

/** After `bundleHook`. */
export async function bundleDaemon() {
  const { outputFiles } = await build({
    entryPoints: ['src/daemon/main.ts'],
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    minifySyntax: true,
    minifyWhitespace: true,
    external: ['*.node'],
    define: { 'import.meta.url': '__gov_url', 'import.meta.dirname': '__dirname' },
    banner: { js: "const __gov_url=require('node:url').pathToFileURL(__filename).href;" },
    write: false,
    logLevel: 'warning',
  });
  const text = outputFiles[0].text;
  if (text.split(PLACE).length !== 2) throw new Error('the daemon has no one place for the name of its build');
  const digest = createHash('sha256').update(text);
  for (const file of [
    'dist/hook.bundle.js',
    'dist/hook.cjs',
    'hooks/launch.sh',
    'hooks/ask-daemon.pl',
    'hooks/ask-daemon.c',
  ])
    digest.update(readFileSync(file));
  const name = digest.digest('hex').slice(0, 16);
  writeFileSync(
    'dist/gov-daemon.cjs',
    text.replace(PLACE, () => name),
  );
  writeFileSync('dist/build-id', `${name}\n`);
}
