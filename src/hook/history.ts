import type { Connection } from '../audit/write/database.ts';
import { type Counted, isMarked, marksOf, minutesOfMarks, sumOfMarks } from '../audit/write/marks.ts';
import {
  announcedOf,
  beginOf,
  type Calls,
  callsOf,
  changesOf,
  deniesOf,
  failuresOf,
  minutesOf,
  recordsOf,
  unheardOf,
} from '../audit/write/session.ts';
import type { Mark } from '../model/decision.ts';
import { type History, type LimitAsk, UNHEARD } from '../policy/history.ts';

/** A call's digest within a key. */
const DIGEST = /\b[0-9a-f]{64}\b/g;
const KEYED = 'hmac-sha256:';
const MINUTE_MS = 60_000;

/**
 * What earlier decisions left behind, looked up in the store: only rules with a sequence or a limit ask, and only when
 * the rest of their condition holds. Where a call held a secret its digest is stored keyed, so a key is looked for in
 * both forms if there is such a one; `keyed` gives null without a key.
 */
export function storeHistory(
  read: <T>(use: (db: Connection) => T) => T,
  keyed: (digest: string) => string | null,
): History {
  let broken: { readonly error: unknown } | null = null;
  const known = new Map<string, readonly Mark[]>();
  let records: number | null = null;
  /** A store that can't be read now is not waited for again by the next rule. */
  const looking = <T>(look: (db: Connection) => T): T => {
    if (broken) throw broken.error;
    try {
      return read(look);
    } catch (error) {
      broken = { error };
      throw error;
    }
  };
  /** Keys with a digest are rare, those with a keyed one rarer, and to key a digest takes long. */
  const forms = (db: Connection, rule: string, key: string): readonly string[] => {
    const at = key.search(DIGEST);
    if (at < 0 || !isMarked(db, rule, key.slice(0, at) + KEYED)) return [key];
    const other = key.replace(DIGEST, (digest) => keyed(digest) ?? digest);
    return other === key ? [key] : [key, other];
  };
  const calls = (db: Connection, { counts, key: session, since, until, calls: events, enough }: LimitAsk): number => {
    records ??= recordsOf(db, session);
    if (records <= enough) return records;
    const asked: Calls = { session, events: events ?? [], since, until };
    if (counts === 'call') return callsOf(db, asked);
    const passed = Math.ceil((until - Math.max(since, beginOf(db, session) ?? until)) / MINUTE_MS);
    return passed <= enough ? passed : minutesOf(db, asked);
  };
  return {
    marks: (rule, key, since) => {
      const name = JSON.stringify([rule, key, since]);
      const found = known.get(name) ?? looking((db) => marksOf(db, rule, forms(db, rule, key), since));
      known.set(name, found);
      return found;
    },
    session: (session, now) => {
      let changes: ReturnType<typeof changesOf> | null = null;
      const changed = (db: Connection): ReturnType<typeof changesOf> => {
        changes ??= changesOf(db, session);
        return changes;
      };
      return (fact) =>
        looking((db): unknown => {
          switch (fact) {
            case 'calls':
              return announcedOf(db, session);
            case 'denies':
              return deniesOf(db, session);
            case 'failures':
              return failuresOf(db, session);
            case 'files_changed':
              return changed(db).files;
            case 'lines_changed':
              return changed(db).lines;
            case 'age_seconds':
              return Math.max(0, Math.floor((now - (beginOf(db, session) ?? now)) / 1000));
            case 'labels':
              return null;
          }
        });
    },
    hears: (session) => looking((db) => (unheardOf(db, session, UNHEARD) ?? 0) < UNHEARD),
    total: (ask) =>
      looking((db) => {
        if (ask.calls !== null) return calls(db, ask);
        const { rule, counts: step, key, since, until } = ask;
        const asked: Counted = { rule, step, keys: forms(db, rule, key), since, until };
        return step === 'minutes' ? minutesOfMarks(db, asked) : sumOfMarks(db, asked);
      }),
  };
}
