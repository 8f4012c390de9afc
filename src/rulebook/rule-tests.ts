import { messageOf } from '../base/errors.ts';
import type { Decision, RuleHit } from '../model/decision.ts';
import type { CompiledPolicy, CompiledRule } from '../model/policy.ts';
import type { World } from '../model/world.ts';
import { decide } from '../policy/decide.ts';
import { compileGlobs } from '../policy/glob.ts';
import { memoryHistory } from '../policy/history.ts';
import type { Services } from '../policy/scope.ts';
import { parseDuration } from '../policy/time-functions.ts';
import type { Compilation } from './compile.ts';
import { explainRule, type ItemParts } from './explain.ts';
import type { CallData, CaseData, GrantData, PastData } from './rule-data.ts';
import type { WrittenRule } from './rules.ts';
import { type Path, rangeOf } from './source.ts';
import { factsOfEvent, type TestBench } from './test-event.ts';
import { evidenceOf, fileStates } from './test-evidence.ts';

/** The clock of cases that don't give one. */
const NOW = Date.parse('2026-01-01T12:00:00Z');

/** The world of cases: what a case's `world` does not say. */
const WORLD = { home: '/home/dev', workspace: '/home/dev/repo' };

type Side = 'match' | 'no_match' | 'dynamic' | 'case';

export interface TestResult {
  readonly rule: string;
  readonly side: Side;
  /** The case's name or its command. */
  readonly name: string;
  readonly ok: boolean;
  /** What came out instead. */
  readonly got: string;
  /** For a test that fails: the parts of the condition with their values, for each item. */
  readonly parts: readonly ItemParts[];
  readonly file: string;
  readonly line: number;
}

export interface TestOptions {
  /** Only tests whose `rule: name` matches. */
  readonly run?: RegExp;
  /** Only tests that stand in these files. */
  readonly files?: ReadonlySet<string>;
}

/** Runs the tests that stand in the rules and in documents of kind Tests. */
export function runTests(compilation: Compilation, bench: TestBench, options: TestOptions = {}): readonly TestResult[] {
  const tests = [...compilation.written.flatMap(inlineTests), ...separateTests(compilation)];
  const { files } = options;
  return tests
    .filter((t) => !files || files.has(t.file))
    .filter((t) => !options.run || options.run.test(`${t.rule}: ${t.name}`))
    .map(({ check, parts, rule, side, name, file, line }) => {
      let got: string | null;
      try {
        got = check(compilation.policy, bench);
      } catch (error) {
        got = `the test can't run: ${messageOf(error)}`;
      }
      const ok = got === null;
      return { rule, side, name, file, line, ok, got: got ?? '', parts: ok ? [] : partsOf(parts, compilation, bench) };
    });
}

interface Test {
  readonly rule: string;
  readonly side: Side;
  readonly name: string;
  readonly file: string;
  readonly line: number;
  /** Null: as wanted; else what came out instead. */
  readonly check: (policy: CompiledPolicy, bench: TestBench) => string | null;
  /** The rule's condition on the event, taken apart. */
  readonly parts: (policy: CompiledPolicy, bench: TestBench) => readonly ItemParts[];
}

function partsOf(parts: Test['parts'], { policy }: Compilation, bench: TestBench): readonly ItemParts[] {
  try {
    return parts(policy, bench);
  } catch {
    return [];
  }
}

/** The rule on the last event of a case. */
function takeApart(rule: CompiledRule, test: CaseData): Test['parts'] {
  return (policy, bench) => {
    const { now, world, services, history } = lived(test, policy, bench);
    return explainRule(policy, rule, factsOfEvent(test.event, world, bench), { now, services, history });
  };
}

function inlineTests({ rule, data, doc, index }: WrittenRule): readonly Test[] {
  const place = (path: Path): { file: string; line: number } => ({
    file: doc.file.path,
    line: doc.file.lines.linePos(rangeOf(doc, ['rules', index, 'tests', ...path])[0]).line,
  });
  const simple = (side: 'match' | 'no_match' | 'dynamic', calls: readonly CallData[] = []): Test[] =>
    calls.map((event, i) => ({
      rule: rule.id,
      side,
      name: typeof event === 'string' ? event : JSON.stringify(event),
      ...place([side, i]),
      check: (policy, bench) => checkSide(side, rule, decideCase({ event, expect: {} }, only(policy, rule), bench)),
      parts: takeApart(rule, { event, expect: {} }),
    }));
  const cases = (data.tests?.cases ?? []).map(
    (c, i): Test => ({
      rule: rule.id,
      side: 'case',
      name: c.name ?? `case ${i + 1}`,
      ...place(['cases', i]),
      parts: takeApart(rule, c),
      check: (policy, bench) => {
        const scope = c.expect.rule === undefined ? only(policy, rule) : policy;
        return checkExpectation(c.expect, rule.id, decideCase(c, scope, bench));
      },
    }),
  );
  const { match, no_match, dynamic } = data.tests ?? {};
  return [...simple('match', match), ...simple('no_match', no_match), ...simple('dynamic', dynamic), ...cases];
}

interface SeparateCase extends Omit<CaseData, 'event' | 'expect'> {
  readonly name: string;
  readonly rule?: string;
  readonly event?: CallData;
  readonly expect?: CaseData['expect'];
  readonly steps?: readonly { readonly event: CallData; readonly expect?: CaseData['expect']; readonly at?: string }[];
}

function separateTests({ documents }: Compilation): readonly Test[] {
  return documents
    .filter((doc) => doc.data?.['kind'] === 'Tests')
    .flatMap((doc) => {
      const { tests, world } = doc.data as unknown as {
        tests: readonly SeparateCase[];
        world?: Record<string, unknown>;
      };
      return tests.map(
        (t, i): Test => ({
          rule: t.rule ?? '',
          side: 'case',
          name: t.name,
          file: doc.file.path,
          line: doc.file.lines.linePos(rangeOf(doc, ['tests', i])[0]).line,
          parts: () => [],
          check: (policy, bench) => checkSeparate({ ...t, world: { ...world, ...t.world } }, policy, bench),
        }),
      );
    });
}

/** Events in order; what one leaves behind is history for the next. */
function checkSeparate(test: SeparateCase, policy: CompiledPolicy, bench: TestBench): string | null {
  const steps = test.steps ?? (test.event === undefined ? [] : [{ event: test.event, expect: test.expect }]);
  if (steps.length === 0) return 'the test has neither `event` nor `steps`';
  const history: PastData[] = [...(test.history ?? [])];
  for (const [i, step] of steps.entries()) {
    const decision = decideCase({ ...test, event: step.event, expect: {}, history }, policy, bench);
    const got = step.expect ? checkExpectation(step.expect, test.rule ?? '', decision) : null;
    if (got !== null) return steps.length > 1 ? `step ${i + 1}: ${got}` : got;
    history.push({ at: '-1s', event: step.event });
  }
  return null;
}

/** The policy with one rule: tests of a rule don't depend on the others. A rule that is switched off is tested as if it were on. */
function only(policy: CompiledPolicy, rule: CompiledRule): CompiledPolicy {
  const now = policy.rules.find((r) => r.id === rule.id) ?? rule;
  const own: CompiledRule = { ...now, mode: now.mode === 'off' ? 'enforce' : now.mode };
  if (!rule.unlessAllowed) return { ...policy, defaultEffect: 'allow', rules: [own] };
  // It is about what the others do not allow.
  return { ...policy, defaultEffect: 'ask', rules: [own, ...policy.rules.filter((r) => r.effect === 'allow')] };
}

interface Setting {
  readonly now: number;
  readonly world: World;
  readonly services: Services;
  readonly history: ReturnType<typeof memoryHistory>;
}

/** What a case is decided on, after what it says went before. */
function lived(test: CaseData, policy: CompiledPolicy, bench: TestBench): Setting {
  const now = test.now === undefined ? NOW : Date.parse(test.now);
  const world = bench.world({ ...WORLD, ...test.world });
  const files = fileStates(world);
  const services: Services = {
    ...(bench.secrets ? { secrets: bench.secrets } : {}),
    evidence: evidenceOf(test.evidence ?? [], world, files.stamp),
    stamp: files.stamp,
  };
  const history = memoryHistory();
  const timeOf = (at: string | undefined): number => now + parseDuration(at ?? '-1m');
  const before: { when: number; past: PastData }[] = (test.history ?? []).map((past) => ({
    when: timeOf(past.at),
    past,
  }));
  const { history_repeat: repeat } = test;
  const every = repeat?.every === undefined ? 0 : parseDuration(repeat.every);
  for (let i = 0; repeat && i < repeat.times; i++)
    before.push({ when: timeOf(repeat.at) + i * every, past: { event: repeat.event } });
  for (const { when, past } of before) {
    files.change(past.changed ?? []);
    if (past.event === undefined) continue;
    const facts = factsOfEvent(past.event, world, bench);
    files.saw(facts);
    const { marks, answer } = decide(policy, facts, { now: when, history, services });
    history.add(marks ?? []);
    history.saw(facts, when, answer);
  }
  return { now, world, services, history };
}

function decideCase(test: CaseData, policy: CompiledPolicy, bench: TestBench): Decision {
  const { now, world, services, history } = lived(test, policy, bench);
  const grant = grantOf(test.grants ?? [], now);
  return decide(policy, factsOfEvent(test.event, world, bench), { now, history, services, grant });
}

/** Which of the grants lifts a rule; live from `from` up to, not including, `until`, as in force. */
function grantOf(grants: readonly GrantData[], now: number): (rule: CompiledRule) => string {
  const isLive = ({ from, until }: GrantData): boolean =>
    (from === undefined || now >= Date.parse(from)) && (until === undefined || now < Date.parse(until));
  return (rule) => {
    const found = grants.find(
      (g) => isLive(g) && (g.rules?.includes(rule.id) || g.tags?.some((tag) => rule.tags.includes(tag))),
    );
    return found ? `grant:${found.id}` : '';
  };
}

function checkSide(side: 'match' | 'no_match' | 'dynamic', rule: CompiledRule, decision: Decision): string | null {
  const hits = decision.rules.filter((h) => h.id === rule.id && h.lifted_by === '');
  const fault = decision.trace.find((t) => t.rule === rule.id && t.outcome === 'error');
  if (fault) return `the condition fails: ${fault.note}`;
  switch (side) {
    case 'no_match':
      return hits.length === 0 ? null : `it fires: ${describe(hits)}`;
    case 'match':
      if (hits.some((h) => h.because === 'match')) return null;
      return hits.length === 0 ? 'it does not fire' : `it is not sure: ${describe(hits)}`;
    case 'dynamic':
      // What one version of the analysis can't know a later one may: then the rule fires for certain, which is stricter.
      return hits.length > 0 ? null : 'it does not fire';
  }
}

/** `id` '' judges the decision as a whole. */
function checkExpectation(want: CaseData['expect'], id: string, decision: Decision): string | null {
  const hits = decision.rules.filter((h) => h.id === id || id === '');
  const live = hits.filter((h) => h.lifted_by === '');
  const effect = id === '' ? (decision.rule === null ? 'none' : decision.effect) : (live[0]?.effect ?? 'none');
  if (want.effect !== undefined && want.effect !== effect)
    return live.length > 0 ? `the effect is ${effect}: ${describe(live)}` : `the effect is ${effect}`;
  if (want.rule !== undefined && want.rule !== decision.rule)
    return `the rule that decides is ${decision.rule ?? 'none'}`;
  if (want.waiver !== undefined && !hits.some((h) => h.lifted_by === want.waiver))
    return `it is ${hits.some((h) => h.lifted_by !== '') ? `lifted by ${hits[0]?.lifted_by}` : 'not lifted'}`;
  if (want.grant !== undefined && !hits.some((h) => h.lifted_by === `grant:${want.grant}`))
    return `it is ${hits.some((h) => h.lifted_by !== '') ? `lifted by ${hits[0]?.lifted_by}` : 'not lifted'}`;
  if (want.message !== undefined && !hits.some((h) => likeText(want.message as string, h.message)))
    return `the message is "${hits[0]?.message ?? ''}"`;
  return null;
}

/** Globs over texts: slashes are nothing special there. */
function likeText(pattern: string, text: string): boolean {
  return compileGlobs([pattern.replaceAll('/', '\u0001')], '')(text.replaceAll('/', '\u0001'));
}

function describe(hits: readonly RuleHit[]): string {
  return hits
    .slice(0, 3)
    .map((h) => `${h.effect} because ${h.because} on \`${h.subject}\``)
    .join('; ');
}
