import { describe, expect, it } from 'vitest';
import { briefly, compiled } from './compiled.ts';

const RULES = `apiVersion: gov/v1
kind: Rules
metadata: { name: pack }
rules:
  - id: fs.soft
    title: T
    severity: low
    each: file
    when: "true"
    effect: deny
    exceptions: { by_dir: { fields: { dir: file.real }, comps: { dir: under } } }
  - { id: fs.hard, title: T, severity: low, level: hard, each: file, when: "true", effect: deny }
---
apiVersion: gov/v1
kind: Waivers
waivers:
`;

const KEYS: Record<string, string> = {
  id: 'W-1',
  rule: 'fs.soft',
  exception: 'by_dir',
  values: '[{ dir: /srv }]',
  reason: 'r',
  owner: 'o',
  expires: '2026-11-01T00:00:00Z',
};

const waiver = (more: Record<string, string | undefined>) =>
  compiled(
    `${RULES}  - { ${Object.entries({ ...KEYS, ...more })
      .filter(([, v]) => v !== undefined)
      .map(([k, v]) => `${k}: ${v}`)
      .join(', ')} }\n`,
  );

describe('a waiver', () => {
  it('is compiled with its times', () => {
    const { policy, findings } = waiver({ not_before: '2026-08-01T00:00:00Z' });
    expect(findings).toEqual([]);
    expect(policy.waivers).toEqual([
      {
        id: 'W-1',
        rule: 'fs.soft',
        exception: 'by_dir',
        values: [{ dir: '/srv' }],
        reason: 'r',
        owner: 'o',
        notBefore: Date.UTC(2026, 7, 1),
        expires: Date.UTC(2026, 10, 1),
      },
    ]);
  });

  it.each<[string, Record<string, string | undefined>, string]>([
    ['without an end', { expires: undefined }, 'missing-key'],
    ['with an end that is no instant', { expires: 'soon' }, 'wrong-value'],
    ['that ends before it starts', { not_before: '2027-01-01T00:00:00Z' }, 'waiver-never-live'],
    ['of an unknown rule', { rule: 'fs.sfot' }, 'waiver-unknown-rule'],
    ['of a hard rule', { rule: 'fs.hard' }, 'waiver-hard-rule'],
    ['of an unknown exception', { exception: 'by_dri' }, 'waiver-unknown-exception'],
    ['with an unknown field', { values: '[{ dri: /srv }]' }, 'waiver-unknown-field'],
    ['with an empty row', { values: '[{}]' }, 'waiver-empty'],
    ['without rows', { values: '[]' }, 'wrong-value'],
    ['without a reason', { reason: '""' }, 'wrong-value'],
    ['with a blank owner', { owner: '"  "' }, 'wrong-value'],
    ['with an empty value', { values: '[{ dir: "" }]' }, 'wrong-value'],
    ['with an empty value among others', { values: '[{ dir: [/srv, ""] }]' }, 'wrong-value'],
    ['with a number', { values: '[{ dir: 3 }]' }, 'wrong-type'],
  ])('%s is refused', (_name, more, code) => {
    const { policy, findings } = waiver(more);
    expect(findings.map((f) => f.code)).toEqual([code]);
    expect(policy.waivers).toBeUndefined();
  });

  it('is told what it might mean', () => {
    expect(briefly(waiver({ exception: 'by_dri' }).findings)).toEqual([
      'waiver-unknown-exception 17:42 `fs.soft` declares no exception `by_dri` | did you mean `by_dir`?',
    ]);
  });
});
