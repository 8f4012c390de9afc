import type { Output } from '../agents/agent.ts';
import type { Writer } from '../audit/write/writer.ts';
import { type ConfigRead, daemonMode, readConfig } from '../base/config.ts';
import { type GovPaths, govPaths } from '../base/gov-paths.ts';
import { isId } from '../base/ids.ts';
import type { Caller } from '../hook/caller.ts';
import { agentOf, contextOf, partNamed, payloadFrom, placeOf } from '../hook/context.ts';
import { signEnd } from '../hook/ended.ts';
import { faultCodeOf } from '../hook/faults.ts';
import { storyOf } from '../hook/handle.ts';
import { inputOf } from '../hook/input.ts';
import { refreshProject } from '../hook/refresh.ts';
import type { LoadPolicy } from '../policy/in-force.ts';
import { freshLooks, type Looks, machineWorld } from '../world/machine.ts';
import { finishAll, type Running } from './batch.ts';
import type { Question, Refusal } from './protocol.ts';
import type { HeldStore } from './store.ts';
import { nothingUnseen, type Unseen } from './unseen.ts';

/** A question on its way, and how it is answered. */
export interface Asked {
  readonly question: Question;
  /** When it came in, as `performance.now` counts. */
  readonly at: number;
  /** False once nobody waits for the answer. */
  isOpen(): boolean;
  answer(output: Output): void;
  refuse(why: Refusal): void;
}

export interface DeskOptions {
  readonly paths: GovPaths;
  readonly build: string;
  readonly view: string;
  readonly store: HeldStore;
  readonly load: LoadPolicy;
  /** The process is to end: it is another than the installation, or not wanted any more. */
  end(): void;
}

/** Calls that share a commit at most. */
const MOST = 256;
/**
 * Milliseconds, from and to, after which the calls at hand are answered before others are begun: so much longer than their
 * commit that this is a small part of the whole.
 */
const LONG_MS = [5, 100] as const;
const COMMITS = 8;
let longMs: number = LONG_MS[0];

/** Takes questions from the front of the queue and answers each. Never throws: what fails is refused. */
export function work(queue: Asked[], options: DeskOptions): void {
  const started = performance.now();
  const running: Running<Asked>[] = [];
  let writer: Writer;
  try {
    writer = options.store.current();
  } catch {
    for (const asked of queue.splice(0)) asked.refuse('fault');
    return;
  }
  const seen = freshSeen(options.load);
  const isFull = (): boolean => running.length >= MOST || performance.now() - started >= longMs;
  writer.together(() => {
    // Not those that come in meanwhile: they must not share what was seen before they asked.
    for (let left = queue.length; left > 0 && !isFull(); left--) {
      const asked = queue.shift() as Asked;
      if (!asked.isOpen()) continue;
      try {
        const begun = begin(asked, writer, options, seen);
        if (begun === 'later') {
          queue.unshift(asked);
          break;
        }
        if (typeof begun === 'string') asked.refuse(begun);
        else {
          seen.unseen.add(begun.wanted.draft);
          running.push(begun);
        }
      } catch {
        asked.refuse('fault');
      }
    }
  });
  if (running.length === 0) return;
  const judged = performance.now();
  const answered = new Set<Asked>();
  try {
    finishAll(running, writer, (asked, output) => {
      answered.add(asked);
      asked.answer(output);
    });
  } catch {
    for (const { of } of running) if (!answered.has(of)) of.refuse('fault');
  }
  longMs = Math.min(LONG_MS[1], Math.max(LONG_MS[0], COMMITS * (performance.now() - judged)));
  try {
    options.store.wrote(answered.size);
  } catch {
    // A log that can't be folded now is folded later, at the latest by who opens it next.
  }
  for (const { of, wanted } of running) {
    const { event, cwd } = wanted.draft.call;
    if (answered.has(of) && event === 'SessionStart') refresh(of, cwd, options);
    if (answered.has(of) && event === 'SessionEnd') signEnd(writer, options.paths, Date.now());
  }
}

/** What the calls of one batch have seen, so that each file is looked at once: see `Looks`. */
interface Seen {
  readonly looks: Looks;
  readonly load: LoadPolicy;
  readonly unseen: Unseen;
  config(file: string): ConfigRead;
}

function freshSeen(load: LoadPolicy): Seen {
  return { looks: freshLooks(), load: once(load), unseen: nothingUnseen(), config: once(readConfig) };
}

/** What throws is tried again by the next one. */
function once<T>(look: (path: string) => T): (path: string) => T {
  const seen = new Map<string, T>();
  return (path) => {
    const known = seen.get(path);
    if (known !== undefined) return known;
    const found = look(path);
    seen.set(path, found);
    return found;
  };
}

/**
 * Judges a call up to its record; a word if it is none for this process, `later` if it has to see first what others of
 * this batch leave behind.
 */
function begin(asked: Asked, writer: Writer, options: DeskOptions, seen: Seen): Running<Asked> | Refusal | 'later' {
  const { question } = asked;
  const { env } = question;
  if (question.build !== options.build) {
    options.end();
    return 'build';
  }
  const paths = govPaths(env);
  const placed = env['HOME']?.startsWith('/') && paths.state === options.paths.state && question.cwd.startsWith('/');
  if (!placed || question.view !== options.view || !isId(question.id)) return 'elsewhere';
  const config = seen.config(paths.configFile);
  if (daemonMode(config.config, env) === 'off') {
    if (config.config.daemon === 'off') options.end();
    return 'ending';
  }
  const caller: Caller = { env, cwd: question.cwd };
  let missed = false;
  const context = contextOf({
    part: partNamed(question.part),
    agent: agentOf(question.agent),
    caller,
    paths,
    config,
    id: question.id,
    load: seen.load,
    looks: seen.looks,
    watch: (history) =>
      seen.unseen.watch(history, () => {
        missed = true;
      }),
    writer: () => writer,
    elapsed: () => performance.now() - asked.at,
    mark: () => {},
    // One watchdog for the whole process does it here (overdue.ts): a thread for each call takes as long as the call.
    inTime: (run) => run(),
  });
  const story = storyOf(payloadFrom(caller, inputOf(question.payload)), context);
  const step = story.next();
  if (missed) return 'later';
  if (step.done) return 'fault';
  // What broke here may have broken of this process: a fresh one judges for itself.
  const { decision } = step.value.draft;
  if (decision && faultCodeOf(decision) !== null && decision.rule !== 'gov.bad-payload') return 'fault';
  return { of: asked, story, wanted: step.value };
}

/** As a hook does after the start of a session. */
function refresh({ question: { env } }: Asked, cwd: string, { paths }: DeskOptions): void {
  const { preset } = readConfig(govPaths(env).configFile).config;
  const { workspace } = machineWorld({ cwd, env });
  refreshProject(placeOf(paths, preset), workspace, { ...env, PATH: process.env['PATH'] });
}
