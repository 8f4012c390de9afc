import './last-resort.ts';
import { readFileSync, realpathSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Agent, type Env, type EventPart, SILENT } from '../agents/agent.ts';
import { agentNamed, agents } from '../agents/index.ts';
import { readInstalled } from '../agents/installed.ts';
import { findNativeBinding } from '../audit/write/binding.ts';
import { keyedDigest } from '../audit/write/draft.ts';
import { marksOf } from '../audit/write/marks.ts';
import { openWriter, type Writer } from '../audit/write/writer.ts';
import { readConfig } from '../base/config.ts';
import { GovError } from '../base/errors.ts';
import { type GovPaths, govPaths } from '../base/gov-paths.ts';
import { LIMITS } from '../base/limits.ts';
import { factsOf } from '../facts/facts.ts';
import { readApprovers } from '../grants/approvers.ts';
import { grantsInForce, takingUses } from '../grants/in-force.ts';
import { refusalOf } from '../grants/person-said.ts';
import { stopFor } from '../grants/stop.ts';
import type { Facts } from '../model/facts.ts';
import type { ToolCall } from '../model/tool-call.ts';
import type { World } from '../model/world.ts';
import { decide } from '../policy/decide.ts';
import { type PolicyPlace, policyInForce } from '../policy/in-force.ts';
import { concerns } from '../policy/marks.ts';
import { findSecrets } from '../redact/redact.ts';
import { machineWorld } from '../world/machine.ts';
import { disarmEffects } from './disarm.ts';
import { handle } from './handle.ts';
import { storeHistory } from './history.ts';
import { readInput } from './input.ts';
import { failOpen, finish } from './last-resort.ts';
import { writeAll } from './output.ts';
import { refreshProject } from './refresh.ts';
import { startTiming } from './timing.ts';
import { Overdue, within } from './watchdog.ts';

/** `hook.cjs PART AGENT`, started by the launchers: one payload on standard input, one answer, one exit code. */
async function main(): Promise<void> {
  const timing = startTiming(() => performance.now());
  const env: Env = process.env;
  const paths = govPaths(process.env);
  const { config, fault } = readConfig(paths.configFile);
  if (config.mode === 'monitor') failOpen();
  const part = partNamed(process.argv[2]);
  const agent = agentNamed(process.argv[3] ?? '') ?? stranger(process.argv[3] ?? '');
  timing.mark('configuration');
  const input = await readInput(LIMITS.stdinBytes, LIMITS.hookDeadlineMs - timing.elapsed());
  timing.mark('standard input');

  let writer: Writer | null = null;
  // A call that a person stopped does not wait long for its record.
  let hurried = false;
  const opened = (): Writer => {
    writer ??= openWriter(paths, { nativeBinding: findNativeBinding(), ...(hurried ? { budgetMs: 300 } : {}) });
    return writer;
  };
  let startedIn: string | null = null;
  const output = handle(standsSomewhere() ? input : NOWHERE, {
    part,
    agent,
    env,
    config,
    faults: fault === '' ? [] : [fault],
    now: Date.now,
    elapsed: timing.elapsed,
    inTime: (run) => within(LIMITS.hookDeadlineMs - timing.elapsed(), run),
    isOverdue: (error) => error instanceof Overdue,
    policy: (call) => policyInForce(placeOf(paths, config.preset), worldOf(call.cwd).workspace),
    factsOf: (call) => factsWithDisarm(call, paths, worldOf(call.cwd)),
    decide,
    decisionParts: () => ({
      history: storeHistory(
        (rule, keys, since) => opened().read((db) => marksOf(db, rule, keys, since)),
        (digest) => withKey(opened().key(), digest),
      ),
      services: { secrets: findSecrets },
    }),
    concerns,
    stopped: (session) => {
      const stop = stopFor(paths, session);
      hurried = stop !== null;
      return stop;
    },
    grants: (facts, gone) =>
      grantsInForce(opened(), { facts, gone, now: Date.now(), approvers: () => readApprovers(paths) }),
    refused: (facts, rules) => refusalOf(opened(), { facts, rules, now: Date.now() }),
    append: (draft, takes = []) => {
      if (draft.call.event === 'SessionStart') startedIn = draft.call.cwd;
      if (takes.length === 0) return opened().append(draft);
      return opened().append(draft, takingUses(takes, draft.call.session, Date.now));
    },
    mark: timing.mark,
  });
  if (env['GOV_TRACE_TIMING'] === '1') writeAll(2, timing.report());
  // Closing folds the log into the database (about 1 ms): after the answer, but left out it would cost every later
  // hook more, for the log would only grow.
  const afterwards = (): void => {
    writer?.close();
    if (startedIn !== null) refreshProject(placeOf(paths, config.preset), worldOf(startedIn).workspace);
  };
  finish(output, afterwards, !input.ok && input.late);
}

function withKey(key: Buffer | null, digest: string): string | null {
  return key === null ? null : keyedDigest(digest, key);
}

/** Policies that were built for this user, and the built-in ones beside this file. */
function placeOf(paths: GovPaths, preset: string): PolicyPlace {
  return { built: paths.policy, builtin: fileURLToPath(new URL('./policy', import.meta.url)), preset };
}

let world: World | null = null;

/** The machine as seen from the call's directory; there is one call in a process. */
function worldOf(cwd: string): World {
  world ??= machineWorld({ cwd, env: process.env });
  return world;
}

function factsWithDisarm(call: ToolCall, paths: GovPaths, seen: World): Facts {
  const facts = factsOf(call, seen);
  if (call.event !== 'ConfigChange') return facts;
  const effects = disarmEffects(call, { readText, realPath, registrations: () => readInstalled(paths) });
  return { ...facts, effects: [...facts.effects, ...effects] };
}

function readText(path: string): string | null {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return null;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function partNamed(name: string | undefined): EventPart {
  if (name === 'gate' || name === 'outcome' || name === 'session') return name;
  throw new GovError({
    code: 'hook-usage',
    message: `\`${String(name)}\` is no part of a hook: use the launchers in hooks/`,
  });
}

/** Whoever calls under a name that gov does not know gets the same refusal for everything. */
function stranger(name: string): Agent {
  const known = agents.map((agent) => agent.name).join(', ');
  const problem = `\`${name}\` is not an agent that gov knows (${known})`;
  return { name, decode: () => ({ ok: false, problem }), canAsk: () => false, encode: () => SILENT };
}

const NOWHERE = { ok: false, problem: 'the working directory does not exist any more' } as const;

/** False if the directory that the agent started the hook in is gone: relative paths of the call mean nothing then. */
function standsSomewhere(): boolean {
  try {
    process.cwd();
    return true;
  } catch {
    return false;
  }
}

void main();
