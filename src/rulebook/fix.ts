import type { Finding } from './finding.ts';

/** Where a finding says so plainly, what is to stand in its place; null: that is for its author to think about. */
function replacement(finding: Finding, meant: string): string | null {
  switch (finding.code) {
    case 'bidi-text':
      return '';
    case 'unanchored-glob': {
      const quote = /^["']/.exec(meant)?.[0] ?? '';
      return `${quote}**/${meant.slice(quote.length)}`;
    }
    case 'unknown-key':
    case 'unknown-value':
    case 'cel-field':
    case 'cel-name': {
      const name = /^did you mean `([^`]+)`\?$/.exec(finding.help)?.[1];
      const wrong = /^[\w-]+$/.exec(meant.replace(/^(["'])(.*)\1$/, '$2'))?.[0];
      return name === undefined || wrong === undefined ? null : meant.replace(wrong, name);
    }
    default:
      return null;
  }
}

/**
 * The text of a file with what can be mended in one way only: misspelt names, invisible characters, globs that match
 * no absolute path. `fixed` are the findings that are done with.
 */
export function fixText(
  text: string,
  findings: readonly Finding[],
): { readonly text: string; readonly fixed: readonly Finding[] } {
  const before = text.split('\n');
  const lines = [...before];
  const fixed: Finding[] = [];
  // From the end, so that places before it stay where they are.
  const last = [...findings].sort((a, b) => b.at.line - a.at.line || b.at.column - a.at.column);
  for (const finding of last) {
    const line = lines[finding.at.line - 1];
    if (line === undefined || before[finding.at.line - 1] !== finding.line) continue;
    const start = finding.at.column - 1;
    const next = replacement(finding, line.slice(start, start + finding.width));
    if (next === null) continue;
    lines[finding.at.line - 1] = line.slice(0, start) + next + line.slice(start + finding.width);
    fixed.push(finding);
  }
  return { text: lines.join('\n'), fixed };
}
