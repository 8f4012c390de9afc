import { EFFECTS } from '../model/decision.ts';
import type { ObjectShape, Shape } from './shape.ts';
import {
  bool,
  cel,
  choice,
  duration,
  events,
  instant,
  int,
  list,
  NAME,
  object,
  RULE_ID,
  record,
  text,
  texts,
} from './shape-parts.ts';
import {
  BIND_WORDS,
  COMPARISON_WORDS,
  COUNT_WORDS,
  EACH_WORDS,
  EFFECT_WORDS,
  LEVEL_WORDS,
  MODE_WORDS,
  ON_DYNAMIC_WORDS,
  ON_ERROR_WORDS,
  SCOPE_WORDS,
  SEVERITY_WORDS,
  STATUS_WORDS,
  TOOL_WORDS,
} from './words.ts';

export const event: Shape = record('an event: `shell: "…"`, or `tool`, `input`, `files`, `result`, `agent` …', {
  is: 'any',
  doc: '',
});
const past = object('an event before, or files that somebody else changed then', {
  at: text('how long before, e.g. `-5m`'),
  event,
  changed: texts('files that somebody else changed'),
});
export const expectation = object('what must come out', {
  effect: choice('effect of this rule, `none` if it must not decide', ['none', ...EFFECTS]),
  message: text('a glob the message must match'),
  rule: text('the rule that must decide'),
  waiver: text('the waiver that must lift it'),
  grant: text('the grant that must lift it'),
});
export const testCase = object(
  'one case',
  {
    name: text('what it shows'),
    event,
    history: list('events before, oldest first', past),
    history_repeat: object(
      'one event several times before',
      {
        times: int('how often', 1),
        at: text('how long before the first time, e.g. `-5m`; default `-1m`'),
        every: duration('from one time to the next; without it all are at the same time'),
        event,
      },
      ['times', 'event'],
    ),
    now: instant('the clock'),
    evidence: list(
      'evidence that is there, whatever the history says',
      object(
        'one piece',
        {
          kind: text('its kind', { pattern: NAME }),
          key: text('what it is about; a relative path is one of the workspace; default: the workspace'),
          holds: { is: 'either', doc: 'default true', of: [bool(''), choice('', ['unknown'])] },
        },
        ['kind'],
      ),
    ),
    grants: list(
      'grants that are there; hard rules take none',
      object(
        'one grant',
        {
          id: text('its name'),
          rules: texts('ids of the rules it lifts'),
          tags: texts('tags of the rules it lifts'),
          from: instant('from when'),
          until: instant('until when'),
        },
        ['id'],
      ),
    ),
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
    status: choice('stable needs a firing and a silent test', STATUS_WORDS),
    related: texts('ids of related rules'),
    severity: choice('how bad', SEVERITY_WORDS),
    level: choice('who can lift it; default soft', LEVEL_WORDS),
    mode: choice('whether it decides; default enforce', MODE_WORDS),
    on: events,
    tools: list('our names of the tools it is about; default any', choice('', TOOL_WORDS), { unique: true, min: 1 }),
    programs: texts('programs it is about; a command of another name is not looked at'),
    agents: texts('agents it is about; default any'),
    each: choice('what the condition ranges over; default: once per call', EACH_WORDS),
    unless_allowed: bool(
      'the rule speaks for `default_effect`: it is only asked about calls that no rule allows; its message is told and it can be lifted',
    ),
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
              each: choice('what it ranges over', EACH_WORDS),
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
        counts: choice('what is counted', COUNT_WORDS),
      },
      ['count', 'window', 'counts'],
    ),
    requires: cel(
      'what must have been established first: the rule fires where `when` holds and this does not, e.g. `evidence("read", file.real)`',
    ),
    effect: choice('what it does, strictest first', EFFECT_WORDS),
    fallback: list('effects for agents that can not do it', choice('', EFFECT_WORDS), { unique: true }),
    on_dynamic: choice(
      'when a fact that the condition needs is unknown; default ask, for advisory rules ignore',
      ON_DYNAMIC_WORDS,
    ),
    on_error: choice('when the condition fails; default hard: deny, soft: ask, advisory: skip', ON_ERROR_WORDS),
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
    tags: texts(
      'words by which sets adjust rules and grants lift them; those of the built-in rules stand in the guide to elevation',
    ),
    owners: texts('who answers for it'),
    review_by: text('date by which it must be looked at again', { pattern: /^\d{4}-\d\d-\d\d$/ }),
    ticket: text('where it was discussed'),
    exceptions: record(
      'shapes of exceptions; waivers give the values',
      object(
        'one shape',
        {
          fields: record('name: expression', cel('its value'), NAME),
          comps: record('name: how it is compared', choice('', COMPARISON_WORDS), NAME),
        },
        ['fields'],
      ),
      NAME,
    ),
    elevation: object('how people may lift it for a time', {
      max: duration('longest time'),
      default: duration('time if none is asked for'),
      uses: int('how often', 1),
      scope: choice('where', SCOPE_WORDS),
      bind: choice('what is let pass', BIND_WORDS),
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
