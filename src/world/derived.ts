/** Directories that a build, a test run or a package manager makes and can make again. */
const DERIVED_DIRS: ReadonlySet<string> = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  'dist',
  'build',
  'out',
  'target',
  'coverage',
  '.next',
  '.nuxt',
  '.output',
  '.svelte-kit',
  '.turbo',
  '.nx',
  '.parcel-cache',
  '.cache',
  '.vite',
  '.vitest',
  '.angular',
  '.astro',
  '.docusaurus',
  '.expo',
  '.webpack',
  '.rollup.cache',
  '.rpt2_cache',
  '.swc',
  '.wireit',
  'storybook-static',
  '.nyc_output',
  '.jest-cache',
  '.eslintcache',
  '.stylelintcache',
  'test-results',
  'playwright-report',
  'blob-report',
  '__pycache__',
  '.pytest_cache',
  '.mypy_cache',
  '.ruff_cache',
  '.hypothesis',
  '.tox',
  '.nox',
  '.venv',
  'venv',
  '.eggs',
  'htmlcov',
  '.ipynb_checkpoints',
  '.gradle',
  '.kotlin',
  '.mvn-cache',
  'cmake-build-debug',
  'cmake-build-release',
  'deriveddata',
  'pods',
  '.build',
  '_build',
  '.dart_tool',
  '.bloop',
  '.metals',
  '.bsp',
  'zig-cache',
  '.zig-cache',
  'zig-out',
  'elm-stuff',
  '.stack-work',
  'dist-newstyle',
  '.terraform',
  '.serverless',
  '.vercel',
  '.netlify',
  '.firebase',
  '.aws-sam',
  'cdk.out',
  'tmp',
  'temp',
  '.tmp',
  '.temp',
  'logs',
  'log',
  '.sass-cache',
  '.jekyll-cache',
  '_site',
  'obj',
  '.vs',
  'bazel-bin',
  'bazel-out',
  'bazel-testlogs',
  '.pnpm-store',
  '.bundle',
]);

const DERIVED_FILE =
  /\.(?:pyc|pyo|o|obj|a|so|dylib|class|log|tmp|temp|swp|tsbuildinfo|map|gcda|gcno|profraw|egg-info|pid|rdb-temp)$|^(?:\.ds_store|thumbs\.db|\.coverage(?:\..+)?|coverage\.xml|\.eslintcache|\.stylelintcache|npm-debug\.log.*|yarn-(?:debug|error)\.log.*|core)$/;

/** True if the name of it, or of a directory above it, says that it was made by a tool. `below` is relative to the workspace. */
export function isDerivedName(below: string): boolean {
  const parts = below.toLowerCase().split('/');
  for (const part of parts) if (DERIVED_DIRS.has(part) || part.endsWith('.egg-info')) return true;
  return DERIVED_FILE.test(parts.at(-1) ?? '');
}

const DATA_DIR =
  /(?:^|\/)(?:data|datasets?|db|databases?|uploads?|storage|backups?|media|secrets?|models?|checkpoints?|notes)(?:\/|$)/;
const DATA_FILE =
  /(?:^|\/)(?:\.env(?:\..*)?|[^/]*\.(?:sqlite3?|db|mdb|rdb|dump|sql|bak|backup|csv|tsv|parquet|xlsx?|docx?|pem|key|p12|jks|kdbx|tfstate|env|h5|ckpt|pt|safetensors|onnx|pkl|npz|ipynb)(?:-wal|-shm|-journal)?|pg_version|ibdata1)$/;

/** Projects keep data and secrets out of git as well as build outputs: what is ignored is not always made again. */
export function isKeptData(below: string): boolean {
  const low = below.toLowerCase();
  return DATA_FILE.test(low) || DATA_DIR.test(low);
}
