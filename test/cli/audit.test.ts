import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Database } from '../../src/audit/sqlite.ts';
import { openWriter } from '../../src/audit/write/writer.ts';
import { govPaths } from '../../src/base/gov-paths.ts';
import { callOf, decisionOf, draftOf, hitOf } from '../unit/audit/draft.ts';

const BIN = join(import.meta.dirname, '..', '..', 'bin', 'run.js');
const START = Date.UTC(2026, 0, 5, 9);
let root: string;
let home: string;

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'gov-audit-cli-'));
  home = join(root, 'gov');
  fill(home);
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Ids are fixed; salts, and with them hashes, are not. */
function fill(where: string): void {
  const writer = openWriter(govPaths({ GOV_HOME: where, HOME: where }));
  const id = (n: number): string => `1ke6p0000${String(n).padStart(2, '0')}aaaaaaaaa`;
  const push = 'git push --force origin main';
  const made = callOf(push, { callId: 'toolu_a', session: 'alpha' });
  const hits = [
    hitOf('git.push-force', 'deny', {
      subject: push,
      message: 'rewrites the history of others',
      remediation: 'use --force-with-lease',
    }),
    hitOf('core.notice', 'warn', { remediation: '', subject: '' }),
  ];
  writer.append(
    draftOf(push, { id: id(1), at: START, call: made, decision: decisionOf('deny', hits), answer: 'deny' }),
  );
  const apply = callOf('terraform apply', { callId: 'toolu_b', session: 'alpha', agent: 'codex' });
  writer.append(
    draftOf('terraform apply', {
      id: id(2),
      at: START + 3_600_000,
      call: apply,
      decision: decisionOf('ask', [hitOf('infra.apply', 'ask')]),
      answer: 'ask',
    }),
  );
  const result = { text: 'Apply complete!\n', exitCode: 0, failed: false, interrupted: false, durationMs: 812 };
  writer.append(
    draftOf('', {
      id: id(3),
      at: START + 3_601_000,
      kind: 'outcome',
      call: { ...apply, event: 'PostToolUse', result },
      facts: null,
      decision: null,
      answer: '',
    }),
  );
  const odd = 'printf "\u001b]0;x\u0007<b>\u202e"';
  writer.append(
    draftOf(odd, {
      id: id(4),
      at: START + 2 * 3_600_000,
      call: callOf(odd, { callId: null, session: 'beta' }),
      facts: null,
    }),
  );
  writer.close();
}

function gov(
  args: readonly string[],
  where = home,
): { readonly code: number | null; readonly out: string; readonly err: string } {
  const env = { PATH: process.env['PATH'] ?? '', HOME: root, GOV_HOME: where, NO_COLOR: '1' };
  const run = spawnSync(process.execPath, [BIN, 'audit', ...args], { cwd: root, env, encoding: 'utf8' });
  return { code: run.status, out: masked(run.stdout), err: run.stderr };
}

function masked(text: string): string {
  return text
    .replace(/\b[0-9a-f]{64}\b/g, '<hash>')
    .replace(/\b[0-9a-f]{32}\b/g, '<chain>')
    .replace(/(rules never fired +)\d+ of \d+/, '$1<n> of <n>')
    .replace(/(Rules that never fired\n)(?: {2}.*\n)+/, '$1  <names>\n')
    .replaceAll(root, '<root>');
}

test('report', () => {
  const { code, out, err } = gov([]);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatchInlineSnapshot(`
    "gov audit report
    2026-01-05 09:00:00 to 2026-01-05 11:00:00 UTC

      calls decided      3
      allowed            1
      asked              1
      denied             1
      outcomes           1
      sessions           2
      asks that went on  1
      rules never fired  <n> of <n> that are on
      answered in        p50 1.3 ms, p95 1.3 ms, p99 1.3 ms, max 1.3 ms

    Decisions by hour (# blocked, ? asked, . allowed)
      2026-01-05 09:00 ######################################## 0 allow, 1 blocked
      2026-01-05 10:00 ???????????????????????????????????????? 0 allow, 1 ask
      2026-01-05 11:00 ........................................ 1 allow

    Most blocked
      call                          rule            times  sessions  last              record
      git push --force origin main  git.push-force      1         1  2026-01-05 09:00  1ke6p000001a

    Most asked about
      call             rule         times  went on  last              record
      terraform apply  infra.apply      1        1  2026-01-05 10:00  1ke6p000002a

    Calls without a record, by the agents’ own logs
      not looked at: gov audit coverage

    Rules that fired most
      rule            fired  decided  deny  ask  sessions
      core.notice         1        0     0    0         1
      git.push-force      1        1     1    0         1
      infra.apply         1        1     0    1         1

    Rules that never fired
      <names>

    Agents
      agent        calls  allow  ask  deny  halt
      claude-code      2      1    0     1     0
      codex            1      0    1     0     0

    Repositories
      repository         calls  allow  ask  deny  halt
      /home/dev/project      3      1    1     1     0

    Tools
      tool   calls  allow  ask  deny  halt
      shell      3      1    1     1     0

    Programs
      program    calls  allow  ask  deny  halt
      git            1      0    0     1     0
      terraform      1      0    1     0     0

    Policies in force
      policy         decisions  first             last
      sha256:policy          3  2026-01-05 09:00  2026-01-05 11:00

    Integrity
      chain <chain>, records 1 to 4
      head <hash>
      verified: every hash recomputed, nothing was changed
      not provable: records cut off at the end leave no trace in the chain: compare the head with one kept elsewhere
      not provable: whoever can write the file can rebuild the whole chain: compare with a copy or a head kept elsewhere
      not provable: calls that went around the hooks were never recorded
    "
  `);
  expect(gov(['report']).out).toBe(out);
});

test('report as JSON is what --json prints', () => {
  expect(JSON.parse(gov(['--json']).out)).toEqual(JSON.parse(gov(['report', '--format', 'json']).out));
});

test('report as HTML needs nothing from elsewhere and runs no script', () => {
  const file = join(root, 'report.html');
  expect(gov(['report', '--format', 'html', '--output', file])).toEqual({
    code: 0,
    out: 'written to <root>/report.html\n',
    err: '',
  });
  const html = readFileSync(file, 'utf8');
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(html).toContain(`content="default-src 'none'; style-src 'sha256-`);
  expect(html).not.toMatch(/<script|https?:|javascript:| on[a-z]+=|style="|@import|url\(/);
  expect(html).toContain('git push --force origin main');
});

test('list, newest first, with its pages', () => {
  expect(gov(['list', '--limit', '3'])).toMatchInlineSnapshot(`
    {
      "code": 0,
      "err": "more: --before 2
    ",
      "out": "1ke6p000004a  2026-01-05 11:00:00  allow    Bash          printf "\\x1b]0;x\\x07<b>\\u202e"
    1ke6p000003a  2026-01-05 10:00:01  outcome  Bash          terraform apply
    1ke6p000002a  2026-01-05 10:00:00  ask      Bash          terraform apply  [infra.apply]
    ",
    }
  `);
  expect(JSON.parse(gov(['list', '--limit', '3', '--before', '2', '--json']).out)).toMatchObject({
    rows: [{ seq: 1 }],
    next: null,
  });
});

test('list, oldest first, with its pages; between two numbers', () => {
  const seqs = (...args: string[]) =>
    JSON.parse(gov(['list', '--json', ...args]).out) as { rows: { seq: number }[]; next: number | null };
  const first = seqs('--reverse', '--limit', '3');
  expect([first.rows.map(({ seq }) => seq), first.next]).toEqual([[1, 2, 3], 3]);
  const second = seqs('--reverse', '--limit', '3', '--after', '3');
  expect([second.rows.map(({ seq }) => seq), second.next]).toEqual([[4], null]);
  expect(gov(['list', '--reverse', '--limit', '1']).err).toBe('more: --after 1\n');
  for (const order of [[], ['--reverse']])
    expect(new Set(seqs('--after', '1', '--before', '4', ...order).rows.map(({ seq }) => seq))).toEqual(
      new Set([2, 3]),
    );
});

test('list by SQL prints what the command for SQL prints', () => {
  const query = "SELECT command FROM decisions WHERE answer = 'deny'";
  for (const format of [['--format', 'text'], ['--format', 'csv'], ['--format', 'jsonl'], ['--json']])
    expect(gov(['list', '--sql', query, ...format]), String(format)).toEqual(gov(['sql', query, ...format]));
  expect(gov(['list', '--sql', query, '--format', 'json']).out).toBe(gov(['sql', query, '--json']).out);
  expect(gov(['list', '--sql', 'DELETE FROM records']).code).toBe(64);
  expect(gov(['list', '--sql', query, '--since', '1d']).code).toBe(64);
});

test('list, narrowed', () => {
  const { out } = gov([
    'list',
    '--json',
    '--since',
    '2026-01-05',
    '--until',
    'today',
    '--decision',
    'blocked',
    '--rule',
    'git.*',
  ]);
  expect(JSON.parse(out).rows).toMatchObject([{ seq: 1, answer: 'deny', rule: 'git.push-force' }]);
});

test('show: a denied call', () => {
  const { code, out, err } = gov(['show', '1ke6p000001']);
  expect([code, err]).toEqual([0, '']);
  expect(out).toMatchInlineSnapshot(`
    "decision 1ke6p000001aaaaaaaaa
      when       2026-01-05 09:00:00 UTC
      answer     deny
      reason     denied by git.push-force
      agent      claude-code 2.0.1
      session    alpha
      tool       Bash (shell)
      directory  /home/dev/project

    Call
      git push --force origin main

    Rules
      deny    git.push-force v1 (builtin, high, soft) decided
              rewrites the history of others
              on: git push --force origin main
              instead: use --force-with-lease
      warn    core.notice v1 (builtin, high, soft) lost
              core.notice fired

    Commands
      git push --force origin main
          delete /home/dev/project/build (workspace, recursive, reversible: derived)

    Trace
      fired    git.push-force on git push --force origin main
      fired    core.notice

    Record
      sequence   1
      hash       <hash>
      follows    <hash>
      policy     sha256:policy
      took       1.3 ms
      gov        0.1.0
    "
  `);
});

test('show: an approved call has its outcome', () => {
  const { out } = gov(['show', '2']);
  expect(out.slice(out.indexOf('Result'), out.indexOf('\nRecord'))).toMatchInlineSnapshot(`
    "Result
      exit 0 after 812 ms
      | Apply complete!

    Trace
      fired    infra.apply on rm -rf build

    Same call
      1ke6p000003a  2026-01-05 10:00:01  outcome  PostToolUse
    "
  `);
});

test('show: nothing of a record reaches the terminal as a control sequence', () => {
  const { out } = gov(['show', '4']);
  expect(out).toContain('printf "\\x1b]0;x\\x07<b>\\u202e"');
});

test('tail', () => {
  const { code, out } = gov(['tail', '-n', '2', '--format', 'jsonl']);
  expect(code).toBe(0);
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).seq),
  ).toEqual([3, 4]);
});

test('tail --follow prints what comes, and ends on a signal', async () => {
  const where = join(root, 'followed');
  fill(where);
  const env = { PATH: process.env['PATH'] ?? '', HOME: root, GOV_HOME: where };
  const child = spawn(process.execPath, [BIN, 'audit', 'tail', '-f', '-n', '1', '--format', 'jsonl'], { env });
  let [out, err] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => {
    out += String(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    err += String(chunk);
  });
  const closed = new Promise<number | null>((resolve) => child.on('close', resolve));
  const seen = async (n: number): Promise<void> => {
    while (out.split('\n').length <= n) {
      const ended = await Promise.race([closed.then(() => true), new Promise((r) => setTimeout(r, 20, false))]);
      if (ended) throw new Error(`it ended after ${JSON.stringify(out)}: ${err}`);
    }
  };
  await seen(1);
  const writer = openWriter(govPaths({ GOV_HOME: where, HOME: where }));
  writer.append(draftOf('echo new'));
  writer.close();
  await seen(2);
  child.kill('SIGINT');
  expect(await closed).toBe(0);
  expect(
    out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).summary)
      .at(-1),
  ).toBe('echo new');
});

test('stats', () => {
  const stats = JSON.parse(gov(['stats', '--json']).out);
  expect(stats).toMatchObject({
    store: { records: 4, waiting: 0 },
    totals: { records: 4, decisions: 3, allow: 1, ask: 1, deny: 1, outcomes: 1, sessions: 2, asks_approved: 1 },
    latency: { count: 3, p50: 1.25 },
  });
});

test('export holds all that is needed to recompute the chain', () => {
  const { code, out } = gov(['export']);
  expect(code).toBe(0);
  const records = out
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(records.map((r) => r.seq)).toEqual([1, 2, 3, 4]);
  expect(JSON.parse(records[0].body)).toMatchObject({ id: records[0].id, answer: 'deny' });
  const file = join(root, 'all.jsonl');
  expect(JSON.parse(gov(['export', '--output', file, '--json']).out)).toEqual({ records: 4, last: 4 });
  expect(readFileSync(file, 'utf8').trim().split('\n')).toHaveLength(4);
});

describe('verify', () => {
  test('an intact store', () => {
    const { code, out } = gov(['verify']);
    expect(code).toBe(0);
    expect(out).toMatchInlineSnapshot(`
      "intact: 4 records (1 to 4), every hash recomputed
        chain <chain>
        head  <hash>
        not provable: records cut off at the end leave no trace in the chain: compare the head with one kept elsewhere
        not provable: whoever can write the file can rebuild the whole chain: compare with a copy or a head kept elsewhere
        not provable: calls that went around the hooks were never recorded
      "
    `);
  });

  test('a changed one: exit 1, and which record, which column, what it was', () => {
    const where = join(root, 'changed');
    fill(where);
    const { database } = govPaths({ GOV_HOME: where, HOME: where });
    const db = new Database(database);
    db.exec("DROP TRIGGER records_keep; UPDATE records SET answer = 'allow' WHERE seq = 1");
    db.close();
    const { code, out } = gov(['verify'], where);
    expect(code).toBe(1);
    expect(out.split('\n').slice(0, 5)).toMatchInlineSnapshot(`
      [
        "NOT INTACT: 4 records (1 to 4), 2 findings",
        "  schema-missing  the trigger \`records_keep\` is missing",
        "    somebody opened the store with another tool and took away a guard against changes",
        "  record-changed  record 1 (1ke6p000001aaaaaaaaa) was changed: \`answer\`",
        "    what it says there is not what was decided and recorded; the body says \`deny\`, the column \`allow\`",
      ]
    `);
    expect(gov(['verify', '--json'], where)).toMatchObject({ code: 1, out: expect.stringContaining('"ok": false') });
    expect(gov(['report'], where).out).toContain('NOT INTACT');
  });

  test('a copy elsewhere', () => {
    const copy = join(root, 'copy.db');
    writeFileSync(copy, readFileSync(govPaths({ GOV_HOME: home, HOME: home }).database));
    expect(gov(['verify', copy]).code).toBe(0);
  });
});

test('checkpoint: a cut-off end is found by verify', () => {
  const where = join(root, 'cut');
  fill(where);
  expect(gov(['checkpoint'], where)).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^signed: record 4, head <hash>\nkey /),
  });
  const db = new Database(govPaths({ GOV_HOME: where, HOME: where }).database);
  db.exec('DROP TRIGGER records_stay; DELETE FROM records WHERE seq = 4');
  db.close();
  const { code, out } = gov(['verify'], where);
  expect(code).toBe(1);
  expect(out).toContain('records-cut-off');
});

test('a checkpoint kept elsewhere: compared with the store, and its signature checked where there is none', () => {
  const where = join(root, 'kept');
  fill(where);
  const note = join(root, 'kept.note');
  const key = join(root, 'kept.pub');
  expect(gov(['checkpoint', '--public-key'], where)).toMatchObject({ code: 64 });
  expect(gov(['checkpoint', '--output', note], where).code).toBe(0);
  const raw = spawnSync(process.execPath, [BIN, 'audit', 'checkpoint', '--public-key'], {
    env: { PATH: process.env['PATH'] ?? '', HOME: root, GOV_HOME: where },
    encoding: 'utf8',
  });
  writeFileSync(key, raw.stdout);
  expect(gov(['verify', '--checkpoint', note], where)).toMatchObject({
    code: 0,
    out: expect.stringContaining('note: checkpoints given: 1, up to record 4\n'),
  });
  const empty = join(root, 'nowhere');
  expect(gov(['verify', '--checkpoint', note, '--key', key], empty)).toMatchObject({ code: 3 });
  expect(gov(['verify', '--checkpoint', note, '--signature-only'], empty)).toMatchObject({
    code: 64,
    err: expect.stringContaining('add --key'),
  });
  expect(gov(['verify', '--checkpoint', note, '--key', key, '--signature-only'], empty)).toMatchObject({
    code: 0,
    out: expect.stringMatching(
      /^signed: record 4 on .* UTC, head <hash>, chain <chain>\nnot compared with any store\n$/,
    ),
  });
  writeFileSync(note, readFileSync(note, 'utf8').replace('\n4\n', '\n3\n'));
  expect(gov(['verify', '--checkpoint', note, '--key', key, '--signature-only'], empty)).toMatchObject({ code: 1 });
  expect(gov(['verify', '--checkpoint', note], where)).toMatchObject({
    code: 1,
    out: expect.stringContaining('checkpoint-invalid'),
  });
});

describe('exit codes', () => {
  test.each([
    ['no store', ['list'], 'empty', 3, 'nothing has been recorded yet'],
    ['no such record', ['show', 'zzz'], 'gov', 64, 'no record has the id `zzz`'],
    ['not a time', ['list', '--since', 'soon'], 'gov', 64, '`soon` is not a time'],
    ['not a flag', ['list', '--what'], 'gov', 64, 'there is no flag `--what`'],
    ['not a format', ['report', '--format', 'pdf'], 'gov', 64, 'pdf'],
    ['a directory that is not there', ['report', '-o', '/nowhere/x'], 'gov', 64, "can't write `/nowhere/x`"],
  ])('%s', (_, args, where, code, message) => {
    const run = gov(args, join(root, where));
    expect(run.code).toBe(code);
    expect(run.err).toContain(message);
    expect(run.out).toBe('');
  });

  test('a file that is no store', () => {
    const file = join(root, 'junk.db');
    writeFileSync(file, 'junk '.repeat(500));
    const run = gov(['verify', file]);
    expect([run.code, run.err]).toEqual([3, expect.stringMatching(/`\S+junk\.db` is not an audit store of gov\n$/)]);
  });
});

test('findings for other tools: SARIF and OCSF', () => {
  const sarif = gov(['report', '--format', 'sarif']);
  expect(sarif.code).toBe(0);
  expect(JSON.parse(sarif.out)).toMatchObject({
    version: '2.1.0',
    runs: [{ results: [{ ruleId: 'git.push-force' }, { ruleId: 'infra.apply' }] }],
  });
  const events = gov(['export', '--format', 'ocsf']);
  expect([events.code, events.err]).toEqual([0, '']);
  const lines = events.out.trimEnd().split('\n');
  expect(lines.map((line) => (JSON.parse(line) as { class_uid: number }).class_uid)).toEqual([2004, 2004, 6003]);
  expect(gov(['report', '--format', 'ocsf']).out.trimEnd().split('\n')).toHaveLength(2);
});

describe('columns that scripts rely on: new ones only at the end', () => {
  const columns =
    'kind,at,session,agent,event,tool,raw_tool,answer,enforced,effect,rule,rules,call_id,programs,repo,summary,policy,latency_us,faulty';
  test.each([
    [['list', '--format', 'csv'], `seq,id,${columns},spooled,hash`],
    [['export', '--format', 'csv'], `seq,spooled,id,${columns},hash,prev_hash,body_hash`],
    [['report', '--format', 'csv'], 'section,name,measure,value'],
  ])('%j', (args, head) => {
    expect(gov(args).out.split('\r\n')[0]).toBe(head);
  });

  test.each([
    [['list', '--format', 'jsonl'], `seq,spooled,id,${columns},hash`],
    [['export'], `seq,spooled,id,${columns},hash,prev_hash,body_hash,salt,body`],
  ])('%j', (args, keys) => {
    expect(Object.keys(JSON.parse(gov(args).out.split('\n')[0] ?? '') as object).join(',')).toBe(keys);
  });

  test('report as JSON lines', () => {
    const lines = gov(['report', '--format', 'jsonl']).out.trimEnd().split('\n');
    const keys = new Map(
      lines.map((line) => {
        const { section, ...rest } = JSON.parse(line) as { section: string };
        return [section, Object.keys(rest).join(',')];
      }),
    );
    expect(Object.fromEntries(keys)).toEqual({
      totals: 'name,value',
      timeline: 'start,allow,ask,deny,halt',
      blocked: 'call,rule,times,sessions,last,record,lifted',
      asked: 'call,rule,times,went on,last,record',
      rules: 'rule,fired,decided,deny,ask,sessions',
      silent: 'rule,fired',
      agents: 'agent,calls,allow,ask,deny,halt',
      repositories: 'repository,calls,allow,ask,deny,halt',
      tools: 'tool,calls,allow,ask,deny,halt',
      programs: 'program,calls,allow,ask,deny,halt',
      policies: 'policy,decisions,first,last',
      latency: 'count,p50,p95,p99,max',
      integrity: 'chain,first_seq,last_seq,head,verified,findings,limits',
    });
  });
});
