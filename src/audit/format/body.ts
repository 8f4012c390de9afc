import { visible } from '../../base/escape.ts';
import type { Decision } from '../../model/decision.ts';
import type { CommandFact, Facts } from '../../model/facts.ts';
import type { RecordKind } from '../../model/record.ts';
import type { ToolCall } from '../../model/tool-call.ts';

/** A secret that was taken out: what it was, its keyed fingerprint, how often. Equal fingerprints mean equal secrets. */
export interface Redaction {
  readonly kind: string;
  readonly fp: string;
  readonly count: number;
}

/** Something that was too big to keep: where it stood, its size in UTF-8 bytes, the digest of the whole. */
export interface Capped {
  readonly path: string;
  readonly bytes: number;
  /** `sha256:<hex>`, or `hmac-sha256:<hex>` (keyed) where the text held a secret. */
  readonly digest: string;
}

/** What one record says, as stored: redacted, capped, plain JSON. Columns are an index of it (`columnsOf`). */
export interface RecordBody {
  readonly v: 1;
  readonly id: string;
  readonly kind: RecordKind;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  /** Version of gov that wrote it. */
  readonly gov: string;
  readonly enforced: boolean;
  readonly answer: string;
  readonly latency_us: number;
  readonly faults: readonly string[];
  readonly call: ToolCall;
  readonly facts: PackedFacts | null;
  readonly decision: Decision | null;
  readonly redactions: readonly Redaction[];
  readonly capped: readonly Capped[];
}

/** Facts without what stands elsewhere in the record: commands hold indices; input and result are those of the call. */
export interface PackedFacts extends Omit<Facts, 'commands' | 'tool' | 'result'> {
  readonly commands: readonly PackedCommand[];
  readonly tool: Omit<Facts['tool'], 'input'> & { readonly input: Facts['tool']['input'] | 'call' };
  readonly result: Facts['result'] | 'call';
}

type Indexed<T> = readonly (number | T)[];

interface PackedCommand extends Omit<CommandFact, 'targets' | 'dests' | 'effects'> {
  readonly targets: Indexed<CommandFact['targets'][number]>;
  readonly dests: Indexed<CommandFact['dests'][number]>;
  readonly effects: Indexed<CommandFact['effects'][number]>;
}

/** Makes facts small: whatever is the same object as in the lists or the call becomes a reference. */
export function packFacts(facts: Facts, call: ToolCall): PackedFacts {
  const files = placesOf(facts.files);
  const dests = placesOf(facts.dests);
  const effects = placesOf(facts.effects);
  return {
    ...facts,
    commands: facts.commands.map((command) => ({
      ...command,
      targets: command.targets.map((x) => files.get(x) ?? x),
      dests: command.dests.map((x) => dests.get(x) ?? x),
      effects: command.effects.map((x) => effects.get(x) ?? x),
    })),
    tool: { ...facts.tool, input: facts.tool.input === call.input ? 'call' : facts.tool.input },
    result: facts.result !== null && facts.result === call.result ? 'call' : facts.result,
  };
}

/** The facts again, as they were (redactions and caps stay). References that lead nowhere are left out. */
export function unpackFacts(packed: PackedFacts, call: ToolCall): Facts {
  return {
    ...packed,
    commands: packed.commands.map((command) => ({
      ...command,
      targets: deref(command.targets, packed.files),
      dests: deref(command.dests, packed.dests),
      effects: deref(command.effects, packed.effects),
    })),
    tool: { ...packed.tool, input: packed.tool.input === 'call' ? call.input : packed.tool.input },
    result: packed.result === 'call' ? call.result : packed.result,
  };
}

function placesOf<T extends object>(list: readonly T[]): Map<T, number> {
  return new Map(list.map((item, i) => [item, i]));
}

function deref<T>(list: Indexed<T>, all: readonly T[]): T[] {
  const out: T[] = [];
  for (const item of list) {
    const found = typeof item === 'number' ? all[item] : item;
    if (found !== undefined) out.push(found);
  }
  return out;
}

/** What lists, filters and reports need of a record without opening its body. */
export interface Columns {
  readonly id: string;
  readonly kind: string;
  readonly at: number;
  readonly session: string;
  readonly agent: string;
  readonly event: string;
  readonly tool: string;
  readonly raw_tool: string;
  /** What the agent was told; '' where nothing was asked. */
  readonly answer: string;
  /** 1: the answer was in force; 0: monitor mode. */
  readonly enforced: number;
  /** The effect that decided; '' without a decision. */
  readonly effect: string;
  /** The rule that decided; '' if none. */
  readonly rule: string;
  /** Every rule that fired, each with a space before and behind. */
  readonly rules: string;
  readonly call_id: string;
  /** Program names, each with a space before and behind. */
  readonly programs: string;
  /** The workspace, or the working directory where it is not known. */
  readonly repo: string;
  /** One line, made visible, of what was called. */
  readonly summary: string;
  readonly policy: string;
  readonly latency_us: number;
  /** 1: something internal went wrong on the way. */
  readonly faulty: number;
}

const LIST_CHARS = 500;
const SUMMARY_CHARS = 200;

/** The columns of a body. INVARIANT: a function of the stored body alone, so that a verifier can tell which column was changed. */
export function columnsOf(body: RecordBody): Columns {
  const { call, decision, facts } = body;
  return {
    id: field(body.id),
    kind: body.kind,
    at: body.at,
    session: field(call.session),
    agent: field(call.agent),
    event: field(call.event),
    tool: field(call.tool),
    raw_tool: field(call.rawTool),
    answer: field(body.answer),
    enforced: body.enforced ? 1 : 0,
    effect: field(decision?.effect ?? ''),
    rule: field(decision?.rule ?? ''),
    rules: list(decision?.rules.map((hit) => hit.id) ?? []),
    call_id: field(call.callId ?? ''),
    programs: list(facts?.commands.map((command) => command.name ?? '?') ?? []),
    repo: field(facts?.event.workspace || call.cwd),
    summary: summaryOf(call),
    policy: field(decision?.policy ?? ''),
    latency_us: body.latency_us,
    faulty: body.faults.length > 0 ? 1 : 0,
  };
}

function list(names: readonly string[]): string {
  let out = '';
  for (const name of new Set(names)) {
    if (name === '') continue;
    const word = field(name).replaceAll(' ', '\\x20');
    if (out.length + word.length > LIST_CHARS) return `${out} … `;
    out += ` ${word}`;
  }
  return out === '' ? '' : `${out} `;
}

/** Text as SQLite gives it back: no lone surrogates; and no control characters, since it is compared and printed. */
function field(text: string): string {
  return visible(wellFormed(text.length > 2000 ? text.slice(0, 2000) : text));
}

/** Lone surrogates become U+FFFD, as they would in UTF-8. */
function wellFormed(text: string): string {
  return /[\ud800-\udfff]/.test(text) ? Buffer.from(text, 'utf8').toString('utf8') : text;
}

const SUMMARY_KEYS = ['command', 'cmd', 'file_path', 'path', 'filePath', 'url', 'query', 'pattern', 'prompt'] as const;

function summaryOf(call: ToolCall): string {
  const said = saidBy(call);
  const cut = wellFormed(said.slice(0, SUMMARY_CHARS * 2)).trim();
  const line = visible(cut);
  return line.length > SUMMARY_CHARS || said.length > SUMMARY_CHARS * 2
    ? `${wellFormed(line.slice(0, SUMMARY_CHARS)).replace(/\ufffd$/, '')}…`
    : line;
}

function saidBy(call: ToolCall): string {
  for (const key of SUMMARY_KEYS) {
    const value = Object.hasOwn(call.input, key) ? call.input[key] : undefined;
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value) && value.length > 0) return value.filter((word) => typeof word === 'string').join(' ');
  }
  if (call.mcp !== null) return `${call.mcp.server}/${call.mcp.tool}`;
  return call.rawTool || call.rawEvent;
}
