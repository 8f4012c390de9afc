// Run as a program by the build and by `gov init`: writes V8's code cache of the hook's bundle for this Node. With
// the word `warm` it is its own child, which plays one call through the bundle first, so that the cache also holds
// the functions that V8 compiles only when they are called.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';

const bundle = fileURLToPath(new URL('../hook.bundle.js', import.meta.url));
const cache = join(dirname(bundle), `hook.${process.version}-${process.arch}.cache`);

const PAYLOAD = {
  session_id: 'warm-up',
  cwd: '/',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  tool_input: { command: 'cd /tmp && git status --short | head -n 3; echo "$HOME" > /tmp/x && npm test' },
  tool_use_id: 'warm-up',
};

if (process.argv[2] === 'warm') playOnce();
else makeCache();

/** A scratch home keeps the call out of the person's records. */
function makeCache(): void {
  rmSync(cache, { force: true });
  const home = mkdtempSync(join(tmpdir(), 'gov-cache-'));
  try {
    const run = spawnSync(process.execPath, [fileURLToPath(import.meta.url), 'warm'], {
      input: JSON.stringify(PAYLOAD),
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: home, GOV_HOME: join(home, 'gov') },
    });
    if (!existsSync(cache)) process.stderr.write(`gov: no code cache was made: ${run.stderr.trim()}\n`);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function playOnce(): void {
  const script = new Script(readFileSync(bundle, 'latin1'), { filename: bundle });
  process.on('exit', () => {
    const temporary = `${cache}.${process.pid}`;
    writeFileSync(temporary, script.createCachedData());
    renameSync(temporary, cache);
  });
  process.argv.splice(2, process.argv.length, 'gate', 'claude-code');
  const module = { exports: {} };
  script.runInThisContext()(module.exports, createRequire(bundle), module, bundle, dirname(bundle));
}
