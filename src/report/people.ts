import { type Filter, whereOf } from '../audit/read/filter.ts';
import { readGrants } from '../audit/read/grants.ts';
import type { Store } from '../audit/read/store.ts';
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

/** What people did with gov itself: by name, how often. */
export function actsOf(store: Store, filter: Filter): Report['acts'] {
  const { where, values } = whereOf({ ...filter, kind: 'gov' });
  return store.db
    .prepare(
      `SELECT summary AS name, count(*) AS count FROM records WHERE ${where.join(' AND ')} GROUP BY summary ORDER BY summary`,
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
