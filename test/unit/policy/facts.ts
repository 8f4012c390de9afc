import type { CommandFact, DestFact, EffectFact, Facts, FileFact } from '../../../src/model/facts.ts';
import type { CompiledPolicy } from '../../../src/model/policy.ts';
import { compilePolicy } from '../../../src/rulebook/compile.ts';
import { printFinding } from '../../../src/rulebook/finding.ts';

const HOME = '/home/dev';
const WORKSPACE = '/home/dev/project';
export const NOW = Date.parse('2026-01-01T12:00:00Z');

export function command(name: string | null, more: Partial<CommandFact> = {}): CommandFact {
  return {
    id: 0,
    parent: -1,
    name,
    argv: [name ?? '${NAME}'],
    subcommand: '',
    flags: [],
    operands: [],
    targets: [],
    dests: [],
    effects: [],
    via: [],
    pipeline: [],
    pipeline_index: 0,
    redirects: [],
    env: {},
    cwd: WORKSPACE,
    dynamic: name === null,
    unknown_words: name === null ? ['$NAME is not known'] : [],
    opaque: false,
    certain: true,
    privileged: false,
    elsewhere: '',
    sends_data: false,
    text: name ?? '$NAME',
    span: { start: 0, end: 4 },
    ...more,
  };
}

export function file(op: FileFact['op'], real: string | null, more: Partial<FileFact> = {}): FileFact {
  return {
    op,
    path: real ?? '$X',
    real,
    zone: real === null ? null : real.startsWith(WORKSPACE) ? 'workspace' : 'outside',
    role: '',
    in_workspace: real === null ? null : `${real}/`.startsWith(`${WORKSPACE}/`),
    exists: true,
    is_dir: false,
    tracked: false,
    reversible: 'no',
    recursive: false,
    force: false,
    contents_only: false,
    partial: false,
    glob: false,
    secret: false,
    added: 0,
    removed: 0,
    content: '',
    mode: '',
    via: [],
    reason: real === null ? '$X is not known' : '',
    certain: true,
    command: -1,
    ...more,
  };
}

export function dest(host: string | null, more: Partial<DestFact> = {}): DestFact {
  return {
    host,
    port: 443,
    scheme: 'https',
    url: '',
    loopback: false,
    metadata: false,
    sends: 'nothing',
    method: '',
    certain: true,
    command: -1,
    ...more,
  };
}

export function effect(kind: EffectFact['kind'], more: Partial<EffectFact> = {}): EffectFact {
  return { kind, target: '', detail: '', force: false, recursive: false, certain: true, command: -1, ...more };
}

export function facts(more: Partial<Omit<Facts, 'event'>> & { event?: Partial<Facts['event']> } = {}): Facts {
  return {
    tool: { name: 'shell', raw: 'Bash', mcp_server: '', mcp_tool: '', input: {} },
    commands: [],
    files: [],
    dests: [],
    effects: [],
    unknowns: [],
    result: null,
    git: { branch: 'main', remote: null, dirty: null },
    ...more,
    event: {
      name: 'PreToolUse',
      agent: 'claude-code',
      agent_version: null,
      depth: 0,
      subagent: false,
      session: 's1',
      cwd: WORKSPACE,
      workspace: WORKSPACE,
      home: HOME,
      user: 'dev',
      permission_mode: 'default',
      interactive: true,
      call_digest: 'd1',
      ...more.event,
    },
  };
}

/** A policy of the rules that follow `rules:`, each with the keys it does not give filled in. */
export function policyOf(...rules: readonly string[]): CompiledPolicy {
  const text = `apiVersion: gov/v1
kind: Library
lists:
  guarded: { items: ["**/.gov/**", "~/.config/gov/**", "/etc/gov/**", "**/.claude/settings*.json", "**/*.pem"] }
macros:
  outside: { params: { f: File }, expr: "!f.in_workspace" }
evidence:
  read: { established: [{ each: file, when: 'file.op == "read"', key: file.real }] }
---
apiVersion: gov/v1
kind: Rules
metadata: { name: pack }
params:
  most: { type: int, default: 10 }
rules:
${rules.map((rule) => `  - ${rule.trim().replaceAll('\n', '\n    ')}`).join('\n')}
`;
  const { policy, findings } = compilePolicy([{ path: 'test.yaml', text }]);
  if (findings.length > 0) throw new Error(findings.map(printFinding).join('\n'));
  return policy;
}

/** A rule in one line: id, item, condition, and further keys. */
export function rule(id: string, each: string, when: string, more = 'effect: deny'): string {
  const severity = more.includes('severity:') ? [] : ['severity: medium'];
  const item = each === '' ? [] : [`each: ${each}`];
  const keys = [
    `id: ${id}`,
    `title: Title of ${id}`,
    ...severity,
    ...item,
    `when: '${when.replaceAll("'", "''")}'`,
    more,
  ];
  return keys.join('\n');
}
