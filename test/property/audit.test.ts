import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { columnsOf, type RecordBody } from '../../src/audit/format/body.ts';
import {
  bodyHash,
  COLUMN_NAMES,
  type ColumnValues,
  genesisOf,
  recordHash,
  valuesOf,
} from '../../src/audit/format/chain.ts';
import { openStore } from '../../src/audit/read/store.ts';
import { Database } from '../../src/audit/sqlite.ts';
import { verifyStore } from '../../src/audit/tend/verify.ts';
import { type StoredRow, verifyRows } from '../../src/audit/tend/verify-rows.ts';
import { bodyOf } from '../../src/audit/write/draft.ts';
import { openWriter } from '../../src/audit/write/writer.ts';
import { govPaths } from '../../src/base/gov-paths.ts';
import { paint } from '../../src/cli/paint.ts';
import { lineOf } from '../../src/cli/record-lines.ts';
import { storyOf } from '../../src/cli/record-story.ts';
import { makeRedactor, redactText } from '../../src/redact/redact.ts';
import { findSecrets, mayHoldSecrets } from '../../src/redact/scan.ts';
import { RENDER } from '../../src/report/formats/index.ts';
import { numbersOf } from '../../src/report/numbers.ts';
import { callOf, decisionOf, draftOf, factsOf, hitOf } from '../unit/audit/draft.ts';
import { runs } from './runs.ts';

const dir = mkdtempSync(join(tmpdir(), 'gov-prop-'));
afterAll(() => rmSync(dir, { recursive: true, force: true }));
let count = 0;

/** Text as an attacker would write it: control sequences, bidi, markup, lone surrogates, and pieces that look like secrets. */
const pieces = fc.constantFrom(
  '\u001b[31m',
  '\u001b]0;x\u0007',
  '\u202e',
  '\u200b',
  '\u0000',
  '\r',
  '\n',
  '\t',
  '\ud800',
  '<script>',
  '"',
  "'",
  '&',
  '`',
  '\\',
  '=cmd|',
  'password=',
  '--password ',
  '-p',
  'mysql ',
  'curl -u a:',
  'Authorization: Bearer ',
  'token',
  'key: ',
  '://u:',
  '@h ',
  'ghp_',
  'sk-',
  'eyJ',
  '.eyJ',
  'aB3dE5fG7hJ9kL2mN4pQ6rS8tU1vW0xYz1A2',
  '<redacted:token:0a1b2c3d>',
  '-----BEGIN RSA PRIVATE KEY-----',
  ' | sudo -S x',
  'echo ',
  'secret',
  '$X',
  ' ',
  ';',
  ',',
  '{',
  '}',
  'é',
  '語',
);
const nasty = fc
  .array(fc.oneof(pieces, fc.string({ maxLength: 12 }), fc.string({ unit: 'binary', maxLength: 6 })), { maxLength: 14 })
  .map((p) => p.join(''));

const UNSAFE = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

test('redaction is idempotent, and whatever it finds is gone', () => {
  const key = Buffer.alloc(32, 7);
  fc.assert(
    fc.property(nasty, (text) => {
      const once = redactText(text, key);
      expect(redactText(once, key)).toBe(once);
      expect(redactText(redactText(text))).toBe(redactText(text));
    }),
    { numRuns: runs(3000) },
  );
});

test('the quick look never misses what the close look finds', () => {
  const redactor = makeRedactor(() => null);
  fc.assert(
    fc.property(
      fc.oneof(nasty, fc.array(nasty, { maxLength: 4 }), fc.dictionary(nasty, nasty, { maxKeys: 3 })),
      (value) => {
        if (redactor.json(value).found.length > 0) expect(mayHoldSecrets(JSON.stringify(value))).toBe(true);
      },
    ),
    { numRuns: runs(3000) },
  );
});

test('finds are in order, inside the text, and do not overlap', () => {
  fc.assert(
    fc.property(nasty, (text) => {
      let at = 0;
      for (const { start, end } of findSecrets(text)) {
        expect(start).toBeGreaterThanOrEqual(at);
        expect(end).toBeGreaterThan(start);
        at = end;
      }
      expect(at).toBeLessThanOrEqual(text.length);
    }),
    { numRuns: runs(2000) },
  );
});

test('columns are a function of the stored text', () => {
  const redactor = makeRedactor(() => Buffer.alloc(32));
  fc.assert(
    fc.property(nasty, nasty, nasty, (command, session, rule) => {
      const call = callOf(command, { session, agent: rule, callId: session });
      const draft = draftOf(command, { call, decision: decisionOf('deny', [hitOf(rule)]), answer: 'deny' });
      const { body, text } = bodyOf(draft, redactor);
      expect(columnsOf(JSON.parse(text) as RecordBody)).toEqual(columnsOf(body));
    }),
    { numRuns: runs(500) },
  );
});

function chainOf(texts: readonly string[]): StoredRow[] {
  let prev = genesisOf('c');
  return texts.map((text, i) => {
    const body = Buffer.from(text).toString();
    const salt = Buffer.alloc(16, i).toString('hex');
    const values: ColumnValues = COLUMN_NAMES.map((name) =>
      ['at', 'enforced', 'latency_us', 'faulty'].includes(name) ? i : `${name}${i}`,
    );
    const row = { seq: i + 1, spooled: 0, salt, body, values, body_hash: bodyHash(salt, body), prev_hash: prev };
    const hash = recordHash(row.seq, 0, values, row.body_hash, prev);
    prev = hash;
    return { ...row, hash };
  });
}

test('a record is what it is, whatever a call gives away as a secret', () => {
  const redactor = makeRedactor(() => Buffer.alloc(32));
  const plain = draftOf('curl -u x:hunter2 http://localhost');
  const words = [...new Set(JSON.stringify(bodyOf(plain, redactor).body).match(/[\w.-]{2,}/g))];
  fc.assert(
    fc.property(fc.constantFrom(...words), (word) => {
      const command = `curl -u x:${word} http://localhost`;
      const columns = (text: string) => {
        const { kind, answer, effect, rule, rules, tool, event, agent } = columnsOf(
          bodyOf(draftOf(text), redactor).body,
        );
        return { kind, answer, effect, rule, rules, tool, event, agent };
      };
      expect(columns(command)).toEqual(columns('curl -u x:hunter2 http://localhost'));
    }),
    { numRuns: runs(200) },
  );
});

test('a chain is whole, and any one change of it is found at that very record', () => {
  const change = fc.record({
    at: fc.nat(),
    what: fc.constantFrom('body', 'salt', 'column', 'hash', 'prev_hash', 'body_hash', 'drop', 'repeat'),
    where: fc.nat(),
  });
  fc.assert(
    fc.property(fc.array(nasty, { minLength: 2, maxLength: 8 }), change, (texts, { at, what, where }) => {
      const rows = chainOf(texts);
      expect(verifyRows(rows, 'c').findings).toEqual([]);
      const i = at % rows.length;
      const row = rows[i]!;
      const flip = (hex: string): string => {
        const place = where % Math.max(1, hex.length);
        return hex.slice(0, place) + (hex[place] === '0' ? '1' : '0') + hex.slice(place + 1);
      };
      const changed: StoredRow[] = [...rows];
      if (what === 'drop') {
        if (i === rows.length - 1) return; // a cut tail: the chain can't tell
        changed.splice(i, 1);
      } else if (what === 'repeat') changed.splice(i, 0, row);
      else if (what === 'column') {
        const values = [...row.values];
        const place = where % values.length;
        values[place] = typeof values[place] === 'number' ? Number(values[place]) + 1 : `${values[place]}x`;
        changed[i] = { ...row, values };
      } else changed[i] = { ...row, [what]: flip(row[what as 'body']!) };
      const [first] = verifyRows(changed, 'c').findings;
      expect(first?.seq).toBe(what === 'drop' ? i + 2 : i + 1);
    }),
    { numRuns: runs(500) },
  );
});

test('no view lets a control character, a bidi override or markup of a record through', () => {
  const plain = paint(process.stdout, { NO_COLOR: '1' });
  fc.assert(
    fc.property(fc.array(fc.record({ a: nasty, b: nasty, c: nasty }), { minLength: 1, maxLength: 3 }), (records) => {
      const home = join(dir, String(count++));
      const paths = govPaths({ GOV_HOME: home, HOME: home });
      const writer = openWriter(paths);
      for (const { a, b, c } of records) {
        const call = callOf(a, {
          session: b,
          agent: c,
          cwd: b,
          rawTool: c,
          callId: b,
          result: { text: a, exitCode: 1, failed: true, interrupted: false, durationMs: 1 },
        });
        const hits = [hitOf(b, 'deny', { message: c, remediation: a, subject: a, lifted_by: c })];
        const facts = { ...factsOf(call, [a, b]), unknowns: [{ reason: c, text: a, span: null }] };
        writer.append(draftOf(a, { call, facts, decision: decisionOf('deny', hits), answer: 'deny', faults: [a] }));
      }
      writer.close();
      const store = openStore(paths.database);
      try {
        const verification = verifyStore(store, paths);
        expect(verification.findings).toEqual([]);
        const report = numbersOf(store, {}, { govVersion: '0', top: 10, verification });
        const html = RENDER.html(report);
        expect(
          html.replace(
            /<\/?(?:!doctype|html|head|meta|title|style|body|header|h1|h2|p|main|dl|div|dt|dd|section|svg|g|rect|line|text|span|h3|details|summary|table|thead|tbody|tr|th|td|ul|li|footer)(?: [a-zA-Z0-9-]+="[^"<>]*"| html)*\/?>/g,
            '',
          ),
        ).not.toMatch(/[<>]/);
        const views = [
          html,
          RENDER.text(report),
          RENDER.csv(report).replaceAll('\r\n', '\n'),
          ...store
            .list({}, { limit: 10 })
            .rows.flatMap((row) => [lineOf(row, plain, 80), storyOf(store.show(row.id), plain)]),
        ];
        for (const view of views) expect(view).not.toMatch(UNSAFE);
        expect(RENDER.json(report)).toBe(RENDER.json(numbersOf(store, {}, { govVersion: '0', top: 10, verification })));
      } finally {
        store.close();
      }
    }),
    { numRuns: 60 },
  );
});

test('the store takes the values of columns as they are hashed', () => {
  const home = join(dir, 'roundtrip');
  const paths = govPaths({ GOV_HOME: home, HOME: home });
  const writer = openWriter(paths);
  fc.assert(
    fc.property(nasty, nasty, (a, b) => {
      const draft = draftOf(a, { call: callOf(a, { session: b, event: 'Other', rawEvent: a }) });
      const made = writer.append(draft);
      const db = new Database(paths.database, { readonly: true });
      const { body, ...row } = db
        .prepare(`SELECT ${COLUMN_NAMES.join(', ')}, body FROM records JOIN bodies USING (seq) WHERE id = ?`)
        .get(made.id) as Record<string, string | number> & { body: string };
      db.close();
      expect(COLUMN_NAMES.map((name) => row[name])).toEqual(valuesOf(columnsOf(JSON.parse(body) as RecordBody)));
    }),
    { numRuns: 60 },
  );
  writer.close();
});
