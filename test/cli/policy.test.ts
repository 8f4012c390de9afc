import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

const BIN = join(import.meta.dirname, '../../bin/run.js');
const home = mkdtempSync(join(tmpdir(), 'gov-policy-'));

const MINE = `apiVersion: gov/v1
kind: Rules
metadata: { name: mine }
rules:
  - id: mine.no-production
    title: Nothing on production
    severity: high
    each: dest
    when: dest.inDomain("prod.example.com")
    effect: deny
    message: This call would talk to production.
    tests:
      match: ["curl https://db.prod.example.com/x"]
      no_match: ["curl https://example.com/"]
`;

function gov(...args: string[]): { code: number | null; out: string; err: string } {
  const env = { PATH: process.env['PATH'] ?? '', HOME: home, GOV_HOME: join(home, 'gov'), NO_COLOR: '1' };
  const done = spawnSync(process.execPath, [BIN, ...args], { cwd: home, env, encoding: 'utf8' });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

function write(name: string, text: string): void {
  writeFileSync(join(home, name), text);
}

beforeAll(() => {
  write('mine.yaml', MINE);
  write('broken.yaml', MINE.replace('dest.inDomain', 'dest.inDomian'));
  write('failing.yaml', MINE.replace('https://example.com/', 'https://x.prod.example.com/'));
  write('untested.yaml', MINE.replace(/ {4}tests:[\s\S]*/, ''));
  write('uses-builtin.yaml', MINE.replace('dest.inDomain("prod.example.com")', 'dest.inDomain(lists.trusted_hosts)'));
});

describe('gov policy check', () => {
  it('a good file', () => {
    expect(gov('policy', 'check', 'mine.yaml')).toEqual({
      code: 0,
      out: '1 rule in 1 file: nothing wrong\n',
      err: '',
    });
  });
  it('a file with a fault', () => {
    expect(gov('policy', 'check', 'broken.yaml')).toEqual({
      code: 1,
      out: [
        'error[cel-name]: there is no function `inDomian`',
        ' --> broken.yaml:9:16',
        '9 |     when: dest.inDomian("prod.example.com")',
        '  |                ^^^^^^^^',
        '  = did you mean `inDomain`?',
        '',
        '0 rules in 1 file: 1 finding',
        '',
      ].join('\n'),
      err: '',
    });
  });
  it('as JSON', () => {
    const { code, out } = gov('policy', 'check', 'broken.yaml', '--json');
    expect(code).toBe(1);
    expect(JSON.parse(out)).toMatchObject({ ok: false, files: ['broken.yaml'], findings: [{ code: 'cel-name' }] });
  });
  it('a file that uses what gov brings', () => {
    expect(gov('policy', 'check', 'uses-builtin.yaml').code).toBe(0);
  });
  it('what is in force', () => {
    const { code, out } = gov('policy', 'check');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(/^\d+ rules in \d+ files \(\d+ on, \d+ off; of all presets\): nothing wrong\n$/),
    ]);
  });
  it.each([
    [3, ['policy', 'check', 'nothing.yaml'], 'gov: there is no file `nothing.yaml`'],
    [64, ['policy', 'check', '--bogus'], 'gov: there is no flag `--bogus`\n     see `gov policy check --help`\n'],
    [64, ['policy', 'show'], 'gov: missing `ID`\n     see `gov policy show --help`\n'],
  ])('ends with %d on %j', (want, args, start) => {
    const { code, out, err } = gov(...args);
    expect([code, out, err.slice(0, start.length)]).toEqual([want, '', start]);
  });
});

describe('gov policy test', () => {
  it('passes', () => {
    expect(gov('policy', 'test', 'mine.yaml')).toEqual({ code: 0, out: '2 tests: all pass\n', err: '' });
  });
  it('fails', () => {
    expect(gov('policy', 'test', 'failing.yaml')).toEqual({
      code: 1,
      out: [
        'FAIL mine.no-production no_match: curl https://x.prod.example.com/',
        '     failing.yaml:14: it fires: deny because match on `https://x.prod.example.com/`',
        '       https://x.prod.example.com/',
        '         true     dest.inDomain("prod.example.com")',
        '2 tests: 1 failed',
        '',
      ].join('\n'),
      err: '',
    });
  });
  it('fails if nothing ran', () => {
    expect(gov('policy', 'test', 'untested.yaml')).toEqual({ code: 1, out: 'no tests ran\n', err: '' });
    expect(gov('policy', 'test', 'mine.yaml', '--run', 'nothing').code).toBe(1);
  });
  it('runs some', () => {
    const { code, out } = gov('policy', 'test', 'mine.yaml', '--run', 'db\\.prod', '--json');
    expect([code, JSON.parse(out)]).toMatchObject([0, { ok: true, passed: 1, failed: 0, tests: [{ side: 'match' }] }]);
  });
});

describe('gov policy lint, docs, schema, explain', () => {
  it('lint finds what check does not', () => {
    const { code, out } = gov('policy', 'lint', 'untested.yaml', '--json');
    const codes = JSON.parse(out).findings.map((f: { code: string }) => f.code);
    expect([code, codes]).toEqual([1, ['no-test', 'missing-owner']]);
  });
  it('docs has a page for each finding', () => {
    expect(gov('policy', 'docs', 'no-test')).toEqual({
      code: 0,
      out: 'no-test: A rule has no tests.\n\nNobody knows whether it fires, and nobody notices when it stops.\n\nFix: Add `tests` with `match` and `no_match`.\n',
      err: '',
    });
    expect(gov('policy', 'docs', 'no-tets')).toEqual({
      code: 64,
      out: '',
      err: 'gov: there is no page `no-tets`\n     did you mean `no-test`?\n',
    });
  });
  it('schema is JSON Schema', () => {
    const { code, out } = gov('policy', 'schema');
    expect([code, JSON.parse(out).$schema]).toEqual([0, 'http://json-schema.org/draft-07/schema#']);
  });
  it('explain shows the operands of a condition', () => {
    const { code, out } = gov('policy', 'explain', '--rule', 'fs.delete-outside', '--', 'rm -rf /etc');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^deny by fs\.delete-outside\n\nfs\.delete-outside: deny because match\n {2}delete \/etc\n {4}true {5}file\.op == "delete"\n/,
      ),
    ]);
  });
});

it('status, doctor, list, inspect and build count the rules alike, and say how many are off', () => {
  const rules = join(home, 'gov', 'config', 'rules');
  mkdirSync(rules, { recursive: true });
  const modes = ['"off"', 'shadow'].map((mode, i) =>
    MINE.replaceAll('mine', `mine${i}`).replace('effect: deny', `effect: deny\n    mode: ${mode}`),
  );
  for (const [i, text] of modes.entries()) writeFileSync(join(rules, `mine${i}.yaml`), text);
  const built = gov('policy', 'build').out;
  const { rules: all } = JSON.parse(gov('policy', 'list', '--json').out) as { rules: { mode: string }[] };
  const off = all.filter((r) => r.mode === 'off').length;
  const want = `${all.length} rules: ${all.length - 1 - off} on, 1 in shadow, ${off} off`;
  expect(off).toBeGreaterThan(1);
  expect(gov('policy', 'list').out.trimEnd().split('\n').at(-1)).toBe(want);
  expect(built).toContain(`recommended: ${want}; digest`);
  expect(gov('policy', 'inspect', '.').out).toContain(want);
  expect(gov('status').out).toContain(`${want}; digest`);
  expect(gov('doctor').out).toContain(`${want}; digest`);
  expect(gov('policy', 'check', rules).out).toBe('2 rules in 2 files (0 on, 1 in shadow, 1 off): nothing wrong\n');
  rmSync(rules, { recursive: true });
  gov('policy', 'build');
});

it('gov elevate request --tag names rules that carry it', () => {
  const done = gov('elevate', 'request', '--tag', 'delete', '--reason', 'cleaning up', '--json');
  expect([done.code, JSON.parse(done.out)]).toMatchObject([0, {}]);
  const { rules } = JSON.parse(gov('policy', 'list', '--json').out) as { rules: { id: string; tags: string[] }[] };
  expect(rules.filter((r) => r.tags.includes('delete')).map((r) => r.id)).toContain('fs.delete-outside');
  expect(gov('elevate', 'request', '--tag', 'nothing', '--reason', 'x').code).toBe(64);
});

it('gov policy list --pack: a pack that is not there is wrong usage, and the packs are named', () => {
  expect(gov('policy', 'list', '--pack', 'git').code).toBe(64);
  expect(gov('policy', 'list', '--pack', 'version-control').code).toBe(0);
});

describe('gov policy build', () => {
  const rules = join(home, 'gov', 'config', 'rules');
  const bundles = () => readdirSync(join(home, 'gov', 'state', 'policy')).sort();
  const rule = () => gov('policy', 'show', 'mine.no-production').code;

  it('puts own rules in force, keeps them when a later version is broken, and takes them out', () => {
    expect(rule()).toBe(64);
    mkdirSync(rules, { recursive: true });
    writeFileSync(join(rules, 'mine.yaml'), MINE);
    expect(gov('policy', 'build').code).toBe(0);
    expect([rule(), bundles()]).toEqual([
      0,
      // Each with the twin that a hook compares it with.
      ['ci', 'monitor', 'readonly', 'recommended', 'strict'].flatMap((name) => [`${name}.json`, `${name}.json.twin`]),
    ]);
    const list = JSON.parse(gov('policy', 'list', '--pack', 'mine', '--json').out);
    expect(list.rules).toMatchObject([{ id: 'mine.no-production', layer: 'user', effect: 'deny', level: 'soft' }]);

    writeFileSync(join(rules, 'mine.yaml'), MINE.replace('dest.inDomain', 'dest.inDomian'));
    const broken = gov('policy', 'build');
    expect([broken.code, broken.out.split('\n').at(-2)]).toEqual([1, 'nothing was written; the bundles in force stay']);
    expect(rule()).toBe(0);

    rmSync(rules, { recursive: true });
    expect(gov('policy', 'build').code).toBe(0);
    expect([rule(), bundles()]).toEqual([64, []]);
  });
});
