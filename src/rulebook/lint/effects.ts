import { walk } from '../cel-check.ts';
import type { Compilation } from '../compile.ts';
import type { Path } from '../source.ts';
import type { Report } from './lint.ts';

/** What is written down and not acted on, so that nobody relies on it. */
export function lintEffects({ documents, written }: Compilation, report: Report): void {
  for (const { exprs } of written)
    for (const { ast, source } of exprs)
      walk(ast, (node) => {
        if (node.op === 'call' && node.args[0] === 'evidence')
          report.inText('no-effect', source, node.start, node.end, 'no evidence is kept yet: `evidence()` is unknown');
      });
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
