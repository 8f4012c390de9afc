import { factsOf } from '../facts/facts.ts';
import type { DestDraft, EffectDraft, FileDraft } from '../model/effect.ts';
import type { CommandFact, EffectFact, Facts } from '../model/facts.ts';
import type { EventName, ToolCall, ToolName, ToolResult } from '../model/tool-call.ts';
import { known } from '../model/value.ts';
import type { Overlay, World } from '../model/world.ts';
import type { CallData } from './rule-data.ts';

/** What rule tests need of the machine; the command gives the fixture world. */
export interface TestBench {
  /** A world made from a test's `world`. */
  world(spec: Readonly<Record<string, unknown>>): World;
  overlay(world: World): Overlay;
  readonly secrets?: (text: string) => readonly { readonly kind: string }[];
}

type Fields = Readonly<Record<string, unknown>>;

const RAW: Readonly<Record<ToolName, string>> = {
  shell: 'Bash',
  read: 'Read',
  write: 'Write',
  edit: 'Edit',
  search: 'Grep',
  fetch: 'WebFetch',
  mcp: 'mcp',
  task: 'Task',
  other: '',
};

/** Keys of an event in a test, with what they are. */
const EVENT_KEYS: Readonly<Record<string, string>> = {
  shell: 'a shell command; short for `tool: shell, input: { command: … }`',
  name: 'event name; default PreToolUse',
  tool: 'our name of the tool',
  raw: "the agent's name of the tool",
  input: "the tool's input",
  mcp: 'server and tool of an MCP call',
  agent: 'default claude-code',
  session: 'session id',
  cwd: 'default: the workspace',
  permission_mode: "the agent's mode",
  subagent: 'asked by a subagent',
  interactive: 'a person can answer; default true',
  failed: 'the call failed',
  result: 'text, exit_code, failed, interrupted',
  files: 'files the tool touches, instead of those of its input: op, path, …',
  dests: 'destinations: address, sends, …',
  effects: 'effects: kind, target, …',
  commands: 'fields of commands',
};

/** Facts of a test's event, as the hook would see them. Throws on what can't be an event. */
export function factsOfEvent(event: CallData, world: World, bench: TestBench): Facts {
  const data: Fields = typeof event === 'string' ? { shell: event } : event;
  for (const key of Object.keys(data))
    if (!Object.hasOwn(EVENT_KEYS, key)) throw new Error(`an event has no \`${key}\``);
  const call = callOf(data, world);
  const given = ['files', 'dests', 'effects', 'commands'].some((key) => data[key] !== undefined);
  if (!given && (data['shell'] !== undefined || data['input'] !== undefined)) return factsOf(call, world);
  const plain = factsOf({ ...call, tool: 'other', rawTool: '' }, world);
  const overlay = bench.overlay(world);
  const listOf = (key: string): readonly Fields[] => (data[key] ?? []) as readonly Fields[];
  return {
    ...plain,
    tool: { ...plain.tool, name: call.tool, raw: call.rawTool },
    files: listOf('files').flatMap((f) => overlay.files(known(call.cwd), fileDraft(f))),
    dests: listOf('dests').map((d) => overlay.dest(destDraft(d))),
    effects: listOf('effects').map(effectFact),
    commands: listOf('commands').map(commandFact),
  };
}

function callOf(data: Fields, world: World): ToolCall {
  const shell = data['shell'];
  const tool = (shell === undefined ? (data['tool'] ?? (data['mcp'] ? 'mcp' : 'other')) : 'shell') as ToolName;
  const mcp = data['mcp'] as { server?: string; tool?: string } | undefined;
  return {
    agent: String(data['agent'] ?? 'claude-code'),
    agentVersion: null,
    event: (data['name'] ?? 'PreToolUse') as EventName,
    rawEvent: String(data['name'] ?? 'PreToolUse'),
    session: String(data['session'] ?? 'test'),
    callId: null,
    tool,
    rawTool: String(data['raw'] ?? (mcp ? `mcp__${mcp.server ?? ''}__${mcp.tool ?? ''}` : RAW[tool])),
    mcp: mcp ? { server: String(mcp.server ?? ''), tool: String(mcp.tool ?? '') } : null,
    input: (shell === undefined ? (data['input'] ?? {}) : { command: shell }) as Fields,
    cwd: String(data['cwd'] ?? world.workspace),
    subagent: data['subagent'] ? { id: 'sub', type: null } : null,
    permissionMode: data['permission_mode'] === undefined ? null : String(data['permission_mode']),
    transcript: null,
    result: resultOf(data),
    detail: { interactive: data['interactive'] ?? true },
  };
}

function resultOf(data: Fields): ToolResult | null {
  const result = data['result'] as Fields | undefined;
  const failed = Boolean(result?.['failed'] ?? data['failed'] ?? false);
  if (!result && data['failed'] === undefined) return null;
  const code = result?.['exit_code'];
  return {
    text: String(result?.['text'] ?? ''),
    exitCode: typeof code === 'number' ? code : failed ? 1 : 0,
    failed,
    interrupted: Boolean(result?.['interrupted'] ?? false),
    durationMs: null,
  };
}

function fileDraft(f: Fields): FileDraft {
  const { path, to, content, ...rest } = f;
  return {
    ...(rest as Omit<FileDraft, 'path'>),
    path: known(String(path)),
    ...(to === undefined ? {} : { to: known(String(to)) }),
    ...(content === undefined ? {} : { content: known(String(content)) }),
  };
}

function destDraft(d: Fields): DestDraft {
  const { address, host, ...rest } = d;
  return { sends: 'nothing', ...(rest as Partial<DestDraft>), address: known(String(address ?? host)) };
}

function effectFact(e: Fields): EffectFact {
  const draft = e as unknown as EffectDraft;
  return {
    kind: draft.kind,
    target: draft.target ?? '',
    detail: draft.detail ?? '',
    force: draft.force ?? false,
    recursive: draft.recursive ?? false,
    certain: draft.certain ?? true,
    command: -1,
  };
}

function commandFact(c: Fields, id: number): CommandFact {
  return {
    id,
    parent: -1,
    name: 'program',
    argv: [],
    subcommand: '',
    flags: [],
    operands: [],
    targets: [],
    dests: [],
    effects: [],
    via: [],
    pipeline: [],
    pipeline_index: 0,
    redirects: [],
    env: {},
    cwd: null,
    dynamic: false,
    unknown_words: [],
    opaque: false,
    certain: true,
    privileged: false,
    elsewhere: '',
    sends_data: false,
    text: '',
    span: null,
    ...(c as Partial<CommandFact>),
  };
}
