import { sarifText } from '../base/sarif-text.ts';
import { GOV_VERSION } from '../base/version.ts';
import type { Finding } from './finding.ts';
import { CHECK_CODES, type CodePage, LINT_CODES } from './lint/codes.ts';

/** Findings as SARIF 2.1.0, for code scanning of repositories. */
export function sarifOf(findings: readonly Finding[]): Readonly<Record<string, unknown>> {
  const codes = [...new Set(findings.map((f) => f.code))].sort();
  const pages: Readonly<Record<string, CodePage>> = { ...CHECK_CODES, ...LINT_CODES };
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: {
            name: 'gov policy',
            version: GOV_VERSION,
            rules: codes.map((id) => ({
              id,
              shortDescription: { text: pages[id]?.found ?? id },
              help: { text: pages[id]?.fix ?? '' },
            })),
          },
        },
        columnKind: 'utf16CodeUnits',
        results: findings.map((f) => ({
          ruleId: f.code,
          ruleIndex: codes.indexOf(f.code),
          level: f.severity,
          message: { text: sarifText(f.help ? `${f.message}\n${f.help}` : f.message) },
          locations: [
            {
              physicalLocation: {
                artifactLocation: { uri: uriOf(f.at.file) },
                region: { startLine: f.at.line, startColumn: f.at.column, endColumn: f.at.column + f.width },
              },
            },
          ],
        })),
      },
    ],
  };
}

function uriOf(file: string): string {
  return file
    .split('/')
    .map((part) => encodeURIComponent(part))
    .join('/');
}
