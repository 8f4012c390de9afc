import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { compilePolicy } from '../../../src/rulebook/compile.ts';
import { builtinSources, compileInContext } from '../../../src/rulebook/in-context.ts';
import { briefly, compiledWith, HEAD, ruleText } from './compiled.ts';

const set = (name: string, more = '') => `apiVersion: gov/v1\nkind: PolicySet\nname: ${name}\n${more}`;
const pack = (id: string) => HEAD.replace('name: pack', `name: ${id}`) + ruleText('').replace('a.b', `${id}.b`);

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'gov-set-'));
});
afterEach(() => {
  rmSync(dir, { recursive: true });
});

/** Writes files and compiles one of them alone, as `gov policy check` does. */
function checked(files: Readonly<Record<string, string>>, name = 'set.yaml') {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  const result = compileInContext([join(dir, name)]);
  return { ...result, found: briefly(result.own).map((line) => line.replaceAll(dir, 'DIR')) };
}

describe('imports', () => {
  it('bring in files below the one that imports them', () => {
    const { found, policy } = checked({
      'set.yaml': set('mine', 'imports: [packs/a.yaml, b.yaml]\n'),
      'packs/a.yaml': pack('one'),
      'b.yaml': pack('two'),
      'c.yaml': pack('three'),
    });
    expect(found).toEqual([]);
    expect(policy.rules.map((r) => r.id)).toEqual(['one.b', 'two.b']);
  });

  it('faults in an imported file are told', () => {
    const { found, own } = checked({
      'set.yaml': set('mine', 'imports: [a.yaml]\n'),
      'a.yaml': pack('one').replace('"true"', '"tru"'),
    });
    expect(own.map((f) => f.at.file.endsWith('a.yaml'))).toEqual([true]);
    expect(found).toEqual(['cel-name 9:12 nothing is called `tru` here | a text stands in quotes: `"tru"`']);
  });

  it.each<[string, string, string]>([
    ['not there', 'imports: [no.yaml]', "import-missing 4:11 `no.yaml` can't be imported: there is no such file"],
    [
      'no policy file',
      'imports: [a.txt]',
      "import-missing 4:11 `a.txt` can't be imported: a policy file ends with `.yaml`",
    ],
    ['above', 'imports: [../a.yaml]', 'import-outside 4:11 `../a.yaml` lies outside the directory of this file'],
    ['absolute', 'imports: [/etc/gov/a.yaml]', 'import-outside 4:11 `/etc/gov/a.yaml` lies outside'],
    ['a link that leads out', 'imports: [link.yaml]', 'import-outside 4:11 `link.yaml` leads outside'],
    ['itself', 'imports: [set.yaml]', 'import-cycle 4:11 `set.yaml` imports this set again'],
    [
      'a pack that is not built in',
      'imports: ["builtin:filesytem"]',
      'import-missing 4:11 there is no built-in pack or policy set `filesytem` | did you mean `filesystem`?',
    ],
  ])('%s', (_name, imports, want) => {
    symlinkSync('/etc/hosts', join(dir, 'link.yaml'));
    const { found } = checked({ 'set.yaml': set('mine', `${imports}\n`), 'a.txt': '' });
    expect(found).toEqual([expect.stringContaining(want)]);
  });

  it('sets that import each other', () => {
    const { found } = checked({
      'set.yaml': set('mine', 'imports: [other.yaml]\n'),
      'other.yaml': set('other', 'imports: [set.yaml]\n'),
    });
    expect(found).toEqual([expect.stringContaining('import-cycle 4:11 `set.yaml` imports this set again')]);
  });

  it('of a layer read no file that the layer has not', () => {
    writeFileSync(join(dir, 'a.yaml'), pack('one'));
    const source = { path: join(dir, 'set.yaml'), text: set('mine', 'imports: [a.yaml]\n'), layer: 'org' as const };
    expect(briefly(compilePolicy([source]).findings)).toEqual([
      expect.stringContaining(
        "import-missing 4:11 `a.yaml` can't be imported: it is not among the files of this layer",
      ),
    ]);
    const both = [source, { path: join(dir, 'a.yaml'), text: pack('one'), layer: 'org' as const }];
    expect(compilePolicy(both).findings).toEqual([]);
  });

  it('a set builds on the one that it imports', () => {
    const own = set(
      'mine',
      'imports: ["builtin:strict"]\ndefaults: { default_effect: deny }\nadjust: [{ rules: ["limits.*"], mode: shadow }]\n',
    );
    const sources = [...builtinSources(), { path: 'user/rules/presets/mine.yaml', text: own, layer: 'user' as const }];
    const mine = compilePolicy(sources, { preset: 'mine' });
    const strict = compilePolicy(sources, { preset: 'strict' });
    expect(mine.findings).toEqual([]);
    expect([strict.policy.defaultEffect, mine.policy.defaultEffect]).toEqual(['ask', 'deny']);
    expect(mine.policy.rules.map((r) => r.id)).toEqual(strict.policy.rules.map((r) => r.id));
  });

  it('a built-in pack that is made for one preset', () => {
    const own = (more: string) => [
      ...builtinSources(),
      { path: 'user/mine.yaml', text: set('mine', more), layer: 'user' as const },
    ];
    const has = (more: string) =>
      compilePolicy(own(more), { preset: 'mine' }).policy.rules.some((r) => r.pack === 'malformed-project');
    expect([has(''), has('imports: ["builtin:malformed-project"]\n')]).toEqual([false, true]);
  });
});

describe('budgets', () => {
  const counts = (...sets: readonly (readonly [text: string, layer: 'org' | 'team' | 'user'])[]) => {
    const own = sets.map(([text, layer], i) => ({ path: `${layer}/${i}.yaml`, text, layer }));
    const { policy, findings } = compilePolicy([...builtinSources(), ...own], { preset: 'mine' });
    const limit = (id: string) => policy.rules.find((r) => r.id === id)?.limit?.count;
    return { counts: [limit('limits.calls'), limit('limits.files')], found: briefly(findings) };
  };
  const budget = (name: string, values: string) => set(name, `defaults: { budgets: ${values} }\n`);

  it('narrow the rules that keep them', () => {
    expect(counts([budget('mine', '{ calls: 200, files: 30 }'), 'user'])).toEqual({ counts: [200, 30], found: [] });
  });
  it('of the organisation hold whichever set is chosen, and the least one holds', () => {
    const org = [budget('corporate', '{ calls: 300 }'), 'org'] as const;
    expect(counts(org, [budget('mine', '{ calls: 400 }'), 'user']).counts[0]).toBe(300);
    expect(counts(org, [budget('mine', '{ calls: 100 }'), 'user']).counts[0]).toBe(100);
  });
  it('of another set of the user do not', () => {
    expect(counts([set('mine'), 'user'], [budget('other', '{ calls: 3 }'), 'user']).counts[0]).toBe(5000);
  });
  it('never widen', () => {
    expect(counts([budget('mine', '{ calls: 9000 }'), 'user'])).toEqual({
      counts: [5000, 1000],
      found: ['budget-not-narrower 4:24 `limits.calls` has 5000 already: a budget only narrows | lower it'],
    });
  });
  it('need a rule that keeps them', () => {
    expect(briefly(compiledWith({}, budget('mine', '{ calls: 9 }')).findings)).toEqual([
      'budget-without-rule 4:24 no rule of this set keeps a budget of calls | take the pack `limits`',
    ]);
  });
});

describe('audit.on_failure', () => {
  const failure = (name: string, word: string) => set(name, `defaults: { audit: { on_failure: ${word} } }\n`);
  it.each<[string, string | undefined, string | undefined, string | undefined]>([
    ['nothing said', undefined, undefined, undefined],
    ['spool is the default', 'spool', undefined, undefined],
    ['ask', 'ask', undefined, 'ask'],
    ['a user may be stricter than the organisation', 'deny', 'ask', 'deny'],
    ['and not milder', 'spool', 'deny', 'deny'],
  ])('%s', (_name, user, org, want) => {
    const sources = [
      { path: 'a.yaml', text: user ? failure('mine', user) : set('mine'), layer: 'user' as const },
      ...(org ? [{ path: 'b.yaml', text: failure('corporate', org), layer: 'org' as const }] : []),
    ];
    expect(compilePolicy(sources, { preset: 'mine' }).policy.auditFailure).toBe(want);
  });
});
