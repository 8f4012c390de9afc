import type { Report } from '../report.ts';
import { headline, sectionsOf, timelineSection } from '../sections.ts';

/** One JSON object a line, one line a table row: `{section, …columns}`. */
export function renderJsonl(report: Report): string {
  const lines: string[] = [];
  for (const [name, value] of headline(report)) lines.push(JSON.stringify({ section: 'totals', name, value }));
  for (const section of [timelineSection(report), ...sectionsOf(report)])
    for (const row of section.rows) {
      const cells = section.columns.map((column, i) => [column, row[i]] as const);
      lines.push(JSON.stringify({ section: section.id, ...Object.fromEntries(cells) }));
    }
  lines.push(JSON.stringify({ section: 'latency', ...report.latency }));
  lines.push(JSON.stringify({ section: 'integrity', ...report.integrity }));
  return `${lines.join('\n')}\n`;
}
