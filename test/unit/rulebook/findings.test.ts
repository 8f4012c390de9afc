import { describe, expect, it } from 'vitest';
import { printFinding } from '../../../src/rulebook/finding.ts';
import { briefly, compiled, HEAD, ruleText } from './compiled.ts';

const rule = (more: string) => briefly(compiled(HEAD + ruleText(more)).findings);

describe('what is wrong with a rule', () => {
  it.each<[string, string, string[]]>([
    ['nothing', 'message: m', []],
    ['a misspelt key', 'mesage: m', ['unknown-key 11:5 unknown key `mesage` in `rules` | did you mean `message`?']],
    ['a misspelt word', 'effect: denny', ["wrong-value 10:13 `effect` can't be `denny` | did you mean `deny`?"]],
    ['a number for a text', 'message: 3', ['wrong-type 11:14 `message` must be a text | write it in quotes: "3"']],
    ['a text for a list', 'programs: rm', ['wrong-type 11:15 `programs` must be a list']],
    ['something twice', 'programs: [rm, rm]', ['duplicate-item 11:20 `rm` is listed twice']],
    [
      'a misspelt member',
      'when: command.nam == "rm"',
      ['cel-field 10:19 a command has no `nam` | did you mean `name`?'],
    ],
    [
      'a misspelt name',
      'when: comand.name == "rm"',
      ['cel-name 10:11 nothing is called `comand` here | did you mean `command`?'],
    ],
    [
      'a misspelt function',
      'when: command.hasFlg("f")',
      ['cel-name 10:19 there is no function `hasFlg` | did you mean `hasFlag`?'],
    ],
    [
      'arguments of the wrong type',
      'when: command.hasFlag(3)',
      [
        "cel-type 10:19 found no matching overload for 'Command.hasFlag(int)' | it is Command.hasFlag(string): bool · Command.hasFlag(string, string): bool",
      ],
    ],
    [
      'the item of another rule',
      'when: file.op == "x"',
      ['cel-name 10:11 nothing is called `file` here | did you mean `files`?'],
    ],
    [
      'unlike types',
      'when: command.operands.exists(o, o > 3)',
      ['cel-type 10:38 no such overload: string > int | convert with `string(x)` or `int(x)`'],
    ],
    [
      'a text without quotes',
      'when: command.name == rm',
      ['cel-name 10:27 nothing is called `rm` here | a text stands in quotes: `"rm"`'],
    ],
    [
      'a field without its item',
      'when: name == "rm"',
      ['cel-name 10:11 nothing is called `name` here | did you mean `command.name`?'],
    ],
    ['one equals sign', 'when: command.name = "rm"', ['cel-syntax 10:24 unexpected character: = | compare with `==`']],
    [
      'words for operators',
      'when: command.name == "rm" and command.privileged',
      ['cel-syntax 10:32 unexpected character: \'d\' | `&&` is "and", `||` is "or", `!` is "not"'],
    ],
    [
      'a list compared with a text',
      'when: command.flags == "f"',
      ['cel-type 10:11 no such overload: list<string> == string | `"x" in list` asks whether a list has an item'],
    ],
    [
      'contains of a list',
      'when: command.operands.contains("x")',
      [
        'cel-type 10:28 found no matching overload for \'list.contains(string)\' | `"x" in list` asks whether a list has an item',
      ],
    ],
    [
      'a condition that begins with !',
      'when: !command.privileged',
      ["yaml-syntax 10:11 a value that begins with `!` is a tag of YAML | put the whole value in single quotes: `'…'`"],
    ],
    ['the same in quotes', "when: '!command.privileged'", []],
    [
      'a condition that begins with a text',
      'when: "x" in command.operands',
      ["yaml-syntax 10:15 unexpected scalar at node end | put the whole value in single quotes: `'…'`"],
    ],
    [
      'a text with a colon',
      'message: Deploys: ask a person',
      [
        "yaml-syntax 11:14 nested mappings are not allowed in compact mappings | put the whole value in single quotes: `'…'`",
      ],
    ],
    [
      'a bracket that stays open',
      'message: {a: b',
      [
        "yaml-syntax 12:1 flow map in block collection must be sufficiently indented and end with a } | close it with `}`; a text that begins with a bracket stands in single quotes: `'…'`",
      ],
    ],
    ['a tab', '\tmessage: m', ['yaml-syntax 11:5 tabs are not allowed as indentation | indent with spaces']],
    ['no condition', 'when: command.text', ['cel-type 10:11 the expression is a string, not a bool']],
    [
      'a broken condition',
      'when: command.name == ',
      ['cel-syntax 10:26 unexpected token: EOF | an expression such as `file.op == "delete" && !file.in_workspace`'],
    ],
    ['null', 'when: command.name == null', ['cel-type 10:11 no such overload: string == null']],
    [
      'a bad pattern',
      'when: command.text.re("(a")',
      ['cel-regex 10:27 not a regular expression: error parsing regexp: missing closing ): `(a`'],
    ],
    [
      'loops in loops in loops in loops',
      'when: commands.exists(a, commands.exists(b, commands.exists(c, commands.exists(d, true))))',
      ['cel-unsupported 10:68 more than 3 loops inside each other | split the rule'],
    ],
    ['an unknown list', 'when: command.name in lists.nothing', ['cel-field 10:33 `lists` has no `nothing`']],
    ['bytes', 'when: bytes(command.text).size() > 3', ['cel-unsupported 10:11 `bytes()` is not part of cel/1']],
    [
      'two conditions',
      'sequence: { within: 5m, steps: [{ as: a, when: "true" }, { as: b, when: "true" }] }',
      ['conflicting-keys 9:5 a rule with `sequence` has its conditions in the steps'],
    ],
    [
      'a bad length of time',
      'limit: { count: 1, window: 5 minutes, counts: call }',
      ["wrong-value 11:32 `window` can't be `5 minutes` | a length of time such as `30m`, `1h30m`, `7d`"],
    ],
    [
      'a message in an unknown type',
      'message_expr: command.flags',
      ['cel-type 11:19 the expression is a list<string>, not a string'],
    ],
    [
      'a secret in what the agent is told',
      'message_expr: \'"runs with " + command.env["KEY"]\'',
      [
        'message-leaks-secret 11:35 `env` may hold a secret, and `message_expr` is told to the agent | name the path, the program or the kind instead',
      ],
    ],
    [
      'a secret in a suggestion',
      'suggest: tool.input.command',
      [
        'message-leaks-secret 11:14 `input` may hold a secret, and `suggest` is told to the agent | name the path, the program or the kind instead',
      ],
    ],
    ['a count of secrets', 'message_expr: string(secrets(result.text).size())', []],
    ['stable without tests', 'status: stable', ['one-sided-test 11:5 `a.b` is stable but has no tests']],
    [
      'stable with one side',
      'status: stable\ntests: { match: [rm] }',
      ['one-sided-test 11:5 `a.b` is stable but has no case in which it is silent'],
    ],
    ['stable with both sides', 'status: stable\ntests: { match: [rm], no_match: [ls] }', []],
    [
      'a text that is too long',
      `message: ${'x'.repeat(401)}`,
      ['message-too-long 11:14 `message` has 401 characters, more than 400'],
    ],
  ])('%s', (_name, more, want) => {
    expect(rule(more)).toEqual(want);
  });

  it('is found behind folded, literal and quoted text', () => {
    const at = (when: string) =>
      compiled(HEAD + ruleText(when)).findings.map((f) => `${f.at.line}:${f.at.column} ${f.line}`);
    expect(at('when: >-\n  command.name == "rm"\n    && command.nam == "x"')).toEqual([
      '12:20         && command.nam == "x"',
    ]);
    expect(at('when: |\n  command.name == "rm"\n    && command.nam == "x"')).toEqual([
      '12:20         && command.nam == "x"',
    ]);
    expect(at('when: "command.name == \\"rm\\" && command.nam == \\"x\\""')).toEqual([
      '10:46     when: "command.name == \\"rm\\" && command.nam == \\"x\\""',
    ]);
    expect(at("when: 'command.name == ''rm'' && command.nam == ''x'''")).toEqual([
      "10:46     when: 'command.name == ''rm'' && command.nam == ''x'''",
    ]);
  });

  it('is all shown at once, in order', () => {
    const text = `${HEAD}${ruleText('when: command.nam == "x"')}${ruleText('mesage: m').replace('a.b', 'a.c')}${ruleText('when: 3 > 2 > 1').replace('a.b', 'a.d')}`;
    expect(briefly(compiled(text).findings).map((f) => f.split(' ').slice(0, 2).join(' '))).toEqual([
      'cel-field 10:19',
      'unknown-key 17:5',
      'cel-type 23:11',
    ]);
  });
});

describe('what is wrong with a file', () => {
  it.each<[string, string, string[]]>([
    ['empty', '', ['no-document 1:1 the file holds no document | delete it, or write one']],
    ['only a comment', '# nothing\n', ['no-document 1:1 the file holds no document | delete it, or write one']],
    ['no map', '- a\n', ['yaml-syntax 1:1 a policy document is a map of keys | start with `apiVersion: gov/v1`']],
    [
      'no kind',
      'apiVersion: gov/v1\n',
      ['unknown-kind 1:1 the document has no `kind` | known: PolicySet, Library, Rules, Overlay, Waivers, Tests'],
    ],
    [
      'a misspelt kind',
      'apiVersion: gov/v1\nkind: Rule\n',
      ['unknown-kind 2:7 there is no kind `Rule` | did you mean `Rules`?'],
    ],
    [
      'another version',
      'apiVersion: gov/v2\nkind: Library\n',
      ["wrong-value 1:13 `apiVersion` can't be `gov/v2` | did you mean `gov/v1`?"],
    ],
    [
      'a key twice',
      'apiVersion: gov/v1\nkind: Library\nlists: {}\nlists: {}\n',
      ['yaml-syntax 4:1 map keys must be unique'],
    ],
    [
      'an alias',
      'apiVersion: gov/v1\nkind: Library\nlists: { a: &x [b], c: *x }\n',
      ['yaml-alias 3:24 aliases are not part of policy files | write the value out'],
    ],
    ['two packs of one name', `${HEAD}  []\n---\n${HEAD}  []\n`, ['duplicate-name 9:19 there are two packs `pack`']],
    [
      'two rules of one id',
      HEAD + ruleText('message: m') + ruleText('message: m'),
      ['duplicate-id 12:9 there are two rules `a.b`'],
    ],
    [
      'a macro that calls itself',
      'apiVersion: gov/v1\nkind: Library\nmacros:\n  a: { params: { f: File }, expr: b(f) }\n  b: { params: { f: File }, expr: a(f) }\n',
      ['macro-cycle 4:3 the macro `a` calls itself'],
    ],
    [
      'a macro of an unknown type',
      'apiVersion: gov/v1\nkind: Library\nmacros:\n  a: { params: { f: Fil }, expr: f.op == "x" }\n',
      ['wrong-value 4:21 there is no type `Fil` | did you mean `File`?'],
    ],
  ])('%s', (_name, text, want) => {
    expect(briefly(compiled(text).findings).sort()).toEqual([...want].sort());
  });

  it('prints in five lines', () => {
    const [finding] = compiled(`${HEAD}${ruleText('when: command.nam == "rm"')}`).findings;
    expect(finding && printFinding(finding)).toBe(
      [
        'error[cel-field]: a command has no `nam`',
        '  --> a.yaml:10:19',
        '10 |     when: command.nam == "rm"',
        '   |                   ^^^',
        '   = did you mean `name`?',
      ].join('\n'),
    );
  });
});
