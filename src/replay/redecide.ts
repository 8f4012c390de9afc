import { unpackFacts } from '../audit/format/body.ts';
import type { Filter } from '../audit/read/filter.ts';
import type { Store } from '../audit/read/store.ts';
import { holds } from '../evidence/ledger.ts';
import { recordedEvidence } from '../evidence/recorded.ts';
import { type Answer, EFFECTS, type RuleEffect } from '../model/decision.ts';
import type { Facts } from '../model/facts.ts';
import type { CompiledPolicy } from '../model/policy.ts';
import { decide } from '../policy/decide.ts';
import { memoryHistory } from '../policy/history.ts';
import type { Services } from '../policy/scope.ts';

/** A recorded decision beside what another policy makes of the same facts. */
interface Redecided {
  readonly id: string;
  readonly seq: number;
  /** Milliseconds since 1970 UTC. */
  readonly at: number;
  readonly summary: string;
  readonly then: Answer;
  readonly thenRule: string;
  readonly now: Answer;
  readonly nowRule: string;
}

type Change = 'unchanged' | 'stricter' | 'milder';

/** A record that can't be decided again, with the reason. */
interface Undecidable {
  readonly id: string;
  readonly seq: number;
  readonly summary: string;
  readonly why: string;
}

export interface WhatIf {
  /** Strictest change first: what was stopped and would pass, then what passed and would be stopped or asked about. */
  readonly changes: readonly (Redecided & { readonly change: Exclude<Change, 'unchanged'> })[];
  readonly undecidable: readonly Undecidable[];
  readonly counts: WhatIfCounts;
}

/** What a gate can ask about; all are whole numbers. */
interface WhatIfCounts {
  readonly records: number;
  readonly decided: number;
  readonly undecidable: number;
  readonly unchanged: number;
  readonly stricter: number;
  readonly milder: number;
  /** Passed then, denied or halted now. */
  readonly newly_denied: number;
  /** Passed then, asked about now. */
  readonly newly_asked: number;
  /** Denied, halted or asked about then, passes now. */
  readonly newly_allowed: number;
}

/**
 * Takes recorded decisions again with another policy, on the facts as they were recorded and at the time they were
 * made. Nothing is run and nothing of today's machine is looked at. Grants are left out: the question is what rules say.
 */
export function redecide(
  store: Store,
  filter: Filter,
  policy: CompiledPolicy,
  services: Services = {},
  progress: (done: number) => void = () => {},
): WhatIf {
  const history = memoryHistory();
  const changes: (Redecided & { change: 'stricter' | 'milder' })[] = [];
  const undecidable: Undecidable[] = [];
  let records = 0;
  let unchanged = 0;
  /** Facts of calls whose end is not seen yet: an outcome that mattered to no rule was recorded without. */
  const open = new Map<string, Facts>();
  for (const row of store.each(filter)) {
    if (row.kind !== 'decision' && row.kind !== 'outcome') continue;
    const { body } = store.show(row.id);
    const outcome = row.kind === 'outcome';
    const own = body?.facts ? unpackFacts(body.facts, body.call) : null;
    const facts = outcome && own === null ? endOf(body, open) : own;
    if (outcome && facts === null) continue;
    if (!outcome && facts && body) begun(body, facts, open);
    const why = reasonAgainst(body);
    if (!outcome) records++;
    if (records % 500 === 0) progress(records);
    if (body && facts && why === '') {
      // What the session was like then, as far as it was asked for; else what these records tell.
      const session = body.decision?.session;
      const evidence = recordedEvidence(body.decision?.evidence ?? [], (ask) => holds(ask, () => ''));
      const decision = decide(policy, facts, {
        now: row.at,
        history,
        services: { ...services, evidence },
        ...(session ? { session } : {}),
      });
      history.add(decision.marks ?? []);
      history.saw(facts, row.at, decision.answer);
      if (outcome) continue;
      const then = (body.decision?.answer ?? 'allow') as Answer;
      const change = changeOf(then, decision.answer);
      if (change === 'unchanged') unchanged++;
      else
        changes.push({
          id: row.id,
          seq: row.seq,
          at: row.at,
          summary: row.summary,
          then,
          thenRule: body.decision?.rule ?? '',
          now: decision.answer,
          nowRule: decision.rule ?? '',
          change,
        });
    } else if (!outcome) undecidable.push({ id: row.id, seq: row.seq, summary: row.summary, why });
  }
  changes.sort((a, b) => (a.change === b.change ? a.seq - b.seq : a.change === 'milder' ? -1 : 1));
  const count = (test: (c: Redecided) => boolean): number => changes.filter(test).length;
  return {
    changes,
    undecidable,
    counts: {
      records,
      decided: records - undecidable.length,
      undecidable: undecidable.length,
      unchanged,
      stricter: changes.filter((c) => c.change === 'stricter').length,
      milder: changes.filter((c) => c.change === 'milder').length,
      newly_denied: count((c) => !isBlock(c.then) && isBlock(c.now)),
      newly_asked: count((c) => c.then === 'allow' && c.now === 'ask'),
      newly_allowed: count((c) => c.then !== 'allow' && c.now === 'allow'),
    },
  };
}

type Body = ReturnType<Store['show']>['body'];

/** Calls that are remembered until they end. */
const OPEN_MOST = 1000;

function begun({ call }: NonNullable<Body>, facts: Facts, open: Map<string, Facts>): void {
  if (call.callId === null) return;
  open.set(`${call.session} ${call.callId}`, facts);
  if (open.size > OPEN_MOST) open.delete(open.keys().next().value as string);
}

/** The facts of a call as its outcome saw them, taken from when it was announced; null if that is not among the records. */
function endOf(body: Body, open: Map<string, Facts>): Facts | null {
  if (!body?.call.result || body.call.callId === null) return null;
  const name = `${body.call.session} ${body.call.callId}`;
  const facts = open.get(name);
  open.delete(name);
  return facts ? { ...facts, event: { ...facts.event, name: body.call.event }, result: body.call.result } : null;
}

function reasonAgainst(body: Body): string {
  if (body === null) return 'its body was erased or is damaged';
  if (body.kind === 'outcome') return '';
  if (!body.facts) return body.decision?.rule ? `no facts: ${body.decision.rule}` : 'no facts were recorded';
  if (body.capped.some((part) => part.path.startsWith('facts'))) return 'its facts were too large to keep whole';
  return '';
}

function changeOf(then: Answer, now: Answer): Change {
  const d = rank(now) - rank(then);
  return d === 0 ? 'unchanged' : d < 0 ? 'stricter' : 'milder';
}

function rank(answer: Answer): number {
  return EFFECTS.indexOf(answer as RuleEffect);
}

function isBlock(answer: Answer): boolean {
  return answer === 'deny' || answer === 'halt';
}
