import type { Compilation } from '../compile.ts';
import type { Report } from './lint.ts';

/** Invisible characters, and those that reorder what a person reads. */
const HIDDEN = /[\u00ad\u061c\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/g;

/** A word of Latin letters with Greek or Cyrillic ones in it, or the other way round. */
const WORD = /[\p{L}\p{N}_-]+/gu;
const LATIN = /\p{Script=Latin}/u;
const LOOKALIKE = /[\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Armenian}\p{Script=Cherokee}\uff21-\uff5a]/u;

/** Lints on the files' characters. */
export function lintText({ documents }: Compilation, report: Report): void {
  for (const file of new Set(documents.map((d) => d.file))) {
    const doc = file.documents[0];
    if (!doc) continue;
    for (const match of file.text.matchAll(HIDDEN)) {
      const code = `U+${match[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;
      // A byte order mark at the very start is how some editors write files.
      if (match.index > 0 || match[0] !== '\ufeff')
        report.atOffset('bidi-text', doc, match.index, match.index + 1, `the character ${code} can't be seen`);
    }
    for (const match of file.text.matchAll(WORD))
      if (LATIN.test(match[0]) && LOOKALIKE.test(match[0]))
        report.atOffset(
          'confusable-identifier',
          doc,
          match.index,
          match.index + match[0].length,
          `\`${match[0]}\` mixes scripts`,
        );
  }
}
