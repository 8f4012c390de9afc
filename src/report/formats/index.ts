import { visibleJson } from '../../base/escape.ts';
import { renderOcsf } from '../ocsf.ts';
import type { Report } from '../report.ts';
import { renderCsv } from './csv.ts';
import { renderHtml } from './html.ts';
import { renderJson } from './json.ts';
import { renderJsonl } from './jsonl.ts';
import { renderSarif } from './sarif.ts';
import { renderText } from './text.ts';

export const REPORT_FORMATS = ['text', 'json', 'jsonl', 'csv', 'html', 'ocsf', 'sarif'] as const;
export type ReportFormat = (typeof REPORT_FORMATS)[number];

/** What each format does with a report. One file a format; a new one is added here. */
export const RENDER: { readonly [F in ReportFormat]: (report: Report) => string } = {
  text: (report) => renderText(report),
  json: (report) => visibleJson(renderJson(report)),
  jsonl: (report) => visibleJson(renderJsonl(report)),
  csv: renderCsv,
  html: renderHtml,
  ocsf: (report) => visibleJson(renderOcsf(report)),
  sarif: (report) => visibleJson(renderSarif(report)),
};
