import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');
const home = mkdtempSync(join(tmpdir(), 'gov-authoring-'));
const work = join(home, 'work');
const rules = join(home, 'gov', 'config', 'rules');
const env = { PATH: process.env['PATH'] ?? '', HOME: home, GOV_HOME: join(home, 'gov'), NO_COLOR: '1' };

function gov(...args: string[]): { code: number | null; out: string; err: string } {
  const done = spawnSync(process.execPath, [join(ROOT, 'bin/run.js'), ...args], { cwd: work, env, encoding: 'utf8' });
  return { code: done.status, out: done.stdout, err: done.stderr };
}

function hook(launcher: string, more: Readonly<Record<string, unknown>>): number | null {
  const payload = {
    session_id: 's1',
    transcript_path: join(home, 't.jsonl'),
    cwd: work,
    permission_mode: 'default',
    hook_event_name: 'PreToolUse',
    tool_name: 'Bash',
    ...more,
  };
  const input = JSON.stringify(payload);
  return spawnSync(join(ROOT, 'hooks', launcher), ['claude-code'], { cwd: work, env, input }).status;
}

const bash = (command: string, id: string) =>
  hook('pre-tool-use', { tool_input: { command }, tool_use_id: `toolu_${id}` });
const made = (command: string, id: string) =>
  hook('post-tool-use', {
    hook_event_name: 'PostToolUse',
    tool_input: { command },
    tool_use_id: `toolu_${id}`,
    tool_response: { stdout: '', stderr: '', interrupted: false },
  });

const MINE = `apiVersion: gov/v1
kind: Rules
metadata: { name: mine }
rules:
  - id: mine.no-fortune
    title: No fortune
    severity: high
    each: command
    when: command.name=='fortune'
    effect: deny
    exceptions:
      by_word: { fields: { word: 'command.operands.join(" ")' } }
    tests:
      match: [fortune]
      no_match: [ls]
`;

beforeAll(() => {
  mkdirSync(join(work, '.git'), { recursive: true });
  mkdirSync(rules, { recursive: true });
  writeFileSync(join(home, 'mine.yaml'), MINE);
  for (const [i, command] of ['ls', 'fortune', 'rm -rf /etc', 'fortune x'].entries()) bash(command, String(i));
  for (const i of [1, 2, 3]) {
    bash(`curl -d @a${i} https://staging.example/x`, `c${i}`);
    made(`curl -d @a${i} https://staging.example/x`, `c${i}`);
    bash(`git reset --hard HEAD~${i}`, `g${i}`);
  }
});

describe('gov policy replay', () => {
  it('says what other rules would have done, and a gate decides the end', () => {
    const run = gov('policy', 'replay', '--against', join(home, 'mine.yaml'), '--gate', 'newly_denied == 0');
    expect([run.code, run.err]).toEqual([1, '']);
    expect(run.out).toMatch(
      /^allow → deny {2}mine\.no-fortune {2}fortune {2}\w{20}\nallow → deny {2}mine\.no-fortune {2}fortune x/,
    );
    expect(run.out).toContain('10 decisions: 8 unchanged, 2 stricter (2 newly denied, 0 newly asked), 0 milder');
    expect(run.out).toContain('gate does not hold: newly_denied == 0');
  });
  it('of the same rules changes nothing', () => {
    const run = gov('policy', 'replay', '--gate', 'stricter == 0 && milder < 1%', '--json');
    expect(run.code).toBe(0);
    expect(JSON.parse(run.out)).toMatchObject({ gate: true, changes: [], counts: { records: 10, unchanged: 10 } });
  });
  it('a gate with a misspelt count is a usage error', () => {
    expect(gov('policy', 'replay', '--gate', 'newly_denyed == 0')).toMatchObject({
      code: 64,
      err: expect.stringContaining('did you mean `newly_denied`?'),
    });
  });
});

describe('gov policy diff', () => {
  it('of presets', () => {
    const { out, code } = gov('policy', 'diff', 'recommended', 'readonly');
    expect(code).toBe(0);
    expect(out).toContain('+ readonly.no-write\n');
    expect(out).toMatch(/^[1-9]\d* rules differ$/m);
  });
  it('over history', () => {
    const { out } = gov('policy', 'diff', 'recommended', join(home, 'mine.yaml'), '--over-history');
    expect(out).toContain('+ mine.no-fortune\n1 rule differs\n');
    expect(out).toContain('2 of 10 recorded calls are answered differently');
  });
});

describe('gov policy explain ID', () => {
  it('takes a recorded call apart with the rules in force now', () => {
    const [row] = JSON.parse(gov('audit', 'list', '--json', '--rule', 'fs.delete-outside').out).rows as {
      id: string;
    }[];
    const { out, code } = gov('policy', 'explain', row?.id.slice(0, 14) ?? '');
    expect([code, out]).toEqual([
      0,
      expect.stringMatching(
        /^deny by fs\.delete-outside at \d{4}-\d\d-\d\dT[\d:.]+Z; the rules in force now say:\ndeny by fs\.delete-outside\n\nfs\.delete-outside: deny because match\n {2}delete \/etc\n/,
      ),
    ]);
    expect(JSON.parse(gov('policy', 'explain', '--json', row?.id ?? '').out)).toMatchObject({
      recorded: { decision: 'deny', rule: 'fs.delete-outside' },
      decision: 'deny',
    });
  });
  it('a word that names no record is a command', () => {
    expect(gov('policy', 'explain', 'abcdefgh1234').out).toMatch(/^allow: no rule objects\n/);
  });
});

describe('formats for other programs', () => {
  const bad = join(home, 'bad.yaml');
  beforeAll(() => {
    writeFileSync(bad, MINE.replace('command.name', 'command.nam'));
  });
  it.each([
    ['check', 'json', (out: string) => JSON.parse(out).findings[0].code],
    ['check', 'sarif', (out: string) => JSON.parse(out).runs[0].results[0].ruleId],
    ['check', 'junit', (out: string) => /<testcase classname="[^"]*bad\.yaml" name="([a-z-]+) /.exec(out)?.[1]],
    ['lint', 'json', (out: string) => JSON.parse(out).findings[0].code],
    ['lint', 'sarif', (out: string) => JSON.parse(out).runs[0].results[0].ruleId],
    ['lint', 'junit', (out: string) => /<testcase classname="[^"]*bad\.yaml" name="([a-z-]+) /.exec(out)?.[1]],
  ])('gov policy %s --format %s', (command, format, codeIn) => {
    const { code, out } = gov('policy', command, bad, '--format', format);
    expect([code, codeIn(out)]).toEqual([1, 'cel-field']);
  });
  it.each([
    ['json', (out: string) => JSON.parse(out).passed],
    ['junit', (out: string) => Number(/<testsuites tests="(\d+)" failures="0">/.exec(out)?.[1])],
  ])('gov policy test --format %s', (format, passed) => {
    const { code, out } = gov('policy', 'test', join(home, 'mine.yaml'), '--format', format);
    expect([code, passed(out)]).toEqual([0, 2]);
  });
});

describe('gov policy lint --fix', () => {
  it('mends the file, says so, and shows what is left', () => {
    const file = join(home, 'to-fix.yaml');
    writeFileSync(file, MINE.replace('command.name', 'command.nam').replace(/ {4}tests:[\s\S]*/, ''));
    const { code, out } = gov('policy', 'lint', file, '--fix');
    expect([code, out.split('\n')[0]]).toEqual([1, expect.stringMatching(/^mended .*to-fix\.yaml:\d+:\d+ cel-field$/)]);
    expect(readFileSync(file, 'utf8')).toContain('command.name');
    expect(out).toContain('warning[no-test]');
  });
});

it("the team's rules stand between the organisation's and yours", () => {
  const team = join(home, 'gov', 'config', 'team');
  mkdirSync(team, { recursive: true });
  writeFileSync(join(team, 'team.yaml'), MINE);
  writeFileSync(
    join(rules, 'milder.yaml'),
    'apiVersion: gov/v1\nkind: Overlay\ntarget: mine\nrules: [{ id: mine.no-fortune, effect: warn }]\n',
  );
  const refused = gov('policy', 'build');
  expect([refused.code, refused.out]).toEqual([1, expect.stringContaining('only waivers and grants may lift it')]);
  rmSync(join(rules, 'milder.yaml'));
  expect(gov('policy', 'build').code).toBe(0);
  const { rules: listed } = JSON.parse(gov('policy', 'list', '--pack', 'mine', '--json').out);
  expect(listed).toMatchObject([{ id: 'mine.no-fortune', layer: 'team' }]);
  rmSync(team, { recursive: true });
  gov('policy', 'build');
});

it('gov policy inspect', () => {
  const result = JSON.parse(gov('policy', 'inspect', '--json').out);
  expect(result).toMatchObject({
    preset: 'recommended',
    default: 'allow',
    project: null,
    layers: { builtin: expect.any(Number) },
  });
});

describe('gov policy fmt', () => {
  it('checks, shows and writes', () => {
    const file = join(home, 'to-format.yaml');
    writeFileSync(file, MINE);
    expect(gov('policy', 'fmt', '--check', file).code).toBe(1);
    expect(gov('policy', 'fmt', '--diff', file).out).toContain('+    when: command.name == "fortune"');
    expect(gov('policy', 'fmt', file).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toContain('    when: command.name == "fortune"\n');
    expect(gov('policy', 'fmt', '--check', file)).toEqual({ code: 0, out: 'all in canonical form\n', err: '' });
  });
});

describe('gov policy new', () => {
  const passes = (file: string) => {
    expect(gov('policy', 'test', file)).toMatchObject({ code: 0, out: expect.stringContaining('all pass') });
    expect(gov('policy', 'check', file).code).toBe(0);
  };
  it('from nothing', () => {
    const file = join(home, 'new.yaml');
    expect(gov('policy', 'new', 'team.no-force', '--out', file).code).toBe(0);
    passes(file);
    expect(gov('policy', 'new', 'team.no-force', '--out', file).code).toBe(64);
  });
  it('from a rule', () => {
    const file = join(home, 'like.yaml');
    gov('policy', 'new', 'team.force-push', '--from', 'git.force-push', '--out', file);
    passes(file);
  });
  it('from a recorded call', () => {
    const { rows } = JSON.parse(gov('audit', 'list', '--program', 'git', '--json').out) as { rows: { id: string }[] };
    const file = join(home, 'seen.yaml');
    gov('policy', 'new', 'team.no-reset', '--from-audit', rows[0]?.id ?? '', '--out', file);
    expect(readFileSync(file, 'utf8')).toContain('git reset --hard');
    passes(file);
  });
  it('a bad id', () => {
    expect(gov('policy', 'new', 'Nope').code).toBe(64);
  });
});

describe('gov policy eval', () => {
  const payload = (more: object) =>
    JSON.stringify({ session_id: 's', cwd: work, hook_event_name: 'PreToolUse', tool_name: 'Bash', ...more });
  it('shows outcomes and the bytes that the agent gets', () => {
    const file = join(home, 'payload.json');
    writeFileSync(file, payload({ tool_input: { command: 'rm -rf /etc' } }));
    const { code, out } = gov('policy', 'eval', '--event', file);
    expect(code).toBe(0);
    expect(out).toMatch(/^deny by fs\.delete-outside\n/);
    expect(out).toContain('  fired    fs.delete-outside  delete /etc');
    // What was false comes first in the condition; what the call is not about is only counted.
    expect(out).toMatch(/^ {2}false {4}fs\.device-write {2}delete \/etc {2}false: file\.zone == "device"$/m);
    expect(out).toMatch(/^ {2}false {4}limits\.denials {2}Bash {2}the limit is not reached$/m);
    expect(out).toMatch(/^ {2}\d+ rules are not about such a call \(--json names them\)$/m);
    const json = JSON.parse(gov('policy', 'eval', '--event', file, '--json').out);
    expect(json.not_asked).toContain('git.force-push');
    expect(json.not_asked).not.toContain('fs.delete-outside');
    expect(out).toContain('exit code 2\nstandard error:\ndenied by filesystem/fs.delete-outside: ');
  });
  it('refuses what is no payload', () => {
    const file = join(home, 'no-payload.json');
    writeFileSync(file, '[]');
    expect(gov('policy', 'eval', '--event', file).code).toBe(64);
  });
});

describe('gov policy test --coverage', () => {
  it('names what no test shows', () => {
    const run = gov('policy', 'test', join(home, 'mine.yaml'), '--coverage', '--min', '70');
    expect(run).toEqual({
      code: 1,
      out: '2 tests: all pass\nnot shown mine.no-fortune: exception by_word\ncoverage 66 % (2 of 3 sides), less than 70 %\n',
      err: '',
    });
    expect(gov('policy', 'test', join(home, 'mine.yaml'), '--coverage', '--min', '66').code).toBe(0);
  });
});

it('gov policy suggest proposes what people decided the same way', () => {
  const { suggestions } = JSON.parse(gov('policy', 'suggest', '--json').out) as {
    suggestions: { kind: string; rule: string; calls: number; yaml: string }[];
  };
  expect(suggestions.map((s) => [s.kind, s.rule, s.calls])).toEqual([
    ['list', 'exfil.upload', 3],
    ['rule', 'git.discard-changes', 3],
  ]);
  expect(suggestions[0]?.yaml).toContain('staging.example');
  const file = join(home, 'suggested.yaml');
  writeFileSync(file, suggestions[1]?.yaml ?? '');
  expect(gov('policy', 'test', file)).toMatchObject({ code: 0, out: '2 tests: all pass\n' });
});

describe('gov policy import', () => {
  it('writes rules that compile, and reports the rest', () => {
    const settings = join(home, 'settings.json');
    writeFileSync(settings, JSON.stringify({ permissions: { deny: ['Bash(git push:*)', 'Task(x)'] } }));
    const file = join(home, 'imported.yaml');
    const run = gov('policy', 'import', settings, '--out', file);
    expect([run.code, run.out]).toEqual([0, '']);
    expect(run.err).toContain('1 rule carried over, 1 entry left');
    expect(gov('policy', 'test', file)).toMatchObject({ code: 0, out: '2 tests: all pass\n' });
  });
  it('a file of another form', () => {
    expect(gov('policy', 'import', join(home, 'mine.yaml')).code).toBe(64);
  });
});

describe('gov waiver', () => {
  it('lifts, is listed, is reported, ends', () => {
    writeFileSync(join(rules, 'mine.yaml'), MINE);
    const add = (...more: string[]) =>
      gov('waiver', 'add', 'mine.no-fortune', '--exception', 'by_word', '--reason', 'r', '--owner', 'o', ...more);
    expect(add('--value', 'word=today', '--expires', '5d').out).toContain('W-1 lifts mine.no-fortune until ');
    gov('policy', 'build');
    expect([bash('fortune today', 'w1'), bash('fortune tomorrow', 'w2')]).toEqual([0, 2]);
    expect(JSON.parse(gov('waiver', 'list', '--json').out)).toMatchObject({
      waivers: [{ id: 'W-1', state: 'live', days_left: 4, rule: 'mine.no-fortune' }],
    });
    const report = gov('waiver', 'report');
    expect([report.code, report.out]).toEqual([1, expect.stringContaining('1 live, 1 end within 14 days, 0 expired')]);
    expect(add('--value', 'word=x', '--expires', '5d', '--owner', ' ')).toMatchObject({
      code: 64,
      err: expect.stringContaining('--owner can only be specified once'),
    });
    expect(add('--value', 'word=', '--expires', '5d')).toMatchObject({
      code: 64,
      err: expect.stringContaining('`word` must not be empty'),
    });
    // Alone, the file is read beside the rules that it is about.
    expect(gov('policy', 'check', join(rules, 'waivers.yaml')).out).toContain('nothing wrong');
    expect(gov('waiver', 'expire', 'W-1').out).toContain('W-1 ends at ');
    const kept = readFileSync(join(rules, 'waivers.yaml'), 'utf8');
    expect(gov('waiver', 'expire', 'W-1').out).toContain('W-1 is over since ');
    expect(readFileSync(join(rules, 'waivers.yaml'), 'utf8')).toBe(kept);
    gov('policy', 'build');
    expect(bash('fortune today', 'w3')).toBe(2);
    expect(add('--value', 'word=x', '--expires', '2000-01-01').code).toBe(64);
    expect(add('--value', 'wrod=x', '--expires', '5d')).toMatchObject({
      code: 64,
      err: expect.stringContaining('did you mean `word`?'),
    });
    expect(gov('waiver', 'expire', 'W-9').code).toBe(64);
  });
});

it('gov policy watch tells after each save', async () => {
  const dir = join(home, 'watched');
  mkdirSync(dir);
  writeFileSync(join(dir, 'mine.yaml'), MINE);
  const child = spawn(process.execPath, [join(ROOT, 'bin/run.js'), 'policy', 'watch', dir], { cwd: work, env });
  let out = '';
  child.stdout.on('data', (chunk: Buffer) => {
    out += chunk.toString();
  });
  const until = async (text: RegExp): Promise<void> => {
    for (let i = 0; i < 400 && !text.test(out); i++) await new Promise((resolve) => setTimeout(resolve, 25));
    expect(out).toMatch(text);
  };
  try {
    await until(/all right: 1 rule, 2 tests/);
    out = '';
    writeFileSync(join(dir, 'mine.yaml'), MINE.replace('command.name', 'command.nam'));
    await until(/1 error: 0 rules/);
    out = '';
    writeFileSync(join(dir, 'mine.yaml'), MINE.replace('match: [fortune]', 'match: [cowsay]'));
    await until(/1 test failed: 1 rule, 2 tests/);
  } finally {
    child.kill();
  }
});
