import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type Agent, type EventPart, SILENT } from '../agents/agent.ts';
import { agentNamed, agents } from '../agents/index.ts';
import { readInstalled } from '../agents/installed.ts';
import { keyedDigest } from '../audit/write/draft.ts';
import type { Writer } from '../audit/write/writer.ts';
import type { ConfigRead } from '../base/config.ts';
import { GovError } from '../base/errors.ts';
import { visible } from '../base/escape.ts';
import type { GovPaths } from '../base/gov-paths.ts';
import { LIMITS } from '../base/limits.ts';
import { isLockedLink } from '../base/locked-files.ts';
import { holds } from '../evidence/ledger.ts';
import { stampOf } from '../evidence/stamp.ts';
import { factsOf } from '../facts/facts.ts';
import { readApprovers } from '../grants/approvers.ts';
import { grantsInForce } from '../grants/in-force.ts';
import { refusalOf } from '../grants/person-said.ts';
import { type Stop, stopFor } from '../grants/stop.ts';
import type { Facts } from '../model/facts.ts';
import type { ToolCall } from '../model/tool-call.ts';
import type { World } from '../model/world.ts';
import { decide } from '../policy/decide.ts';
import type { History } from '../policy/history.ts';
import { type LoadPolicy, type PolicyPlace, policyInForce } from '../policy/in-force.ts';
import { concerns } from '../policy/marks.ts';
import { findSecrets } from '../redact/redact.ts';
import { type Looks, machineWorld } from '../world/machine.ts';
import type { Caller } from './caller.ts';
import { disarmEffects } from './disarm.ts';
import type { Payload, StoryContext } from './handle.ts';
import { storeHistory } from './history.ts';
import { Overdue, within } from './watchdog.ts';

/** What one call brings along, and what the process that judges it has. */
export interface Given {
  readonly part: EventPart;
  readonly agent: Agent;
  readonly caller: Caller;
  readonly paths: GovPaths;
  readonly config: ConfigRead;
  readonly id?: string;
  readonly barred?: StoryContext['barred'];
  /** Reads a compiled bundle. */
  readonly load: LoadPolicy;
  /** What calls that are judged together have seen of the machine. */
  readonly looks?: Looks;
  /** Stands between the decision and what earlier ones left behind. */
  readonly watch?: (history: History) => History;
  /** The store, opened when it is first asked for. */
  writer(): Writer;
  /** Milliseconds since the call came in. */
  elapsed(): number;
  mark(stage: string): void;
  /** Runs what could never end; absent: stops it when the time for a call is over. */
  inTime?<T>(run: () => T): T;
  /** Told of the order that stops the call. */
  onStop?(stop: Stop | null): void;
}

/** All that a hook's story reads of the machine: the same for a process of its own and for the daemon. */
export function contextOf(given: Given): StoryContext {
  const { caller, paths, config, elapsed, writer, watch = (history) => history } = given;
  let world: World | null = null;
  const worldOf = (cwd: string): World => {
    world ??= machineWorld({ cwd, env: caller.env, ...(given.looks && { looks: given.looks }) });
    return world;
  };
  return {
    part: given.part,
    agent: given.agent,
    env: caller.env,
    config: config.config,
    faults: config.fault === '' ? [] : [config.fault],
    ...(given.id === undefined ? {} : { id: given.id }),
    barred: given.barred ?? null,
    now: Date.now,
    elapsed,
    inTime: given.inTime ?? ((run) => within(LIMITS.hookDeadlineMs - elapsed(), run)),
    isOverdue: (error) => error instanceof Overdue,
    policy: (call) => policyInForce(placeOf(paths, config.config.preset), worldOf(call.cwd).workspace, given.load),
    factsOf: (call) => factsWithDisarm(call, given, worldOf(call.cwd)),
    decide,
    decisionParts: () => ({
      history: watch(
        storeHistory(
          (use) => writer().read(use),
          (digest) => withKey(writer().key(), digest),
        ),
      ),
      services: { secrets: findSecrets, evidence: holds, stamp: stampOf },
    }),
    concerns,
    stopped: (session) => {
      const stop = stopFor(paths, session);
      given.onStop?.(stop);
      return stop;
    },
    grants: (facts, gone) =>
      grantsInForce(writer(), { facts, gone, now: Date.now(), approvers: () => readApprovers(paths) }),
    refused: (facts, rules) => refusalOf(writer(), { facts, rules, now: Date.now() }),
    mark: given.mark,
  };
}

/** The payload, unless the caller stands nowhere: relative paths of its call mean nothing then. */
export function payloadFrom(caller: Caller, input: Payload): Payload {
  return caller.cwd === null ? NOWHERE : input;
}

const NOWHERE = { ok: false, problem: 'the working directory does not exist any more' } as const;

function withKey(key: Buffer | null, digest: string): string | null {
  return key === null ? null : keyedDigest(digest, key);
}

/** Policies that were built for this user, and the built-in ones beside the bundle. */
export function placeOf(paths: GovPaths, preset: string): PolicyPlace {
  return { built: paths.policy, builtin: join(import.meta.dirname, 'policy'), preset };
}

function factsWithDisarm(call: ToolCall, { caller, paths }: Given, seen: World): Facts {
  const facts = factsOf(call, seen);
  if (call.event !== 'ConfigChange') return facts;
  const at = (path: string): string => resolve(caller.cwd ?? '/', path);
  const effects = disarmEffects(call, {
    readText: (path) => readText(at(path)),
    realPath: (path) => realPath(at(path)),
    registrations: () => readInstalled(paths),
  });
  return { ...facts, effects: [...facts.effects, ...effects] };
}

function readText(path: string): string | null {
  try {
    return isLockedLink(statSync(path)) ? null : readFileSync(path, 'utf8');
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

/** The part of a hook by its name, as the launchers give it. */
export function partNamed(name: string | undefined): EventPart {
  if (name === 'gate' || name === 'outcome' || name === 'session') return name;
  throw new GovError({
    code: 'hook-usage',
    message: `\`${String(name)}\` is no part of a hook: use the launchers in hooks/`,
  });
}

/** The agent of a name. Whoever calls under one that gov does not know gets the same refusal for everything. */
export function agentOf(name: string): Agent {
  const found = agentNamed(name);
  if (found) return found;
  const known = agents.map((agent) => agent.name).join(', ');
  const problem =
    name === ''
      ? `the hook was started without the name of an agent (${known})`
      : `\`${visible(name).slice(0, 80)}\` is not an agent that gov knows (${known})`;
  return { name, decode: () => ({ ok: false, problem }), canAsk: () => false, encode: () => SILENT };
}
