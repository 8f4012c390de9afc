import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { type GovPaths, govPaths } from '../../../src/base/gov-paths.ts';
import { makeId } from '../../../src/base/ids.ts';
import type { Decision, RuleHit } from '../../../src/model/decision.ts';
import type { Facts } from '../../../src/model/facts.ts';
import type { RecordDraft } from '../../../src/model/record.ts';
import type { ToolCall } from '../../../src/model/tool-call.ts';

const made: string[] = [];
afterEach(() => {
  for (const dir of made.splice(0)) rmSync(dir, { recursive: true, force: true });
});

/** Paths of a state directory of its own, gone after the test. */
export function scratchPaths(): GovPaths {
  const dir = mkdtempSync(join(tmpdir(), 'gov-audit-'));
  made.push(dir);
  return govPaths({ GOV_HOME: dir, HOME: dir });
}

export function callOf(command: string, over: Partial<ToolCall> = {}): ToolCall {
  return {
    agent: 'claude-code',
    agentVersion: '2.0.1',
    event: 'PreToolUse',
    rawEvent: 'PreToolUse',
    session: 'session-1',
    callId: 'toolu_01',
    tool: 'shell',
    rawTool: 'Bash',
    mcp: null,
    input: { command },
    cwd: '/home/dev/project',
    subagent: null,
    permissionMode: 'default',
    transcript: null,
    result: null,
    detail: {},
    ...over,
  };
}

export function factsOf(call: ToolCall, argv: readonly string[]): Facts {
  const file = {
    op: 'delete',
    path: 'build',
    real: '/home/dev/project/build',
    zone: 'workspace',
    role: '',
    in_workspace: true,
    exists: true,
    is_dir: true,
    tracked: false,
    reversible: 'derived',
    recursive: true,
    force: true,
    contents_only: false,
    partial: false,
    glob: false,
    secret: false,
    added: 0,
    removed: 0,
    content: '',
    mode: '',
    via: ['rm'],
    reason: '',
    certain: true,
    command: 0,
  } as const;
  return {
    event: {
      name: call.event,
      agent: call.agent,
      agent_version: call.agentVersion,
      depth: 0,
      subagent: false,
      session: call.session,
      cwd: call.cwd,
      workspace: '/home/dev/project',
      home: '/home/dev',
      user: 'dev',
      permission_mode: 'default',
      interactive: true,
      call_digest: 'ab'.repeat(32),
    },
    tool: { name: call.tool, raw: call.rawTool, mcp_server: '', mcp_tool: '', input: call.input },
    commands: [
      {
        id: 0,
        parent: -1,
        name: argv[0] ?? null,
        argv,
        subcommand: '',
        flags: argv.filter((word) => word.startsWith('-')),
        operands: argv.slice(1).filter((word) => !word.startsWith('-')),
        targets: [file],
        dests: [],
        effects: [],
        via: [],
        pipeline: [],
        pipeline_index: 0,
        redirects: [],
        env: {},
        cwd: call.cwd,
        dynamic: false,
        unknown_words: [],
        opaque: false,
        certain: true,
        privileged: false,
        elsewhere: '',
        sends_data: false,
        text: argv.join(' '),
        span: { start: 0, end: argv.join(' ').length },
      },
    ],
    files: [file],
    dests: [],
    effects: [],
    unknowns: [],
    result: call.result,
    git: { branch: 'main', remote: 'origin', dirty: false },
  };
}

export function hitOf(id: string, effect: RuleHit['effect'] = 'deny', over: Partial<RuleHit> = {}): RuleHit {
  return {
    id,
    version: 1,
    layer: 'builtin',
    severity: 'high',
    level: 'soft',
    effect,
    because: 'match',
    enforced: true,
    message: `${id} fired`,
    remediation: 'do it another way',
    suggest: '',
    subject: 'rm -rf build',
    span: null,
    lifted_by: '',
    ...over,
  };
}

export function decisionOf(answer: Decision['answer'], hits: readonly RuleHit[] = []): Decision {
  return {
    answer,
    effect: hits[0]?.effect ?? 'allow',
    rule: hits[0]?.id ?? null,
    reason: hits.length > 0 ? `denied by ${hits[0]?.id}` : '',
    rules: hits,
    trace: hits.map((hit) => ({ rule: hit.id, outcome: 'fired', subject: hit.subject, note: '' })),
    policy: 'sha256:policy',
  };
}

let clock = Date.UTC(2026, 0, 5, 9, 0, 0);

/** A whole record of one shell call; each is a second later than the one before. */
export function draftOf(command: string, over: Partial<RecordDraft> = {}): RecordDraft {
  const call = over.call ?? callOf(command);
  clock += 1000;
  const at = over.at ?? clock;
  return {
    id: makeId(at),
    kind: 'decision',
    at,
    call,
    facts: factsOf(call, command.split(' ')),
    decision: decisionOf('allow'),
    enforced: true,
    answer: 'allow',
    latencyMs: 1.25,
    faults: [],
    govVersion: '0.1.0',
    ...over,
  };
}
