import type { Compilation } from '../compile.ts';
import type { Report } from './lint.ts';

/** Waivers that have ended. */
export function lintWaivers({ documents }: Compilation, now: number, report: Report): void {
  for (const doc of documents) {
    if (doc.data?.['kind'] !== 'Waivers') continue;
    const { waivers } = doc.data as unknown as { waivers: readonly { id: string; expires: string }[] };
    waivers.forEach(({ id, expires }, index) => {
      if (Date.parse(expires) <= now)
        report.at('waiver-expired', doc, ['waivers', index, 'expires'], `\`${id}\` has ended`);
    });
  }
}
