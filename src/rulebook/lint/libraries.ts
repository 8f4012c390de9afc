import type { Compilation } from '../compile.ts';
import type { Report } from './lint.ts';

/** Lists, macros and kinds of evidence that nothing uses. */
export function lintLibraries({ documents, kinds, written }: Compilation, report: Report): void {
  const asked = new Set(written.flatMap(({ rule }) => rule.asks ?? []));
  for (const [key, { name, doc }] of kinds)
    if (!asked.has(key))
      report.atKey('unused-evidence', doc, ['evidence', name], `no rule asks for evidence \`${name}\``);
  const files = [...new Set(documents.map((d) => d.file))];
  const uses = (pattern: RegExp): boolean => files.some((f) => pattern.test(f.text));
  for (const doc of documents) {
    if (doc.data?.['kind'] !== 'Library') continue;
    const { lists, macros } = doc.data as { lists?: object; macros?: object };
    for (const name of Object.keys(lists ?? {}))
      if (!uses(new RegExp(`\\blists\\.${name}\\b`)))
        report.atKey('unused-list', doc, ['lists', name], `nothing uses the list \`${name}\``);
    for (const name of Object.keys(macros ?? {}))
      if (!uses(new RegExp(`\\b${name}\\s*\\(`)))
        report.atKey('unused-macro', doc, ['macros', name], `nothing uses the macro \`${name}\``);
  }
}
