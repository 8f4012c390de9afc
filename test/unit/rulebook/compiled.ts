import {
  type Compilation,
  type CompileOptions,
  compilePolicy,
  type SourceInput,
} from '../../../src/rulebook/compile.ts';
import type { Finding } from '../../../src/rulebook/finding.ts';

export const HEAD = 'apiVersion: gov/v1\nkind: Rules\nmetadata: { name: pack }\nrules:\n';

/** Compiles texts as files `a.yaml`, `b.yaml` … */
export function compiled(...texts: readonly (string | Partial<SourceInput>)[]): Compilation {
  return compiledWith({}, ...texts);
}

export function compiledWith(
  options: CompileOptions,
  ...texts: readonly (string | Partial<SourceInput>)[]
): Compilation {
  const sources = texts.map((text, i) => ({
    path: `${String.fromCharCode(97 + i)}.yaml`,
    text: '',
    ...(typeof text === 'string' ? { text } : text),
  }));
  return compilePolicy(sources, options);
}

/** `code line:column message`, one for each finding. */
export function briefly(findings: readonly Finding[]): string[] {
  return findings.map((f) => `${f.code} ${f.at.line}:${f.at.column} ${f.message}${f.help ? ` | ${f.help}` : ''}`);
}

/** The keys of a rule that is fine but for what is given. */
export function ruleText(more: string, indent = '    '): string {
  const keys = ['title: T', 'severity: low', 'each: command', 'when: "true"', 'effect: deny'].filter(
    (k) => !new RegExp(`^${k.split(':')[0]}:`, 'm').test(more),
  );
  return `  - id: a.b\n${[...keys, ...more.split('\n')].map((l) => indent + l).join('\n')}\n`;
}
