import { visible } from '../base/escape.ts';
import type { RuleHit } from '../model/decision.ts';
import type { CommandFact, DestFact, EffectFact, Facts, FileFact, Span } from '../model/facts.ts';
import type { Judged } from './check-answer.ts';
import type { Paint } from './paint.ts';

/** What was understood of a call and why it was decided so, for a person at a terminal. */
export function explanation(judged: Judged, p: Paint): readonly string[] {
  const { facts, decision, ms } = judged;
  const lines: string[] = [headline(judged, p)];
  const source = sourceOf(facts);
  if (source !== null && facts.commands.length > 0) {
    lines.push('', p.bold('commands'));
    for (const command of facts.commands.slice(0, MAX_SHOWN)) lines.push(...commandLines(command, facts, source, p));
    if (facts.commands.length > MAX_SHOWN) lines.push(p.dim(`  … ${facts.commands.length - MAX_SHOWN} more`));
  }
  const direct = [
    ...facts.files.filter((f) => f.command < 0).map((f) => fileLine(f, p)),
    ...facts.dests.filter((d) => d.command < 0).map((d) => destLine(d)),
    ...facts.effects.filter((e) => e.command < 0).map((e) => effectLine(e)),
  ];
  if (direct.length > 0)
    lines.push('', p.bold(facts.commands.length > 0 ? 'besides' : facts.tool.raw), ...direct.map((l) => `  ${l}`));
  if (facts.unknowns.length > 0) {
    lines.push('', p.bold('not understood'));
    for (const u of facts.unknowns) lines.push(`  ${p.yellow(visible(u.reason))}  ${p.dim(shortened(u.text))}`);
  }
  lines.push('', p.bold('rules'));
  if (decision.rules.length === 0) lines.push(p.dim('  none fired'));
  for (const hit of decision.rules) lines.push(...ruleLines(hit, p));
  lines.push('', p.dim(`${ms.toFixed(1)} ms · policy ${decision.policy.slice(0, 12)}`));
  return lines;
}

const MAX_SHOWN = 40;
const WIDTH = 110;

/** The answer and the one line that gives its reason. */
export function headline({ decision }: Judged, p: Paint): string {
  const colour = decision.answer === 'allow' ? p.green : decision.answer === 'ask' ? p.yellow : p.red;
  const reason = decision.reason === '' ? 'no rule objects' : decision.reason;
  const by = decision.rule === null ? '' : p.dim(` (${decision.rule})`);
  return `${p.bold(colour(decision.answer))}  ${visible(reason)}${by}`;
}

function sourceOf(facts: Facts): string | null {
  const text = facts.tool.input['command'];
  return typeof text === 'string' ? text : '';
}

function commandLines(c: CommandFact, facts: Facts, source: string, p: Paint): string[] {
  const indent = '  '.repeat(1 + depthOf(c, facts));
  const marks = [
    c.via.length > 0 ? `via ${c.via.join(' → ')}` : '',
    c.cwd === null ? 'in an unknown directory' : c.cwd === facts.event.cwd ? '' : `in ${c.cwd}`,
    c.privileged ? 'privileged' : '',
    c.elsewhere,
    c.opaque ? 'runs code that was not understood' : '',
    c.certain ? '' : 'may not run',
  ].filter((mark) => mark !== '');
  const head = `${indent}${p.cyan(visible(c.name ?? '?'))} ${visible(shortened(argumentsOf(c)))}`;
  const lines = [marks.length === 0 ? head : `${head}  ${p.dim(visible(marks.join(', ')))}`];
  if (c.span && source !== '') lines.push(...underlined(source, c.span, `${indent}  `, p));
  for (const f of c.targets) lines.push(`${indent}  ${fileLine(f, p)}`);
  for (const d of c.dests) lines.push(`${indent}  ${destLine(d)}`);
  for (const e of c.effects) lines.push(`${indent}  ${effectLine(e)}`);
  for (const word of c.unknown_words) lines.push(`${indent}  ${p.yellow('unknown')} ${visible(word)}`);
  return lines;
}

function argumentsOf(c: CommandFact): string {
  return c.argv.slice(1).join(' ');
}

function depthOf(c: CommandFact, facts: Facts): number {
  let depth = 0;
  for (let at = c.parent; at >= 0 && depth < 8; at = facts.commands[at]?.parent ?? -1) depth++;
  return depth;
}

/** The line of the source that a command stands in, with the command underlined. */
function underlined(source: string, span: Span, indent: string, p: Paint): string[] {
  const start = source.lastIndexOf('\n', span.start - 1) + 1;
  const newline = source.indexOf('\n', span.start);
  const end = newline < 0 ? source.length : newline;
  const from = Math.max(start, span.start - 40);
  const to = Math.min(end, from + WIDTH);
  const before = (from > start ? '…' : '') + visible(source.slice(from, span.start));
  const marked = visible(source.slice(span.start, Math.min(to, span.end)));
  const after = visible(source.slice(Math.min(to, span.end), to)) + (to < end ? '…' : '');
  return [
    `${indent}${p.dim(before)}${marked}${p.dim(after)}`,
    `${indent}${' '.repeat([...before].length)}${p.cyan('~'.repeat(Math.max(1, [...marked].length)))}`,
  ];
}

function fileLine(f: FileFact, p: Paint): string {
  const where =
    f.real === null ? (f.reason === '' ? '' : `unknown: ${f.reason}`) : f.real === f.path ? '' : `→ ${f.real}`;
  const marks = [
    f.zone ?? 'zone unknown',
    f.role,
    f.secret && f.zone !== 'secret' ? 'secret' : '',
    f.recursive ? 'recursive' : '',
    f.force ? 'force' : '',
    f.glob ? 'pattern' : '',
    f.reversible === 'unknown' ? '' : f.reversible === 'no' ? 'not reversible' : f.reversible,
    f.certain ? '' : 'uncertain',
  ].filter((mark) => mark !== '');
  return `${f.op} ${visible(f.path)}${where === '' ? '' : ` ${visible(where)}`}  ${p.dim(marks.join(', '))}`;
}

function destLine(d: DestFact): string {
  const host = d.host ?? 'unknown host';
  const port = d.port > 0 ? `:${d.port}` : '';
  const marks = [
    d.scheme,
    d.method,
    `sends ${d.sends}`,
    d.metadata ? 'cloud metadata' : '',
    d.loopback ? 'this machine' : '',
  ];
  return `connect ${visible(host)}${port}  ${marks.filter((mark) => mark !== '').join(', ')}`;
}

function effectLine(e: EffectFact): string {
  return `${e.kind}${e.target === '' ? '' : ` ${visible(e.target)}`}${e.detail === '' ? '' : `  ${visible(e.detail)}`}`;
}

function ruleLines(hit: RuleHit, p: Paint): string[] {
  const why =
    hit.because === 'match' ? '' : ` because ${hit.because === 'dynamic' ? "it can't be known" : hit.because}`;
  const shadow = hit.enforced ? '' : ' (shadow: not enforced)';
  const lifted = hit.lifted_by === '' ? '' : ` (lifted by ${visible(hit.lifted_by)})`;
  const lines = [
    `  ${p.bold(hit.effect)} ${hit.id}  ${p.dim(`${hit.layer}, ${hit.severity}${why}${shadow}${lifted}`)}`,
  ];
  if (hit.message !== '') lines.push(...folded('      ', visible(hit.message)));
  if (hit.subject !== '') lines.push(p.dim(`      on ${visible(shortened(hit.subject))}`));
  if (hit.remediation !== '') lines.push(...folded('      ', `try: ${visible(hit.remediation)}`));
  return lines;
}

function shortened(text: string): string {
  const one = visible(text);
  return one.length > WIDTH ? `${one.slice(0, WIDTH - 1)}…` : one;
}

/**
 * A sentence in lines of at most `columns` characters, each indented; broken between words. `columns` is by default the
 * width of the terminal that standard output is; elsewhere a sentence stays one line, which programs can search.
 */
export function folded(indent: string, text: string, columns = process.stdout.columns ?? 0): readonly string[] {
  if (columns < indent.length + 20) return [`${indent}${text}`];
  const lines: string[] = [];
  let line = indent;
  for (const word of text.split(' ')) {
    if (line !== indent && line.length + 1 + word.length > columns) {
      lines.push(line);
      line = indent;
    }
    line += line === indent ? word : ` ${word}`;
  }
  return [...lines, line];
}
