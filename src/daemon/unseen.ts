import type { RecordDraft } from '../model/record.ts';
import type { History } from '../policy/history.ts';

/**
 * What the calls of a batch leave behind. Others find it in the store once it is committed; a call that asks for it
 * before must not be judged yet, or a limit would let pass as many calls too many as share a commit.
 */
export interface Unseen {
  /** A history that tells when something is asked for that a call of this batch adds to. */
  watch(history: History, missed: () => void): History;
  add(draft: RecordDraft): void;
}

export function nothingUnseen(): Unseen {
  const sessions = new Set<string>();
  const marks = new Set<string>();
  const name = (rule: string, key: string): string => JSON.stringify([rule, key]);
  return {
    add({ call, decision }) {
      sessions.add(call.session);
      for (const { rule, key } of decision?.marks ?? []) marks.add(name(rule, key));
    },
    watch(history, missed) {
      const { session, hears } = history;
      return {
        marks(rule, key, since) {
          if (marks.has(name(rule, key))) missed();
          return history.marks(rule, key, since);
        },
        total(ask) {
          if (ask.calls === null ? marks.has(name(ask.rule, ask.key)) : sessions.has(ask.key)) missed();
          return history.total(ask);
        },
        ...(hears && {
          hears(id) {
            if (sessions.has(id)) missed();
            return hears(id);
          },
        }),
        ...(session && {
          session(id, now) {
            const source = session(id, now);
            return (fact) => {
              if (sessions.has(id)) missed();
              return source(fact);
            };
          },
        }),
      };
    },
  };
}
