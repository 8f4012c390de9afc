import { visible } from '../../base/escape.ts';
import type { Report } from '../report.ts';
import { headline, integrityOf, type Section, scopeOf, sectionsOf } from '../sections.ts';
import { stepName } from '../timeline.ts';

/** How a text report is dressed up; the default is plain. */
export interface TextStyle {
  readonly width: number;
  readonly bold: (text: string) => string;
  readonly red: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly dim: (text: string) => string;
}

const asIs = (text: string): string => text;
const PLAIN: TextStyle = { width: 100, bold: asIs, red: asIs, yellow: asIs, dim: asIs };

/** The report for a terminal. */
export function renderText(report: Report, style: TextStyle = PLAIN): string {
  const out: string[] = [style.bold('gov audit report'), visible(scopeOf(report)), ''];
  const numbers = headline(report).filter(([, value], i) => i === 0 || value !== 0);
  const pad = Math.max(...numbers.map(([name]) => name.length));
  for (const [name, value] of numbers) out.push(`  ${name.padEnd(pad)}  ${value}`);
  const { latency } = report;
  if (latency.count > 0)
    out.push(
      `  ${'answered in'.padEnd(pad)}  p50 ${ms(latency.p50)}, p95 ${ms(latency.p95)}, p99 ${ms(latency.p99)}, max ${ms(latency.max)}`,
    );
  out.push('', ...chart(report, style));
  for (const section of sectionsOf(report)) {
    const asked = ['blocked', 'rules'].includes(section.id) || (section.id === 'ungoverned' && isWhole(report));
    if (section.rows.length === 0 && !asked) continue;
    const lines = section.id === 'silent' ? namesOf(section, style) : tableOf(section, style);
    out.push(style.bold(section.title), ...lines, '');
  }
  out.push(style.bold('Integrity'));
  for (const line of integrityOf(report)) {
    const text = `  ${visible(line)}`;
    out.push(report.integrity.verified === 'failed' && !line.startsWith('not provable') ? style.red(text) : text);
  }
  return `${out.join('\n')}\n`;
}

/** Whether the report is about all calls of its period. */
function isWhole({ scope }: Report): boolean {
  return Object.values(scope).every((value) => value === undefined);
}

/** Names one behind the other, as many on a line as fit. */
function namesOf({ rows }: Section, style: TextStyle): string[] {
  const lines: string[] = [];
  for (const [i, [name]] of rows.entries()) {
    const word = visible(String(name)) + (i < rows.length - 1 ? ',' : '');
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length + 1 <= style.width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(`  ${word}`);
  }
  return lines.map(style.dim);
}

const BAR = 40;

/** Decisions over time: one bar a step, held-up calls first, so that a bad hour stands out. */
function chart(report: Report, style: TextStyle): string[] {
  const { step, buckets } = report.timeline;
  if (buckets.length === 0) return [];
  const shown = buckets.slice(-MAX_BARS);
  const most = Math.max(1, ...shown.map((b) => b.allow + b.ask + b.deny + b.halt));
  const cells = (n: number): number => (n === 0 ? 0 : Math.max(1, Math.round((n / most) * BAR)));
  const lines = shown.map((b) => {
    const denied = b.deny + b.halt;
    const bar =
      style.red('#'.repeat(cells(denied))) + style.yellow('?'.repeat(cells(b.ask))) + '.'.repeat(cells(b.allow));
    const counts = `${b.allow} allow${b.ask > 0 ? `, ${b.ask} ask` : ''}${denied > 0 ? `, ${denied} blocked` : ''}`;
    return `  ${stepName(b.start, step)} ${bar} ${style.dim(counts)}`;
  });
  const left = buckets.length - shown.length;
  const title = `Decisions by ${step} (# blocked, ? asked, . allowed)`;
  return [style.bold(title), ...(left > 0 ? [style.dim(`  ${left} earlier not shown`)] : []), ...lines, ''];
}

const MAX_BARS = 48;

/** A table whose first column takes the room that the others leave. */
function tableOf(whole: Section, style: TextStyle): string[] {
  if (whole.rows.length === 0) return [style.dim(`  ${whole.none}`)];
  const section = withoutSpare(whole);
  const cells = [section.columns, ...section.rows].map((row) => row.map((cell) => toMinutes(visible(String(cell)))));
  const widths = section.columns.map((_, i) => Math.max(...cells.map((row) => (row[i] ?? '').length)));
  const rest = widths.slice(1).reduce((sum, w) => sum + w + 2, 2);
  const first = Math.min(widths[0] ?? 0, Math.max(20, style.width - rest));
  const numeric = section.columns.map((_, i) => section.rows.every((row) => typeof row[i] === 'number'));
  const line = (row: readonly string[]): string =>
    row
      .map((cell, i) => {
        const width = i === 0 ? first : (widths[i] ?? 0);
        const text = cell.length > width ? `${cell.slice(0, width - 1)}…` : cell;
        return numeric[i] ? text.padStart(width) : text.padEnd(width);
      })
      .join('  ')
      .trimEnd();
  const [head, ...body] = cells;
  return [style.dim(`  ${line(head ?? [])}`), ...body.map((row) => `  ${line(row)}`)];
}

function withoutSpare(section: Section): Section {
  const spare = section.columns.indexOf(section.spare ?? '');
  if (spare < 0 || section.rows.some((row) => row[spare] !== 0)) return section;
  const rest = <T>(row: readonly T[]): readonly T[] => row.filter((_, i) => i !== spare);
  return { ...section, columns: rest(section.columns), rows: section.rows.map(rest) };
}

/** Times without their seconds: the room is for what was called. */
function toMinutes(cell: string): string {
  return /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(cell) ? cell.slice(0, 16) : cell;
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}
