import { stringify } from 'yaml';
import type { RuleHit } from '../model/decision.ts';
import type { Facts } from '../model/facts.ts';
import type { CompiledPolicy } from '../model/policy.ts';

/** One recorded call that was asked about or denied. */
export interface Held {
  readonly id: string;
  readonly hit: RuleHit;
  readonly facts: Facts;
  /** Shell text; null for other tools. */
  readonly command: string | null;
  /** True if the person let it pass when asked: the call was made. */
  readonly made: boolean;
}

export interface Suggestion {
  readonly kind: 'waiver' | 'list' | 'rule';
  readonly rule: string;
  /** How many recorded calls it would concern. */
  readonly calls: number;
  readonly why: string;
  /** YAML to take over. */
  readonly yaml: string;
  /** Records it rests on. */
  readonly evidence: readonly string[];
}

/** Fewer calls than that are no pattern. */
const ENOUGH = 3;
const DAY = 86_400_000;

/**
 * The narrowest changes that recorded questions and denials call for. What people let pass again and again becomes a
 * waiver of an exception that the rule declares, or an entry of the list that it looks at; what they turned down again
 * and again becomes a rule that denies. SECURITY: nothing is proposed that would lift a hard rule.
 */
export function suggest(held: readonly Held[], policy: CompiledPolicy, now: number): readonly Suggestion[] {
  const byRule = new Map<string, Held[]>();
  for (const item of held) {
    if (item.hit.level === 'hard') continue;
    const list = byRule.get(item.hit.id);
    if (list) list.push(item);
    else byRule.set(item.hit.id, [item]);
  }
  return [...byRule.values()]
    .flatMap((items) => [...waivers(items, policy, now), ...hosts(items, policy), ...denials(items, policy)])
    .sort((a, b) => b.calls - a.calls || (a.rule < b.rule ? -1 : 1));
}

/** Values of an exception's fields that calls which people let pass have in common. */
function waivers(items: readonly Held[], policy: CompiledPolicy, now: number): readonly Suggestion[] {
  const id = items[0]?.hit.id ?? '';
  const rule = policy.rules.find((r) => r.id === id);
  const shape = Object.entries(rule?.exceptions ?? {}).find(([, e]) =>
    Object.values(e.fields).some((f) => f.source === 'file.real'),
  );
  if (!rule || !shape) return [];
  const [exception, { fields }] = shape;
  const name = Object.entries(fields).find(([, f]) => f.source === 'file.real')?.[0] ?? '';
  return groupsOf(
    items.filter((i) => i.made),
    directoryOf,
  ).map(([dir, group]) => ({
    kind: 'waiver' as const,
    rule: id,
    calls: group.length,
    why: `people let ${group.length} calls in ${dir} pass`,
    evidence: group.map((g) => g.id).slice(0, 10),
    yaml: stringify({
      apiVersion: 'gov/v1',
      kind: 'Waivers',
      waivers: [
        {
          id: 'W-new',
          rule: id,
          exception,
          values: [{ [name]: `${dir}/**` }],
          reason: `${group.length} such calls were let pass`,
          owner: 'me',
          expires: `${new Date(now + 30 * DAY).toISOString().slice(0, 19)}Z`,
        },
      ],
    }),
  }));
}

function directoryOf(item: Held): string {
  const path = /^[a-z]+ (\/.+)\/[^/]+$/.exec(item.hit.subject)?.[1] ?? '';
  return path.split('/').length > 2 ? path : '';
}

/** Hosts that people sent to, for rules that look at a list of trusted ones. */
function hosts(items: readonly Held[], policy: CompiledPolicy): readonly Suggestion[] {
  const id = items[0]?.hit.id ?? '';
  const rule = policy.rules.find((r) => r.id === id);
  const list = /!\s*dest\.(?:host\.)?inDomain\(lists\.(\w+)\)/.exec(rule?.when.source ?? '')?.[1];
  if (rule?.each !== 'dest' || list === undefined) return [];
  return groupsOf(
    items.filter((i) => i.made),
    hostOf,
  ).map(([host, group]) => ({
    kind: 'list' as const,
    rule: id,
    calls: group.length,
    why: `people let ${group.length} calls to ${host} pass`,
    evidence: group.map((g) => g.id).slice(0, 10),
    yaml: stringify({
      apiVersion: 'gov/v1',
      kind: 'Overlay',
      target: rule.pack,
      lists: { [list]: { append: [host] } },
    }),
  }));
}

function hostOf(item: Held): string {
  const { subject } = item.hit;
  const host = /^[a-z+]+:\/\/(?:[^@/]*@)?([^/:]+)/.exec(subject)?.[1] ?? /^([\w.-]+)(?::\d+)?$/.exec(subject)?.[1];
  return host ?? '';
}

/**
 * What people turned down each time it was asked can be denied without a question. Where the question was about a file
 * or a host, the program is not what they objected to: a rule about all of `cat` would be far too wide.
 */
function denials(items: readonly Held[], policy: CompiledPolicy): readonly Suggestion[] {
  const aboutOther = new Set(policy.rules.filter((r) => r.each === 'file' || r.each === 'dest').map((r) => r.id));
  const asked = items.filter((i) => i.hit.effect === 'ask' && i.command !== null && !aboutOther.has(i.hit.id));
  return groupsOf(asked, programOf)
    .filter(([, group]) => group.every((g) => !g.made))
    .map(([key, group]) => {
      const [program = '', subcommand = ''] = key.split(' ');
      const words = [program, subcommand].filter((w) => w !== '');
      const id = `mine.no-${words
        .join('-')
        .toLowerCase()
        .replace(/[^a-z0-9-]/g, '-')}`;
      return {
        kind: 'rule' as const,
        rule: group[0]?.hit.id ?? '',
        calls: group.length,
        why: `people turned ${group.length} calls of \`${key}\` down and let none pass`,
        evidence: group.map((g) => g.id).slice(0, 10),
        yaml: stringify({
          apiVersion: 'gov/v1',
          kind: 'Rules',
          metadata: {
            name: `mine-${words
              .join('-')
              .toLowerCase()
              .replace(/[^a-z0-9-]/g, '-')}`,
            owners: ['me'],
          },
          rules: [
            {
              id,
              title: `No ${key}`,
              status: 'experimental',
              severity: 'medium',
              mode: 'shadow',
              programs: [program],
              each: 'command',
              when: subcommand === '' ? 'true' : `command.subcommand == ${JSON.stringify(subcommand)}`,
              effect: 'deny',
              message: `This call would run ${key}, which people turned down each time.`,
              remediation: 'Ask the person what to do instead.',
              tests: { match: [group[0]?.command ?? key], no_match: ['echo hello'] },
            },
          ],
        }),
      };
    });
}

/** Program and subcommand of the command that the rule found. */
function programOf({ facts, hit }: Held): string {
  const found = facts.commands.find((c) => c.span?.start === hit.span?.start) ?? facts.commands[0];
  return found?.name ? [found.name, found.subcommand].filter((w) => w !== '').join(' ') : '';
}

function groupsOf(
  items: readonly Held[],
  key: (item: Held) => string,
): readonly (readonly [string, readonly Held[]])[] {
  const groups = new Map<string, Held[]>();
  for (const item of items) {
    const name = key(item);
    if (name === '') continue;
    groups.set(name, [...(groups.get(name) ?? []), item]);
  }
  return [...groups].filter(([, group]) => group.length >= ENOUGH);
}
