// The guards that can be measured: gov itself, what package.json in this folder installs, and what is named by path.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = join(here, '..', '..');
const versionIn = (file) => JSON.parse(readFileSync(file, 'utf8')).version;

/** The base of all ratios. */
export const BASE = { name: 'node -e 0', version: process.versions.node, command: [process.execPath, '-e', '0'] };

/**
 * gov from this checkout, with no daemon: a cold process with its durable record. Then each installed peer, as its own
 * plugin registers it. `tools` are those that the guard says it judges; null means all.
 */
export function knownGuards() {
  const guards = [
    {
      name: 'gov',
      version: versionIn(join(root, 'package.json')),
      command: [join(root, 'hooks', 'pre-tool-use'), 'claude-code'],
      env: { GOV_DAEMON: 'off' },
      tools: null,
    },
  ];
  const safetyNet = join(here, 'node_modules', 'cc-safety-net');
  if (!existsSync(safetyNet)) {
    console.error('cc-safety-net is not installed: npm ci --ignore-scripts --prefix bench/peers');
    return guards;
  }
  const command = [process.execPath, join(safetyNet, 'dist', 'bin', 'cc-safety-net.js'), 'hook', '--coding-cli'];
  const version = versionIn(join(safetyNet, 'package.json'));
  // Its readme: "the shell and the agent's read, edit, write, and search tools".
  const tools = ['Bash', 'Read', 'Write', 'Edit', 'MultiEdit', 'Grep', 'Glob'];
  guards.push({ name: 'cc-safety-net', version, command, env: {}, tools });
  guards.push({
    name: 'cc-safety-net',
    setting: 'strict',
    version,
    command,
    env: { CC_SAFETY_NET_LEVEL: 'strict' },
    tools,
  });
  return guards;
}

/**
 * The guards of `NAME=COMMAND` texts, a command's words separated by blanks. Each is taken to judge Bash alone, unless a
 * `NAME=Tool,Tool` among `tools` says more.
 */
export function guardsNamed(peers, tools) {
  const claimed = new Map(tools.map((text) => named('--tools', text, ',')));
  const guards = peers.map((text) => {
    const [name, command] = named('--peer', text, ' ');
    return { name, version: '', command, env: {}, tools: claimed.get(name) ?? ['Bash'] };
  });
  for (const name of claimed.keys())
    if (!guards.some((guard) => guard.name === name))
      throw new Error(`--tools names ${name}, which no --peer is called`);
  return guards;
}

/** `NAME=ONE TWO` as a name and its parts. */
function named(option, text, separator) {
  const at = text.indexOf('=');
  const parts = text
    .slice(at + 1)
    .split(separator)
    .filter(Boolean);
  if (at < 1 || parts.length === 0) throw new Error(`${option} takes NAME=… and something after it, not \`${text}\``);
  return [text.slice(0, at), parts];
}
