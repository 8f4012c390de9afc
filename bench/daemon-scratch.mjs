// A scratch place with a daemon, for the measurements of the warm path. Nothing of the account is touched.
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));
export const launcher = join(root, 'hooks', 'pre-tool-use');
const BUILD = readFileSync(join(root, 'dist', 'build-id'), 'utf8').trim();

/** `--name N` on the command line, or a default. */
export function option(name, otherwise) {
  const at = process.argv.indexOf(`--${name}`);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
}

export function makeScratch() {
  const dir = mkdtempSync(join(process.env.GOV_BENCH_DIR ?? tmpdir(), 'gov-warm-'));
  const home = join(dir, 'home');
  const workspace = join(home, 'project');
  mkdirSync(join(workspace, '.git'), { recursive: true });
  const env = { PATH: process.env.PATH, HOME: home, GOV_HOME: join(dir, 'gov'), USER: 'bench' };
  const state = join(dir, 'gov', 'state');
  return {
    env,
    workspace,
    database: join(state, 'audit.db'),
    socket: join(state, 'daemon', 'socket'),
    pid: () => Number(readFileSync(join(state, 'daemon', 'pid'), 'utf8')),
    payload: (session, command, id) =>
      JSON.stringify({
        session_id: session,
        cwd: workspace,
        hook_event_name: 'PreToolUse',
        tool_name: 'Bash',
        tool_input: { command },
        tool_use_id: id,
      }),
    remove: () => rmSync(dir, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}

/** Starts the daemon and waits until it answers. */
export async function startDaemon(scratch) {
  const daemon = spawn(process.execPath, [join(root, 'dist', 'gov-daemon.cjs'), '600000'], {
    env: scratch.env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  for (let i = 0; i < 500; i++) {
    const said = await ask(scratch, Buffer.from(scratch.payload('start', 'ls', 'start'))).catch(() => '');
    if (said.startsWith('gov-answer')) return daemon;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the daemon does not come up');
}

/** Ends a daemon that `startDaemon` gave, if it has not ended by itself. */
export async function endDaemon(daemon) {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const closed = new Promise((resolve) => daemon.once('close', resolve));
  daemon.kill();
  await closed;
}

const base = statSync('/', { bigint: true });
const view = [process.geteuid(), process.getegid(), base.dev, base.ino, mounts()].join(':');

function mounts() {
  try {
    return readlinkSync('/proc/self/ns/mnt');
  } catch {
    return '';
  }
}

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';

function makeId() {
  let id = '';
  for (let i = 0, rest = Date.now(); i < 9; i++, rest = Math.floor(rest / 32)) id = LETTERS[rest % 32] + id;
  for (let i = 0; i < 11; i++) id += LETTERS[Math.floor(Math.random() * 32)];
  return id;
}

/** One question as the launchers' client asks it; the daemon's words. */
export function ask(scratch, payload, verb = 'call') {
  const id = makeId();
  const variables = Object.entries(scratch.env).map(([name, value]) => `${name}=${value}`);
  const meta = [verb, BUILD, id, 'gate', 'claude-code', scratch.workspace, view, ...variables].join('\0');
  return new Promise((resolve, reject) => {
    const socket = connect(scratch.socket);
    let said = '';
    socket.on('data', (chunk) => {
      said += chunk;
    });
    socket.on('error', reject);
    socket.on('close', () => resolve(said));
    socket.write(`gov-ask 1 ${Buffer.byteLength(meta)} ${payload.length}\n`);
    socket.write(meta);
    socket.write(payload);
  });
}

/** What the daemon says about itself. */
export async function askStatus(scratch) {
  const said = await ask(scratch, Buffer.alloc(0), 'status');
  return JSON.parse(said.split('\n')[1]);
}
