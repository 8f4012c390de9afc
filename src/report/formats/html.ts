import { createHash } from 'node:crypto';
import type { HeldCall, Report, Tally } from '../report.ts';
import { integrityOf, scopeOf, time } from '../sections.ts';
import { LEGEND, shareBar, timeChart } from './html-charts.ts';
import { STYLE } from './html-style.ts';
import { grouped, percent, text } from './html-text.ts';

/**
 * The report as one file that needs nothing else: no script at all, styles allowed by their digest, every text of a
 * record escaped. Begins with what somebody needs who reads no further; what engineers look for comes below. Prints well.
 */
export function renderHtml(report: Report): string {
  const digest = createHash('sha256').update(STYLE).digest('base64');
  const parts = [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">',
    `<title>gov audit report</title><style>${STYLE}</style></head><body>`,
    `<header><h1>What AI agents did, and what was stopped</h1><p>${text(scopeOf(report))}</p>${badge(report)}</header><main>`,
    lead(report),
    cards(report),
    section(`Decisions by ${report.timeline.step}`, timeChart(report), LEGEND),
    section(
      'What was blocked most',
      held(report.blocked, 'nothing was blocked', report.blocked.some((call) => call.approved > 0) ? 'lifted' : null),
    ),
    section('What people were asked most', held(report.asked, 'nobody was asked', 'went on')),
    section('Exceptions that people made', grants(report)),
    section('Calls that went around the rules', coverage(report)),
    section('Who and where', tallies(report)),
    section('Rules that fired most, and those that never did', rules(report)),
    section('Policies in force', policies(report)),
    section('Can this be trusted?', integrity(report)),
    `</main><footer>gov ${text(report.gov)} · all times are UTC · the same records give the same report</footer></body></html>`,
  ];
  return `${parts.filter((part) => part !== '').join('\n')}\n`;
}

function section(title: string, body: string, intro = ''): string {
  return body === '' ? '' : `<section><h2>${text(title)}</h2>${intro}${body}</section>`;
}

function badge({ integrity: { verified } }: Report): string {
  const [kind, words] =
    verified === 'ok'
      ? ['ok', '✓ the records are intact']
      : verified === 'failed'
        ? ['failed', '✗ the records were changed: see the end']
        : ['open', 'the records were not verified for this report'];
  return `<p class="badge ${kind}">${words}</p>`;
}

/** Two or three sentences that say it all. */
function lead(report: Report): string {
  const { decisions, allow, ask, deny, halt, sessions, watched, faults } = report.totals;
  const blocked = deny + halt;
  if (decisions === 0) return '<div class="lead"><p>No call of an agent was decided in this time.</p></div>';
  const first = `Agents asked to do ${count(decisions, 'thing')}${sessions > 0 ? ` in ${count(sessions, 'session')}` : ''}. ${percent(allow, decisions)} went ahead without anybody being asked`;
  const stopped =
    blocked === 0 ? 'nothing was blocked' : `${count(blocked, 'call')} ${blocked === 1 ? 'was' : 'were'} blocked`;
  const asked =
    ask === 0
      ? 'nobody had to be asked'
      : `for ${grouped(ask)} a person was asked, and ${grouped(report.asks.went_on)} of them went on${report.asks.refused > 0 ? `, ${grouped(report.asks.refused)} ${report.asks.refused === 1 ? 'was' : 'were'} refused` : ''}`;
  const warnings = [
    report.integrity.verified === 'failed' ? 'The records are not what was written: don’t rely on these numbers.' : '',
    (report.coverage?.ungoverned ?? 0) > 0
      ? `${count(report.coverage?.ungoverned ?? 0, 'call')} went around the rules, by the agents’ own logs.`
      : '',
    watched > 0 ? `${count(watched, 'call')} would have been held up, but rules only watched.` : '',
    faults > 0 ? `In ${count(faults, 'record')} something internal went wrong.` : '',
  ].filter((line) => line !== '');
  const kind = report.integrity.verified === 'failed' || (report.coverage?.ungoverned ?? 0) > 0 ? 'lead bad' : 'lead';
  return `<div class="${kind}"><p>${first}; ${stopped}; ${asked}.</p>${warnings.map((line) => `<p>${line}</p>`).join('')}</div>`;
}

function count(n: number, noun: string): string {
  return `${grouped(n)} ${noun}${n === 1 ? '' : 's'}`;
}

function cards(report: Report): string {
  const { totals, latency, coverage } = report;
  const blocked = totals.deny + totals.halt;
  const list: (readonly [string, string, string, string])[] = [
    ['', 'Calls', grouped(totals.decisions), count(totals.sessions, 'session')],
    ['allow', 'Went ahead', grouped(totals.allow), percent(totals.allow, totals.decisions)],
    ['ask', 'Asked a person', grouped(totals.ask), `${grouped(report.asks.went_on)} went on`],
    [
      'deny',
      'Blocked',
      grouped(blocked),
      totals.halt > 0 ? `${grouped(totals.halt)} ended the session` : percent(blocked, totals.decisions),
    ],
  ];
  if (totals.watched > 0) list.push(['', 'Only watched', grouped(totals.watched), 'monitor mode']);
  if (coverage !== null)
    list.push([
      'hook',
      'Around the rules',
      grouped(coverage.ungoverned),
      `of ${grouped(coverage.calls)} in ${count(coverage.logs, 'log')}`,
    ]);
  if (latency.count > 0)
    list.push([
      '',
      'Time to answer',
      `${ms(latency.p50)}`,
      `95 % within ${ms(latency.p95)}, 99 % within ${ms(latency.p99)}`,
    ]);
  return `<dl>${list
    .map(
      ([kind, name, big, note]) =>
        `<div${kind === '' ? '' : ` class="${kind}"`}><dt>${name}</dt><dd class="big">${text(big)}</dd><dd class="note">${text(note)}</dd></div>`,
    )
    .join('')}</dl>`;
}

function ms(value: number): string {
  return `${value < 10 ? value.toFixed(1) : Math.round(value)} ms`;
}

function held(calls: readonly HeldCall[], none: string, approved: string | null): string {
  return table(
    [
      'what the agent wanted to do',
      'why it was held up',
      'n:times',
      ...(approved === null ? [] : [`n:${approved}`]),
      'n:sessions',
      't:last',
      't:record',
    ],
    calls.map((call) => [
      `<td class="code">${text(call.tool === 'shell' ? call.summary : `${call.tool}: ${call.summary}`)}</td>`,
      `<td class="why">${pill(call.severity)}${text(call.why)}<span class="rule">${text(call.rule || 'default')}</span></td>`,
      number(call.count),
      ...(approved === null ? [] : [number(call.approved)]),
      number(call.sessions),
      moment(call.last),
      `<td class="t">${text(call.id.slice(0, 12))}</td>`,
    ]),
    none,
  );
}

function pill(severity: HeldCall['severity']): string {
  return severity === '' ? '' : `<span class="pill ${text(severity)}">${text(severity)}</span>`;
}

function grants(report: Report): string {
  const list = table(
    ['reason', 'lifts', 'approved by', 't:from', 't:until', 'n:used', 'now'],
    report.grants.map((g) => [
      cell(g.reason || '(none given)'),
      `<td class="code">${text(g.lifts.join(', '))}</td>`,
      cell(g.approver),
      moment(g.from),
      moment(g.until),
      `<td class="n">${grouped(g.uses - g.uses_left)} of ${grouped(g.uses)}</td>`,
      cell(g.state),
    ]),
    'no rule was lifted for a time',
  );
  const lasting = report.waivers === null ? '' : `<h3>Waivers in force</h3>${waivers(report.waivers)}`;
  const lifted = `<h3>Grants, for a time</h3>${list}${lasting}`;
  if (report.acts.length === 0) return lifted;
  const acts = report.acts.map((act) => [cell(act.name), number(act.count)]);
  return `${lifted}<h3>What people did with gov itself</h3>${table(['act', 'n:times'], acts, '')}`;
}

function waivers(list: NonNullable<Report['waivers']>): string {
  return table(
    ['reason', 'rule', 'owner', 't:from', 't:until', 'n:used'],
    list.map((w) => [
      `<td>${text(w.reason || '(none given)')}<span class="rule">${text(w.id)}</span></td>`,
      `<td class="code">${text(w.rule)}</td>`,
      cell(w.owner),
      w.from === 0 ? '<td class="t">ever</td>' : moment(w.from),
      moment(w.until),
      number(w.used),
    ]),
    'no rule has a lasting exception',
  );
}

function coverage({ coverage: c }: Report): string {
  if (c === null)
    return '<p class="soft">The agents’ own logs were not compared with the records for this report; “gov audit coverage” does that.</p>';
  const said = `The agents’ own logs tell of ${count(c.calls, 'call')}; ${grouped(c.recorded)} of them are recorded here, ${grouped(c.excused)} have no record for a reason that is nobody’s fault.`;
  const rows = c.reasons.map((r) => [cell(r.meaning), number(r.calls), cell(r.reason)]);
  return `<p class="soft">${said}</p>${table(['calls without a record', 'n:calls', 'code'], rows, 'every call is accounted for')}`;
}

function tallies(report: Report): string {
  const one = (title: string, list: readonly Tally[]): string => {
    const most = Math.max(1, ...list.map((t) => t.total));
    const rows = list.map((t) => [
      `<td class="code">${text(t.name)}</td>`,
      `<td>${shareBar(t, most)}</td>`,
      number(t.total),
      number(t.ask),
      number(t.deny + t.halt),
    ]);
    return `<div><h3>${title}</h3>${table(['name', '', 'n:calls', 'n:asked', 'n:blocked'], rows, 'none')}</div>`;
  };
  const all = [
    one('Agents', report.agents),
    one('Repositories', report.repositories),
    one('Tools', report.tools),
    one('Programs', report.programs),
  ];
  return `${LEGEND}<div class="pair">${all.join('')}</div>`;
}

function rules(report: Report): string {
  const most = Math.max(1, ...report.rules.map((r) => r.fired));
  const rows = report.rules.map((r) => [
    `<td class="code">${text(r.rule)}</td>`,
    `<td>${shareBar({ allow: r.fired - r.deny - r.ask, ask: r.ask, deny: r.deny, halt: 0 }, most)}</td>`,
    ...[r.fired, r.decided, r.deny, r.ask, r.sessions].map(number),
  ]);
  const list = table(['rule', '', 'n:fired', 'n:decided', 'n:blocked', 'n:asked', 'n:sessions'], rows, 'no rule fired');
  if (report.silent === null) return list;
  const { never_fired, rules: all } = report.silent;
  const names = never_fired.map((id) => `<li>${text(id)}</li>`).join('');
  return `${list}<details><summary>${grouped(never_fired.length)} of ${grouped(all)} rules that are on never fired in this time</summary><ul class="names">${names}</ul></details>`;
}

function policies(report: Report): string {
  return table(
    ['policy', 'n:decisions', 't:first', 't:last'],
    report.policies.map((p) => [
      `<td class="code">${text(p.digest)}</td>`,
      number(p.decisions),
      moment(p.first),
      moment(p.last),
    ]),
    'no decision was made',
  );
}

function integrity(report: Report): string {
  const { verified } = report.integrity;
  const lines = integrityOf(report).map(
    (line, i) => `<li${i === 2 && verified === 'failed' ? ' class="failed"' : ''}>${text(line)}</li>`,
  );
  return `<p class="soft">Each record holds the hash of the one before: a record that is changed, taken away or put in later shows.</p><ul class="facts">${lines.join('')}</ul>`;
}

/** Column names may begin with `n:` (numbers) or `t:` (kept on one line). Cells come as ready HTML. */
function table(columns: readonly string[], rows: readonly (readonly string[])[], none: string): string {
  if (rows.length === 0) return none === '' ? '' : `<p class="soft">${text(none)}</p>`;
  const head = columns.map((name) => {
    const [, kind, label] = /^(?:([nt]):)?(.*)$/.exec(name) ?? [];
    return `<th scope="col"${kind ? ` class="${kind}"` : ''}>${text(label ?? '')}</th>`;
  });
  const body = rows.map((row) => `<tr>${row.join('')}</tr>`);
  return `<div class="wide"><table><thead><tr>${head.join('')}</tr></thead><tbody>${body.join('')}</tbody></table></div>`;
}

function cell(value: string): string {
  return `<td>${text(value)}</td>`;
}

function number(value: number): string {
  return `<td class="n">${grouped(value)}</td>`;
}

function moment(at: number): string {
  return `<td class="t">${text(time(at).slice(0, 16))}</td>`;
}
