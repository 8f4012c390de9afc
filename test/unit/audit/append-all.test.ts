import { describe, expect, test } from 'vitest';
import { openStore } from '../../../src/audit/read/store.ts';
import { Database } from '../../../src/audit/sqlite.ts';
import { verifyStore } from '../../../src/audit/tend/verify.ts';
import { findNativeBinding } from '../../../src/audit/write/binding.ts';
import { GrantGone } from '../../../src/audit/write/grants.ts';
import { openWriter, type Writer } from '../../../src/audit/write/writer.ts';
import type { GovPaths } from '../../../src/base/gov-paths.ts';
import { draftOf, scratchPaths } from './draft.ts';

function withWriter<T>(use: (writer: Writer, paths: GovPaths) => T): T {
  const paths = scratchPaths();
  const writer = openWriter(paths, { nativeBinding: findNativeBinding(), budgetMs: 200 });
  try {
    return use(writer, paths);
  } finally {
    writer.close();
  }
}

function stored(paths: GovPaths): { readonly ids: readonly string[]; readonly ok: boolean } {
  const store = openStore(paths.database);
  const ids = store.db.prepare('SELECT id FROM records ORDER BY seq').pluck().all() as string[];
  const { ok } = verifyStore(store, paths);
  store.close();
  return { ids, ok };
}

const gone = () => {
  throw new GrantGone('g1');
};

describe('several records in one commit', () => {
  test('stand in the chain in their order', () => {
    withWriter((writer, paths) => {
      const drafts = ['ls', 'pwd', 'date'].map((command) => draftOf(command));
      const done = writer.appendAll(drafts.map((draft) => ({ draft })));
      expect(done).toMatchObject(
        [1, 2, 3].map((seq, i) => ({ id: drafts[i]?.id, seq, stored: 'database', fault: '' })),
      );
      expect(stored(paths)).toEqual({ ids: drafts.map((draft) => draft.id), ok: true });
    });
  });

  test('one whose grant is gone is left out, the others are stored', () => {
    withWriter((writer, paths) => {
      const drafts = ['ls', 'pwd', 'date'].map((command) => draftOf(command));
      const done = writer.appendAll(drafts.map((draft, i) => (i === 1 ? { draft, within: gone } : { draft })));
      expect(done[1]).toBeInstanceOf(GrantGone);
      expect(done[2]).toMatchObject({ seq: 2 });
      expect(stored(paths)).toEqual({ ids: [drafts[0]?.id, drafts[2]?.id], ok: true });
    });
  });

  test('what follows a record is stored behind it', () => {
    withWriter((writer, paths) => {
      const [first, follows, last] = ['ls', 'pwd', 'date'].map((command) => draftOf(command)) as [
        ReturnType<typeof draftOf>,
        ReturnType<typeof draftOf>,
        ReturnType<typeof draftOf>,
      ];
      writer.appendAll([{ draft: first, within: () => [follows] }, { draft: last }]);
      expect(stored(paths)).toEqual({ ids: [first.id, follows.id, last.id], ok: true });
    });
  });

  test('a database that is locked takes none of them, and nothing waits in the spool', () => {
    withWriter((writer, paths) => {
      const first = writer.append(draftOf('ls'));
      const other = new Database(paths.database);
      other.exec('BEGIN IMMEDIATE');
      expect(() => writer.appendAll([{ draft: draftOf('pwd') }, { draft: draftOf('date') }])).toThrow(/locked/);
      other.exec('ROLLBACK');
      other.close();
      const last = writer.appendAll([{ draft: draftOf('id') }])[0];
      expect(stored(paths)).toEqual({ ids: [first.id, (last as { id: string }).id], ok: true });
    });
  });
});

describe('a call that is asked about again under its id', () => {
  const both = [
    ['alone', (writer: Writer, draft: ReturnType<typeof draftOf>) => writer.append(draft)],
    ['with others', (writer: Writer, draft: ReturnType<typeof draftOf>) => writer.appendAll([{ draft }])[0]],
  ] as const;

  test.each(both)('keeps the record that it has: %s', (_, append) => {
    withWriter((writer, paths) => {
      const draft = draftOf('ls', { answer: 'deny' });
      const first = writer.append(draft);
      const again = append(writer, { ...draft, at: draft.at + 5, answer: 'allow' });
      expect(again).toMatchObject({ id: draft.id, seq: first.seq, hash: first.hash, earlier: { answer: 'deny' } });
      expect(stored(paths)).toEqual({ ids: [draft.id], ok: true });
      expect(append(writer, draftOf('pwd'))).toMatchObject({ seq: 2 });
    });
  });

  test.each(both)('takes no use of a grant twice: %s', (name) => {
    withWriter((writer) => {
      const draft = draftOf('ls');
      writer.append(draft);
      const item = { draft, within: gone };
      const again = name === 'alone' ? writer.append(item.draft, item.within) : writer.appendAll([item])[0];
      expect(again).toMatchObject({ earlier: { id: draft.id } });
    });
  });

  test.each(both)('is another call if it asks for something else: %s', (_, append) => {
    withWriter((writer, paths) => {
      const draft = draftOf('ls');
      writer.append(draft);
      const other = { ...draftOf('rm -rf /'), id: draft.id };
      let done: unknown;
      try {
        done = append(writer, other);
      } catch (error) {
        done = error;
      }
      expect(done).not.toHaveProperty('earlier');
      expect(stored(paths).ids).toEqual([draft.id]);
    });
  });
});
