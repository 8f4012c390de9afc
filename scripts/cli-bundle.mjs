// Bundles the command line: what tsc wrote of each command becomes one file with shared chunks beside it. Five hundred
// modules on their own take half a second to start; most of that is finding and opening them.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build } from 'esbuild';

/** Writes over what tsc made of src/commands/ and src/cli/run.ts; all other modules stay in dist/ as they are. */
export async function bundleCli(root) {
  const commands = readdirSync(join(root, 'src', 'commands'), { recursive: true }).filter((f) => f.endsWith('.ts'));
  await build({
    entryPoints: ['src/cli/run.ts', ...commands.map((file) => `src/commands/${file}`)],
    outdir: 'dist',
    outbase: 'src',
    bundle: true,
    splitting: true,
    chunkNames: 'chunks/[hash]',
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    minifySyntax: true,
    minifyWhitespace: true,
    external: ['better-sqlite3', 're2js'],
    plugins: [ownUrls(root), quietOclif],
    // CommonJS packages in an ES module still ask for `require` and where they are.
    banner: {
      js: "import{createRequire as __gov_require}from'node:module';import{fileURLToPath as __gov_path}from'node:url';const require=__gov_require(import.meta.url),__filename=__gov_path(import.meta.url),__dirname=__gov_path(new URL('.',import.meta.url));",
    },
    logLevel: 'warning',
  });
}

/** oclif warns of a working directory that was deleted, on its own terms: the commands that need one say so themselves. */
const quietOclif = {
  name: 'quiet-oclif',
  setup(build) {
    build.onLoad({ filter: /@oclif[\\/]core[\\/]lib[\\/]index\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const warning = "process.stderr.write('WARNING: current directory does not exist\\n');";
      if (!text.includes(warning)) throw new Error(`${path} warns in other words now: see scripts/cli-bundle.mjs`);
      return { contents: text.replace(warning, ''), loader: 'js' };
    });
  },
};

/** A module that asks where it is means its own place below dist/, not that of the chunk it became part of. */
function ownUrls(root) {
  return {
    name: 'own-urls',
    setup(build) {
      build.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (!/import\.meta\.(?:url|dirname)/.test(text)) return undefined;
        const own = `${relative(join(root, 'src'), path).replace(/\.ts$/, '')}.js`;
        const place = JSON.stringify(own);
        return {
          contents: `import { directoryOf as __gov_dir, placeOf as __gov_place } from ${JSON.stringify(join(root, 'scripts', 'cli-place.mjs'))};\n${text
            .replaceAll('import.meta.url', `__gov_place(${place})`)
            .replaceAll('import.meta.dirname', `__gov_dir(${place})`)}`,
          loader: 'ts',
        };
      });
    },
  };
}
