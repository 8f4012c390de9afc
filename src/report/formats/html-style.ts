/** The style sheet of the HTML report; allowed by its digest, so nothing may be added to it on the way. */
export const STYLE = `:root{color-scheme:light dark;--ink:#1b1f24;--paper:#fff;--soft:#57606a;--line:#d8dee4;--fill:#f6f8fa;--allow:#8fa1b3;--ask:#bf8700;--deny:#cf222e;--ok:#1a7f37;--hook:#8250df}
@media (prefers-color-scheme:dark){:root{--ink:#e6edf3;--paper:#0d1117;--soft:#9198a1;--line:#30363d;--fill:#161b22;--allow:#5b6b7c;--ask:#d29922;--deny:#f85149;--ok:#3fb950;--hook:#a371f7}}
*{box-sizing:border-box}
body{margin:0 auto;max-width:70rem;padding:2rem 1.25rem 3rem;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,-apple-system,"Segoe UI",sans-serif}
h1{margin:0;font-size:1.6rem;line-height:1.25}h2{margin:2.25rem 0 .25rem;font-size:1.15rem}h3{margin:1.25rem 0 .25rem;font-size:.95rem}
p{margin:.25rem 0}.soft,footer,header p{color:var(--soft)}
.lead{margin:1.25rem 0;padding:1rem 1.25rem;border:1px solid var(--line);border-left:4px solid var(--ok);border-radius:6px;background:var(--fill);font-size:1.05rem}
.lead.bad{border-left-color:var(--deny)}.lead p+p{margin-top:.5rem}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(9.5rem,1fr));gap:.75rem;margin:1.25rem 0}
dl div{padding:.7rem .9rem;border:1px solid var(--line);border-top:3px solid var(--line);border-radius:6px}
dl div.allow{border-top-color:var(--allow)}dl div.ask{border-top-color:var(--ask)}dl div.deny{border-top-color:var(--deny)}dl div.hook{border-top-color:var(--hook)}
dt{color:var(--soft);font-size:.85rem}dd{margin:0}dd.big{font-size:1.7rem;line-height:1.2;font-weight:600;font-variant-numeric:tabular-nums}dd.note{color:var(--soft);font-size:.82rem}
.wide{overflow-x:auto}
table{width:100%;border-collapse:collapse;font-size:.9rem}
th,td{padding:.4rem .6rem;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
th{color:var(--soft);font-weight:600;font-size:.82rem;white-space:nowrap}
td.code{font-family:ui-monospace,SFMono-Regular,Menlo,monospace;font-size:.84rem;overflow-wrap:anywhere;min-width:14rem}
td.why{min-width:15rem}td .rule{display:block;color:var(--soft);font-size:.8rem}
.n{text-align:right;font-variant-numeric:tabular-nums;white-space:nowrap}.t{white-space:nowrap}
.pill{display:inline-block;margin-right:.4rem;padding:0 .45rem;border:1px solid currentColor;border-radius:1rem;font-size:.75rem;line-height:1.35rem;color:var(--soft)}
.pill.critical,.pill.high{color:var(--deny)}.pill.medium{color:var(--ask)}
svg{width:100%;height:auto;display:block}svg.bar{min-width:7rem;height:.8rem;margin-top:.35rem}
rect.allow{fill:var(--allow)}rect.ask{fill:var(--ask)}rect.deny{fill:var(--deny)}rect.track{fill:var(--fill)}
line{stroke:var(--line)}text{fill:var(--soft);font:11px system-ui,sans-serif}
.legend{display:flex;gap:1.25rem;flex-wrap:wrap;color:var(--soft);font-size:.85rem;margin:.25rem 0 .5rem;padding:0;list-style:none}
.legend svg{display:inline-block;width:.75rem;height:.75rem;margin-right:.35rem;vertical-align:-.05rem}
.pair{display:grid;grid-template-columns:repeat(auto-fit,minmax(26rem,1fr));gap:0 2rem}
.pair td.code{min-width:5rem}.pair svg.bar{min-width:5rem}
.badge{display:inline-block;margin:.5rem 0 0;padding:.1rem .6rem;border:1px solid currentColor;border-radius:1rem;font-size:.85rem;color:var(--soft)}
.badge.ok{color:var(--ok)}.badge.failed{color:var(--deny);font-weight:600}.failed{color:var(--deny)}
ul.facts{padding-left:1.2rem;overflow-wrap:anywhere}ul.names{columns:18rem;padding-left:1.2rem;font-family:ui-monospace,monospace;font-size:.84rem}
details{margin:.5rem 0}summary{cursor:pointer;color:var(--soft)}
footer{margin-top:2.5rem;padding-top:.75rem;border-top:1px solid var(--line);font-size:.85rem}
@media (max-width:40rem){.pair{grid-template-columns:1fr}}
@media print{:root{color-scheme:light;--ink:#000;--paper:#fff;--soft:#444;--line:#bbb;--fill:#f4f4f4;--allow:#9aa5b1;--ask:#b07d00;--deny:#b3121d;--ok:#116329;--hook:#6639ba}*{print-color-adjust:exact;-webkit-print-color-adjust:exact}body{max-width:none;padding:0;font-size:11px}h2,h3{break-after:avoid}tr,dl div,.lead,svg{break-inside:avoid}.wide{overflow:visible}thead{display:table-header-group}details::details-content{content-visibility:visible;block-size:auto}}`;
