import { type RecordBody, unpackFacts } from '../audit/format/body.ts';
import type { Entry, Row } from '../audit/read/store.ts';
import { visible, visibleLines } from '../base/escape.ts';
import type { CommandFact, FileFact } from '../model/facts.ts';
import { time } from '../report/sections.ts';
import type { Paint } from './paint.ts';
import { ID_SHOWN, wordOf } from './record-lines.ts';

/** One record told to a person: what was asked, what was answered, by which rules, and why; then its proof. */
export function storyOf(entry: Entry, paint: Paint): string {
  const { row, body } = entry;
  const out: string[] = [];
  const head = (title: string): void => {
    out.push('', paint.bold(title));
  };
  const field = (name: string, value: string): void => {
    if (value !== '') out.push(`  ${name.padEnd(10)} ${value}`);
  };
  out.push(paint.bold(`${row.kind} ${row.id}`));
  field('when', `${time(row.at)} UTC`);
  field('answer', answerOf(row, paint));
  field('reason', visible(body?.decision?.reason ?? ''));
  field('agent', visible([row.agent, body?.call.agentVersion ?? ''].join(' ').trim()));
  field('session', visible(row.session));
  field('tool', visible(row.raw_tool === '' ? row.event : `${row.raw_tool} (${row.tool})`));
  field('directory', visible(body?.call.cwd ?? row.repo));
  if (body === null) {
    out.push('', 'The body of this record was erased or is damaged; `gov audit verify` says which.');
    out.push(`  call       ${visible(row.summary)}`);
  } else {
    head('Call');
    for (const line of saidOf(body)) out.push(`  ${line}`);
    tellRules(body, head, out, paint);
    tellEvidence(body, head, out);
    tellFacts(body, head, out);
    tellResult(entry.outcome ?? body, head, out);
    tellTrace(body, head, out);
  }
  tellRelated(entry.related, head, out);
  head('Record');
  field('sequence', `${row.seq}${row.spooled === 0 ? '' : ' (waited in the spool)'}`);
  field('hash', row.hash);
  field('follows', entry.prev_hash);
  field('policy', visible(row.policy));
  field('took', `${(row.latency_us / 1000).toFixed(1)} ms`);
  if (body !== null) {
    field('gov', visible(body.gov));
    for (const r of body.redactions) field('redacted', visible(`${r.kind} ${r.fp}, ${r.count} times`));
    for (const c of body.capped) field('cut', visible(`${c.path}: ${c.bytes} bytes, ${c.digest}`));
    for (const fault of body.faults) field('fault', paint.red(visible(fault)));
  }
  return `${out.join('\n')}\n`;
}

type Head = (title: string) => void;

function answerOf(row: Row, paint: Paint): string {
  if (row.answer === '') return '';
  const word = row.answer === 'allow' ? row.answer : row.answer === 'ask' ? paint.yellow('ask') : paint.red(row.answer);
  if (row.enforced !== 0) return word;
  return row.rule === '' ? word : `${word} (watched only; ${visible(row.effect)} if enforced)`;
}

const MAX_LINES = 40;

function saidOf(body: RecordBody): string[] {
  const { input } = body.call;
  const command = input['command'] ?? input['cmd'];
  const text = typeof command === 'string' ? command : JSON.stringify(input, null, 2);
  return clipped(text);
}

function clipped(text: string): string[] {
  const lines = visibleLines(text).split('\n');
  if (lines.length <= MAX_LINES) return lines;
  return [...lines.slice(0, MAX_LINES), `… ${lines.length - MAX_LINES} more lines (--json shows all)`];
}

const PAST = {
  allow: 'allowed',
  context: 'told the agent something',
  warn: 'warned',
  ask: 'asked',
  deny: 'denied',
  halt: 'halted the session',
  modify: 'modified the call',
  redact: 'redacted',
} as const;

function tellRules(body: RecordBody, head: Head, out: string[], paint: Paint): void {
  const rules = body.decision?.rules ?? [];
  if (body.decision === null) return;
  head('Rules');
  if (rules.length === 0) out.push('  none fired');
  let decided = false;
  for (const hit of rules) {
    const wins: boolean = !decided && hit.id === body.decision.rule;
    decided = decided || wins;
    const part =
      hit.lifted_by !== ''
        ? `lifted by ${hit.lifted_by}`
        : !hit.enforced
          ? `would have ${PAST[hit.effect]} (not enforced)`
          : wins
            ? 'decided'
            : 'lost';
    const title = visible(
      `${hit.effect.padEnd(7)} ${hit.id} v${hit.version} (${hit.layer}, ${hit.severity}, ${hit.level})`,
    );
    out.push(
      `  ${wins ? paint.bold(title) : title} ${visible(part)}${hit.because === 'match' ? '' : `, ${hit.because}`}`,
    );
    if (hit.message !== '') out.push(`          ${visible(hit.message)}`);
    if (hit.subject !== '') out.push(`          on: ${visible(hit.subject)}`);
    const instead = hit.remediation || hit.suggest;
    if (instead !== '') out.push(`          instead: ${visible(instead)}`);
  }
}

/** What was asked for and what was found; then what this outcome establishes and ends. Keys of the latter are digests. */
function tellEvidence({ decision }: RecordBody, head: Head, out: string[]): void {
  const asked = decision?.evidence ?? [];
  const marks = (decision?.marks ?? []).filter((mark) => mark.rule.startsWith('evidence:'));
  if (asked.length + marks.length > 0) head('Evidence');
  for (const { kind, key, holds } of asked)
    out.push(`  ${holds === null ? 'not known' : holds ? 'there' : 'missing'}: ${visible(`${kind} ${key}`)}`);
  const kinds = new Map<string, number>();
  for (const { rule, step } of marks) {
    const what = `${step === '-' ? 'ends' : 'establishes'} ${rule.slice('evidence:'.length)}`;
    kinds.set(what, (kinds.get(what) ?? 0) + 1);
  }
  for (const [what, times] of kinds) out.push(`  ${visible(what)}${times > 1 ? `, ${times} times` : ''}`);
}

function tellFacts(body: RecordBody, head: Head, out: string[]): void {
  if (body.facts === null) return;
  const facts = unpackFacts(body.facts, body.call);
  if (facts.commands.length > 0) head('Commands');
  for (const command of facts.commands.slice(0, 100)) {
    out.push(`  ${'  '.repeat(depthOf(command, facts.commands))}${visible(command.text)}${notesOf(command)}`);
    for (const line of [...effectsOf(command)].slice(0, 20)) out.push(`      ${visible(line)}`);
  }
  if (facts.commands.length > 100) out.push(`  … ${facts.commands.length - 100} more`);
  const loose = facts.commands.length === 0 ? facts.files : facts.files.filter((file) => file.command < 0);
  if (loose.length > 0) head('Files');
  for (const file of loose.slice(0, 50)) out.push(`  ${visible(fileLine(file))}`);
  if (facts.unknowns.length > 0) head('Not understood');
  for (const unknown of facts.unknowns.slice(0, 20)) out.push(`  ${visible(`${unknown.reason}: ${unknown.text}`)}`);
}

function depthOf(command: CommandFact, all: readonly CommandFact[]): number {
  let depth = 0;
  let at = command.parent;
  while (at >= 0 && depth < 10) {
    depth++;
    at = all[at]?.parent ?? -1;
  }
  return depth;
}

function notesOf(command: CommandFact): string {
  const notes = [
    command.via.length > 0 ? `via ${command.via.join(', ')}` : '',
    command.elsewhere,
    command.privileged ? 'privileged' : '',
    command.certain ? '' : 'perhaps',
    command.dynamic ? `unknown: ${command.unknown_words.join(', ') || 'a word'}` : '',
    command.opaque ? 'runs code that was not understood' : '',
  ].filter((note) => note !== '');
  return notes.length > 0 ? visible(`  (${notes.join('; ')})`) : '';
}

function* effectsOf(command: CommandFact): Generator<string> {
  for (const file of command.targets) yield fileLine(file);
  for (const dest of command.dests)
    yield `${dest.sends === 'nothing' ? 'connects to' : `sends ${dest.sends} to`} ${dest.host ?? 'an unknown host'}${dest.url === '' ? '' : ` (${dest.url})`}`;
  for (const effect of command.effects)
    yield `${effect.kind}${effect.target === '' ? '' : ` ${effect.target}`}${effect.detail === '' ? '' : `: ${effect.detail}`}`;
}

function fileLine(file: FileFact): string {
  const notes = [
    file.zone ?? 'unknown place',
    file.recursive ? 'recursive' : '',
    file.op === 'delete' || file.op === 'write'
      ? file.reversible === 'no'
        ? 'not reversible'
        : `reversible: ${file.reversible}`
      : '',
    file.secret === true ? 'secret' : '',
    file.certain ? '' : 'perhaps',
  ].filter((note) => note !== '');
  return `${file.op} ${file.real ?? file.path} (${notes.join(', ')})`;
}

function tellResult(body: RecordBody, head: Head, out: string[]): void {
  const { result } = body.call;
  if (result === null) return;
  head('Result');
  const took = result.durationMs === null ? '' : ` after ${result.durationMs} ms`;
  const code = result.exitCode === null ? (result.failed ? 'failed' : 'done') : `exit ${result.exitCode}`;
  out.push(`  ${result.interrupted ? 'interrupted' : code}${took}`);
  for (const line of clipped(result.text.trimEnd()).slice(0, 20)) out.push(`  | ${line}`);
}

function tellTrace(body: RecordBody, head: Head, out: string[]): void {
  const steps = (body.decision?.trace ?? []).filter((step) => step.outcome !== 'false' && step.outcome !== 'off');
  if (steps.length === 0) return;
  head('Trace');
  for (const step of steps.slice(0, 50))
    out.push(
      `  ${visible(`${step.outcome.padEnd(8)} ${step.rule}${step.subject === '' ? '' : ` on ${step.subject}`}${step.note === '' ? '' : ` (${step.note})`}`)}`,
    );
  const quiet = (body.decision?.trace.length ?? 0) - steps.length;
  if (quiet > 0) out.push(`  ${quiet} rules were looked at and did not fire (--json shows them)`);
}

function tellRelated(related: readonly Row[], head: Head, out: string[]): void {
  if (related.length === 0) return;
  head('Same call');
  for (const row of related)
    out.push(`  ${row.id.slice(0, ID_SHOWN)}  ${time(row.at)}  ${wordOf(row)}  ${visible(row.event)}`);
}
