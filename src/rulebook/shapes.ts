import { EVIDENCE } from './evidence-shape.ts';
import { event, expectation, RULE, testCase } from './rule-shape.ts';
import type { ObjectShape, Shape } from './shape.ts';
import {
  bool,
  cel,
  choice,
  instant,
  int,
  LAYERS,
  list,
  NAME,
  object,
  on,
  RULE_ID,
  record,
  text,
  texts,
} from './shape-parts.ts';
import {
  DEFAULT_WORDS,
  EFFECT_WORDS,
  KIND_WORDS,
  LEVEL_WORDS,
  MODE_WORDS,
  ON_DYNAMIC_WORDS,
  ON_ERROR_WORDS,
  ON_FAILURE_WORDS,
  SEVERITY_WORDS,
  TUNABLE_WORDS,
} from './words.ts';

const kindOf = (kind: keyof typeof KIND_WORDS): Shape =>
  choice('what the document holds', { [kind]: KIND_WORDS[kind] });

const NEEDS = object('what it needs', {
  gov: text('range of versions of gov, such as `>=1.2`, `^1.2`, `>=1.0 <2`; another gov refuses the document'),
  env: choice('version of the rule language', ['cel/1']),
});

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
    presets: texts('only these policy sets take it, and those that name it in `packs`; default all'),
    requires: NEEDS,
  },
  ['name'],
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
  severities: list('severities', choice('', SEVERITY_WORDS)),
  levels: list('levels', choice('', LEVEL_WORDS)),
  mode: choice('new mode', MODE_WORDS),
  effect: choice('new effect', EFFECT_WORDS),
  on_dynamic: choice('new answer to unknowns', ON_DYNAMIC_WORDS),
});

/** Shapes of all kinds of documents. */
export const DOCUMENTS: Readonly<Record<string, ObjectShape>> = {
  PolicySet: object(
    'a set of packs with defaults',
    {
      ...on,
      kind: kindOf('PolicySet'),
      name: text('name of the set: the preset', {
        pattern: /^[a-z0-9][a-z0-9-]*$/,
        hint: 'lower-case letters, digits and hyphens',
      }),
      version: int('counts up with each release', 1),
      description: text('what it is for'),
      owners: texts('teams or people who answer for it'),
      layer: choice('where it stands', LAYERS),
      imports: texts(
        'files beside or below this one, and `builtin:NAME` for a built-in pack or policy set; a set that is imported gives what this one does not say',
      ),
      requires: NEEDS,
      packs: texts('packs it takes; default all'),
      questions: choice('deny: nobody is there to answer, so whatever would ask denies', ['ask', 'deny']),
      defaults: object('what holds unless a rule says otherwise', {
        default_effect: choice('when no rule fires', DEFAULT_WORDS),
        on_error: choice('when a condition fails', ON_ERROR_WORDS),
        on_dynamic: choice('when a fact that a condition needs is unknown', ON_DYNAMIC_WORDS),
        audit: object('records', {
          on_failure: choice(
            'while the database can not be written; the strictest of this set and those of organisation and team holds',
            ON_FAILURE_WORDS,
          ),
        }),
        budgets: object(
          'what a session may do in a day before a person is asked; only narrows the rules that carry the tag `limit`',
          {
            calls: int('calls', 1),
            minutes: int('minutes of the clock in which a call was made', 1),
            files: int('different files changed', 1),
            lines: int('lines added and removed', 1),
          },
        ),
      }),
      adjust: list('changes, in order', adjustment),
    },
    ['apiVersion', 'kind', 'name'],
  ),
  Library: object(
    'lists and macros',
    {
      ...on,
      kind: kindOf('Library'),
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
      evidence: record('name: kind of evidence, for `requires` and `evidence(KIND, KEY)`', EVIDENCE, NAME),
    },
    ['apiVersion', 'kind'],
  ),
  Rules: object(
    'a pack of rules',
    {
      ...on,
      kind: kindOf('Rules'),
      metadata,
      params: record(
        'name: parameter',
        object(
          'one parameter',
          {
            type: choice('', PARAM_TYPES),
            default: { is: 'any', doc: 'its value' },
            tunable: choice('how lower layers may move it', TUNABLE_WORDS),
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
      kind: kindOf('Overlay'),
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
            effect: choice('a stricter effect', EFFECT_WORDS),
            mode: choice('a stricter mode', MODE_WORDS),
            severity: choice('how bad', SEVERITY_WORDS),
            on_dynamic: choice('when a fact that a condition needs is unknown', ON_DYNAMIC_WORDS),
            on_error: choice('when a condition fails', ON_ERROR_WORDS),
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
      kind: kindOf('Waivers'),
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
      kind: kindOf('Tests'),
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
