import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Env } from '../agents/agent.ts';

/** A process above this one. */
export interface Ancestor {
  readonly pid: number;
  readonly argv: readonly string[];
  /** The environment that it was started with; null where it can't be read. */
  readonly env: Env | null;
}

const MAX_ANCESTORS = 64;

/** The processes above a process, nearest first, up to the first that can't be read. Never throws. */
export function ancestorsOf(pid: number, proc = '/proc'): readonly Ancestor[] {
  if (process.platform !== 'linux' && proc === '/proc') return ancestorsByPs(pid);
  const found: Ancestor[] = [];
  for (let at = parentOf(proc, pid); at > 0 && found.length < MAX_ANCESTORS; at = parentOf(proc, at))
    found.push({ pid: at, argv: wordsOf(proc, at, 'cmdline') ?? [], env: envOf(proc, at) });
  return found;
}

/** proc(5): the name stands in parentheses and may hold any character; state and parent follow the last one. */
function parentOf(proc: string, pid: number): number {
  try {
    const stat = readFileSync(join(proc, String(pid), 'stat'), 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]) || 0;
  } catch {
    return 0;
  }
}

function wordsOf(proc: string, pid: number, file: string): readonly string[] | null {
  try {
    return readFileSync(join(proc, String(pid), file), 'utf8')
      .split('\0')
      .filter((word) => word !== '');
  } catch {
    return null;
  }
}

function envOf(proc: string, pid: number): Env | null {
  const words = wordsOf(proc, pid, 'environ');
  if (words === null) return null;
  const env: Record<string, string> = Object.create(null);
  for (const word of words) {
    const at = word.indexOf('=');
    if (at > 0) env[word.slice(0, at)] = word.slice(at + 1);
  }
  return env;
}

/** Systems without /proc: one listing of all processes; environments are not to be seen. */
function ancestorsByPs(pid: number): readonly Ancestor[] {
  const run = spawnSync('/bin/ps', ['-axo', 'pid=,ppid=,command='], { encoding: 'utf8', timeout: 5000 });
  const all = new Map<number, { parent: number; argv: readonly string[] }>();
  for (const line of (run.stdout ?? '').split('\n')) {
    const match = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line);
    if (match) all.set(Number(match[1]), { parent: Number(match[2]), argv: (match[3] as string).split(' ') });
  }
  const found: Ancestor[] = [];
  for (let at = all.get(pid)?.parent ?? 0; at > 0 && found.length < MAX_ANCESTORS; at = all.get(at)?.parent ?? 0)
    found.push({ pid: at, argv: all.get(at)?.argv ?? [], env: null });
  return found;
}

/** Programs that are agents, by the name they run under. */
const AGENT_NAMES: ReadonlyMap<string, string> = new Map([
  ['claude', 'Claude Code'],
  ['codex', 'Codex'],
  ['gemini', 'Gemini CLI'],
  ['qwen', 'Qwen Code'],
  ['copilot', 'Copilot CLI'],
  ['cursor-agent', 'Cursor'],
  ['droid', 'Factory droid'],
  ['opencode', 'opencode'],
  ['cline', 'Cline'],
  ['aider', 'aider'],
  ['goose', 'goose'],
]);

/** Packages in whose programs agents live when Node or Python runs them. */
const AGENT_PACKAGES =
  /[/\\](?:@anthropic-ai[/\\]claude-code|@openai[/\\]codex|@google[/\\]gemini-cli|@qwen-code[/\\]qwen-code|@github[/\\]copilot|opencode-ai|cline|aider)[/\\@]/;

/** Programs that hold a terminal and type into it. */
const TYPISTS: ReadonlySet<string> = new Set(['expect', 'unbuffer', 'script', 'socat', 'autoexpect', 'empty']);

/** The agent that a process is, or null. */
export function agentIn({ argv }: Pick<Ancestor, 'argv'>): string | null {
  for (const word of argv.slice(0, 3)) {
    const named = AGENT_NAMES.get(nameOf(word));
    if (named && (word === argv[0] || word.includes('/'))) return named;
    const inPackage = AGENT_PACKAGES.exec(word);
    if (inPackage) return inPackage[0].replace(/^[/\\]|[/\\@]$/g, '');
  }
  return null;
}

/** The program that pretends to be a terminal above this process, or null. */
export function typistIn({ argv }: Pick<Ancestor, 'argv'>): string | null {
  const name = nameOf(argv[0] ?? '');
  return TYPISTS.has(name) ? name : null;
}

function nameOf(word: string): string {
  return basename(word)
    .replace(/^-/, '')
    .replace(/\.(?:exe|js|mjs|cjs)$/, '');
}
