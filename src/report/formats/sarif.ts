import { createHash } from 'node:crypto';
import { sarifText } from '../../base/sarif-text.ts';
import type { HeldCall, Report } from '../report.ts';

/**
 * The calls that were held up as SARIF 2.1.0 (OASIS), for tools that show findings of scanners: one result for each
 * different call and rule, with how often it came. A call is no place in a file, so its location is a logical one.
 */
export function renderSarif(report: Report): string {
  const held = [
    ...report.blocked.map((call) => [call, 'blocked'] as const),
    ...report.asked.map((call) => [call, 'asked'] as const),
  ];
  const ids = [...new Set(held.map(([call]) => ruleId(call)))].sort();
  const { since, until, first, last } = report.period;
  const run = {
    tool: {
      driver: {
        name: 'gov',
        version: report.gov,
        rules: ids.map((id) => {
          const example = held.find(([call]) => ruleId(call) === id)?.[0];
          return {
            id,
            shortDescription: { text: sarifText(example?.why || id) },
            defaultConfiguration: { level: levelOf(example?.severity ?? '') },
          };
        }),
      },
    },
    automationDetails: { id: `gov/audit/${report.integrity.chain}` },
    columnKind: 'utf16CodeUnits',
    properties: {
      from: stamp(since ?? first),
      to: stamp(until ?? last),
      head: report.integrity.head,
      verified: report.integrity.verified,
    },
    results: held.map(([call, answer]) => ({
      ruleId: ruleId(call),
      ruleIndex: ids.indexOf(ruleId(call)),
      level: levelOf(call.severity),
      kind: 'fail',
      message: {
        text: sarifText(`${answer} ${times(call.count)}: ${call.summary}${call.why === '' ? '' : ` (${call.why})`}`),
      },
      locations: [{ logicalLocations: [{ fullyQualifiedName: call.summary, kind: 'function' }] }],
      occurrenceCount: call.count,
      partialFingerprints: { 'govHeldCall/v1': fingerprint(call) },
      properties: { answer, record: call.id, sessions: call.sessions, last: stamp(call.last), wentOn: call.approved },
    })),
  };
  const log = { $schema: 'https://json.schemastore.org/sarif-2.1.0.json', version: '2.1.0', runs: [run] };
  return `${JSON.stringify(log, null, 2)}\n`;
}

function ruleId(call: HeldCall): string {
  return call.rule || 'default';
}

function levelOf(severity: HeldCall['severity']): 'error' | 'warning' | 'note' {
  if (severity === 'critical' || severity === 'high') return 'error';
  return severity === 'low' || severity === 'informational' ? 'note' : 'warning';
}

function fingerprint(call: HeldCall): string {
  return createHash('sha256').update(`${call.rule}\n${call.summary}`).digest('hex');
}

function times(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

function stamp(at: number | null): string | null {
  return at === null ? null : new Date(at).toISOString();
}
