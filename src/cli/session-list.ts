import { existsSync } from 'node:fs';
import { readGrants } from '../audit/read/grants.ts';
import { openStore, type Store } from '../audit/read/store.ts';
import { CANARY_SESSION } from '../base/canary.ts';
import type { GovPaths } from '../base/gov-paths.ts';
import { readRequests } from '../grants/requests.ts';
import { type SessionState, stateOf } from '../grants/session-state.ts';
import { stopFor } from '../grants/stop.ts';
import { isWaiting, stateNow } from './elevate.ts';

const RECENT_MS = 3_600_000;

/** Codes of what waited for a person in the last hour, newest first. Empty if the store can't be read. */
export function codesWaiting(paths: GovPaths, now: number): readonly string[] {
  return inStore(paths, (store) =>
    readRequests(store, now)
      .filter((request) => isWaiting(request, now - RECENT_MS))
      .map(({ code }) => code),
  );
}

/** A session of which something was recorded lately. */
export interface SessionNow {
  readonly session: string;
  readonly agent: string;
  /** Of its newest decision, milliseconds since 1970 UTC. */
  readonly at: number;
  readonly state: SessionState;
}

/**
 * Sessions with a decision in the last hour, newest first, without those of `gov verify`; `limits`: ids of the rules
 * that trip the breaker. Empty if the store can't be read: `gov doctor` says why.
 */
export function sessionsNow(paths: GovPaths, limits: ReadonlySet<string>, now: number): readonly SessionNow[] {
  return inStore(paths, (store) => {
    const grants = readGrants(store).filter((grant) => stateNow(grant, now) === 'active');
    const newest = new Map<string, { agent: string; at: number; rule: string; answer: string }>();
    for (const row of store.each({ since: now - RECENT_MS, kind: 'decision' }))
      if (!row.session.startsWith(CANARY_SESSION)) newest.set(row.session, row);
    return [...newest]
      .map(([session, { agent, at, rule, answer }]) => ({
        session,
        agent,
        at,
        state: stateOf({
          stopped: stopFor(paths, session) !== null,
          tripped: answer !== 'allow' && limits.has(rule),
          granted: grants.some(({ terms }) => terms.session === '' || terms.session === session),
        }),
      }))
      .sort((a, b) => b.at - a.at);
  });
}

function inStore<T>(paths: GovPaths, use: (store: Store) => readonly T[]): readonly T[] {
  if (!existsSync(paths.database)) return [];
  try {
    const store = openStore(paths.database);
    try {
      return use(store);
    } finally {
      store.close();
    }
  } catch {
    return [];
  }
}
