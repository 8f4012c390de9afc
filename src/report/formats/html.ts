import { createHash } from 'node:crypto';
import { visible } from '../../base/escape.ts';
import type { Report } from '../report.ts';
import { headline, integrityOf, type Section, scopeOf, sectionsOf } from '../sections.ts';
import { stepName } from '../timeline.ts';

const STYLE = `:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#57606a;--line:#d0d7de;--fill:#f6f8fa;--allow:#8c959f;--ask:#bf8700;--deny:#cf222e;--ok:#1a7f37}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#0d1117;--soft:#9198a1;--line:#30363d;--fill:#161b22;--allow:#6e7681;--ask:#d29922;--deny:#f85149;--ok:#3fb950}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:72rem;padding:2rem 1.25rem;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
h1{margin:0;font-size:1.5rem}h2{margin:2rem 0 .5rem;font-size:1.1rem}
p{margin:.25rem 0;color:var(--soft)}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(9rem,1fr));gap:.75rem;margin:1.5rem 0}
dl div{padding:.6rem .8rem;border:1px solid var(--line);border-radius:6px;background:var(--fill)}
dt{color:var(--soft);font-size:.85rem}dd{margin:0;font-size:1.25rem;font-variant-numeric:tabular-nums}
.wide{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:.9rem}
th,td{padding:.35rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{color:var(--soft);font-weight:600;white-space:nowrap}
td:first-child{font-family:ui-monospace,monospace;font-size:.85rem;overflow-wrap:anywhere}
.n{text-align:right;font-variant-numeric:tabular-nums}
svg{width:100%;height:auto;display:block}
.allow{fill:var(--allow)}.ask{fill:var(--ask)}.deny{fill:var(--deny)}
text{fill:var(--soft);font:11px system-ui,sans-serif}
.ok{color:var(--ok)}.failed{color:var(--deny);font-weight:600}
ul{padding-left:1.2rem;overflow-wrap:anywhere}
@media print{:root{color-scheme:light;--ink:#000;--paper:#fff;--soft:#444;--line:#bbb;--fill:#fff}body{max-width:none;padding:0;font-size:11px}h2{break-after:avoid}tr,dl div{break-inside:avoid}.wide{overflow:visible}thead{display:table-header-group}}`;

/**
 * The report as one file that needs nothing else: no script at all, styles allowed by their digest, every text of a
 * record escaped. Prints well.
 */
export function renderHtml(report: Report): string {
  const digest = createHash('sha256').update(STYLE).digest('base64');
  const { verified } = report.integrity;
  const parts = [
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">',
    `<title>gov audit report</title><style>${STYLE}</style></head><body>`,
    `<header><h1>gov audit report</h1><p>${text(scopeOf(report))}</p></header><main>`,
    `<dl>${headline(report)
      .map(([name, value]) => `<div><dt>${text(name)}</dt><dd>${text(String(value))}</dd></div>`)
      .join('')}${latency(report)}</dl>`,
    chart(report),
    ...sectionsOf(report).map(table),
    `<section><h2>Integrity</h2><ul>${integrityOf(report)
      .map(
        (line, i) =>
          `<li${i === 2 ? ` class="${verified === 'ok' ? 'ok' : verified === 'failed' ? 'failed' : 'open'}"` : ''}>${text(line)}</li>`,
      )
      .join('')}</ul></section>`,
    `</main><footer><p>gov ${text(report.gov)}; times are UTC</p></footer></body></html>`,
  ];
  return `${parts.join('\n')}\n`;
}

function latency(report: Report): string {
  if (report.latency.count === 0) return '';
  const { p50, p95, p99 } = report.latency;
  return `<div><dt>answered in (p50, p95, p99)</dt><dd>${[p50, p95, p99].map((v) => v.toFixed(1)).join(' / ')} ms</dd></div>`;
}

const WIDTH = 720;
const HEIGHT = 140;

/** Stacked bars as SVG shapes; positions are attributes, since inline styles are forbidden. */
function chart(report: Report): string {
  const { step, buckets } = report.timeline;
  if (buckets.length === 0) return '';
  const most = Math.max(1, ...buckets.map((b) => b.allow + b.ask + b.deny + b.halt));
  const slot = WIDTH / buckets.length;
  const bars = buckets.map((b, i) => {
    let top = HEIGHT;
    const rects = (
      [
        ['allow', b.allow],
        ['ask', b.ask],
        ['deny', b.deny + b.halt],
      ] as const
    ).map(([kind, n]) => {
      if (n === 0) return '';
      const height = Math.max(1.5, (n / most) * (HEIGHT - 4));
      top -= height;
      return `<rect class="${kind}" x="${num(i * slot)}" y="${num(top)}" width="${num(Math.max(1, Math.min(slot * 0.85, 40)))}" height="${num(height)}"/>`;
    });
    const title = `${stepName(b.start, step)}: ${b.allow} allowed, ${b.ask} asked, ${b.deny + b.halt} blocked`;
    return `<g><title>${text(title)}</title>${rects.join('')}</g>`;
  });
  const first = buckets[0];
  const last = buckets[buckets.length - 1];
  const labels = `<text x="0" y="${HEIGHT + 16}">${text(stepName(first?.start ?? 0, step))}</text><text x="${WIDTH}" y="${HEIGHT + 16}" text-anchor="end">${text(stepName(last?.start ?? 0, step))}</text>`;
  return `<section><h2>Decisions by ${step}</h2><svg viewBox="0 0 ${WIDTH} ${HEIGHT + 20}" role="img" aria-label="decisions by ${step}, blocked ones on top">${bars.join('')}${labels}</svg></section>`;
}

function num(value: number): string {
  return String(Math.round(value * 100) / 100);
}

function table(section: Section): string {
  if (section.rows.length === 0)
    return `<section><h2>${text(section.title)}</h2><p>${text(section.none)}</p></section>`;
  const numeric = section.columns.map((_, i) => section.rows.every((row) => typeof row[i] === 'number'));
  const mark = (i: number): string => (numeric[i] ? ' class="n"' : '');
  const head = section.columns.map((column, i) => `<th scope="col"${mark(i)}>${text(column)}</th>`).join('');
  const rows = section.rows.map(
    (row) => `<tr>${row.map((cell, i) => `<td${mark(i)}>${text(String(cell))}</td>`).join('')}</tr>`,
  );
  return `<section><h2>${text(section.title)}</h2><div class="wide"><table><thead><tr>${head}</tr></thead><tbody>${rows.join('')}</tbody></table></div></section>`;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** SECURITY: the one way by which a text of a record gets into the page. */
function text(value: string): string {
  return visible(value).replace(/[&<>"']/g, (c) => ENTITIES[c] ?? '');
}
