import type { Report } from './report.ts';
import { stepName } from './timeline.ts';

/** One table of a report: what text, CSV and HTML have in common. Cells are raw; each format escapes its own way. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly (string | number)[])[];
  /** A column that people need not see where all of it is 0. */
  readonly spare?: string;
  /** What to say instead of an empty table. */
  readonly none: string;
}

/** Characters of an id in tables; a unique prefix is enough to look it up, and JSON has the whole. */
const ID_PREFIX = 12;

const TALLY = ['calls', 'allow', 'ask', 'deny', 'halt'] as const;

/** The tables of a report, in the order in which they are read. */
export function sectionsOf(report: Report): readonly Section[] {
  const tally = (id: string, title: string, name: string, rows: Report['agents']): Section => ({
    id,
    title,
    columns: [name, ...TALLY],
    rows: rows.map((t) => [t.name, t.total, t.allow, t.ask, t.deny, t.halt]),
    none: 'none',
  });
  return [
    {
      id: 'blocked',
      title: 'Most blocked',
      columns: ['call', 'rule', 'times', 'sessions', 'last', 'record', 'lifted'],
      spare: 'lifted',
      rows: report.blocked.map((h) => [
        h.summary,
        h.rule,
        h.count,
        h.sessions,
        time(h.last),
        h.id.slice(0, ID_PREFIX),
        h.approved,
      ]),
      none: 'nothing was blocked',
    },
    {
      id: 'asked',
      title: 'Most asked about',
      columns: ['call', 'rule', 'times', 'went on', 'last', 'record'],
      rows: report.asked.map((h) => [h.summary, h.rule, h.count, h.approved, time(h.last), h.id.slice(0, ID_PREFIX)]),
      none: 'nobody was asked',
    },
    {
      id: 'grants',
      title: 'Grants in force',
      columns: ['reason', 'lifts', 'approved by', 'from', 'until', 'uses', 'left', 'state'],
      rows: report.grants.map((g) => [
        g.reason || '(none)',
        g.lifts.join(', '),
        g.approver,
        time(g.from),
        time(g.until),
        g.uses,
        g.uses_left,
        g.state,
      ]),
      none: 'no rule was lifted for a time',
    },
    {
      id: 'waivers',
      title: 'Waivers in force',
      columns: ['reason', 'rule', 'owner', 'from', 'until', 'used', 'waiver'],
      rows: (report.waivers ?? []).map((w) => [
        w.reason || '(none)',
        w.rule,
        w.owner,
        w.from === 0 ? 'ever' : time(w.from),
        time(w.until),
        w.used,
        w.id,
      ]),
      none: report.waivers === null ? 'no policy was looked at' : 'no rule has a lasting exception',
    },
    {
      id: 'acts',
      title: 'What people did with gov',
      columns: ['act', 'times'],
      rows: report.acts.map((act) => [act.name, act.count]),
      none: 'nothing',
    },
    {
      id: 'ungoverned',
      title: 'Calls without a record, by the agents’ own logs',
      columns: ['reason', 'calls', 'meaning'],
      rows: report.coverage?.reasons.map((r) => [r.reason, r.calls, r.meaning]) ?? [],
      none: report.coverage === null ? 'not looked at: gov audit coverage' : 'none',
    },
    {
      id: 'rules',
      title: 'Rules that fired most',
      columns: ['rule', 'fired', 'decided', 'deny', 'ask', 'sessions'],
      rows: report.rules.map((r) => [r.rule, r.fired, r.decided, r.deny, r.ask, r.sessions]),
      none: 'no rule fired',
    },
    {
      id: 'silent',
      title: 'Rules that never fired',
      columns: ['rule', 'fired'],
      rows: (report.silent?.never_fired ?? []).map((id) => [id, 0]),
      none: report.silent === null ? 'no policy was looked at' : 'each rule fired at least once',
    },
    tally('agents', 'Agents', 'agent', report.agents),
    tally('repositories', 'Repositories', 'repository', report.repositories),
    tally('tools', 'Tools', 'tool', report.tools),
    tally('programs', 'Programs', 'program', report.programs),
    {
      id: 'policies',
      title: 'Policies in force',
      columns: ['policy', 'decisions', 'first', 'last'],
      rows: report.policies.map((p) => [p.digest, p.decisions, time(p.first), time(p.last)]),
      none: 'no decision was made',
    },
  ];
}

/** Decisions over time as a table. */
export function timelineSection(report: Report): Section {
  const { step, buckets } = report.timeline;
  return {
    id: 'timeline',
    title: `Decisions by ${step}`,
    columns: ['start', 'allow', 'ask', 'deny', 'halt'],
    rows: buckets.map((b) => [stepName(b.start, step), b.allow, b.ask, b.deny, b.halt]),
    none: 'no decision was made',
  };
}

/** The numbers that stand at the head of a report. */
export function headline(report: Report): readonly (readonly [string, string | number])[] {
  const { totals } = report;
  return [
    ['calls decided', totals.decisions],
    ['allowed', totals.allow],
    ['asked', totals.ask],
    ['denied', totals.deny],
    ['halted', totals.halt],
    ['watched only', totals.watched],
    ['outcomes', totals.outcomes],
    ['sessions', totals.sessions],
    ['asks that went on', report.asks.went_on],
    ['asks waiting for a retry', report.asks.approved],
    ['asks refused', report.asks.refused],
    ['asks not seen again', report.asks.not_seen_again],
    ...(report.coverage === null ? [] : [['around the hook', report.coverage.ungoverned] as const]),
    ...(report.silent === null ? [] : [['rules never fired', silentText(report.silent)] as const]),
    ['internal faults', totals.faults],
    ['through the spool', totals.spooled],
  ];
}

function silentText({ rules, never_fired }: NonNullable<Report['silent']>): string {
  return `${never_fired.length} of ${rules} that are on`;
}

/** What period and scope a report covers, one line. */
export function scopeOf(report: Report): string {
  const { since, until, first, last } = report.period;
  const from = since ?? first;
  const to = until ?? last;
  const period = from === null || to === null ? 'no records' : `${time(from)} to ${time(to)} UTC`;
  const scope = Object.entries(report.scope)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(', ') : String(value)}`);
  return scope.length > 0 ? `${period}; ${scope.join('; ')}` : period;
}

/** What is known about the records' integrity, line by line. */
export function integrityOf(report: Report): readonly string[] {
  const { integrity } = report;
  const range = integrity.last_seq === 0 ? 'no records' : `records ${integrity.first_seq} to ${integrity.last_seq}`;
  const verdict =
    integrity.verified === 'ok'
      ? 'verified: every hash recomputed, nothing was changed'
      : integrity.verified === 'failed'
        ? 'NOT INTACT: see below'
        : 'not verified in this report; run `gov audit verify`';
  return [
    `chain ${integrity.chain}, ${range}`,
    `head ${integrity.head}`,
    verdict,
    ...integrity.findings,
    ...integrity.limits.map((limit) => `not provable: ${limit}`),
  ];
}

/** `2026-01-05 09:00:00`, UTC. */
export function time(at: number): string {
  if (!Number.isFinite(at) || Math.abs(at) > 8.64e15) return 'unknown time';
  return new Date(at).toISOString().slice(0, 19).replace('T', ' ');
}
