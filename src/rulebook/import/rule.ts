import { stringify } from 'yaml';
import { visible } from '../../base/escape.ts';

/** A rule made of an entry of another policy. */
export interface Imported {
  readonly effect: 'deny' | 'ask' | 'allow';
  /** The entry as it was written. */
  readonly from: string;
  readonly tools?: readonly string[];
  readonly programs?: readonly string[];
  readonly each?: 'command' | 'file' | 'dest';
  readonly when: string;
  readonly message?: string;
  readonly tests?: { readonly match: readonly string[]; readonly no_match: readonly string[] };
}

export interface ImportReport {
  readonly rules: readonly Imported[];
  /** What could not be carried over, one sentence each. */
  readonly left: readonly string[];
  /** What means something slightly different here. */
  readonly notes: readonly string[];
}

/** Without entries that hold characters nobody sees: what is shown of the rule would not be what it says. */
export function withoutUnseen(report: ImportReport): ImportReport {
  const shown = (text: string): boolean => visible(text.replace(/\s/g, ' ')) === text.replace(/\s/g, ' ');
  const hidden = report.rules.filter((r) => !shown(r.from + r.when));
  return {
    rules: report.rules
      .filter((r) => !hidden.includes(r))
      .map((r) => (r.message === undefined ? r : { ...r, message: visible(r.message) })),
    left: [...report.left, ...hidden.map((r) => `${r.effect} \`${r.from}\`: it holds characters that can't be seen`)],
    notes: report.notes,
  };
}

/** The rules as a policy file, which `gov policy check` takes. */
export function importedText(source: string, { rules }: ImportReport): string {
  const counts = { deny: 0, ask: 0, allow: 0 };
  const doc = {
    apiVersion: 'gov/v1',
    kind: 'Rules',
    metadata: { name: `imported-${source}`, owners: ['me'] },
    rules: rules.map((rule) => {
      counts[rule.effect]++;
      const { tools, programs, each, tests } = rule;
      return {
        id: `imported.${source}-${rule.effect}-${counts[rule.effect]}`,
        version: 1,
        title: `${rule.effect} ${rule.from}`.replace(/\s+/g, ' ').slice(0, 120),
        status: 'experimental',
        severity: rule.effect === 'deny' ? 'high' : rule.effect === 'ask' ? 'medium' : 'informational',
        level: 'soft',
        on: ['PreToolUse', 'PermissionRequest'],
        ...(tools ? { tools } : {}),
        ...(programs ? { programs } : {}),
        ...(each ? { each } : {}),
        when: rule.when,
        effect: rule.effect,
        ...(rule.effect === 'allow'
          ? {}
          : { message: (rule.message ?? `This call matches \`${rule.from}\`, which was carried over.`).slice(0, 400) }),
        ...(tests ? { tests } : {}),
      };
    }),
  };
  return stringify(doc, { lineWidth: 110 });
}

/** A command that starts with these words; each place may hold alternatives. */
export function prefixRule(
  words: readonly (readonly string[])[],
): Pick<Imported, 'programs' | 'each' | 'when' | 'tests'> | null {
  const [programs, ...rest] = words;
  if (!programs || programs.length === 0) return null;
  const names = programs.map((p) => p.slice(p.lastIndexOf('/') + 1));
  const terms = rest.map((alternatives, i) => {
    const at = i + 1;
    const list = JSON.stringify(alternatives);
    const word = `command.argv.size() > ${at} && command.argv[${at}] in ${list}`;
    // Options may stand before a subcommand: `git -C dir push`.
    return i === 0 && alternatives.every((w) => !w.startsWith('-'))
      ? `(command.subcommand in ${list} || (${word}))`
      : `(${word})`;
  });
  const example = words.map((w) => w[0]).join(' ');
  return {
    programs: names,
    each: 'command',
    when: terms.length === 0 ? 'true' : terms.join(' && '),
    tests: { match: [example], no_match: ['gov-no-such-program'] },
  };
}

/** A text with `*` for anything as a regular expression over a command's text. */
export function wildcardRule(pattern: string): Pick<Imported, 'each' | 'when'> {
  const source = pattern
    .split('*')
    .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
    .join('.*');
  return { each: 'command', when: `command.text.re(${JSON.stringify(`^${source}$`)})` };
}

/** Words of a plain command line; null if a shell would do more with it than split it. */
export function plainWords(text: string): readonly string[] | null {
  const words = text.trim().split(/\s+/);
  return text.trim() !== '' && words.every((w) => /^[\w@%+=:,./-]+$/.test(w)) ? words : null;
}
