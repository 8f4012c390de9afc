import { LIMITS } from '../base/limits.ts';
import type { CommandFact, DestFact, EffectFact, FileFact, Span, Unknown } from '../model/facts.ts';
import { isDynamic, render, textOf, type Value } from '../model/value.ts';
import type { Frame } from './state.ts';
import { keyOf } from './state.ts';

/** A command as it is being found out about. */
export interface CommandDraft {
  readonly id: number;
  readonly frame: Frame;
  name: string | null;
  argv: readonly Value[];
  subcommand: string;
  flags: readonly string[];
  operands: readonly Value[];
  readonly files: FileFact[];
  readonly dests: DestFact[];
  readonly effects: EffectFact[];
  /** What tells its effects apart, once there are many. */
  effectKeys?: Set<string>;
  readonly redirects: string[];
  env: ReadonlyMap<string, Value>;
  readonly cwd: Value;
  opaque: boolean;
  certain: boolean;
  readonly text: string;
  readonly span: Span | null;
  /** It was met again on another path: facts that it has already are not kept twice. */
  again: boolean;
}

/** Everything found so far. Facts of a command are kept with it and in the lists of all. */
export interface Recorder {
  readonly commands: CommandDraft[];
  readonly files: FileFact[];
  readonly dests: DestFact[];
  readonly effects: EffectFact[];
  readonly unknowns: Unknown[];
  readonly seen: Set<string>;
  /** Commands met while alternatives are tried, by all that rules can see of them. */
  readonly tried: Map<string, CommandDraft>;
  readonly noted: Set<string>;
}

export function makeRecorder(): Recorder {
  return {
    commands: [],
    files: [],
    dests: [],
    effects: [],
    unknowns: [],
    seen: new Set(),
    tried: new Map(),
    noted: new Set(),
  };
}

const MAX_UNKNOWNS = 200;
const MAX_TEXT = 4000;

/** The command that was met before with the same words in the same place, or null; it is remembered for the next time. */
export function metBefore(r: Recorder, command: CommandDraft): CommandDraft | null {
  const { frame, span, argv, cwd, certain, text } = command;
  const place = span ? [span.start, span.end] : text;
  const words = argv.map(keyOf);
  const key = JSON.stringify([
    place,
    words,
    keyOf(cwd),
    frame.via,
    certain,
    frame.elsewhere,
    frame.pipelineIndex,
    command.redirects,
  ]);
  const before = r.tried.get(key);
  if (!before) {
    r.tried.set(key, command);
    return null;
  }
  before.again = true;
  return before;
}

/** Says that something was not analysed. The same thing is said once. */
export function noteUnknown(r: Recorder, reason: string, text: string, span: Span | null): void {
  const short = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  const key = `${reason}\u0000${short}`;
  if (r.noted.has(key) || r.unknowns.length >= MAX_UNKNOWNS) return;
  r.noted.add(key);
  r.unknowns.push({ reason, text: short, span });
}

/** True once as many commands have run, or are kept, as one analysis looks at. */
export function isExhausted(r: Recorder, steps: number): boolean {
  return steps > LIMITS.commands * 4 || r.commands.length >= LIMITS.commands;
}

/**
 * From this many commands on, one that equals an earlier one in all that rules can see (but its place) is not kept
 * again: padding must not fill the list.
 */
const REPEATS_FROM = 256;

/** True if an equal command is already kept. */
export function isRepeat(r: Recorder, argv: readonly Value[], cwd: Value, frame: Frame, more: string): boolean {
  if (r.commands.length < REPEATS_FROM) return false;
  const key = JSON.stringify([argv.map(keyOf), keyOf(cwd), frame.via, frame.certain, frame.elsewhere, more]);
  if (r.seen.has(key)) return true;
  if (key.length < MAX_TEXT) r.seen.add(key);
  return false;
}

export function addFile(r: Recorder, command: CommandDraft | null, fact: FileFact): void {
  if (command?.again && command.files.some((f) => f.op === fact.op && f.path === fact.path && f.real === fact.real))
    return;
  command?.files.push(fact);
  r.files.push(fact);
}

export function addDest(r: Recorder, command: CommandDraft | null, fact: DestFact): void {
  if (command?.again && command.dests.some((d) => d.url === fact.url && d.sends === fact.sends)) return;
  command?.dests.push(fact);
  r.dests.push(fact);
}

export function addEffect(r: Recorder, command: CommandDraft | null, fact: EffectFact): void {
  if (command) {
    if (isListed(command, fact)) return;
    command.effects.push(fact);
  }
  r.effects.push(fact);
}

/** From this many effects of one command on they are looked up by a key. */
const KEYED_FROM = 16;

function isListed(command: CommandDraft, fact: EffectFact): boolean {
  const { effects } = command;
  if (effects.length < KEYED_FROM)
    return effects.some((e) => e.kind === fact.kind && e.target === fact.target && e.detail === fact.detail);
  command.effectKeys ??= new Set(effects.map(effectKey));
  const key = effectKey(fact);
  if (command.effectKeys.has(key)) return true;
  command.effectKeys.add(key);
  return false;
}

function effectKey({ kind, target, detail }: EffectFact): string {
  return `${kind}\0${target}\0${detail}`;
}

export function commandFact(c: CommandDraft): CommandFact {
  const unknown: string[] = [];
  for (const word of c.argv)
    for (const part of word) if (typeof part !== 'string' && 'hole' in part) unknown.push(part.hole);
  const env: Record<string, string> = Object.create(null);
  for (const [name, value] of c.env) env[name] = render(value);
  return {
    id: c.id,
    parent: c.frame.parent,
    name: c.name,
    argv: c.argv.map(render),
    subcommand: c.subcommand,
    flags: c.flags,
    operands: c.operands.map(render),
    targets: c.files,
    dests: c.dests,
    effects: c.effects,
    via: c.frame.via,
    pipeline: c.frame.pipeline,
    pipeline_index: c.frame.pipelineIndex,
    redirects: c.redirects,
    env,
    cwd: textOf(c.cwd),
    dynamic: c.argv.some(isDynamic),
    unknown_words: unknown,
    opaque: c.opaque,
    certain: c.certain,
    privileged: c.frame.privileged,
    elsewhere: c.frame.elsewhere,
    sends_data: c.dests.some((d) => d.sends !== 'nothing'),
    text: c.text,
    span: c.span,
  };
}
