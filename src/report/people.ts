import { type Filter, whereOf } from '../audit/read/filter.ts';
import { readGrants } from '../audit/read/grants.ts';
import type { Store } from '../audit/read/store.ts';
import type { CompiledWaiver } from '../model/policy.ts';
import type { HeldCall, Report, ReportedGrant } from './report.ts';

/** Grants whose time overlaps the period, in the order of their approval. */
export function grantsOf(
  store: Store,
  { since, until }: Filter,
  first: number | null,
  last: number | null,
): readonly ReportedGrant[] {
  const from = since ?? first ?? Number.POSITIVE_INFINITY;
  const to = until ?? (last === null ? Number.NEGATIVE_INFINITY : last + 1);
  return readGrants(store)
    .filter(({ terms }) => terms.from < to && terms.until > from)
    .sort((a, b) => a.seq - b.seq)
    .map(({ terms, state, usesLeft }) => ({
      id: terms.id,
      state,
      lifts: [...terms.rules, ...terms.tags.map((tag) => `#${tag}`)],
      reason: terms.reason,
      approver: terms.approver,
      from: terms.from,
      until: terms.until,
      uses: terms.uses,
      uses_left: usesLeft,
    }));
}

/** Waivers whose time overlaps the period, those that end first at the head; null where no policy is known. */
export function waiversOf(
  store: Store,
  filter: Filter,
  known: readonly CompiledWaiver[] | null,
  first: number | null,
  last: number | null,
): Report['waivers'] {
  if (known === null) return null;
  const from = filter.since ?? first ?? Number.POSITIVE_INFINITY;
  const to = filter.until ?? (last === null ? Number.NEGATIVE_INFINITY : last + 1);
  const { where, values } = whereOf(filter);
  const used = store.db
    .prepare(
      `SELECT count(*) FROM records WHERE rules <> '' AND kind = 'decision' ${where.map((clause) => `AND ${clause}`).join(' ')}
       AND EXISTS (SELECT 1 FROM bodies b WHERE b.seq = records.seq AND instr(b.body, ?) > 0)`,
    )
    .pluck();
  return known
    .filter(({ notBefore, expires }) => notBefore < to && expires > from)
    .map(({ id, rule, reason, owner, notBefore, expires }) => ({
      id,
      rule,
      reason,
      owner,
      from: notBefore,
      until: expires,
      used: used.get(...values, `"lifted_by":${JSON.stringify(id)}`) as number,
    }))
    .sort((a, b) => a.until - b.until || (a.id < b.id ? -1 : 1));
}

/** What people did with gov itself: by name, how often. */
export function actsOf(store: Store, filter: Filter): Report['acts'] {
  // Faults inside of gov are records of this kind as well: nobody did anything, and they have no name.
  const { where, values } = whereOf({ ...filter, kind: 'gov' });
  return store.db
    .prepare(
      `SELECT summary AS name, count(*) AS count FROM records WHERE ${[...where, "summary <> ''"].join(' AND ')} GROUP BY summary ORDER BY summary`,
    )
    .all(...values) as Report['acts'];
}

/** Rules that never fired; null where it is not known which there are. */
export function silentOf(known: readonly string[] | null, fired: ReadonlyMap<string, unknown>): Report['silent'] {
  if (known === null) return null;
  const rules = [...new Set(known)].sort();
  return { rules: rules.length, never_fired: rules.filter((id) => !fired.has(id)) };
}

/** Adds what the rule said the last time a call was held up. */
export function withReason(store: Store): (held: Omit<HeldCall, 'severity' | 'why'>) => HeldCall {
  const select = store.db
    .prepare(
      `SELECT json_extract(b.body, '$.decision.rules') FROM records r JOIN bodies b USING (seq)
       WHERE r.id = ? AND json_valid(b.body)`,
    )
    .pluck();
  return (held) => {
    const text = select.get(held.id);
    const rules = (typeof text === 'string' ? JSON.parse(text) : []) as readonly Partial<Hit>[];
    const hit = rules.find((rule) => rule.id === held.rule);
    return { ...held, severity: hit?.severity ?? '', why: hit?.title || hit?.message || '' };
  };
}

interface Hit {
  readonly id: string;
  readonly severity: HeldCall['severity'];
  readonly title: string;
  readonly message: string;
}
