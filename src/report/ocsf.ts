/**
 * Records as events of OCSF 1.8.0 (schema.ocsf.io), for security data lakes: a call that a rule spoke up about is a
 * Detection Finding (2004), any other an API Activity (6003), both with the profile `security_control`, which says what
 * was done about it. `metadata.uid` is the record's id, `metadata.sequence` its number, and `unmapped` holds the hashes.
 */
import type { RecordBody } from '../audit/format/body.ts';
import type { Row } from '../audit/read/store.ts';
import type { HeldCall, Report } from './report.ts';

const OCSF_VERSION = '1.8.0';

const SEVERITY_IDS: Readonly<Record<string, number>> = { informational: 1, low: 2, medium: 3, high: 4, critical: 5 };

interface Disposition {
  readonly action_id: number;
  readonly disposition_id: number;
  readonly disposition: string;
}

const ALLOWED: Disposition = { action_id: 1, disposition_id: 1, disposition: 'Allowed' };
const BLOCKED: Disposition = { action_id: 2, disposition_id: 2, disposition: 'Blocked' };
/** Detected without further action: monitor mode, and rules that only warn. */
const DETECTED: Disposition = { action_id: 1, disposition_id: 15, disposition: 'Detected' };
/** A person was asked; whether the call went on is another record. */
const ASKED: Disposition = { action_id: 0, disposition_id: 99, disposition: 'Asked' };

/** One event; null for records that are no decision about a call. `body` is null if it was erased. */
export function ocsfEvent(row: Row, body: RecordBody | null, govVersion: string): object | null {
  if (row.kind !== 'decision') return null;
  const common = {
    time: row.at,
    metadata: {
      ...metadata(govVersion),
      uid: row.id,
      sequence: row.seq,
      correlation_uid: row.session,
      ...(row.call_id === '' ? {} : { event_code: row.event }),
    },
    message: row.summary,
    ...dispositionOf(row),
    actor: {
      app_name: row.agent,
      session: { uid: row.session },
      ...(body?.facts ? { user: { name: body.facts.event.user || 'unknown' } } : {}),
    },
    ...(row.policy === '' ? {} : { policy: { uid: row.policy, name: 'gov' } }),
    unmapped: { hash: row.hash, call_id: row.call_id, repo: row.repo, latency_us: row.latency_us },
  };
  return row.rules === '' ? activity(row, common) : finding(row, body, common);
}

function activity(row: Row, common: object): object {
  const id = ACTIVITY_IDS[row.tool] ?? 99;
  return {
    ...classOf(6, 6003, id),
    activity_name: id === 99 ? row.raw_tool || row.event : ACTIVITY_NAMES[id],
    severity_id: 1,
    severity: 'Informational',
    ...common,
    api: { operation: row.raw_tool || row.event, service: { name: row.agent } },
    src_endpoint: { name: row.agent },
    resources: [{ name: row.repo || 'unknown' }],
  };
}

const ACTIVITY_IDS: Readonly<Record<string, number>> = { read: 2, search: 2, fetch: 2, write: 3, edit: 3 };
const ACTIVITY_NAMES: Readonly<Record<number, string>> = { 2: 'Read', 3: 'Update' };

function finding(row: Row, body: RecordBody | null, common: object): object {
  const hit = body?.decision?.rules.find((rule) => rule.id === row.rule) ?? body?.decision?.rules[0];
  const rule = hit?.id ?? (row.rule || row.rules.trim().split(' ')[0] || 'unknown');
  return {
    ...classOf(2, 2004, 1),
    activity_name: 'Create',
    ...severityOf(hit?.severity ?? ''),
    ...common,
    status_id: 1,
    is_alert: row.answer === 'deny' || row.answer === 'halt',
    finding_info: {
      uid: row.id,
      title: hit?.title || rule,
      ...(hit?.message ? { desc: hit.message } : {}),
      created_time: row.at,
      analytic: {
        type_id: 1,
        type: 'Rule',
        uid: rule,
        name: hit?.title || rule,
        ...(hit ? { version: String(hit.version) } : {}),
      },
    },
    evidences: [{ api: { operation: row.raw_tool || row.event, service: { name: row.agent } } }],
    resources: [{ name: row.repo || 'unknown' }],
    ...(hit?.remediation ? { remediation: { desc: hit.remediation } } : {}),
  };
}

/** The held-up calls of a report as Detection Findings, one JSON object a line: each different call and rule once. */
export function renderOcsf(report: Report): string {
  const held = [
    ...report.blocked.map((call) => [call, BLOCKED] as const),
    ...report.asked.map((call) => [call, ASKED] as const),
  ];
  return held.map(([call, disposition]) => `${JSON.stringify(gathered(call, disposition, report))}\n`).join('');
}

function gathered(call: HeldCall, disposition: Disposition, report: Report): object {
  const rule = call.rule || 'default';
  return {
    ...classOf(2, 2004, 1),
    activity_name: 'Create',
    ...severityOf(call.severity),
    time: call.last,
    count: call.count,
    metadata: { ...metadata(report.gov), uid: call.id, correlation_uid: report.integrity.chain },
    message: call.summary,
    ...disposition,
    status_id: 1,
    is_alert: disposition === BLOCKED,
    finding_info: {
      uid: call.id,
      title: call.why || rule,
      last_seen_time: call.last,
      related_events_count: call.count,
      analytic: { type_id: 1, type: 'Rule', uid: rule, name: call.why || rule },
    },
    unmapped: { sessions: call.sessions, went_on: call.approved },
  };
}

function classOf(category: number, uid: number, activity: number) {
  return { category_uid: category, class_uid: uid, activity_id: activity, type_uid: uid * 100 + activity };
}

function metadata(version: string) {
  const product = { name: 'gov', vendor_name: 'gov', version };
  return { version: OCSF_VERSION, product, profiles: ['security_control'], log_name: 'audit' };
}

function severityOf(severity: string) {
  const id = SEVERITY_IDS[severity] ?? 0;
  return { severity_id: id, severity: id === 0 ? 'Unknown' : severity.charAt(0).toUpperCase() + severity.slice(1) };
}

function dispositionOf(row: Row): Disposition {
  if (row.answer === 'deny' || row.answer === 'halt') return BLOCKED;
  if (row.answer === 'ask') return ASKED;
  return row.rules === '' ? ALLOWED : DETECTED;
}
