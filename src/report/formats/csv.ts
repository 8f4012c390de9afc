import { csvCell } from '../../base/csv.ts';
import type { Report } from '../report.ts';
import { headline, sectionsOf, timelineSection } from '../sections.ts';

/** `section,name,measure,value`: one number a line, so that one file holds all tables (RFC 4180). */
export function renderCsv(report: Report): string {
  const lines: (readonly (string | number)[])[] = [['section', 'name', 'measure', 'value']];
  for (const [name, value] of headline(report)) lines.push(['totals', name, 'count', value]);
  for (const section of [timelineSection(report), ...sectionsOf(report)])
    for (const row of section.rows)
      for (let i = 1; i < section.columns.length; i++)
        lines.push([section.id, row[0] ?? '', section.columns[i] ?? '', row[i] ?? '']);
  for (const [name, value] of Object.entries(report.latency)) lines.push(['latency', 'answer', name, value]);
  lines.push(
    ['integrity', 'chain', 'verified', report.integrity.verified],
    ['integrity', 'chain', 'head', report.integrity.head],
  );
  return lines.map((line) => `${line.map(csvCell).join(',')}\r\n`).join('');
}
