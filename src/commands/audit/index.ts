import AuditReport from './report.ts';

export default class Audit extends AuditReport {
  static override summary = 'Report on the audit log (the same as `audit report`).';
  static override examples = ['<%= config.bin %> audit', '<%= config.bin %> audit --since 7d --decision blocked'];
}
