import type { Filter } from '../audit/read/filter.ts';
import { readActs, readGrants } from '../audit/read/grants.ts';
import type { Store } from '../audit/read/store.ts';
import type { Report } from './report.ts';
import type { CountedRow } from './rows.ts';

/** What held calls are gathered in: how many of them went on to run. */
interface Gathered {
  approved: number;
}

interface Held {
  readonly into: Gathered;
  readonly asked: boolean;
  end: 'went_on' | 'approved' | 'refused' | 'not_seen_again';
}

/** Follows calls that were held up to their end. */
export interface Questions {
  /** True if this is a question that was counted already: the agent's own prompt for a call that `gov` asked about. */
  repeats(row: CountedRow): boolean;
  /** A call that was asked about or denied, and where it is counted. */
  held(row: CountedRow, asked: boolean, into: Gathered): void;
  /** The outcome of a call. */
  outcome(row: CountedRow): void;
  /** How the questions ended, when all rows were seen; also says it to what the calls are gathered in. */
  ends(store: Store, filter: Filter): Report['asks'];
}

/**
 * A question ends in the agent's own prompt, which only an outcome of the same call tells of, or with `gov elevate`,
 * whose grant names the record that it answers: the call that passes then is another one, with an id of its own.
 */
export function questions(): Questions {
  const byId = new Map<string, Held>();
  const byCall = new Map<string, { readonly held: Held; readonly said: string }>();
  const open = new Map<string, Held>();
  const saidIn = ({ session, summary, shape }: CountedRow): string => `${session}\n${shape.tool}\n${summary}`;
  return {
    repeats(row) {
      // PermissionRequest of Claude Code carries no id of the call (docs: hooks reference, PermissionRequest input).
      if (row.shape.event !== 'PermissionRequest' || row.shape.answer !== 'ask') return false;
      const held = row.call === '' ? open.get(saidIn(row)) : byCall.get(`${row.session}\n${row.call}`)?.held;
      if (held === undefined) return false;
      byId.set(row.id, held);
      open.delete(saidIn(row));
      return true;
    },
    held(row, asked, into) {
      const held: Held = { into, asked, end: 'not_seen_again' };
      byId.set(row.id, held);
      if (!asked) return;
      const said = saidIn(row);
      if (row.call !== '') byCall.set(`${row.session}\n${row.call}`, { held, said });
      if (row.shape.event !== 'PermissionRequest') open.set(said, held);
    },
    outcome({ session, call }) {
      const found = call === '' ? undefined : byCall.get(`${session}\n${call}`);
      if (found === undefined) return;
      found.held.end = 'went_on';
      if (open.get(found.said) === found.held) open.delete(found.said);
      byCall.delete(`${session}\n${call}`);
    },
    ends(store, filter) {
      for (const act of readActs(store, 'elevate-denied', filter.since ?? 0)) {
        const held = byId.get(String(act.call.detail['request']));
        if (held?.end === 'not_seen_again') held.end = 'refused';
      }
      for (const { terms, usesLeft } of readGrants(store)) {
        const held = byId.get(terms.request);
        if (held !== undefined && held.end !== 'went_on') held.end = usesLeft < terms.uses ? 'went_on' : 'approved';
      }
      const asks = { went_on: 0, approved: 0, refused: 0, not_seen_again: 0 };
      for (const held of new Set(byId.values())) {
        if (held.end === 'went_on') held.into.approved++;
        if (held.asked) asks[held.end]++;
      }
      return asks;
    },
  };
}
