import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll } from 'vitest';
import { openStore } from '../../../src/audit/read/store.ts';
import { verifyStore } from '../../../src/audit/tend/verify.ts';
import { type GovPaths, govPaths } from '../../../src/base/gov-paths.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

interface Run {
  readonly child: ChildProcess;
  /** Ids that were acknowledged as durable, and where. */
  readonly done: Promise<{ readonly acknowledged: readonly string[]; readonly failures: readonly string[] }>;
}

/** Real processes that append to stores in a scratch directory, which is gone when the tests of the file are. */
export function appenders(prefix: string) {
  const dir = mkdtempSync(join(tmpdir(), prefix));
  const script = join(dir, 'append.cjs');

  beforeAll(async () => {
    // One CommonJS file, as small as it gets; SQLite is that of the checkout.
    await build({
      entryPoints: [join(root, 'test/process/audit/append.ts')],
      outfile: script,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      external: ['*.node'],
      define: { 'import.meta.url': '__url' },
      banner: {
        js: `const __url = require('node:url').pathToFileURL(${JSON.stringify(join(root, 'dist', 'hook.cjs'))}).href;`,
      },
      logLevel: 'error',
    });
  });
  afterAll(() => rmSync(dir, { recursive: true, force: true }));

  function home(name: string): { readonly env: NodeJS.ProcessEnv; readonly paths: GovPaths } {
    const own = join(dir, name);
    const env = { PATH: process.env['PATH'], HOME: own, GOV_HOME: own };
    return { env, paths: govPaths(env) };
  }

  function start(
    env: NodeJS.ProcessEnv,
    count: number,
    name: string,
    budget = 8000,
    killAfter = count + 1,
    hold = count,
  ): Run {
    const child = spawn(process.execPath, [script, root, String(count), String(budget), name, String(hold)], {
      env,
      stdio: [hold < count ? 'pipe' : 'ignore', 'pipe', 'inherit'],
    });
    let out = '';
    child.stdout?.on('data', (chunk: Buffer) => {
      out += chunk.toString();
      if (out.split('\n').length > killAfter) child.kill('SIGKILL');
    });
    const done = new Promise<Awaited<Run['done']>>((resolve) => {
      child.on('close', () => {
        const lines = out.split('\n').slice(0, -1); // what follows the last line feed was never acknowledged whole
        resolve({
          acknowledged: lines.filter((line) => !line.startsWith('failed')).map((line) => line.split(' ')[0] ?? ''),
          failures: lines.filter((line) => line.startsWith('failed')),
        });
      });
    });
    return { child, done };
  }

  function look(paths: GovPaths) {
    const store = openStore(paths.database);
    const stored = store.db.prepare('SELECT id FROM records ORDER BY seq').pluck().all() as string[];
    const result = verifyStore(store, paths);
    store.close();
    return { stored, result };
  }

  function drain(env: NodeJS.ProcessEnv): string {
    return (
      execFileSync(process.execPath, [script, root, '1', '8000', 'last'], { env, encoding: 'utf8' }).split(' ')[0] ?? ''
    );
  }

  function run(env: NodeJS.ProcessEnv, count: number): string {
    try {
      return execFileSync(process.execPath, [script, root, String(count), '300', 'one'], {
        env,
        encoding: 'utf8',
        stdio: ['ignore', 'pipe', 'pipe'],
      });
    } catch (error) {
      return String((error as { stdout?: string }).stdout);
    }
  }

  return { dir, home, start, look, drain, run };
}
