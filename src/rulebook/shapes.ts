import { EFFECTS, SEVERITIES } from '../model/decision.ts';
import type { ObjectShape, Shape } from './shape.ts';

const text = (doc: string, extra: { pattern?: RegExp; hint?: string; max?: number } = {}): Shape => ({
  is: 'text',
  doc,
  ...extra,
});
const cel = (doc: string): Shape => ({ is: 'cel', doc });
const int = (doc: string, min?: number): Shape => ({ is: 'int', doc, ...(min === undefined ? {} : { min }) });
const bool = (doc: string): Shape => ({ is: 'bool', doc });
const choice = (doc: string, values: readonly string[]): Shape => ({ is: 'enum', doc, values });
const list = (doc: string, of: Shape, extra: { unique?: boolean; min?: number } = {}): Shape => ({
  is: 'list',
  doc,
  of,
  ...extra,
});
const texts = (doc: string): Shape => list(doc, text(''), { unique: true });
const record = (doc: string, of: Shape, keys?: RegExp): Shape => ({ is: 'record', doc, of, ...(keys ? { keys } : {}) });
const object = (doc: string, keys: Readonly<Record<string, Shape>>, required: readonly string[] = []): ObjectShape => ({
  is: 'object',
  doc,
  keys,
  required,
});

export const RULE_ID = /^[a-z][a-z0-9-]*(\.[a-z0-9][a-z0-9-]*)+$/;
const NAME = /^[a-z_][a-z0-9_]*$/;
const duration = (doc: string): Shape =>
  text(doc, { pattern: /^(\d+(\.\d+)?(ms|[smhd]))+$/, hint: 'a length of time such as `30m`, `1h30m`, `7d`' });
const instant = (doc: string): Shape =>
  text(doc, {
    pattern: /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/,
    hint: 'an instant such as `2026-11-01T00:00:00Z`',
  });

export const EVENTS = [
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PermissionRequest',
  'PreSkillShellCommand',
  'UserPromptSubmit',
  'UserPromptExpansion',
  'ConfigChange',
  'SessionStart',
  'SessionEnd',
  'SubagentStart',
  'SubagentStop',
  'Stop',
  'Other',
] as const;
export const TOOLS = ['shell', 'read', 'write', 'edit', 'search', 'fetch', 'mcp', 'task', 'other'] as const;
export const EACH = ['command', 'file', 'dest', 'effect'] as const;
export const LAYERS = ['builtin', 'org', 'team', 'user', 'project'] as const;

const events = list('events the rule is asked in; default PreToolUse', choice('', EVENTS), { unique: true, min: 1 });
const on = { apiVersion: choice('version of the format', ['gov/v1']) };

const metadata = object(
  'who owns it',
  {
    name: text('name, unique among the files', {
      pattern: /^[a-z0-9][a-z0-9-]*$/,
      hint: 'lower-case letters, digits and hyphens',
    }),
    version: int('counts up with each release', 1),
    owners: texts('teams or people who answer for it'),
    description: text('what it is for'),
    requires: object('what it needs', {
      gov: text('version range of gov'),
      env: choice('version of the rule language', ['cel/1']),
    }),
  },
  ['name'],
);

const event: Shape = record('an event: `shell: "…"`, or `tool`, `input`, `files`, `result`, `agent` …', {
  is: 'any',
  doc: '',
});
const past = object('an event before', { at: text('how long before, e.g. `-5m`'), event }, ['event']);
const expectation = object('what must come out', {
  effect: choice('effect of this rule, `none` if it must not decide', ['none', ...EFFECTS]),
  message: text('a glob the message must match'),
  rule: text('the rule that must decide'),
  waiver: text('the waiver that must lift it'),
});
const testCase = object(
  'one case',
  {
    name: text('what it shows'),
    event,
    history: list('events before, oldest first', past),
    history_repeat: object('one event several times before', { times: int('', 1), at: text(''), event }, [
      'times',
      'event',
    ]),
    now: instant('the clock'),
    world: record('files, symbolic links and git of the workspace', { is: 'any', doc: '' }),
    expect: expectation,
  },
  ['event', 'expect'],
);
const commandLine: Shape = {
  is: 'either',
  doc: 'a shell command, or an event',
  of: [text('a shell command'), record('an event', { is: 'any', doc: '' })],
};

export const RULE: ObjectShape = object(
  'one rule',
  {
    id: text('`pack.object-what`; changes when the logic changes materially', {
      pattern: RULE_ID,
      hint: 'such as `fs.delete-outside-workspace`',
    }),
    version: int('counts up with each change', 1),
    title: text('one line for lists'),
    description: text('why the rule is there'),
    status: choice('stable needs a firing and a silent test', ['experimental', 'test', 'stable', 'deprecated']),
    related: texts('ids of related rules'),
    severity: choice('how bad', SEVERITIES),
    level: choice('hard: nothing lifts it; soft: a waiver or grant may; advisory: lower layers may switch it off', [
      'hard',
      'soft',
      'advisory',
    ]),
    mode: choice('shadow: recorded as "would have", not enforced', ['enforce', 'shadow', 'off']),
    on: events,
    tools: list('our names of the tools it is about; default any', choice('', TOOLS), { unique: true, min: 1 }),
    programs: texts('programs it is about; a command of another name is not looked at'),
    agents: texts('agents it is about; default any'),
    each: choice('what the condition ranges over; default: once per call', EACH),
    when: cel('true: the rule fires'),
    sequence: object(
      'fires at the last step, after the others were seen in order',
      {
        within: duration('time from the first step'),
        key: cel('what ties the steps together; default event.session'),
        steps: list(
          'the steps',
          object(
            'one step',
            {
              as: text('name', { pattern: NAME }),
              on: events,
              each: choice('what it ranges over', EACH),
              when: cel('its condition'),
            },
            ['as', 'when'],
          ),
          { min: 2 },
        ),
      },
      ['within', 'steps'],
    ),
    limit: object(
      'fires when there were too many',
      {
        count: int('how many are still fine (for failures and denies: how many are enough)', 1),
        window: duration('in this time'),
        key: cel('what is counted separately; default event.session'),
        counts: choice('what is counted', ['call', 'failure', 'deny', 'lines']),
      },
      ['count', 'window', 'counts'],
    ),
    requires: cel('must hold as well, else the rule fires: `evidence("read", file.real)`'),
    effect: choice('what it does, strictest first', EFFECTS),
    fallback: list('effects for agents that can not do it', choice('', EFFECTS), { unique: true }),
    on_dynamic: choice('when a fact that the condition needs is unknown; default ask, for advisory rules ignore', [
      'ask',
      'match',
      'ignore',
    ]),
    on_error: choice('when the condition fails; default hard: deny, soft: ask, advisory: skip', [
      'deny',
      'ask',
      'skip',
    ]),
    message: text('one line for the agent', { max: 400 }),
    message_expr: cel('a text that takes its place if it can be worked out'),
    suggest: cel('a text: the corrected command'),
    remediation: text('what to do instead'),
    references: texts('links'),
    mappings: object('catalogues', {
      attack: texts('MITRE ATT&CK techniques'),
      owasp_agentic: texts('OWASP agentic threats'),
      cwe: texts('CWE numbers'),
      owasp_llm: texts('OWASP LLM top ten'),
      nist: texts('NIST controls'),
    }),
    falsepositives: texts('ordinary work that it may stop'),
    tags: texts('for selecting rules'),
    owners: texts('who answers for it'),
    review_by: text('date by which it must be looked at again', { pattern: /^\d{4}-\d\d-\d\d$/ }),
    ticket: text('where it was discussed'),
    exceptions: record(
      'shapes of exceptions; waivers give the values',
      object(
        'one shape',
        {
          fields: record('name: expression', cel('its value'), NAME),
          comps: record('name: how it is compared', choice('', ['eq', 'glob', 'under', 'in', 'cidr']), NAME),
        },
        ['fields'],
      ),
      NAME,
    ),
    elevation: object('how people may lift it for a time', {
      max: duration('longest time'),
      default: duration('time if none is asked for'),
      uses: int('how often', 1),
      scope: choice('where', ['session', 'agent', 'user', 'workspace']),
      bind: choice('exact: this very call; shape: the same rule and program', ['exact', 'shape']),
      reason: choice('', ['required', 'optional']),
      approvers: int('how many people', 0),
      self_approve: bool('the person who asks may approve'),
    }),
    audit: record('values added to the record', cel(''), NAME),
    tests: object('cases of both kinds', {
      match: list('the rule must fire', commandLine),
      no_match: list('the rule must not fire', commandLine),
      dynamic: list('the rule must ask because it can not be known', commandLine),
      cases: list('longer cases', testCase),
    }),
  },
  ['id', 'title', 'severity', 'effect'],
);

const listValue: Shape = {
  is: 'either',
  doc: 'a list of texts, or with `open`',
  of: [
    texts('texts'),
    object(
      'a list that lower layers may change',
      {
        items: texts('its texts'),
        open: { is: 'either', doc: 'may lower layers change it', of: [bool(''), choice('', ['append', 'replace'])] },
        description: text(''),
      },
      ['items'],
    ),
  ],
};

const PARAM_TYPES = ['int', 'double', 'string', 'bool', 'list<string>', 'list<int>'] as const;

const adjustment: ObjectShape = object('changes rules of the set', {
  rules: texts('ids, globs allowed'),
  packs: texts('names of packs'),
  tags: texts('tags'),
  severities: list('severities', choice('', SEVERITIES)),
  levels: list('levels', choice('', ['hard', 'soft', 'advisory'])),
  mode: choice('new mode', ['enforce', 'shadow', 'off']),
  effect: choice('new effect', EFFECTS),
  on_dynamic: choice('new answer to unknowns', ['ask', 'match', 'ignore']),
});

/** Shapes of all kinds of documents. */
export const DOCUMENTS: Readonly<Record<string, ObjectShape>> = {
  PolicySet: object(
    'a set of packs with defaults',
    {
      ...on,
      kind: choice('', ['PolicySet']),
      name: text('name of the set: the preset', {
        pattern: /^[a-z0-9][a-z0-9-]*$/,
        hint: 'lower-case letters, digits and hyphens',
      }),
      version: int('counts up with each release', 1),
      description: text('what it is for'),
      owners: texts('teams or people who answer for it'),
      layer: choice('where it stands', LAYERS),
      imports: texts('files, relative to this one'),
      packs: texts('packs it takes; default all'),
      defaults: object('what holds unless a rule says otherwise', {
        default_effect: choice('when no rule fires', ['allow', 'ask', 'deny']),
        on_error: choice('', ['deny', 'ask', 'skip']),
        on_dynamic: choice('', ['ask', 'match', 'ignore']),
        audit: object('', { on_failure: choice('when nothing can be recorded', ['deny', 'spool']) }),
      }),
      adjust: list('changes, in order', adjustment),
    },
    ['apiVersion', 'kind', 'name'],
  ),
  Library: object(
    'lists and macros',
    {
      ...on,
      kind: choice('', ['Library']),
      metadata,
      lists: record('name: list', listValue, NAME),
      macros: record(
        'name: macro',
        object(
          'a function made of one expression',
          {
            params: record('name: type', text('a type of cel/1'), NAME),
            expr: cel('its value'),
            description: text(''),
          },
          ['expr'],
        ),
        NAME,
      ),
    },
    ['apiVersion', 'kind'],
  ),
  Rules: object(
    'a pack of rules',
    {
      ...on,
      kind: choice('', ['Rules']),
      metadata,
      params: record(
        'name: parameter',
        object(
          'one parameter',
          {
            type: choice('', PARAM_TYPES),
            default: { is: 'any', doc: 'its value' },
            tunable: choice('how lower layers may move it', ['no', 'lower', 'raise', 'append', 'any']),
            description: text(''),
          },
          ['type', 'default'],
        ),
        NAME,
      ),
      rules: list('the rules', RULE),
    },
    ['apiVersion', 'kind', 'metadata', 'rules'],
  ),
  Overlay: object(
    "a lower layer's changes to a pack",
    {
      ...on,
      kind: choice('', ['Overlay']),
      metadata,
      target: text('name of the pack'),
      lists: record('name: change', object('', { append: texts('added'), replace: texts('instead') }), NAME),
      params: record('name: value', { is: 'any', doc: '' }, NAME),
      rules: list(
        'changes to rules',
        object(
          '',
          {
            id: text('', { pattern: RULE_ID }),
            effect: choice('a stricter effect', EFFECTS),
            mode: choice('', ['enforce', 'shadow', 'off']),
            severity: choice('', SEVERITIES),
            on_dynamic: choice('', ['ask', 'match', 'ignore']),
            on_error: choice('', ['deny', 'ask', 'skip']),
          },
          ['id'],
        ),
      ),
    },
    ['apiVersion', 'kind', 'target'],
  ),
  Waivers: object(
    'approved exceptions with an end',
    {
      ...on,
      kind: choice('', ['Waivers']),
      metadata,
      waivers: list(
        'the waivers',
        object(
          'one waiver',
          {
            id: text('its name in records'),
            rule: text('rule it lifts', { pattern: RULE_ID }),
            exception: text('name of one of the exceptions that the rule declares'),
            values: list(
              'each row lifts what matches all its fields',
              record('field: value or values', { is: 'any', doc: '' }),
              { min: 1 },
            ),
            reason: text('why'),
            owner: text('who answers for it'),
            approved_by: text('who approved it'),
            ticket: text('where it was discussed'),
            not_before: instant('from when'),
            expires: instant('until when; compulsory'),
          },
          ['id', 'rule', 'exception', 'values', 'reason', 'owner', 'expires'],
        ),
      ),
    },
    ['apiVersion', 'kind', 'waivers'],
  ),
  Tests: object(
    'long cases',
    {
      ...on,
      kind: choice('', ['Tests']),
      metadata,
      world: record('files, symbolic links and git for all cases', { is: 'any', doc: '' }),
      tests: list(
        'the cases',
        object(
          'one case',
          {
            ...testCase.keys,
            rule: text('the rule it is about; without it the whole decision counts'),
            steps: list(
              'events in order, each with what it must give',
              object('', { event, expect: expectation, at: text('') }, ['event']),
            ),
          },
          ['name'],
        ),
      ),
    },
    ['apiVersion', 'kind', 'tests'],
  ),
};
