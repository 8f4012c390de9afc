import { createHash, createPublicKey, generateKeyPairSync, sign, verify } from 'node:crypto';
import { appendFileSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { keyIn, noteName, noteOf, openNote, rawKey } from '../../../src/audit/format/note.ts';
import { openStore, type Store } from '../../../src/audit/read/store.ts';
import { Database } from '../../../src/audit/sqlite.ts';
import { readCheckpoints } from '../../../src/audit/tend/checkpoint.ts';
import { verifyStore } from '../../../src/audit/tend/verify.ts';
import { type Checkpoint, makeCheckpoint, ownVerifierKey } from '../../../src/audit/write/checkpoint.ts';
import { openWriter } from '../../../src/audit/write/writer.ts';
import type { GovPaths } from '../../../src/base/gov-paths.ts';
import { draftOf, scratchPaths } from './draft.ts';

const AT = Date.UTC(2026, 0, 5);
let paths: GovPaths;

beforeEach(() => {
  paths = scratchPaths();
  append(15);
});

function append(count: number): void {
  const writer = openWriter(paths);
  for (let i = 0; i < count; i++) writer.append(draftOf(`echo ${i}`));
  writer.close();
}

function withStore<T>(use: (store: Store) => T): T {
  const store = openStore(paths.database);
  try {
    return use(store);
  } finally {
    store.close();
  }
}

const checkpoint = (): Checkpoint => withStore((store) => makeCheckpoint(store.ends(), paths, AT));
const verified = () => withStore((store) => verifyStore(store, paths));
const log = (): string => join(paths.state, 'checkpoints.jsonl');

/** Cuts off the newest records, guards and all put back, so that the chain alone looks whole. */
function cutOff(count: number): void {
  const db = new Database(paths.database);
  const triggers = db.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all() as {
    name: string;
    sql: string;
  }[];
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${name}`);
  const last = db.prepare('SELECT max(seq) FROM records').pluck().get() as number;
  for (const table of ['records', 'bodies']) db.prepare(`DELETE FROM ${table} WHERE seq > ?`).run(last - count);
  for (const trigger of triggers) db.exec(trigger.sql);
  db.close();
}

describe('the log beside the store', () => {
  test('vouches for the records up to a checkpoint, and for no more', () => {
    expect(checkpoint()).toMatchObject({ v: 2, seq: 15 });
    append(1);
    expect(checkpoint().seq).toBe(16);
    const result = verified();
    expect(result).toMatchObject({ ok: true, notes: ['signed checkpoints: 2, up to record 16'] });
    expect(result.limits[0]).toContain('after record 16, the last signed one,');
    expect(statSync(log()).mode & 0o777).toBe(0o600);
    expect(statSync(join(paths.state, 'checkpoint.key')).mode & 0o777).toBe(0o600);
  });

  test('the last ten records cut off: the chain alone can’t tell, the checkpoint does', () => {
    cutOff(10);
    expect(verified().ok).toBe(true);
    append(10);
    checkpoint();
    cutOff(10);
    expect(verified()).toMatchObject({
      ok: false,
      findings: [
        {
          code: 'records-cut-off',
          seq: 15,
          message: 'record 15 was there on 2026-01-05T00:00:00.000Z; now the last is 5',
        },
      ],
    });
  });

  test('cut off and written anew', () => {
    checkpoint();
    cutOff(1);
    append(1);
    expect(verified().findings).toMatchObject([{ code: 'chain-rebuilt', seq: 15 }]);
  });

  test('the store was replaced', () => {
    checkpoint();
    for (const end of ['', '-wal', '-shm']) rmSync(paths.database + end, { force: true });
    append(1);
    expect(verified().findings).toMatchObject([{ code: 'chain-replaced' }]);
  });

  test.each([
    ['number', (line: string) => line.replace('\\n15\\n', '\\n14\\n')],
    ['hash', (line: string) => line.replace(/\\n15\\n../, '\\n15\\nzz')],
    ['time', (line: string) => line.replace('2026-01-05', '2026-01-06')],
    ['chain', (line: string) => line.replace(/gov-audit\/../g, 'gov-audit/zz')],
    ['signature', (line: string) => line.replace(/ (\S{12})\S{8}(\S+)\\n"\}/, ' $1AAAAAAAA$2\\n"}')],
    ['key', (line: string) => line.replace(/"key":"([^"]+)..."/, '"key":"$1AAA"')],
    ['cut short', (line: string) => line.slice(0, 60)],
    ['no checkpoint at all', () => 'null'],
    ['version', (line: string) => line.replace('"v":2', '"v":3')],
  ])('a changed %s is found out', (_, change) => {
    checkpoint();
    const line = readFileSync(log(), 'utf8');
    const changed = change(line);
    expect(changed).not.toBe(line);
    writeFileSync(log(), changed);
    expect(verified().findings).toMatchObject([{ code: 'checkpoint-invalid' }]);
  });

  test('those of the first version still count', () => {
    const { chain, last: seq, head } = withStore((store) => store.ends());
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    const key = rawKey(publicKey).toString('base64');
    const bytes = JSON.stringify(['gov-audit-checkpoint-v1', chain, seq, head, AT, key]);
    const signature = sign(null, Buffer.from(bytes), privateKey).toString('base64');
    const line = JSON.stringify({ v: 1, chain, seq, head, at: AT, key, signature });
    appendFileSync(log(), `${line}\n`);
    expect(verified()).toMatchObject({ ok: true, notes: ['signed checkpoints: 1, up to record 15'] });
    appendFileSync(log(), `${line.replace(`"seq":${seq}`, '"seq":3')}\n`);
    expect(verified().findings).toMatchObject([{ code: 'checkpoint-invalid' }]);
  });
});

describe('a note', () => {
  test('is one of C2SP’s signed notes, whose parts can be taken from the specification alone', () => {
    const { note, key, chain, head } = checkpoint();
    const lines = note.split('\n');
    const name = `gov-audit/${chain}`;
    expect(lines).toEqual([
      name,
      '15',
      Buffer.from(head, 'hex').toString('base64'),
      'time 2026-01-05T00:00:00.000Z',
      '',
      expect.stringMatching(new RegExp(`^— ${name} [A-Za-z0-9+/]+=*$`)),
      '',
    ]);
    const [keyName, id, encoded] = key.split(/\+(?=[0-9a-f]{8}\+)|(?<=\+[0-9a-f]{8})\+/);
    expect(keyName).toBe(name);
    const typed = Buffer.from(encoded ?? '', 'base64');
    expect([typed.length, typed[0]]).toEqual([33, 1]);
    const wanted = createHash('sha256').update(`${name}\n`).update(typed).digest('hex').slice(0, 8);
    expect(id).toBe(wanted);
    const signed = Buffer.from(lines[5]?.split(' ')[2] ?? '', 'base64');
    expect(signed.subarray(0, 4).toString('hex')).toBe(wanted);
    const der = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), typed.subarray(1)]);
    const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' });
    const text = `${lines.slice(0, 4).join('\n')}\n`;
    expect(verify(null, Buffer.from(text), publicKey, signed.subarray(4))).toBe(true);
  });

  test('opens with its key, also if a witness signed it too, and with no other', () => {
    const { note, key, ...fields } = checkpoint();
    const { v: _, ...said } = fields;
    expect(openNote(note, key)).toEqual(said);
    const witness = generateKeyPairSync('ed25519');
    const text = note.slice(0, note.indexOf('\n\n') + 1);
    const raw = rawKey(witness.publicKey);
    const line = noteOf(text, 'witness.example', raw, sign(null, Buffer.from(text), witness.privateKey));
    const both = `${note}${line.split('\n\n')[1]}`;
    expect(openNote(both, key)).toEqual(said);
    // The same name with another key; the id tells them apart.
    const forged = noteOf(text, noteName(said.chain), raw, sign(null, Buffer.from(text), witness.privateKey));
    expect(openNote(forged, key)).toBeNull();
  });

  test.each([
    ['no text', ''],
    ['no signature', 'gov-audit/ab\n1\nAAAA\n'],
    ['another log', 'example.org/log\n1\nAAAA\n\n— example.org/log AAAA\n'],
  ])('is none: %s', (_, note) => {
    const { key } = checkpoint();
    expect(openNote(note, key)).toBeNull();
  });

  test.each(['', 'x', 'gov-audit/ab+00000000+AAAA', 'name+zz+AAAA'])('no key: %j', (text) => {
    expect(keyIn(text)).toBeNull();
  });
});

describe('a copy from elsewhere', () => {
  const file = (text: string): string => {
    const path = join(paths.state, 'copy');
    writeFileSync(path, text);
    return path;
  };
  const compare = (text: string, key: string | null = null) => {
    const own = (chain: string): string | null => ownVerifierKey(paths, chain);
    return withStore((store) => verifyStore(store, undefined, readCheckpoints(file(text), key, own)));
  };

  test('a note: fits, and shows what was cut off even where the log was taken away', () => {
    const { note, key } = checkpoint();
    expect(compare(note)).toMatchObject({ ok: true, notes: ['checkpoints given: 1, up to record 15'] });
    rmSync(log());
    cutOff(10);
    expect(verified().ok).toBe(true);
    for (const given of [null, key])
      expect(compare(note, given)).toMatchObject({ ok: false, findings: [{ code: 'records-cut-off', seq: 15 }] });
  });

  test('a copy of the log', () => {
    checkpoint();
    append(1);
    checkpoint();
    const text = readFileSync(log(), 'utf8');
    expect(compare(text)).toMatchObject({ ok: true, notes: ['checkpoints given: 2, up to record 16'] });
    cutOff(1);
    expect(compare(text).findings).toMatchObject([{ code: 'records-cut-off', seq: 16 }]);
  });

  test('signed with another key than the one that was given', () => {
    const { note, key, chain } = checkpoint();
    rmSync(join(paths.state, 'checkpoint.key'));
    const other = checkpoint();
    expect(other.key).not.toBe(key);
    expect(compare(note, key).ok).toBe(true);
    expect(compare(note, other.key).findings).toMatchObject([{ code: 'checkpoint-invalid' }]);
    expect(compare(readFileSync(log(), 'utf8'), key).findings).toMatchObject([{ code: 'checkpoint-invalid' }]);
    expect(ownVerifierKey(paths, chain)).toBe(other.key);
  });

  test('about another chain', () => {
    const { note } = checkpoint();
    for (const end of ['', '-wal', '-shm']) rmSync(paths.database + end, { force: true });
    append(1);
    expect(compare(note).findings).toMatchObject([{ code: 'chain-replaced' }]);
  });

  test('wrong usage', () => {
    const { note } = checkpoint();
    expect(() => compare(note, 'x')).toThrow(expect.objectContaining({ code: 'usage-key' }));
    expect(() => readCheckpoints(join(paths.state, 'none'), null, () => null)).toThrow(
      expect.objectContaining({ code: 'usage-checkpoint' }),
    );
    expect(() => readCheckpoints(file(note), null, () => null)).toThrow(expect.objectContaining({ code: 'usage-key' }));
  });
});
