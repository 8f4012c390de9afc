import { visibleJson } from '../base/escape.ts';
import type { Finding } from '../rulebook/finding.ts';
import { junitOfFindings } from '../rulebook/junit.ts';
import { sarifOf } from '../rulebook/sarif.ts';

export const FINDING_FORMATS = ['text', 'json', 'sarif', 'junit'] as const;

/** Findings for other programs; `result` is what `json` prints. Null: for people. */
export function findingsAs(format: string, findings: readonly Finding[], result: unknown): string | null {
  switch (format) {
    case 'json':
      return visibleJson(JSON.stringify(result, null, 2));
    case 'sarif':
      return visibleJson(JSON.stringify(sarifOf(findings), null, 2));
    case 'junit':
      return junitOfFindings(findings);
    default:
      return null;
  }
}
