import { reachable } from '../agents/ability.ts';
import { type Agent, type Env, type EventPart, type Output, partOf, type Verdict } from '../agents/agent.ts';
import { contextFor } from '../agents/wording.ts';
import { GrantGone } from '../audit/write/grants.ts';
import type { Appended } from '../audit/write/writer.ts';
import type { GovConfig } from '../base/config.ts';
import { messageOf } from '../base/errors.ts';
import { visible } from '../base/escape.ts';
import { makeId } from '../base/ids.ts';
import { GOV_VERSION } from '../base/version.ts';
import type { GrantsInForce } from '../grants/in-force.ts';
import type { Stop } from '../grants/stop.ts';
import type { Decision } from '../model/decision.ts';
import type { Facts } from '../model/facts.ts';
import type { CompiledPolicy, CompiledRule } from '../model/policy.ts';
import type { RecordDraft } from '../model/record.ts';
import type { ToolCall } from '../model/tool-call.ts';
import type { DecisionContext } from '../policy/decide.ts';
import type { InForce } from '../policy/in-force.ts';
import { agentMessage } from '../policy/message.ts';
import { whileFailing } from './failing.ts';
import { type FaultCode, faultCodeOf, faultDecision, faultText, oneLine } from './faults.ts';
import { type Judged, judge } from './judge.ts';
import { judgeOutcome } from './outcome.ts';
import { stopDecision, stopText } from './stopped.ts';

/** Everything that the hook's story reads outside itself. */
export interface StoryContext {
  /** What the launcher was registered for. It only matters where the payload does not say. */
  readonly part: EventPart;
  readonly agent: Agent;
  readonly env: Env;
  readonly config: GovConfig;
  /** Faults met before the story began, one sentence each. */
  readonly faults: readonly string[];
  /** Milliseconds since 1970 UTC. */
  now(): number;
  /** Milliseconds since the process, or the request, started. */
  elapsed(): number;
  /** Runs a function and throws `Overdue` when the time that is left has passed. */
  inTime<T>(run: () => T): T;
  isOverdue(error: unknown): boolean;
  /** The policy in force where the call is made. Throws if there is none that can be trusted. */
  policy(call: ToolCall): InForce;
  factsOf(call: ToolCall): Facts;
  decide(policy: CompiledPolicy, facts: Facts, context: DecisionContext): Decision;
  /** What decisions may ask of the outside besides: earlier decisions, secrets in a text. */
  decisionParts?(): Pick<DecisionContext, 'history' | 'services'>;
  /** False: nothing in the policy has to do with such an outcome. Absent: outcomes are only recorded. */
  concerns?(policy: CompiledPolicy, event: string, failed: boolean): boolean;
  /** The person's order to stop that holds for a session. */
  stopped?(session: string): Stop | null;
  /** What may lift rules for this call; `gone`: ids of grants that can't be used any more. */
  grants?(facts: Facts, gone: readonly string[]): GrantsInForce | null;
  /** What a person who said no to this call, or to lifting these rules, wants the agent to know; '' nobody did. */
  refused?(facts: Facts, rules: readonly CompiledRule[]): string;
  /** Id for the record: whoever asks again about the same call gives the same. Absent: a new one. */
  readonly id?: string;
  /** Why no call may be judged here; absent: it may. */
  readonly barred?: { readonly code: FaultCode; readonly why: string } | null;
  mark(stage: string): void;
}

export interface HookContext extends StoryContext {
  /** Makes a record durable and takes a use of each grant with it. Throws if it can't, `GrantGone` if a use is gone. */
  append(draft: RecordDraft, takes?: readonly string[], spooled?: RecordDraft): Appended;
}

/** What a story waits for: that a record is durable. */
export interface Wanted {
  readonly draft: RecordDraft;
  /** The record in its place if it can only be put into the spool. */
  readonly spooled?: RecordDraft;
  /** Ids of grants of which a use is taken with it. */
  readonly takes: readonly string[];
}

/**
 * One call on its way: it yields a record and goes on when that is durable, or when it is told (`throw`) what
 * `append` would have thrown. So several calls can share one commit.
 */
export type Story = Generator<Wanted, Output, Appended>;

/** What standard input held, or one sentence on why that is unusable. */
export type Payload = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly problem: string };

/** One hook call from payload to answer; each record is durable before the story goes on. Throws only on defects. */
export function handle(payload: Payload, context: HookContext): Output {
  const story = storyOf(payload, context);
  for (let step = story.next(); ; ) {
    if (step.done) return step.value;
    let done: Appended;
    try {
      done = context.append(step.value.draft, step.value.takes, step.value.spooled);
    } catch (error) {
      step = story.throw(error);
      continue;
    }
    step = story.next(done);
  }
}

/** The story of one hook call: understand, decide, record, and only then answer. */
export function* storyOf(payload: Payload, context: StoryContext): Story {
  const decoded = decode(payload, context);
  context.mark('decode');
  if (!decoded.ok) return yield* refuse('gov.bad-payload', decoded.problem, context);
  const { call } = decoded;
  if (partOf(call.event) !== 'gate') return yield* note(call, context);

  const stop = context.stopped?.(call.session) ?? null;
  if (stop) return yield* halt(stop, call, context);

  const id = idOf(context);
  const enforced = context.config.mode === 'enforce';
  const gone: string[] = [];
  for (;;) {
    const { facts, decision, faults, takes, notes, policy } = judge(call, context, gone);
    const answer = enforced ? decision.answer : 'allow';
    const draft = draftOf('decision', id, call, context);
    const waiting = enforced
      ? whileFailing(decision, policy, (asked) => reachable(asked, call, context.agent))
      : decision;
    const ready = { ...draft, facts, decision, enforced, answer, faults };
    const spooled = { ...ready, decision: waiting, answer: enforced ? waiting.answer : answer };
    try {
      const done = yield { draft: ready, takes, ...(waiting === decision ? {} : { spooled }) };
      context.mark('record');
      // The answer is what the record says, also if that was written when this call was asked about before.
      const { earlier } = done;
      const taken = done.stored === 'spool' ? waiting : decision;
      const said = { decision: earlier?.decision ?? taken, notes };
      return context.agent.encode(verdictOf(said, id, earlier?.enforced ?? enforced, [...faults, done.fault]), call);
    } catch (error) {
      // Another call took the last use meanwhile. Each round has a grant less, so there is an end.
      if (!(error instanceof GrantGone) || gone.includes(error.grant)) return unrecorded(error, call, context);
      gone.push(error.grant);
    }
  }
}

/** A person stopped this: whatever the call is, in whatever mode, and whether or not it can be recorded. */
function* halt(stop: Stop, call: ToolCall, context: StoryContext): Story {
  const id = idOf(context);
  const decision = stopDecision(stop);
  let notice = '';
  try {
    yield { draft: { ...draftOf('decision', id, call, context), decision, enforced: true, answer: 'deny' }, takes: [] };
  } catch (error) {
    notice = noticeOf(`not recorded: ${oneLine(error)}`);
  }
  context.mark('record');
  return context.agent.encode({ answer: 'deny', reason: stopText(decision, id), context: '', notice }, call);
}

/** An event that is only recorded. No fault of gov's may hold the agent up here: people are told. */
function* note(call: ToolCall, context: StoryContext): Story {
  const kind = partOf(call.event) === 'outcome' ? 'outcome' : 'session';
  const after = kind === 'outcome' ? judgeOutcome(call, context) : null;
  const faults = after?.faults ?? context.faults;
  let notice = faults.join('; ');
  try {
    const draft = draftOf(kind, idOf(context), call, context);
    const seen = after ? { facts: after.facts, decision: after.decision, faults } : {};
    const done = yield { draft: { ...draft, ...seen }, takes: [] };
    notice = [notice, done.fault].filter((text) => text !== '').join('; ');
  } catch (error) {
    notice = `this ${call.rawEvent} event is not recorded: ${messageOf(error)}`;
  }
  context.mark('record');
  const told = { context: after?.context ?? '', ...(after?.output ? { output: after.output } : {}) };
  return context.agent.encode({ answer: 'allow', reason: '', ...told, notice: noticeOf(notice) }, call);
}

function verdictOf(
  { decision, notes }: Pick<Judged, 'decision' | 'notes'>,
  id: string,
  enforced: boolean,
  faults: readonly string[],
): Verdict {
  const notice = noticeOf(faults.filter((text) => text !== '').join('; '));
  if (!enforced || decision.answer === 'allow')
    return { answer: 'allow', reason: '', context: enforced ? contextFor(decision, notes) : '', notice };
  const fault = faultCodeOf(decision);
  const asks = decision.answer === 'ask';
  const reason = fault ? `${faultText(decision.reason, fault, asks)}\nref: ${id}` : agentMessage(decision, id, notes);
  return { answer: decision.answer, reason, context: '', notice };
}

/** A payload that can't be understood: there is no call to judge, so a gate blocks, and the fact is recorded. */
function* refuse(code: FaultCode, problem: string, context: StoryContext): Story {
  const id = idOf(context);
  const stopped = context.stopped?.('') ?? null;
  const blocks = context.part === 'gate' && (context.config.mode === 'enforce' || stopped !== null);
  const faults = [...context.faults, `${code}: ${problem}`];
  const decision = faultDecision(code, oneLine(problem), '');
  let text = `${faultText(decision.reason, code)}\nref: ${id}`;
  try {
    const draft = draftOf('gov', id, nobodysCall(context), context);
    const enforced = context.config.mode === 'enforce';
    yield { draft: { ...draft, decision, enforced, answer: blocks ? 'deny' : 'allow', faults }, takes: [] };
  } catch (error) {
    text = `${text} (not recorded: ${oneLine(error)})`;
  }
  context.mark('record');
  return { stdout: '', stderr: `${text}\n`, exitCode: blocks ? 2 : 0 };
}

/** No decision leaves unrecorded: what can't be recorded is denied, or in monitor mode let pass with a word about it. */
function unrecorded(error: unknown, call: ToolCall, context: StoryContext): Output {
  const why = oneLine(error);
  if (context.config.mode === 'monitor')
    return context.agent.encode(
      { answer: 'allow', reason: '', context: '', notice: noticeOf(`not recorded: ${why}`) },
      call,
    );
  return context.agent.encode(
    {
      answer: 'deny',
      reason: faultText(faultDecision('gov.not-recorded', why, '').reason, 'gov.not-recorded'),
      context: '',
      notice: '',
    },
    call,
  );
}

function decode(payload: Payload, context: StoryContext): ReturnType<Agent['decode']> {
  if (!payload.ok) return payload;
  let value: unknown;
  try {
    value = JSON.parse(payload.text);
  } catch {
    return { ok: false, problem: 'the payload is not JSON' };
  }
  const decoded = context.agent.decode(value, context.env);
  if (decoded.ok && decoded.call.event === 'Other' && context.part === 'gate')
    return { ok: false, problem: `\`${decoded.call.rawEvent}\` is not an event that asks for a decision` };
  return decoded;
}

function draftOf(kind: RecordDraft['kind'], id: string, call: ToolCall, context: StoryContext): RecordDraft {
  return {
    id,
    kind,
    at: context.now(),
    call,
    facts: null,
    decision: null,
    enforced: context.config.mode === 'enforce',
    answer: '',
    latencyMs: context.elapsed(),
    faults: context.faults,
    govVersion: GOV_VERSION,
  };
}

function idOf(context: StoryContext): string {
  return context.id ?? makeId(context.now());
}

function nobodysCall(context: StoryContext): ToolCall {
  return {
    agent: context.agent.name,
    agentVersion: null,
    event: 'Other',
    rawEvent: '',
    session: '',
    callId: null,
    tool: 'other',
    rawTool: '',
    mcp: null,
    input: {},
    cwd: '/',
    subagent: null,
    permissionMode: null,
    transcript: null,
    result: null,
    detail: {},
  };
}

function noticeOf(text: string): string {
  return text === '' ? '' : `gov: ${visible(text)}`;
}
