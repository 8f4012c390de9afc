import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { COLUMN_NAMES } from '../../../src/audit/format/chain.ts';
import { openStore } from '../../../src/audit/read/store.ts';
import { Database } from '../../../src/audit/sqlite.ts';
import { verifyStore } from '../../../src/audit/tend/verify.ts';
import { openWriter } from '../../../src/audit/write/writer.ts';
import type { GovPaths } from '../../../src/base/gov-paths.ts';
import { decisionOf, draftOf, hitOf, scratchPaths } from './draft.ts';

let paths: GovPaths;
let ids: string[];

beforeEach(() => {
  paths = scratchPaths();
  const writer = openWriter(paths);
  ids = ['ls', 'git push --force', 'cat a.txt', 'make', 'npm test'].map((command, i) => {
    const denied = i === 1 ? { decision: decisionOf('deny', [hitOf('git.push-force')]), answer: 'deny' } : {};
    return writer.append(draftOf(command, denied)).id;
  });
  writer.close();
});

/** What a person with the file and a tool would do. */
function tamper(sql: string, drop: readonly string[] = []): void {
  const db = new Database(paths.database);
  for (const name of drop) db.exec(`DROP TRIGGER ${name}`);
  db.exec(sql);
  db.close();
}

/** The same, with the guards put back afterwards, so that only the hashes can tell. */
function tamperUnseen(sql: string): void {
  const db = new Database(paths.database);
  const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  db.exec(sql);
  for (const trigger of triggers) db.exec(trigger.sql);
  db.close();
}

function verify() {
  const store = openStore(paths.database);
  try {
    return verifyStore(store, paths);
  } finally {
    store.close();
  }
}

test('an untouched store is intact', () => {
  const result = verify();
  expect(result).toMatchObject({ ok: true, records: 5, first: 1, last: 5, findings: [], wrong: 0, notes: [] });
  expect(result.limits).toHaveLength(3);
});

describe('one column of record 2 changed', () => {
  const other = (name: string): string =>
    ['at', 'enforced', 'latency_us', 'faulty'].includes(name) ? `${name} = ${name} + 1` : `${name} = ${name} || 'x'`;
  test.each(COLUMN_NAMES)('%s', (name) => {
    tamperUnseen(`UPDATE records SET ${other(name)} WHERE seq = 2`);
    const result = verify();
    expect(result.ok).toBe(false);
    const shown = name === 'id' ? `${ids[1]}x` : ids[1];
    expect(result.findings.map(({ code, seq, id, columns }) => ({ code, seq, id, columns }))).toEqual([
      { code: 'record-changed', seq: 2, id: shown, columns: [name] },
    ]);
  });

  test.each([
    ['spooled', 'UPDATE records SET spooled = 1 WHERE seq = 2', 'record-changed', ['spooled']],
    ['body_hash', "UPDATE records SET body_hash = x'00' WHERE seq = 2", 'record-changed', ['body_hash']],
    ['prev_hash', "UPDATE records SET prev_hash = x'00' WHERE seq = 2", 'record-changed', ['prev_hash']],
    ['hash', "UPDATE records SET hash = x'00' WHERE seq = 2", 'record-changed', ['hash']],
    ['body', `UPDATE bodies SET body = replace(body, '"deny"', '"allow"') WHERE seq = 2`, 'body-changed', ['body']],
    ['salt', "UPDATE bodies SET salt = x'00' WHERE seq = 2", 'body-changed', ['body']],
    ['no body', 'DELETE FROM bodies WHERE seq = 2', 'body-missing', ['body']],
  ])('%s', (_, sql, code, columns) => {
    tamperUnseen(sql);
    const [first] = verify().findings;
    expect(first).toMatchObject({ code, seq: 2, id: ids[1], columns });
  });

  test('a changed answer says what it was', () => {
    tamperUnseen("UPDATE records SET answer = 'allow' WHERE seq = 2");
    const [first] = verify().findings;
    expect(first?.message).toBe(`record 2 (${ids[1]}) was changed: \`answer\``);
    expect(first?.meaning).toBe(
      'what it says there is not what was decided and recorded; the body says `deny`, the column `allow`',
    );
  });
});

describe('records moved, taken out and put in', () => {
  test.each([
    ['deleted in the middle', 'DELETE FROM records WHERE seq = 3', [{ code: 'records-missing', seq: 4 }]],
    ['deleted at the start', 'DELETE FROM records WHERE seq = 1', [{ code: 'records-missing', seq: 2 }]],
    ['several deleted', 'DELETE FROM records WHERE seq IN (2, 3)', [{ code: 'records-missing', seq: 4 }]],
    [
      'deleted and renumbered',
      'DELETE FROM records WHERE seq = 3; UPDATE records SET seq = 3 WHERE seq = 4',
      [
        { code: 'record-changed', seq: 3 },
        { code: 'records-missing', seq: 5 },
      ],
    ],
    [
      'number changed',
      'UPDATE records SET seq = 9 WHERE seq = 5; UPDATE bodies SET seq = 9 WHERE seq = 5',
      [{ code: 'record-changed', seq: 9, columns: ['seq'] }],
    ],
    [
      'two swapped',
      'UPDATE records SET seq = 99 WHERE seq = 2; UPDATE records SET seq = 2 WHERE seq = 3; UPDATE records SET seq = 3 WHERE seq = 99',
      [
        { code: 'record-changed', seq: 2 },
        { code: 'record-changed', seq: 3 },
      ],
    ],
    [
      'copied to the end',
      "INSERT INTO records SELECT 6, spooled, 'copy', " +
        COLUMN_NAMES.slice(1).join(', ') +
        ", body_hash, x'01', hash FROM records WHERE seq = 2",
      [{ code: 'record-changed', seq: 6 }],
    ],
  ])('%s', (_, sql, wanted) => {
    tamperUnseen(sql);
    const { findings } = verify();
    for (const finding of wanted) expect(findings).toContainEqual(expect.objectContaining(finding));
  });

  test('cut off at the end: the chain alone can’t tell, and says so', () => {
    const before = verify().head;
    tamperUnseen('DELETE FROM records WHERE seq = 5; DELETE FROM bodies WHERE seq = 5');
    const result = verify();
    expect(result.ok).toBe(true);
    expect(result.head).not.toBe(before);
    expect(result.limits[0]).toContain('cut off at the end leave no trace');
  });
});

describe('guards against one-line tampering', () => {
  const copy = (seq: number, id: string, prev: string): string =>
    `INSERT OR REPLACE INTO records SELECT ${seq}, spooled, ${id}, ${COLUMN_NAMES.slice(1)
      .map((name) => (name === 'answer' ? "'allow'" : name))
      .join(', ')}, body_hash, ${prev}, hash FROM records WHERE seq = 2`;
  test.each([
    ['UPDATE', "UPDATE records SET answer = 'allow' WHERE seq = 2", 'records are never changed'],
    ['DELETE', 'DELETE FROM records WHERE seq = 2', 'records are never deleted'],
    ['REPLACE of a record', copy(2, 'id', 'prev_hash'), 'records are appended in sequence'],
    ['REPLACE by id', copy(6, 'id', '(SELECT hash FROM records WHERE seq = 5)'), 'records are appended in sequence'],
    ['INSERT off the chain', copy(6, "'n'", "x'00'"), 'records are appended in sequence'],
    [
      'INSERT with a gap',
      copy(9, "'n'", '(SELECT hash FROM records WHERE seq = 5)'),
      'records are appended in sequence',
    ],
    [
      'UPSERT',
      `${copy(2, 'id', 'prev_hash').replace('OR REPLACE ', '')} AND true ON CONFLICT DO UPDATE SET answer = 'allow'`,
      'records are',
    ],
    ['body UPDATE', "UPDATE bodies SET body = '{}' WHERE seq = 2", 'bodies are never changed'],
    ['body DELETE', 'DELETE FROM bodies WHERE seq = 2', 'bodies are never deleted'],
    ['body REPLACE', "INSERT OR REPLACE INTO bodies VALUES (5, x'00', '{}')", 'bodies are appended with their records'],
    ['meta REPLACE', "INSERT OR REPLACE INTO meta VALUES ('chain', 'x')", 'meta is written once'],
    ['meta UPDATE', "UPDATE meta SET value = 'x'", 'meta is written once'],
  ])('%s is refused', (_, sql, message) => {
    expect(() => tamper(sql)).toThrow(message);
    expect(verify().ok).toBe(true);
  });

  test.each(['records_next', 'records_keep', 'records_stay', 'bodies_next', 'bodies_keep', 'bodies_stay', 'meta_next'])(
    'a dropped trigger is noticed: %s',
    (name) => {
      tamper('SELECT 1', [name]);
      expect(verify().findings).toMatchObject([
        { code: 'schema-missing', message: `the trigger \`${name}\` is missing` },
      ]);
    },
  );

  test('a weakened trigger and one of somebody else are noticed', () => {
    tamper('CREATE TRIGGER records_keep BEFORE UPDATE ON records BEGIN SELECT 1; END', ['records_keep']);
    tamper('CREATE TRIGGER later AFTER INSERT ON records BEGIN SELECT 1; END');
    expect(verify().findings.map((finding) => finding.message)).toEqual([
      'the trigger `records_keep` was changed',
      '`later` does not belong into the store',
    ]);
  });
});

describe('what lies around the store', () => {
  test('modes', () => {
    chmodSync(paths.database, 0o644);
    chmodSync(paths.state, 0o755);
    expect(verify().findings.map((finding) => finding.message)).toEqual([
      `\`${paths.state}\` has mode 755 instead of 700`,
      `\`${paths.database}\` has mode 644 instead of 600`,
      `\`${paths.database}-wal\` has mode 644 instead of 600`,
    ]);
  });

  test('spool', () => {
    mkdirSync(paths.spool, { mode: 0o700 });
    writeFileSync(join(paths.spool, '0123456789abcdefghjk.json.damaged'), '{"v":1,"bo');
    writeFileSync(join(paths.spool, '0123456789abcdefghjk.json'), '{');
    writeFileSync(join(paths.spool, '.0123456789abcdefghjm.tmp'), '{');
    const result = verify();
    expect(result.findings).toMatchObject([{ code: 'spool-damaged', id: '0123456789abcdefghjk' }]);
    expect(result.notes).toEqual([
      'waiting in the spool, for the next call to store: 1 record',
      'in the spool, never finished and never acknowledged: 1 record',
    ]);
  });

  test.each(['records_at', 'records', 'bodies', 'meta'])('overwritten bytes of the file: %s', (name) => {
    const db = new Database(paths.database);
    db.pragma('journal_mode=DELETE');
    const page = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(name) as number;
    const size = Number(db.pragma('page_size', { simple: true }));
    const bytes = db.serialize();
    db.close();
    bytes.fill(0xff, (page - 1) * size, page * size);
    writeFileSync(paths.database, bytes);
    let found: string;
    try {
      found = verify().findings[0]?.code ?? 'nothing';
    } catch (error) {
      found = (error as { code: string }).code;
    }
    // Without its description a chain can't be checked at all.
    expect(found).toBe(['meta', 'records'].includes(name) ? 'store-unreadable' : 'file-damaged');
  });
});
