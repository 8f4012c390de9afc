import { createHmac } from 'node:crypto';
import { sha256 } from '../../base/digest.ts';
import { LIMITS } from '../../base/limits.ts';
import type { RecordDraft } from '../../model/record.ts';
import type { Redactor } from '../../redact/redact.ts';
import { mayHoldSecrets } from '../../redact/scan.ts';
import { type Capped, packFacts, type RecordBody, type Redaction } from '../format/body.ts';
import { ownWords } from './own-words.ts';

/** Characters of one text that a record keeps, in the order in which the limits are tried until the record fits. */
const TEXT_LIMITS = [64 * 1024, 8 * 1024, 1024, 200] as const;
/** Redaction looks so far past the cut, so that a secret on the cut is seen whole. */
const LOOKAHEAD = 4096;
const MAX_DEPTH = 64;
const MAX_ITEMS = 10_000;

/**
 * Turns a draft into what is stored: secrets taken out, what is too big cut with the digest of the whole noted.
 * The stored text is never longer than `LIMITS.recordBytes`. `text` is the JSON of `body`.
 */
export function bodyOf(draft: RecordDraft, redactor: Redactor): { readonly body: RecordBody; readonly text: string } {
  const ready = asItIs(draft);
  if (ready !== null) return ready;
  for (const limit of TEXT_LIMITS) {
    const made = attempt(draft, redactor, limit, limit === 64 * 1024 ? 'whole' : 'no-facts');
    if (made !== null) return made;
  }
  const least = attempt(draft, redactor, 200, 'least');
  if (least === null) throw new RangeError('a record without its variable parts is over the limit');
  return least;
}

/** The usual case: small, and nothing in it that looks like a secret. Null if a closer look is needed. */
function asItIs(draft: RecordDraft): { readonly body: RecordBody; readonly text: string } | null {
  const { call, facts } = draft;
  if (isDeep(call.input, MAX_INPUT_DEPTH) || isDeep(call.detail, MAX_INPUT_DEPTH)) return null;
  const body: RecordBody = { ...plain(draft, 'whole', () => {}), redactions: [], capped: [] };
  const text = JSON.stringify(body);
  if (text.length > TEXT_LIMITS[0]) return null;
  // What rules say of themselves is ours; what could bring in a secret comes from the call.
  const theirs = JSON.stringify([
    call.input,
    call.result,
    call.detail,
    call.cwd,
    body.facts,
    facts?.result,
    draft.faults,
  ]);
  return mayHoldSecrets(theirs) ? null : { body, text };
}

const MAX_INPUT_DEPTH = 32;

function isDeep(value: unknown, left: number): boolean {
  if (value === null || typeof value !== 'object') return false;
  return left === 0 || Object.values(value).some((item) => isDeep(item, left - 1));
}

type Extent = 'whole' | 'no-facts' | 'least';

function attempt(draft: RecordDraft, redactor: Redactor, limit: number, extent: Extent) {
  const capped: Capped[] = [];
  const whole: unknown[] = [];
  const note = (path: string, text: string): void => {
    capped.push({ path, bytes: Buffer.byteLength(text), digest: '' });
    whole.push(text);
  };
  const base = plain(draft, extent, note);
  const cutting = cutter(limit, note, limit + LOOKAHEAD);
  const { value, found } = redactor.json(cutting(base, '', 0), () => ownWords(base));
  const redactions = counted(found);
  const key = redactions.length > 0 ? redactor.key() : null;
  // SECURITY: a plain digest of a text that held a short secret could be guessed from; a keyed one can't.
  const digested = capped.map((cap, i) => ({ ...cap, digest: digestOf(String(whole[i]), redactions.length > 0, key) }));
  const kept = digested.length === 0 ? value : cutter(limit, () => {}, limit, '…')(value, '', 0);
  const body = { ...(kept as Omit<RecordBody, 'redactions' | 'capped'>), redactions, capped: digested.slice(0, 100) };
  const secured = redactions.length > 0 ? withKeyedDigest(body, key) : body;
  const text = JSON.stringify(secured);
  return Buffer.byteLength(text) <= LIMITS.recordBytes ? { body: secured, text } : null;
}

function plain(
  draft: RecordDraft,
  extent: Extent,
  note: (path: string, text: string) => void,
): Omit<RecordBody, 'redactions' | 'capped'> {
  const { call, facts, decision } = draft;
  const drop = (name: string, value: unknown): null => {
    if (value !== null) note(name, JSON.stringify(value));
    return null;
  };
  return {
    v: 1,
    id: draft.id,
    kind: draft.kind,
    at: Math.trunc(draft.at),
    gov: draft.govVersion,
    enforced: draft.enforced,
    answer: draft.answer,
    latency_us: Math.max(0, Math.round(draft.latencyMs * 1000) || 0),
    faults: draft.faults.slice(0, 50),
    call:
      extent === 'least' ? { ...call, input: drop('call.input', call.input) ?? {}, detail: {}, result: null } : call,
    facts: facts === null ? null : extent === 'whole' ? packFacts(facts, call) : drop('facts', facts),
    decision:
      decision === null || extent === 'whole'
        ? decision
        : {
            ...decision,
            rules: decision.rules.slice(0, 50),
            trace: decision.trace.filter((step) => step.outcome !== 'false' && step.outcome !== 'off').slice(0, 50),
          },
  };
}

/**
 * A copy in which texts longer than `limit` are cut to `keep` and get a mark, lists end at `MAX_ITEMS` and nesting
 * at `MAX_DEPTH`; each cut is reported. Copies have no prototype, so that a key like `__proto__` stays data.
 */
function cutter(limit: number, note: (path: string, text: string) => void, keep: number, mark = '') {
  const cut = (value: unknown, path: string, depth: number): unknown => {
    if (typeof value === 'string') {
      if (value.length <= limit) return value;
      note(path, value);
      return value.slice(0, keep) + mark;
    }
    if (value === null || typeof value !== 'object') return value;
    if (depth >= MAX_DEPTH) {
      note(path, '');
      return '…';
    }
    if (Array.isArray(value)) {
      if (value.length > MAX_ITEMS) note(path, '');
      return value.slice(0, MAX_ITEMS).map((item, i) => cut(item, `${path}.${i}`, depth + 1));
    }
    const out: Record<string, unknown> = Object.create(null);
    let items = 0;
    for (const key of Object.keys(value)) {
      if (++items > MAX_ITEMS) {
        note(path, '');
        break;
      }
      const name = key.length > 200 ? `${key.slice(0, 200)}…` : key;
      out[name] = cut((value as Record<string, unknown>)[key], path === '' ? name : `${path}.${name}`, depth + 1);
    }
    return out;
  };
  return cut;
}

function counted(found: readonly { readonly kind: string; readonly fp: string }[]): Redaction[] {
  const counts = new Map<string, Redaction>();
  for (const { kind, fp } of found) {
    const name = `${kind}:${fp}`;
    counts.set(name, { kind, fp, count: (counts.get(name)?.count ?? 0) + 1 });
  }
  return [...counts.values()].slice(0, 200);
}

function digestOf(text: string, secret: boolean, key: Buffer | null): string {
  if (text === '') return '';
  if (!secret) return `sha256:${sha256(text)}`;
  return key === null ? '' : keyedDigest(text, key);
}

/** What stands in a record for the digest of something that held a secret. */
export function keyedDigest(text: string, key: Buffer): string {
  return `hmac-sha256:${createHmac('sha256', key).update(text).digest('hex')}`;
}

/**
 * The call's digest is plain; where the call held a secret it is replaced by a keyed one, for the reason above. It may
 * stand in the keys of marks too.
 */
function withKeyedDigest(body: RecordBody, key: Buffer | null): RecordBody {
  const digest = body.facts?.event.call_digest;
  if (body.facts === null || digest === undefined || digest === '') return body;
  const keyed = digestOf(digest, true, key);
  const decision =
    body.decision?.marks === undefined
      ? body.decision
      : { ...body.decision, marks: body.decision.marks.map((m) => ({ ...m, key: m.key.replaceAll(digest, keyed) })) };
  return { ...body, decision, facts: { ...body.facts, event: { ...body.facts.event, call_digest: keyed } } };
}
