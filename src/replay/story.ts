/**
 * One record as the viewers tell it: plain data without layout. Texts are as they were recorded; whoever shows them
 * escapes them (`shown`).
 */
import { type RecordBody, unpackFacts } from '../audit/format/body.ts';
import type { Entry } from '../audit/read/store.ts';
import type { Decision, RuleHit } from '../model/decision.ts';
import type { CommandFact, DestFact, EffectFact, Facts, FileFact } from '../model/facts.ts';
import { contextOf, type DiffLine, diffOf } from './diff.ts';
import { type Mark, marksOf } from './marks.ts';
import { durationOf, timeOf } from './text.ts';

export type Pair = readonly [name: string, value: string];

/** Something that a call would do. */
export interface EffectLine {
  readonly verb: string;
  readonly target: string;
  /** Where a path lands; '' where that means nothing, `unknown` where it is not known. */
  readonly zone: string;
  readonly notes: readonly string[];
}

/** A command that could run, numbered from 1 as the marks in the source are. */
export interface CommandLine {
  readonly n: number;
  /** Number of the command that runs this one; 0: none. */
  readonly parent: number;
  readonly depth: number;
  /** Null: it is not known which program that is. */
  readonly name: string | null;
  readonly text: string;
  readonly notes: readonly string[];
  readonly effects: readonly EffectLine[];
  /** The deciding rule fired on this command. */
  readonly decided: boolean;
}

export interface RuleLine {
  readonly id: string;
  readonly effect: string;
  /** What part it played: `decided`, `lost` (another rule decided), `lifted`, `shadow` (not in force), `advice`. */
  readonly part: 'decided' | 'lost' | 'lifted' | 'shadow' | 'advice';
  readonly about: string;
  readonly message: string;
  readonly subject: string;
  readonly instead: string;
}

export interface Story {
  readonly id: string;
  readonly seq: number;
  readonly at: number;
  readonly kind: string;
  readonly answer: string;
  readonly enforced: boolean;
  readonly effect: string;
  readonly rule: string;
  readonly reason: string;
  readonly tool: string;
  readonly cwd: string;
  /** The call's shell text, or another text that says what was asked; '' if there is none. */
  readonly source: string;
  readonly marks: readonly Mark[];
  /** What else the call was given. */
  readonly input: readonly Pair[];
  /** A change of a file; `null` lines stand for unchanged ones that were left out. */
  readonly diff: readonly (DiffLine | null)[];
  readonly commands: readonly CommandLine[];
  /** Effects that belong to no command. */
  readonly effects: readonly EffectLine[];
  readonly unknowns: readonly Pair[];
  readonly rules: readonly RuleLine[];
  /** How many rules were looked at and did not fire; null: not recorded. */
  readonly quiet: number | null;
  readonly trace: readonly Pair[];
  readonly facts: readonly Pair[];
  readonly outcome: { readonly word: string; readonly notes: string; readonly text: string } | null;
  readonly proof: readonly Pair[];
  /** Why less is told than usual; '' otherwise. */
  readonly missing: string;
}

/** Tells one record. */
export function storyOf(entry: Entry): Story {
  const { row, body } = entry;
  const facts = body?.facts ? unpackFacts(body.facts, body.call) : null;
  const source = body === null ? row.summary : sourceOf(body);
  const deciding = decidingOf(body?.decision ?? null);
  const intact = body !== null && body.redactions.length === 0 && body.capped.length === 0;
  const marks = facts === null ? [] : marksOf(source, facts.commands, deciding, intact);
  const steps = body?.decision?.trace ?? [];
  const spoke = steps.filter((step) => step.outcome !== 'false' && step.outcome !== 'off');
  return {
    id: row.id,
    seq: row.seq,
    at: row.at,
    kind: row.kind,
    answer: row.answer,
    enforced: row.enforced !== 0,
    effect: row.effect,
    rule: row.rule,
    reason: body?.decision?.reason ?? '',
    tool: row.raw_tool || row.event,
    cwd: body?.call.cwd ?? row.repo,
    source,
    marks,
    input: body === null ? [] : inputOf(body),
    diff: body === null ? [] : changeOf(body),
    commands: facts === null ? [] : facts.commands.slice(0, MAX).map((c) => commandLine(c, facts, marks)),
    effects: facts === null ? [] : looseOf(facts),
    unknowns: (facts?.unknowns ?? []).slice(0, MAX).map((u): Pair => [u.reason, u.text]),
    rules: rulesOf(body?.decision ?? null, deciding),
    quiet: body?.decision ? steps.length - spoke.length : null,
    trace: spoke
      .slice(0, MAX)
      .map(
        (s): Pair => [
          s.outcome,
          [s.rule, s.subject && `on ${s.subject}`, s.note && `(${s.note})`].filter(Boolean).join(' '),
        ],
      ),
    facts: facts === null ? [] : factPairs(facts),
    outcome: outcomeOf(entry),
    proof: proofOf(entry),
    missing: missingOf(entry, facts),
  };
}

const MAX = 400;

function missingOf({ body }: Entry, facts: Facts | null): string {
  if (body === null) return 'The body of this record was erased or is damaged; `gov audit verify` says which.';
  if (body.kind === 'decision' && facts === null)
    return 'The record was too big to keep, or the call could not be understood: its facts are not here.';
  return '';
}

const SOURCE_KEYS = ['command', 'cmd', 'file_path', 'path', 'url', 'query', 'pattern', 'prompt'] as const;

function sourceOf({ call }: RecordBody): string {
  for (const key of SOURCE_KEYS) {
    const value = Object.hasOwn(call.input, key) ? call.input[key] : undefined;
    if (typeof value === 'string' && value !== '') return value;
    if (Array.isArray(value) && value.every((word) => typeof word === 'string') && value.length > 0)
      return value.join(' ');
  }
  return call.mcp === null ? '' : `${call.mcp.server}/${call.mcp.tool}`;
}

const CHANGE_KEYS = new Set(['old_string', 'new_string', 'content', 'edits']);

function inputOf(body: RecordBody): Pair[] {
  const { call } = body;
  const source = sourceOf(body);
  const isChange = changeOf(body).length > 0;
  const pairs: Pair[] = [];
  for (const [group, own] of [
    [call.input, ''],
    [call.detail, ''],
  ] as const)
    for (const [key, value] of Object.entries(group)) {
      if (isChange && CHANGE_KEYS.has(key)) continue;
      const text = typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
      if (text !== source && text !== '') pairs.push([own + key, text]);
    }
  return pairs.slice(0, MAX);
}

function changeOf({ call }: RecordBody): readonly (DiffLine | null)[] {
  const { old_string: before, new_string: after, content, edits } = call.input as Readonly<Record<string, unknown>>;
  if (typeof before === 'string' && typeof after === 'string') return contextOf(diffOf(before, after));
  if (Array.isArray(edits))
    return edits.flatMap((edit: unknown, i) => {
      const one = (edit ?? {}) as Readonly<Record<string, unknown>>;
      if (typeof one['old_string'] !== 'string' || typeof one['new_string'] !== 'string') return [];
      return [...(i === 0 ? [] : [null]), ...contextOf(diffOf(one['old_string'], one['new_string']))];
    });
  if (call.tool === 'write' && typeof content === 'string') return diffOf('', content);
  return [];
}

function decidingOf(decision: Decision | null): RuleHit | null {
  return decision?.rules.find((hit) => hit.id === decision.rule && hit.enforced && hit.lifted_by === '') ?? null;
}

function commandLine(command: CommandFact, facts: Facts, marks: readonly Mark[]): CommandLine {
  const notes = [
    command.via.length > 0 ? `via ${command.via.join(' → ')}` : '',
    command.cwd === null ? 'in an unknown directory' : command.cwd === facts.event.cwd ? '' : `in ${command.cwd}`,
    command.privileged ? 'privileged' : '',
    elsewhereOf(command.elsewhere),
    command.certain ? '' : 'may not run',
    command.opaque ? 'runs code that was not understood' : '',
    ...command.unknown_words.map((why) => `unknown: ${why}`),
  ];
  return {
    n: command.id + 1,
    parent: command.parent + 1,
    depth: depthOf(command, facts.commands),
    name: command.name,
    text: command.text || command.argv.join(' '),
    notes: notes.filter((note) => note !== ''),
    effects: [
      ...command.targets.map(fileLine),
      ...command.dests.map(destLine),
      ...command.effects.map(effectLine),
    ].slice(0, MAX),
    decided: marks.some((mark) => mark.n === command.id + 1 && mark.decided),
  };
}

function elsewhereOf(place: string): string {
  if (place === 'remote') return 'on another machine';
  return place === 'container' ? 'in a container' : place;
}

function depthOf(command: CommandFact, all: readonly CommandFact[]): number {
  let depth = 0;
  for (let at = command.parent; at >= 0 && depth < 12; at = all[at]?.parent ?? -1) depth++;
  return depth;
}

function looseOf(facts: Facts): EffectLine[] {
  const loose = <T extends { readonly command: number }>(all: readonly T[]): T[] =>
    all.filter((one) => one.command < 0 || one.command >= facts.commands.length);
  return [
    ...loose(facts.files).map(fileLine),
    ...loose(facts.dests).map(destLine),
    ...loose(facts.effects).map(effectLine),
  ].slice(0, MAX);
}

function fileLine(file: FileFact): EffectLine {
  const changes = file.op !== 'read' && file.op !== 'list' && file.op !== 'exec';
  const undo = file.reversible === 'no' ? 'can not be undone' : file.reversible === 'unknown' ? '' : file.reversible;
  const notes = [
    file.role,
    file.secret === true && file.zone !== 'secret' ? 'secret' : '',
    file.recursive ? 'recursive' : '',
    file.force ? 'force' : '',
    file.glob ? 'pattern' : '',
    file.mode === '' ? '' : `mode ${file.mode}`,
    file.added + file.removed > 0 ? `+${file.added} −${file.removed}` : '',
    changes ? undo : '',
    file.to == null ? '' : `to ${file.to}`,
    file.certain ? '' : 'perhaps',
    file.real === null && file.reason !== '' ? `unknown: ${file.reason}` : '',
  ];
  return {
    verb: file.op,
    target: file.real ?? file.path,
    zone: file.zone ?? 'unknown',
    notes: notes.filter((note) => note !== ''),
  };
}

function destLine(dest: DestFact): EffectLine {
  const host = dest.host === null ? 'unknown host' : dest.port > 0 ? `${dest.host}:${dest.port}` : dest.host;
  const notes = [
    dest.method,
    dest.sends === 'nothing' ? '' : `sends ${dest.sends}`,
    dest.metadata ? 'cloud metadata' : '',
    dest.loopback === true ? 'this machine' : '',
    dest.certain ? '' : 'perhaps',
  ];
  return { verb: 'connect', target: dest.url || host, zone: '', notes: notes.filter((note) => note !== '') };
}

function effectLine(effect: EffectFact): EffectLine {
  const notes = [
    effect.detail,
    effect.force ? 'force' : '',
    effect.recursive ? 'recursive' : '',
    effect.certain ? '' : 'perhaps',
  ];
  return { verb: effect.kind, target: effect.target, zone: '', notes: notes.filter((note) => note !== '') };
}

function rulesOf(decision: Decision | null, deciding: RuleHit | null): RuleLine[] {
  return (decision?.rules ?? []).slice(0, MAX).map((hit) => ({
    id: hit.id,
    effect: hit.effect,
    part:
      hit.lifted_by !== ''
        ? 'lifted'
        : !hit.enforced
          ? 'shadow'
          : hit === deciding
            ? 'decided'
            : hit.level === 'advisory'
              ? 'advice'
              : 'lost',
    about: [
      `v${hit.version}`,
      hit.layer,
      hit.severity,
      hit.level,
      hit.because === 'match' ? '' : hit.because === 'dynamic' ? "because it can't be known" : `because ${hit.because}`,
      hit.lifted_by === '' ? '' : `by ${hit.lifted_by}`,
    ]
      .filter((word) => word !== '')
      .join(', '),
    message: hit.message,
    subject: hit.subject,
    instead: [hit.remediation, hit.suggest].filter((text) => text !== '').join(' '),
  }));
}

function factPairs({ event, git }: Facts): Pair[] {
  const pairs: Pair[] = [
    ['workspace', event.workspace],
    ['home', event.home],
    ['user', event.user],
    ['permission mode', event.permission_mode],
    ['interactive', event.interactive ? 'yes' : 'no'],
    ['subagent', event.subagent ? `yes, depth ${event.depth}` : ''],
    [
      'git',
      git.branch === null
        ? ''
        : `${git.branch}, ${git.dirty === null ? 'changes unknown' : git.dirty ? 'with changes' : 'clean'}${git.remote === null ? '' : `, remote ${git.remote}`}`,
    ],
    ['call digest', event.call_digest],
  ];
  return pairs.filter(([, value]) => value !== '');
}

function outcomeOf(entry: Entry): Story['outcome'] {
  const { row, body } = entry;
  const told = row.kind === 'outcome' ? body : entry.outcome;
  const result = told?.call.result ?? null;
  if (told !== null && result !== null) {
    const code = result.exitCode === null ? (result.failed ? 'failed' : 'done') : `exit ${result.exitCode}`;
    return {
      word: result.interrupted ? 'interrupted' : code,
      notes: result.durationMs === null ? '' : `after ${durationOf(result.durationMs)}`,
      text: result.text,
    };
  }
  if (told !== null) return { word: told.call.event === 'PostToolUseFailure' ? 'failed' : 'done', notes: '', text: '' };
  if (row.kind !== 'decision') return null;
  if (row.answer === 'deny' || row.answer === 'halt') return { word: 'blocked', notes: 'it did not run', text: '' };
  return { word: 'open', notes: 'no outcome was recorded', text: '' };
}

function proofOf({ row, prev_hash, body }: Entry): Pair[] {
  const pairs: Pair[] = [
    ['id', row.id],
    ['sequence', `${row.seq}${row.spooled === 0 ? '' : ' (waited in the spool)'}`],
    ['when', `${timeOf(row.at)} UTC`],
    ['agent', [row.agent, body?.call.agentVersion ?? ''].join(' ').trim()],
    ['session', row.session],
    ['event', row.event],
    ['call', row.call_id],
    ['decided in', row.kind === 'decision' ? `${(row.latency_us / 1000).toFixed(1)} ms` : ''],
    ['policy', row.policy],
    ['hash', row.hash],
    ['follows', prev_hash],
    ['gov', body?.gov ?? ''],
    ...(body?.redactions ?? []).map((r): Pair => ['redacted', `${r.kind} ${r.fp}, ${r.count} times`]),
    ...(body?.capped ?? []).map((c): Pair => ['cut', `${c.path}: ${c.bytes} bytes, ${c.digest}`]),
    ...(body?.faults ?? []).map((fault): Pair => ['fault', fault]),
  ];
  return pairs.filter(([, value]) => value !== '');
}
