import { stringify } from 'yaml';
import type { Facts } from '../model/facts.ts';
import type { RuleData } from './rule-data.ts';

/** What a new rule starts from; everything but the id is optional. */
export interface SkeletonSource {
  readonly id: string;
  readonly title?: string;
  /** A rule that exists: its keys are taken over, its id and tests are not. */
  readonly like?: RuleData;
  /** A recorded call: its first command becomes the condition and the firing test. */
  readonly seen?: { readonly facts: Facts; readonly command: string | null };
}

/**
 * A rule file to start from: both sides of its tests are there, and `gov policy check` takes it as it is. The tests
 * say what the condition does now; the author's work is to make both say what is meant.
 */
export function ruleSkeleton({ id, title, like, seen }: SkeletonSource): string {
  const { tests: _tests, id: _id, ...kept } = like ?? ({} as RuleData);
  const { each, when, match, programs, tools } = conditionOf(seen);
  const rule = {
    id,
    version: 1,
    title: title ?? like?.title ?? 'One line that says what the rule is about',
    status: 'experimental',
    severity: 'medium',
    level: 'soft',
    mode: 'shadow',
    on: ['PreToolUse'],
    ...(like ? {} : { ...(programs ? { programs } : {}), ...(tools ? { tools } : {}), each, when, effect: 'ask' }),
    ...(like ? { ...kept, id, version: 1, status: 'experimental', mode: 'shadow' } : {}),
    ...(title ? { title } : {}),
    message: like?.message ?? 'This call would …',
    remediation: like?.remediation ?? 'What to do instead.',
    references: like?.references ?? [],
    mappings: like?.mappings ?? { owasp_agentic: ['ASI02'] },
    falsepositives: [],
    tests: like?.tests ?? { match: [match], no_match: ['echo hello'] },
  };
  const doc = {
    apiVersion: 'gov/v1',
    kind: 'Rules',
    metadata: { name: id.split('.')[0], owners: ['me'] },
    rules: [rule],
  };
  return `# A new rule starts in the shadow: recorded, not enforced. Take \`mode\` out when its tests say what you mean.\n${stringify(doc, { lineWidth: 100 })}`;
}

interface Start {
  readonly each?: string;
  readonly when: string;
  readonly match: unknown;
  readonly programs?: readonly string[];
  readonly tools?: readonly string[];
}

function conditionOf(seen: SkeletonSource['seen']): Start {
  const command = seen?.facts.commands.find((c) => c.name !== null);
  if (seen && command && seen.command !== null) {
    const parts = [
      command.subcommand === '' ? '' : `command.subcommand == ${JSON.stringify(command.subcommand)}`,
      ...command.flags.slice(0, 2).map((flag) => `command.hasFlag(${JSON.stringify(flag)})`),
    ].filter((part) => part !== '');
    return {
      programs: [command.name as string],
      each: 'command',
      when: parts.length === 0 ? 'command.operands.size() > 0' : parts.join(' && '),
      match: seen.command,
    };
  }
  const file = seen?.facts.files[0];
  if (seen && file) {
    const name = file.path.split('/').at(-1) ?? '';
    return {
      tools: [seen.facts.tool.name],
      each: 'file',
      when: `file.op == ${JSON.stringify(file.op)} && file.matchesAny([${JSON.stringify(`**/${name}`)}])`,
      match: { tool: seen.facts.tool.name, files: [{ op: file.op, path: name }] },
    };
  }
  return {
    programs: ['git'],
    each: 'command',
    when: 'command.subcommand == "push" && command.hasFlag("force")',
    match: 'git push --force origin main',
  };
}
