import type { RuleEffect, Severity } from '../model/decision.ts';
import type { Comparison, CompiledEvidence, CompiledLimit, CompiledRule, Each, EvidenceStep } from '../model/policy.ts';
import type { ToolName } from '../model/tool-call.ts';

/** What the words of policy files mean: for editors, which show them beside each, and for the reference. */
type Words<T extends string> = Readonly<Record<T, string>>;

export const EFFECT_WORDS: Words<RuleEffect> = {
  halt: 'the call is blocked, and the agent is told to stop and ask the user',
  deny: 'the call is blocked, and the agent is told why and what to do instead',
  ask: 'a person is asked; where the agent can not ask, the call is blocked',
  redact: 'secrets are taken out of the output that the agent sees (after a call)',
  modify: 'the input of the call is changed; no agent can be made to do that yet, so give a `fallback`',
  warn: 'the call passes, and the agent is told the message',
  context: 'the call passes, and the agent is given the message as a note',
  allow: 'the call is known as ordinary; it never beats a rule that asks or denies',
};

export const SEVERITY_WORDS: Words<Severity> = {
  critical: 'loss that can not be made good, or secrets that leave the machine',
  high: 'harm to others, or to much work',
  medium: 'harm that can be undone with effort',
  low: 'a nuisance',
  informational: 'worth a record',
};

export const LEVEL_WORDS: Words<CompiledRule['level']> = {
  hard: 'nothing lifts it',
  soft: 'a waiver or a grant may lift it',
  advisory: 'lower layers may switch it off as well',
};

export const MODE_WORDS: Words<CompiledRule['mode']> = {
  enforce: 'it decides',
  shadow: 'it is recorded as "would have", and decides nothing',
  off: 'it is not asked',
};

export const STATUS_WORDS: Words<'experimental' | 'test' | 'stable' | 'deprecated'> = {
  experimental: 'being written',
  test: 'being tried out',
  stable: 'in use; a firing and a silent test are needed',
  deprecated: 'about to go',
};

export const ON_DYNAMIC_WORDS: Words<CompiledRule['onDynamic']> = {
  ask: 'what can not be known is asked about',
  match: 'what can not be known counts as true',
  ignore: 'what can not be known counts as false',
};

export const ON_ERROR_WORDS: Words<CompiledRule['onError']> = {
  deny: 'a condition that fails blocks the call',
  ask: 'a condition that fails is asked about',
  skip: 'a condition that fails is recorded, and the rule says nothing',
};

export const ON_FAILURE_WORDS: Words<'spool' | 'ask' | 'deny'> = {
  spool: 'records wait in the spool, on the disk as well, and calls are answered as ever; the default',
  ask: 'records wait in the spool, and whatever would pass is asked about',
  deny: 'records wait in the spool, and no call passes',
};

export const EACH_WORDS: Words<Exclude<Each, ''>> = {
  command: 'each program that the shell would run is `command`',
  file: 'each file or tree that is touched is `file`',
  dest: 'each place that data goes to or comes from is `dest`',
  effect: 'each other effect is `effect`',
};

export const COUNT_WORDS: Words<CompiledLimit['counts']> = {
  call: 'calls on which the condition holds, this one too',
  failure: 'calls that were made and failed',
  deny: 'calls that were refused',
  lines: 'lines that calls are known to change before they are made, this one too; temporary files are left out',
  files: 'files that calls are known to change before they are made, this one too; temporary files are left out',
  minutes: 'minutes of the clock in which a call was made',
};

export const COMPARISON_WORDS: Words<Comparison> = {
  eq: 'the same text',
  glob: 'the glob matches',
  under: 'the path is that directory or lies in it',
  in: 'one of a list',
  cidr: 'the address lies in the network',
};

export const TUNABLE_WORDS: Words<'no' | 'lower' | 'raise' | 'append' | 'any'> = {
  no: 'lower layers may not change it',
  lower: 'lower layers may only go down',
  raise: 'lower layers may only go up',
  append: 'lower layers may add to the list',
  any: 'lower layers may set it',
};

export const OUTCOME_WORDS: Words<EvidenceStep['outcome']> = {
  success: 'the call ended well',
  failure: 'it failed or was interrupted',
  any: 'however it ended',
};

export const EVIDENCE_SCOPE_WORDS: Words<CompiledEvidence['scope']> = {
  session: 'what other sessions did does not count',
  any: 'what other sessions of this user did counts as well',
};

export const DEFAULT_WORDS: Words<'allow' | 'ask' | 'deny'> = {
  allow: "no opinion: the agent's own permission flow goes on",
  ask: 'whatever no rule allows is asked about',
  deny: 'whatever no rule allows is refused',
};

export const BIND_WORDS: Words<'exact' | 'shape'> = {
  exact: 'this very call',
  shape: 'any call on which the rule fires',
};

export const SCOPE_WORDS: Words<'session' | 'agent' | 'user' | 'workspace'> = {
  session: 'the session of the call',
  agent: 'sessions of that agent',
  user: 'every session of the user',
  workspace: 'sessions in that workspace',
};

export const TOOL_WORDS: Words<ToolName> = {
  shell: 'runs shell text',
  read: 'reads a file',
  write: 'writes a file',
  edit: 'changes a file',
  search: 'searches files',
  fetch: 'fetches from the network',
  mcp: 'a tool of an MCP server',
  task: 'hands work to a subagent',
  other: 'anything else',
};

export const KIND_WORDS: Words<'PolicySet' | 'Library' | 'Rules' | 'Overlay' | 'Waivers' | 'Tests'> = {
  PolicySet: 'a preset: defaults and adjustments',
  Library: 'lists, macros and kinds of evidence that rules use',
  Rules: 'a pack of rules with their tests',
  Overlay: "a lower layer's changes to a pack",
  Waivers: 'approved exceptions with an end',
  Tests: 'long cases with several events',
};
