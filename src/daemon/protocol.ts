/**
 * What the launcher's client (hooks/ask-daemon.c, or hooks/ask-daemon.pl where the build found no compiler) and the
 * daemon say to each other, one question and one answer on a connection. All lengths are in bytes.
 *
 *     gov-ask 1 <length of meta> <length of payload>\n<meta><payload>
 *     gov-answer 1 <build> <id> <0|2> <length of stdout> <length of stderr>\n<stdout><stderr>\ndone <id>\n
 *     gov-refusal 1 <build> <id> <word>\n
 *
 * Meta is texts with a NUL between them: what is asked (`call`, `status`, `stop`), build, id, part, agent, working
 * directory, the view (`viewOf`), then `NAME=VALUE` for what stands in `CALLER_ENV`. Only a whole `gov-answer` of the
 * same build, with the id that was asked under, is an answer; the client takes anything else for none.
 */
import { readlinkSync, statSync } from 'node:fs';
import type { Output } from '../agents/agent.ts';
import { callerEnv } from '../hook/caller.ts';

export const MAX_META = 256 * 1024;
/** The client keeps larger payloads to itself: their analysis would hold up everybody else. */
export const MAX_PAYLOAD = 256 * 1024;
const MAX_HEAD = 64;

type Verb = 'call' | 'status' | 'stop';
const VERBS: readonly string[] = ['call', 'status', 'stop'] satisfies Verb[];

export interface Question {
  readonly verb: Verb;
  readonly build: string;
  readonly id: string;
  readonly part: string;
  readonly agent: string;
  readonly cwd: string;
  readonly view: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly payload: Buffer;
}

/** Why a call is not answered: the client goes the other way, with a hook of its own. */
export type Refusal =
  /** The installation is another than the one that this process runs. */
  | 'build'
  /** A caller with other rights, other file systems or other places than this process. */
  | 'elsewhere'
  /** The store or the judgement failed here; a fresh process may fare better, and says so if not. */
  | 'fault'
  /** A person switched the daemon off, or it is about to end. */
  | 'ending';

/** The question in the bytes so far; null if there is more to come, `'bad'` if this is none. */
export function readQuestion(bytes: Buffer): Question | null | 'bad' {
  const end = bytes.subarray(0, MAX_HEAD).indexOf(10);
  if (end < 0) return bytes.length < MAX_HEAD ? null : 'bad';
  const head = /^gov-ask 1 (\d{1,7}) (\d{1,7})$/.exec(bytes.toString('latin1', 0, end));
  if (!head) return 'bad';
  const [meta, payload] = [Number(head[1]), Number(head[2])];
  if (meta > MAX_META || payload > MAX_PAYLOAD) return 'bad';
  const start = end + 1;
  if (bytes.length < start + meta + payload) return null;
  if (bytes.length > start + meta + payload) return 'bad';
  const [verb, build, id, part, agent, cwd, view, ...env] = bytes.toString('utf8', start, start + meta).split('\0');
  if (view === undefined || !VERBS.includes(verb ?? '')) return 'bad';
  const all = Object.fromEntries(
    env.map((text) => {
      const at = text.indexOf('=');
      return [text.slice(0, at), text.slice(at + 1)];
    }),
  );
  const question = {
    verb: verb as Verb,
    build: build ?? '',
    id: id ?? '',
    part: part ?? '',
    agent: agent ?? '',
    cwd: cwd ?? '',
  };
  return { ...question, view, env: callerEnv(all), payload: bytes.subarray(start + meta) };
}

/** The bytes of a question. */
export function questionBytes(question: Question): Buffer {
  const { verb, build, id, part, agent, cwd, view, env, payload } = question;
  const set = Object.entries(env).flatMap(([name, value]) => (value === undefined ? [] : [`${name}=${value}`]));
  const meta = Buffer.from([verb, build, id, part, agent, cwd, view, ...set].join('\0'));
  return Buffer.concat([Buffer.from(`gov-ask 1 ${meta.length} ${payload.length}\n`), meta, payload]);
}

/** The bytes of an answer. */
export function answerBytes(build: string, id: string, { stdout, stderr, exitCode }: Output): Buffer {
  const [out, err] = [Buffer.from(stdout), Buffer.from(stderr)];
  const head = `gov-answer 1 ${build} ${id} ${exitCode} ${out.length} ${err.length}\n`;
  return Buffer.concat([Buffer.from(head), out, err, Buffer.from(`\ndone ${id}\n`)]);
}

export function refusalBytes(build: string, id: string, why: Refusal): Buffer {
  return Buffer.from(`gov-refusal 1 ${build} ${id} ${why}\n`);
}

/** A whole answer, read back; null for anything else. `build` null: of whatever build. */
export function readAnswer(bytes: Buffer, build: string | null, id: string): Output | null {
  const end = bytes.indexOf(10);
  const head = /^gov-answer 1 (\S+) (\S+) ([02]) (\d{1,9}) (\d{1,9})$/.exec(bytes.toString('latin1', 0, end));
  if (!head || (build !== null && head[1] !== build) || head[2] !== id) return null;
  const [out, err] = [Number(head[4]), Number(head[5])];
  const start = end + 1;
  if (bytes.toString('latin1', start + out + err) !== `\ndone ${id}\n`) return null;
  const text = (from: number, length: number): string => bytes.toString('utf8', from, from + length);
  return { stdout: text(start, out), stderr: text(start + out, err), exitCode: head[3] === '2' ? 2 : 0 };
}

/**
 * How this process sees the machine: user, group, root directory, and mount namespace where there is such a thing. One
 * with another view (in a container that shares the home directory, under `sudo`) would see other files.
 */
export function viewOf(): string {
  const root = statSync('/', { bigint: true });
  let mounts = '';
  try {
    mounts = readlinkSync('/proc/self/ns/mnt');
  } catch {
    // Not Linux.
  }
  return `${process.geteuid?.() ?? ''}:${process.getegid?.() ?? ''}:${root.dev}:${root.ino}:${mounts}`;
}
