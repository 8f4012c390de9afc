import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { RecordBody } from '../../../src/audit/format/body.ts';
import { unpackFacts } from '../../../src/audit/format/body.ts';
import { openStore } from '../../../src/audit/read/store.ts';
import { Database } from '../../../src/audit/sqlite.ts';
import { verifyStore } from '../../../src/audit/tend/verify.ts';
import { findNativeBinding } from '../../../src/audit/write/binding.ts';
import { walIsSafe } from '../../../src/audit/write/place.ts';
import { spoolRecord } from '../../../src/audit/write/spool.ts';
import { openWriter } from '../../../src/audit/write/writer.ts';
import { GovError } from '../../../src/base/errors.ts';
import type { GovPaths } from '../../../src/base/gov-paths.ts';
import { LIMITS } from '../../../src/base/limits.ts';
import type { RecordDraft } from '../../../src/model/record.ts';
import { callOf, decisionOf, draftOf, factsOf, hitOf, scratchPaths } from './draft.ts';

function appendOne(paths: GovPaths, draft: RecordDraft, budgetMs = 200) {
  const writer = openWriter(paths, { nativeBinding: findNativeBinding(), budgetMs });
  try {
    return writer.append(draft);
  } finally {
    writer.close();
  }
}

function bodies(paths: GovPaths): RecordBody[] {
  const db = new Database(paths.database, { readonly: true });
  const texts = db.prepare('SELECT body FROM bodies ORDER BY seq').pluck().all() as string[];
  db.close();
  return texts.map((text) => JSON.parse(text));
}

function verified(paths: GovPaths) {
  const store = openStore(paths.database);
  const result = verifyStore(store, paths);
  store.close();
  return result;
}

function codeOf(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    if (error instanceof GovError) return error.code;
    throw error;
  }
  return 'no error';
}

test('appended records are stored in sequence, in a file of mode 0600 below a directory of mode 0700', () => {
  const paths = scratchPaths();
  const writer = openWriter(paths, { nativeBinding: findNativeBinding() });
  const a = writer.append(draftOf('ls -la'));
  const b = writer.append(draftOf('rm -rf build'));
  writer.close();
  const db = new Database(paths.database, { readonly: true });
  const rows = db
    .prepare('SELECT seq, id, summary, programs, lower(hex(hash)) AS hash FROM records ORDER BY seq')
    .all();
  db.close();
  expect(rows).toEqual([
    { seq: 1, id: a.id, summary: 'ls -la', programs: ' ls ', hash: a.hash },
    { seq: 2, id: b.id, summary: 'rm -rf build', programs: ' rm ', hash: b.hash },
  ]);
  expect(b).toEqual({ id: b.id, stored: 'database', seq: 2, hash: b.hash, redacted: 0, fault: '' });
  expect(statSync(paths.database).mode & 0o777).toBe(0o600);
  expect(statSync(paths.state).mode & 0o777).toBe(0o700);
});

test('settings of the database: write-ahead log, every commit synced', () => {
  const paths = scratchPaths();
  appendOne(paths, draftOf('ls'));
  const db = new Database(paths.database);
  expect(db.pragma('journal_mode', { simple: true })).toBe('wal');
  expect(db.pragma('user_version', { simple: true })).toBe(2);
  db.close();
  expect(readFileSync(new URL('../../../src/audit/write/database.ts', import.meta.url), 'utf8')).toContain(
    'PRAGMA synchronous=FULL',
  );
});

test.each([
  ['ext4', 0xef53, true],
  ['btrfs', 0x9123683e, true],
  ['tmpfs', 0x01021994, true],
  ['overlay', 0x794c7630, true],
  ['NFS', 0x6969, false],
  ['CIFS', 0xff534d42, false],
  ['SMB2, as a signed number', 0xfe534d42 | 0, false],
  ['9p', 0x01021997, false],
  ['FUSE and virtiofs', 0x65735546, false],
])('write-ahead log on %s: %s', (_, type, safe) => {
  if (process.platform === 'linux') expect(walIsSafe('/x', () => type)).toBe(safe);
});

test('facts come back as they were, though stored without repetition', () => {
  const paths = scratchPaths();
  const result = { text: 'ok', exitCode: 0, failed: false, interrupted: false, durationMs: 5 };
  const call = callOf('rm -rf build', { result });
  const facts = factsOf(call, ['rm', '-rf', 'build']);
  appendOne(paths, draftOf('', { call, facts }));
  const [body] = bodies(paths);
  expect(body?.facts?.commands[0]?.targets).toEqual([0]);
  expect(body?.facts?.tool.input).toBe('call');
  expect(unpackFacts(body!.facts!, body!.call)).toEqual(facts);
});

describe('secrets', () => {
  const secret = 'hunter2Zq9';
  const command = `mysql -u root -p${secret} db`;

  test('are nowhere in the files of the store', () => {
    const paths = scratchPaths();
    const call = callOf(command, { detail: { password: secret, note: `uses ${secret}` } });
    const hits = [hitOf('db.password', 'deny', { subject: command, message: `found ${secret}` })];
    const made = appendOne(paths, draftOf(command, { call, decision: decisionOf('deny', hits), answer: 'deny' }));
    expect(made.redacted).toBeGreaterThan(5);
    for (const name of readdirSync(paths.state))
      expect(readFileSync(join(paths.state, name)).includes(secret)).toBe(false);
    const [body] = bodies(paths);
    expect(body?.call.input['command']).toMatch(/^mysql -u root -p<redacted:password:[0-9a-f]{8}> db$/);
    expect(body?.redactions).toHaveLength(1);
    expect(body?.facts?.event.call_digest).toMatch(/^hmac-sha256:[0-9a-f]{64}$/);
  });

  test('have the same fingerprint in each record, another in each store', () => {
    const prints = [scratchPaths(), scratchPaths()].map((paths) => {
      appendOne(paths, draftOf(command));
      appendOne(paths, draftOf(`mysqldump -p${secret}`));
      const [a, b] = bodies(paths);
      expect(a?.redactions[0]?.fp).toBe(b?.redactions[0]?.fp);
      expect(statSync(join(paths.state, 'fingerprint.key')).mode & 0o777).toBe(0o600);
      return a?.redactions[0]?.fp;
    });
    expect(prints[0]).not.toBe(prints[1]);
  });

  test('on the cut of a long text are seen whole', () => {
    const paths = scratchPaths();
    const token = `ghp_${'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW0xYz1A2'}`;
    const text = `${'x'.repeat(64 * 1024 - 20)} ${token} ${'y'.repeat(100_000)}`;
    appendOne(paths, draftOf('', { call: callOf(text), facts: null }));
    const [body] = bodies(paths);
    expect(JSON.stringify(body)).not.toContain('ghp_aB3d');
    expect(body?.capped).toMatchObject([{ path: 'call.input.command', bytes: text.length }]);
    expect(body?.capped[0]?.digest).toMatch(/^hmac-sha256:/);
  });
});

describe('big and strange input', () => {
  test.each([
    ['1 MB', 'a b '.repeat(262_144)],
    ['20 MB', 'a'.repeat(20_000_000)],
    ['quotes that double in JSON', '"'.repeat(300_000)],
    ['characters that grow in JSON', '\u0001'.repeat(300_000)],
    ['three bytes each', '語'.repeat(200_000)],
  ])('%s is cut, with the digest of the whole', (_, command) => {
    const paths = scratchPaths();
    const call = callOf(command);
    const facts = factsOf(call, [command]);
    appendOne(paths, draftOf('', { call, facts }));
    const [body] = bodies(paths);
    expect(Buffer.byteLength(JSON.stringify(body))).toBeLessThanOrEqual(LIMITS.recordBytes);
    const cut = body?.capped.find((c) => c.path === 'call.input.command');
    expect(cut).toMatchObject({
      bytes: Buffer.byteLength(command),
      digest: expect.stringMatching(/^sha256:[0-9a-f]{64}$/),
    });
    expect(verified(paths).ok).toBe(true);
  });

  test('many small things', () => {
    const paths = scratchPaths();
    const input = { edits: Array.from({ length: 30_000 }, (_, i) => ({ old: `${i}`, new: `${i + 1}` })) };
    appendOne(paths, draftOf('', { call: callOf('', { input }), facts: null }));
    expect(bodies(paths)[0]?.capped.length).toBeGreaterThan(0);
    expect(verified(paths).ok).toBe(true);
  });

  test('deep, with keys and texts made to confuse', () => {
    const paths = scratchPaths();
    let deep: unknown = 'end';
    for (let i = 0; i < 5000; i++) deep = [deep];
    const input = JSON.parse('{"__proto__": {"x": 1}, "constructor": "c", "lone": "\\ud800", "nul": "a\\u0000b"}');
    const call = callOf('', { input: { ...input, deep }, session: 's\ud800\u0000\u202e', agent: 'a\nb' });
    appendOne(paths, draftOf('', { call, facts: null }));
    const [body] = bodies(paths);
    expect(Object.keys(body?.call.input ?? {})).toContain('lone');
    expect(({} as { x?: number }).x).toBeUndefined();
    expect(verified(paths)).toMatchObject({ ok: true, records: 1 });
  });
});

describe('a store that others could have touched is refused', () => {
  const cases: readonly (readonly [string, (paths: GovPaths) => void])[] = [
    ['directory of another', (paths) => chownSync(paths.state, 12_345, 0)],
    ['file of another', (paths) => chownSync(paths.database, 12_345, 0)],
    ['directory that the group can write', (paths) => chmodSync(paths.state, 0o770)],
    ['file that all can write', (paths) => chmodSync(paths.database, 0o666)],
    [
      'file behind a link',
      (paths) => {
        renameSync(paths.database, `${paths.database}.real`);
        symlinkSync(`${paths.database}.real`, paths.database);
      },
    ],
    [
      'directory behind a link',
      (paths) => {
        renameSync(paths.state, `${paths.state}.real`);
        symlinkSync(`${paths.state}.real`, paths.state);
      },
    ],
    [
      'directory in place of the file',
      (paths) => {
        renameSync(paths.database, `${paths.database}.real`);
        mkdirSync(paths.database);
      },
    ],
  ];
  test.each(cases)('%s', (name, spoil) => {
    if (name.endsWith('of another') && process.getuid?.() !== 0) return;
    const paths = scratchPaths();
    appendOne(paths, draftOf('ls'));
    spoil(paths);
    expect(codeOf(() => appendOne(paths, draftOf('ls')))).toBe('store-unsafe');
  });

  test('one that others could only read is closed to them', () => {
    const paths = scratchPaths();
    appendOne(paths, draftOf('ls'));
    chmodSync(paths.state, 0o755);
    chmodSync(paths.database, 0o644);
    expect(appendOne(paths, draftOf('ls')).seq).toBe(2);
    expect([statSync(paths.state).mode & 0o777, statSync(paths.database).mode & 0o777]).toEqual([0o700, 0o600]);
  });
});

describe('another format is refused', () => {
  test.each([
    ['newer', 'PRAGMA user_version=3', 'store-newer'],
    ['older', 'PRAGMA user_version=-1', 'store-older'],
    ['somebody else’s', 'PRAGMA application_id=7', 'store-foreign'],
  ])('%s', (_, sql, code) => {
    const paths = scratchPaths();
    appendOne(paths, draftOf('ls'));
    const db = new Database(paths.database);
    db.exec(sql);
    db.close();
    expect(codeOf(() => appendOne(paths, draftOf('ls')))).toBe(code);
    expect(readdirSync(paths.state)).not.toContain('spool');
  });

  test('a database of something else', () => {
    const paths = scratchPaths();
    mkdirSync(paths.state, { recursive: true, mode: 0o700 });
    const db = new Database(paths.database);
    db.exec('CREATE TABLE notes (text)');
    db.close();
    expect(codeOf(() => appendOne(paths, draftOf('ls')))).toBe('store-foreign');
  });
});

test('a store of format 1 gets the tables added since; its records stay as they are', () => {
  const paths = scratchPaths();
  appendOne(paths, draftOf('first'));
  const db = new Database(paths.database);
  db.exec('DROP TABLE grants; DROP TABLE marks; PRAGMA user_version=1');
  db.close();
  expect(appendOne(paths, draftOf('second')).seq).toBe(2);
  expect(verified(paths)).toMatchObject({ ok: true, records: 2 });
});

describe('when the database can’t be written', () => {
  test('a locked one: the record waits in the spool, the next writer stores it first', () => {
    const paths = scratchPaths();
    appendOne(paths, draftOf('first'));
    const lock = new Database(paths.database);
    lock.exec('BEGIN IMMEDIATE');
    const started = performance.now();
    const waiting = appendOne(paths, draftOf('second'), 300);
    expect(performance.now() - started).toBeLessThan(5000);
    expect(waiting).toMatchObject({ stored: 'spool', seq: null, hash: null });
    expect(waiting.fault).toContain('database is locked');
    const name = `${waiting.id}.json`;
    expect(readdirSync(paths.spool)).toEqual([name]);
    expect(statSync(join(paths.spool, name)).mode & 0o777).toBe(0o600);
    lock.exec('COMMIT');
    lock.close();
    expect(appendOne(paths, draftOf('third')).seq).toBe(3);
    expect(bodies(paths).map((body) => body.call.input['command'])).toEqual(['first', 'second', 'third']);
    expect(readdirSync(paths.spool)).toEqual([]);
    expect(verified(paths)).toMatchObject({ ok: true, records: 3, notes: ['through the spool: 1 record'] });
  });

  test('one that is no database any more', () => {
    const paths = scratchPaths();
    appendOne(paths, draftOf('ls'));
    writeFileSync(paths.database, 'not a database, but long enough to be looked at as one '.repeat(100));
    const made = appendOne(paths, draftOf('ls'));
    expect(made.stored).toBe('spool');
    expect(made.fault).toContain('not a database');
  });

  test('neither database nor spool: the caller is told, and must deny', () => {
    const paths = scratchPaths();
    appendOne(paths, draftOf('ls'));
    writeFileSync(paths.database, 'not a database');
    writeFileSync(paths.spool, 'a file where the directory should be');
    expect(codeOf(() => appendOne(paths, draftOf('ls')))).toMatch(/^store-un(?:safe|writable)$/);
  });

  test('a database that is replaced under a long-lived writer is noticed', () => {
    const paths = scratchPaths();
    const writer = openWriter(paths);
    writer.append(draftOf('one'));
    for (const end of ['', '-wal', '-shm']) renameSync(paths.database + end, `${paths.database}.old${end}`);
    expect(writer.append(draftOf('two'))).toMatchObject({ seq: 1, stored: 'database' });
    writer.close();
    expect(bodies(paths).map((body) => body.call.input['command'])).toEqual(['two']);
  });
});

describe('draining the spool', () => {
  const bodyText = (paths: GovPaths): { id: string; text: string } => {
    const scratch = scratchPaths();
    const { id } = appendOne(scratch, draftOf('spooled'));
    const db = new Database(scratch.database, { readonly: true });
    const text = db.prepare('SELECT body FROM bodies').pluck().get() as string;
    db.close();
    mkdirSync(paths.state, { recursive: true, mode: 0o700 });
    return { id, text };
  };

  test('twice the same record is stored once', () => {
    const paths = scratchPaths();
    const { id, text } = bodyText(paths);
    spoolRecord(paths.spool, id, text);
    appendOne(paths, draftOf('a'));
    spoolRecord(paths.spool, id, text); // as if the process had died between commit and unlink
    appendOne(paths, draftOf('b'));
    expect(bodies(paths).map((body) => body.call.input['command'])).toEqual(['spooled', 'a', 'b']);
    expect(readdirSync(paths.spool)).toEqual([]);
  });

  test.each([
    ['cut short', (text: string) => text.slice(0, 40)],
    ['changed', (text: string) => text.replace('spooled', 'harmless')],
    ['not JSON', () => 'x'],
    ['of another version', (text: string) => text.replace('{"v":1', '{"v":2')],
  ])('%s: set aside and reported, everything else goes on', (_, spoil) => {
    const paths = scratchPaths();
    const { id, text } = bodyText(paths);
    spoolRecord(paths.spool, id, text);
    const file = join(paths.spool, `${id}.json`);
    writeFileSync(file, spoil(readFileSync(file, 'utf8')));
    expect(appendOne(paths, draftOf('a')).seq).toBe(1);
    expect(readdirSync(paths.spool)).toEqual([`${id}.json.damaged`]);
    expect(verified(paths).findings).toMatchObject([{ code: 'spool-damaged', id }]);
  });

  test('one whose record in the store is damaged is set aside, and holds up nothing', () => {
    const paths = scratchPaths();
    const { id, text } = bodyText(paths);
    spoolRecord(paths.spool, id, text);
    appendOne(paths, draftOf('a'));
    const db = new Database(paths.database);
    for (const name of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").pluck().all())
      db.exec(`DROP TRIGGER ${name}`);
    db.exec("UPDATE bodies SET body = 'x' WHERE seq = 1");
    db.close();
    spoolRecord(paths.spool, id, text);
    expect(appendOne(paths, draftOf('b')).stored).toBe('database');
    expect(readdirSync(paths.spool)).toEqual([`${id}.json.damaged`]);
  });

  test('one that others could write is not believed', () => {
    const paths = scratchPaths();
    const { id, text } = bodyText(paths);
    spoolRecord(paths.spool, id, text);
    chmodSync(join(paths.spool, `${id}.json`), 0o666);
    expect(appendOne(paths, draftOf('a')).seq).toBe(1);
    expect(verified(paths).findings).toMatchObject([{ code: 'spool-damaged', id }]);
  });

  test('another record under a known id is not stored', () => {
    const paths = scratchPaths();
    const { id, text } = bodyText(paths);
    spoolRecord(paths.spool, id, text);
    appendOne(paths, draftOf('a'));
    spoolRecord(paths.spool, id, text.replace('spooled', 'harmless'));
    appendOne(paths, draftOf('b'));
    expect(bodies(paths)).toHaveLength(3);
    expect(readdirSync(paths.spool)).toEqual([`${id}.json.damaged`]);
  });
});
