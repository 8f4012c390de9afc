import { GovError } from '../base/errors.ts';
import { rowsOf, type SessionPage, type StepRow, sessionsOf } from './session.ts';
import type { Source } from './source.ts';
import { type Story, storyOf } from './story.ts';

/** What the web viewer asks for, by name. */
export interface Answers {
  readonly sessions: SessionPage & { readonly records: number };
  readonly rows: { readonly rows: readonly StepRow[]; readonly whole: boolean };
  readonly story: Story;
  /** The record as it is stored. */
  readonly raw: unknown;
}

export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

const MAX_ROWS = 20_000;
const PAGE_SESSIONS = 50;

/** Answers one question of the web viewer. What was asked wrongly is 400, what isn't there 404. */
export function answerApi(source: Source, name: string, query: URLSearchParams): ApiAnswer {
  const number = (key: string, otherwise: number): number => {
    const value = Number(query.get(key) ?? otherwise);
    return Number.isSafeInteger(value) && value >= 0 ? value : otherwise;
  };
  try {
    return source.read((store): ApiAnswer => {
      switch (name) {
        case 'sessions': {
          const before = query.has('before') ? number('before', 0) : null;
          return ok({ ...sessionsOf(store, PAGE_SESSIONS, before), records: store.ends().last });
        }
        case 'rows': {
          const limit = Math.min(MAX_ROWS, Math.max(1, number('limit', 2000)));
          const rows = rowsOf(store, query.get('session') ?? '', number('after', 0), limit);
          return ok({ rows, whole: rows.length < limit });
        }
        case 'story':
          return ok(storyOf(store.show(String(number('seq', 0)))));
        case 'raw': {
          const { row, prev_hash, body } = store.show(String(number('seq', 0)));
          return ok({ row, prev_hash, body });
        }
        default:
          return { status: 404, body: { error: 'there is no such question' } };
      }
    });
  } catch (error) {
    if (error instanceof GovError && error.code === 'usage-no-record')
      return { status: 404, body: { error: error.message } };
    if (error instanceof GovError && error.code.startsWith('usage'))
      return { status: 400, body: { error: error.message } };
    throw error;
  }
}

function ok(body: Answers[keyof Answers]): ApiAnswer {
  return { status: 200, body };
}
