import type { Report } from '../report.ts';

/** The report as it is: the authority that all other formats render. */
export function renderJson(report: Report): string {
  return `${JSON.stringify(report, null, 2)}\n`;
}
