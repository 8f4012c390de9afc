import { describe, expect, it } from 'vitest';
import type { Facts } from '../../../src/model/facts.ts';
import type { CompiledWaiver } from '../../../src/model/policy.ts';
import { decide } from '../../../src/policy/decide.ts';
import { dest, facts, file, NOW, policyOf } from './facts.ts';

const RULES = policyOf(
  `id: fs.outside
title: Outside
severity: high
each: file
when: outside(file)
effect: deny
exceptions:
  by_dir: { fields: { dir: file.real, agent: event.agent }, comps: { dir: under, agent: in } }
  by_glob: { fields: { path: file.real }, comps: { path: glob } }
  by_op: { fields: { op: file.op } }`,
  `id: net.out
title: Out
severity: high
each: dest
when: "true"
effect: deny
exceptions:
  by_net: { fields: { address: dest.host }, comps: { address: cidr } }`,
);

const waiver = (more: Partial<CompiledWaiver>): CompiledWaiver => ({
  id: 'W-1',
  rule: 'fs.outside',
  exception: 'by_dir',
  values: [{ dir: '/srv/docs' }],
  reason: '',
  owner: '',
  notBefore: NOW - 1000,
  expires: NOW + 1000,
  ...more,
});

function liftedBy(given: Facts, more: Partial<CompiledWaiver>, now = NOW): string {
  const d = decide({ ...RULES, waivers: [waiver(more)] }, given, { now });
  return d.rules[0]?.lifted_by ?? 'no hit';
}

const write = (real: string | null) => facts({ files: [file('write', real)] });
const docs = write('/srv/docs/a');

describe('a waiver', () => {
  it.each<[string, Facts, Partial<CompiledWaiver>, string]>([
    ['covers', docs, {}, 'W-1'],
    ['the directory itself', write('/srv/docs'), {}, 'W-1'],
    ['not beside it', write('/srv/docs2/a'), {}, ''],
    ['not the unknown', write(null), {}, ''],
    ['all fields must fit', docs, { values: [{ dir: '/srv/docs', agent: 'codex' }] }, ''],
    ['one of several values', docs, { values: [{ dir: '/srv/docs', agent: ['codex', 'claude-code'] }] }, 'W-1'],
    ['one of several rows', docs, { values: [{ dir: '/x' }, { dir: '/srv' }] }, 'W-1'],
    ['an empty row covers nothing', docs, { values: [{}] }, ''],
    ['a field that is not declared covers nothing', docs, { values: [{ owner: 'x' }] }, ''],
    ['a glob', docs, { exception: 'by_glob', values: [{ path: '/srv/*/a' }] }, 'W-1'],
    ['not a glob of another depth', docs, { exception: 'by_glob', values: [{ path: '/srv/*' }] }, ''],
    ['equality is the default', docs, { exception: 'by_op', values: [{ op: 'write' }] }, 'W-1'],
    ['equality is no glob', docs, { exception: 'by_op', values: [{ op: 'w*' }] }, ''],
    ['another rule', docs, { rule: 'fs.other' }, ''],
    ['another exception', docs, { exception: 'nothing' }, ''],
    [
      'a network',
      facts({ dests: [dest('10.2.3.4')] }),
      { rule: 'net.out', exception: 'by_net', values: [{ address: '10.0.0.0/8' }] },
      'W-1',
    ],
    [
      'another network',
      facts({ dests: [dest('11.2.3.4')] }),
      { rule: 'net.out', exception: 'by_net', values: [{ address: '10.0.0.0/8' }] },
      '',
    ],
    [
      'a name is in no network',
      facts({ dests: [dest('ten')] }),
      { rule: 'net.out', exception: 'by_net', values: [{ address: '0.0.0.0/0' }] },
      '',
    ],
  ])('%s', (_name, given, more, want) => {
    expect(liftedBy(given, more)).toBe(want);
  });

  it.each([
    [-1001, ''],
    [-1000, 'W-1'],
    [999, 'W-1'],
    [1000, ''],
  ])('at %d ms: %s', (offset, want) => {
    expect(liftedBy(docs, {}, NOW + offset)).toBe(want);
  });
});
