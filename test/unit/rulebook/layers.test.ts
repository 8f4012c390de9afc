import { describe, expect, it } from 'vitest';
import type { Layer } from '../../../src/model/decision.ts';
import { decide } from '../../../src/policy/decide.ts';
import { facts, file, NOW } from '../policy/facts.ts';
import { briefly, compiled, compiledWith } from './compiled.ts';

const UPSTREAM = `apiVersion: gov/v1
kind: Library
lists:
  closed: { items: [a], open: false }
  more: { items: [a], open: append }
  other: { items: [a], open: replace }
macros:
  bad: { params: { f: File }, expr: f.path in lists.closed }
---
apiVersion: gov/v1
kind: Rules
metadata: { name: up }
params:
  low: { type: int, default: 10, tunable: lower }
  high: { type: int, default: 10, tunable: raise }
  fixed: { type: int, default: 10 }
  free: { type: string, default: x, tunable: any }
  names: { type: "list<string>", default: [a], tunable: append }
rules:
  - { id: up.hard, title: T, severity: high, level: hard, each: file, when: bad(file), effect: deny }
  - { id: up.soft, title: T, severity: high, each: file, when: file.path in lists.more, effect: ask }
  - { id: up.advice, title: T, severity: low, level: advisory, each: file, when: "true", effect: ask }
  - { id: up.trial, title: T, severity: low, mode: shadow, each: file, when: "true", effect: deny }
`;

function overlay(changes: string, layer: Layer = 'project') {
  const text = `apiVersion: gov/v1\nkind: Overlay\ntarget: up\n${changes}\n`;
  const result = compiled({ text: UPSTREAM, layer: 'org' }, { text, layer });
  return { ...result, report: result.overlays[0] };
}

describe('one entry of an overlay', () => {
  it.each<[string, string, Layer, string]>([
    ['append to an open list', 'lists: { more: { append: [b] } }', 'project', ''],
    ['append to a replaceable list', 'lists: { other: { append: [b] } }', 'project', ''],
    ['append to a closed list', 'lists: { closed: { append: [b] } }', 'project', 'the list is not open'],
    ['replace an open list', 'lists: { more: { replace: [b] } }', 'project', 'the list is only open for more entries'],
    ['replace a replaceable list', 'lists: { other: { replace: [b] } }', 'user', ''],
    ['replace it from a project', 'lists: { other: { replace: [b] } }', 'project', 'a project may only add to a list'],
    ['a list that is not there', 'lists: { none: { append: [b] } }', 'project', 'there is no such list'],
    ['lower', 'params: { low: 5 }', 'project', ''],
    ['lower to the same', 'params: { low: 10 }', 'project', ''],
    ['raise what may be lowered', 'params: { low: 11 }', 'project', 'it may only be lowered (now 10)'],
    ['raise', 'params: { high: 11 }', 'project', ''],
    ['lower what may be raised', 'params: { high: 9 }', 'project', 'it may only be raised (now 10)'],
    ['change what is fixed', 'params: { fixed: 10 }', 'project', 'it is not tunable'],
    ['change what is free', 'params: { free: y }', 'user', ''],
    [
      'change what is free from a project',
      'params: { free: y }',
      'project',
      'it is tunable both ways, which is not for projects',
    ],
    ['another type', 'params: { low: "5" }', 'project', 'it is of type int'],
    ['append to a parameter', 'params: { names: [b] }', 'project', ''],
    ['a parameter that is not there', 'params: { none: 1 }', 'project', 'there is no such parameter'],
    ['a stricter effect', 'rules: [{ id: up.soft, effect: deny }]', 'project', ''],
    ['a milder effect', 'rules: [{ id: up.soft, effect: warn }]', 'project', 'a project may only make rules stricter'],
    [
      'a milder effect from the user',
      'rules: [{ id: up.soft, effect: warn }]',
      'user',
      'the rule is soft: only waivers and grants may lift it',
    ],
    ['enforce a trial', 'rules: [{ id: up.trial, mode: enforce }]', 'project', ''],
    [
      'switch off',
      'rules: [{ id: up.soft, mode: "off" }]',
      'user',
      'the rule is soft: only waivers and grants may lift it',
    ],
    ['switch advice off', 'rules: [{ id: up.advice, mode: "off" }]', 'user', ''],
    [
      'switch advice off from a project',
      'rules: [{ id: up.advice, mode: "off" }]',
      'project',
      'a project may only make rules stricter',
    ],
    ['loosen a hard rule', 'rules: [{ id: up.hard, effect: ask }]', 'user', 'the rule is hard: nothing may loosen it'],
    ['make a hard rule stricter', 'rules: [{ id: up.hard, effect: halt }]', 'project', ''],
    [
      'unknowns of a rule',
      'rules: [{ id: up.soft, on_dynamic: ignore }]',
      'project',
      'a project may only make rules stricter',
    ],
    ['errors of a rule', 'rules: [{ id: up.soft, on_error: deny }]', 'project', ''],
    ['a rule that is not there', 'rules: [{ id: up.none, effect: deny }]', 'project', 'there is no such rule'],
  ])('%s: %s (%s)', (_name, changes, layer, why) => {
    const { report, findings } = overlay(changes, layer);
    expect(report?.entries.map((e) => e.why)).toEqual([why]);
    expect(report?.applied).toBe(why === '');
    expect(findings.map((f) => f.code)).toEqual(why === '' ? [] : ['overlay-not-permitted']);
  });
});

describe('an overlay', () => {
  it('changes what it may', () => {
    const { policy } = overlay(
      'lists: { more: { append: [b, a] }, other: { append: [c] } }\nparams: { low: 5, names: [b] }\nrules: [{ id: up.soft, effect: deny }]',
    );
    expect([policy.lists['more'], policy.lists['other']]).toEqual([
      ['a', 'b'],
      ['a', 'c'],
    ]);
    expect(policy.params['up']).toMatchObject({ low: 5, names: ['a', 'b'] });
    expect(policy.rules.find((r) => r.id === 'up.soft')?.effect).toBe('deny');
  });

  it('is ignored as a whole if one entry is refused', () => {
    const { policy, report } = overlay('lists: { more: { append: [b] } }\nrules: [{ id: up.hard, effect: ask }]');
    expect(report?.entries.map((e) => e.accepted)).toEqual([true, false]);
    expect(policy).toEqual({
      ...compiled({ text: UPSTREAM, layer: 'org' }).policy,
      digest: policy.digest,
      sources: policy.sources,
    });
  });

  it('needs its target', () => {
    const text = 'apiVersion: gov/v1\nkind: Overlay\ntarget: upp\n';
    expect(briefly(compiled({ text: UPSTREAM, layer: 'org' }, text).findings)).toEqual([
      'overlay-unknown-target 3:9 there is no pack `upp` | did you mean `up`?',
    ]);
  });
});

describe('what a lower layer can not do', () => {
  const lower = (text: string, layer: Layer = 'project') =>
    compiled({ text: UPSTREAM, layer: 'builtin' }, { text, layer });
  const head = 'apiVersion: gov/v1\nkind: Rules\nmetadata: { name: low }\nrules:\n';

  it('hide a list or a macro from the rules above it', () => {
    const own = `apiVersion: gov/v1\nkind: Library\nlists: { closed: [z] }\nmacros: { bad: { params: { f: File }, expr: "false" } }\n---\n${head}  - { id: low.own, title: T, severity: low, each: file, when: 'file.path in lists.closed && !bad(file)', effect: deny }\n`;
    const { policy, findings } = lower(own);
    expect(findings).toEqual([]);
    expect(policy.lists).toMatchObject({ closed: ['a'], 'closed@project': ['z'] });
    const fired = (path: string) =>
      decide(policy, facts({ files: [file('read', '/x', { path })] }), { now: NOW })
        .rules.filter((h) => h.effect === 'deny' && h.enforced)
        .map((h) => h.id);
    expect([fired('a'), fired('z')]).toEqual([['up.hard'], ['low.own']]);
  });

  it('take the id of a rule above it', () => {
    const { policy, findings } = lower(
      `${head}  - { id: up.hard, title: T, severity: low, each: file, when: "false", effect: allow }\n`,
    );
    expect(findings.map((f) => f.code)).toEqual(['duplicate-id']);
    expect(policy.rules.find((r) => r.id === 'up.hard')?.effect).toBe('deny');
  });

  it.each([
    ['excuses', '!(file.path in lists.more)', 'deny', 'up2.r'],
    ['counts', 'lists.more.size() < 3', 'deny', 'up2.r'],
    ['is what an allow rests on', 'file.path in lists.more', 'allow', 'up2.r'],
    ['must not be in all', 'lists.more.all(x, file.path != x)', 'deny', 'up2.r'],
    ['catches', 'file.path.matchesAny(lists.more) || lists.more.exists(x, x == file.real)', 'deny', ''],
    ['is what an allow excludes', '!(file.path in lists.more)', 'allow', ''],
    ['is not used', 'file.path in lists.other', 'deny', ''],
  ])('add to a list that %s: %s', (_name, when, effect, id) => {
    const more = `---\n${head.replace('low', 'up2')}  - { id: up2.r, title: T, severity: low, each: file, when: '${when}', effect: ${effect} }\n`;
    const change = 'apiVersion: gov/v1\nkind: Overlay\ntarget: up\nlists: { more: { append: [b] } }\n';
    const { overlays } = compiled({ text: UPSTREAM + more, layer: 'builtin' }, { text: change, layer: 'project' });
    expect(overlays[0]?.entries[0]?.why).toBe(id === '' ? '' : `more entries could make \`${id}\` milder`);
  });

  it('waive a rule above it', () => {
    const waiver = (id: string) =>
      `---\napiVersion: gov/v1\nkind: Waivers\nwaivers: [{ id: W, rule: ${id}, exception: e, values: [{ p: x }], reason: r, owner: o, expires: 2030-01-01T00:00:00Z }]\n`;
    const own = (name: string) =>
      `${head.replace('low', name)}  - { id: ${name}.r, title: T, severity: low, each: file, when: "true", effect: deny, exceptions: { e: { fields: { p: file.path } } } }\n`;
    const up = { text: own('above'), layer: 'org' } as const;
    expect(
      compiled(up, { text: own('low') + waiver('above.r'), layer: 'project' }).findings.map((f) => f.code),
    ).toEqual(['overlay-not-permitted']);
    expect(compiled(up, { text: own('low') + waiver('above.r'), layer: 'user' }).policy.waivers).toHaveLength(1);
    expect(compiled(up, { text: own('low') + waiver('low.r'), layer: 'project' }).policy.waivers).toHaveLength(1);
  });

  it('allow from a project', () => {
    const allow = `${head}  - { id: low.ok, title: T, severity: low, each: file, when: "true", effect: allow }\n`;
    expect(lower(allow).findings.map((f) => f.code)).toEqual(['overlay-not-permitted']);
    expect(lower(allow, 'user').findings).toEqual([]);
  });

  it('be a policy set from a project, or adjust rules above it', () => {
    const set = 'apiVersion: gov/v1\nkind: PolicySet\nname: mine\nadjust: [{ rules: ["**"], mode: "off" }]\n';
    expect(lower(set).findings.map((f) => f.code)).toEqual(['overlay-not-permitted']);
    expect(lower(set).policy.rules.map((r) => r.mode)).not.toContain('off');
    expect(lower(set, 'user').policy.rules.map((r) => r.mode)).not.toContain('off');
  });
});

describe('a policy set', () => {
  const sets = `apiVersion: gov/v1
kind: PolicySet
name: strict
defaults: { default_effect: ask, on_dynamic: match, on_error: deny }
adjust:
  - { levels: [advisory], mode: "off" }
  - { rules: ["up.s*"], effect: deny }
---
apiVersion: gov/v1
kind: PolicySet
name: plain
`;
  const rule = (preset: string, id: string) =>
    compiledWith({ preset }, { text: `${UPSTREAM}---\n${sets}`, layer: 'builtin' }).policy.rules.find(
      (r) => r.id === id,
    );
  it('gives defaults and adjusts rules', () => {
    const { policy } = compiledWith({ preset: 'strict' }, { text: `${UPSTREAM}---\n${sets}`, layer: 'builtin' });
    expect([policy.preset, policy.defaultEffect]).toEqual(['strict', 'ask']);
    expect(rule('strict', 'up.soft')).toMatchObject({ effect: 'deny', onDynamic: 'match', onError: 'deny' });
    expect(rule('strict', 'up.advice')).toMatchObject({ mode: 'off' });
  });
  it('is chosen by name', () => {
    expect(rule('plain', 'up.soft')).toMatchObject({ effect: 'ask', onDynamic: 'ask', onError: 'ask' });
    expect(rule('plain', 'up.advice')).toMatchObject({ mode: 'enforce', onDynamic: 'ignore', onError: 'skip' });
  });
});
