import { expect, test } from 'vitest';
import { withModes } from '../../../src/rulebook/rule-mode.ts';

const OVERLAY = 'apiVersion: gov/v1\nkind: Overlay\ntarget: beta\n';

interface Row {
  readonly name: string;
  readonly text: string;
  readonly set?: string;
  readonly want: string;
}

test.each<Row>([
  {
    name: 'comments, order and what else is said stay',
    text: `# mine\n${OVERLAY}reason: why # yes\nparams:\n  most: 3\nrules:\n  # loud\n  - { id: b.two, mode: "off" }   # until May\n  - id: b.one\n    effect: deny\n    mode: 'shadow' # for now\n`,
    want: `# mine\n${OVERLAY}reason: why # yes\nparams:\n  most: 3\nrules:\n  # loud\n  - { id: b.two, mode: "off" }   # until May\n  - id: b.one\n    effect: deny\n    mode: "enforce" # for now\n`,
  },
  {
    name: 'an entry that says no mode yet, in a block',
    text: `${OVERLAY}rules:\n  - id: b.one # first\n    effect: deny\n`,
    want: `${OVERLAY}rules:\n  - id: b.one # first\n    mode: "enforce"\n    effect: deny\n`,
  },
  {
    name: 'an entry that says no mode yet, in braces',
    text: `${OVERLAY}rules: [{ id: b.one, effect: deny }]`,
    want: `${OVERLAY}rules: [{ id: b.one, mode: "enforce", effect: deny }]`,
  },
  {
    name: 'a new entry comes in order, with the indentation of the others',
    text: `${OVERLAY}rules:\n- { id: a.one, mode: off } # a\n# about c\n- id: c.one\n  mode: off`,
    want: `${OVERLAY}rules:\n- { id: a.one, mode: off } # a\n- { id: b.one, mode: "enforce" }\n# about c\n- id: c.one\n  mode: off`,
  },
  {
    name: 'behind an entry of several lines',
    text: `${OVERLAY}rules:\n    - id: a.one\n      mode: off\n\n# the end\n`,
    want: `${OVERLAY}rules:\n    - id: a.one\n      mode: off\n    - { id: b.one, mode: "enforce" }\n\n# the end\n`,
  },
  {
    name: 'documents of other kinds and packs',
    text: `apiVersion: gov/v1\nkind: Rules\nrules:\n  - id: b.one\n    mode: off\n---\n${OVERLAY.replace('beta', 'alpha')}rules:\n  - { id: b.one, mode: off }\n`,
    want: `apiVersion: gov/v1\nkind: Rules\nrules:\n  - id: b.one\n    mode: off\n---\n${OVERLAY.replace('beta', 'alpha')}rules:\n  - { id: b.one, mode: off }\n---\n${OVERLAY}rules:\n  - { id: b.one, mode: "enforce" }\n`,
  },
  {
    name: 'only comments so far',
    text: '# nothing yet\n',
    want: `# nothing yet\n${OVERLAY}rules:\n  - { id: b.one, mode: "enforce" }\n`,
  },
])('$name', ({ text, want }) => {
  const once = withModes(text, [{ id: 'b.one', pack: 'beta' }], 'enforce');
  expect(once).toBe(want);
  expect(withModes(once, [{ id: 'b.one', pack: 'beta' }], 'enforce')).toBe(want);
});
