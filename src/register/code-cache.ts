// Run as a program by the build and by `gov init`: writes V8's code cache of the hook's bundle for this Node. With
// the word `warm` it is its own child, which plays one call through the bundle first, so that the cache also holds
// the functions that V8 compiles only when they are called.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Script } from 'node:vm';

const hook = fileURLToPath(new URL('../hook.cjs', import.meta.url));
const cache = join(dirname(hook), `hook.${process.version}-${process.arch}.cache`);

const PAYLOAD = {
  session_id: 'warm-up',
  cwd: '/',
  hook_event_name: 'PreToolUse',
  tool_name: 'Bash',
  // Judged, never run. The last part is refused, so that the way of a refusal is in the cache too.
  tool_input: {
    command: 'cd /tmp && git status --short | head -n 3; echo "$HOME" > /tmp/x && npm test; rm -rf ~/gov-warm-up',
  },
  tool_use_id: 'warm-up',
};

if (process.argv[2] === 'warm') playOnce();
else makeCache();

/**
 * A scratch home keeps the call out of the person's records. A first call creates the store there, so that what is only
 * needed for that does not get into the cache: V8 reads all of it each time.
 */
function makeCache(): void {
  rmSync(cache, { force: true });
  const home = mkdtempSync(join(tmpdir(), 'gov-cache-'));
  const play = (...args: readonly string[]) =>
    spawnSync(process.execPath, args, {
      input: JSON.stringify(PAYLOAD),
      encoding: 'utf8',
      env: { PATH: process.env['PATH'], HOME: home, GOV_HOME: join(home, 'gov'), USER: 'warm-up', GOV_DAEMON: 'off' },
    });
  try {
    play(hook, 'gate', 'claude-code');
    const run = play(fileURLToPath(import.meta.url), 'warm');
    if (!existsSync(cache)) process.stderr.write(`gov: no code cache was made: ${run.stderr.trim()}\n`);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

function playOnce(): void {
  const scripts = new Map<string, Script>();
  (globalThis as unknown as Record<symbol, unknown>)[Symbol.for('gov.code-cache')] = (
    build: string,
    names: readonly string[],
    load: (name: string) => Script,
  ) => {
    process.on('exit', () => {
      write(
        build,
        names.map((name) => (scripts.get(name) ?? load(name)).createCachedData()),
      );
    });
    return (name: string, script: Script) => void scripts.set(name, script);
  };
  process.argv.splice(2, process.argv.length, 'gate', 'claude-code');
  createRequire(import.meta.url)(hook);
}

/** As scripts/hook-boot.cjs reads it: the name of the bundle, start and length of each piece's data, then the data. */
function write(build: string, data: readonly Buffer[]): void {
  const table = new Uint32Array(2 * data.length);
  let at = build.length + table.byteLength;
  for (const [i, { length }] of data.entries()) {
    table.set([at, length], 2 * i);
    at += length;
  }
  const temporary = `${cache}.${process.pid}`;
  writeFileSync(temporary, Buffer.concat([Buffer.from(build, 'latin1'), Buffer.from(table.buffer), ...data]));
  renameSync(temporary, cache);
}
