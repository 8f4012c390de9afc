import type { Compilation } from '../compile.ts';
import type { Path } from '../source.ts';
import type { Report } from './lint.ts';

/** What is written down and not acted on, so that nobody relies on it. */
export function lintEffects({ documents }: Compilation, report: Report): void {
  for (const doc of documents)
    for (const [kind, path, why] of INERT)
      if (doc.data?.['kind'] === kind && doc.yaml.hasIn(path)) report.atKey('no-effect', doc, path, why);
}

const INERT: readonly (readonly [kind: string, path: Path, why: string])[] = [
  ['PolicySet', ['imports'], 'files are found by their directory: `imports` adds none'],
  [
    'PolicySet',
    ['defaults', 'audit', 'on_failure'],
    'what can not be recorded is spooled, or else denied, whatever this says',
  ],
  ['Rules', ['metadata', 'requires', 'gov'], 'the version of gov is not compared'],
];
