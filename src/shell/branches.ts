import type { Case, CaseItem, CompoundList, If } from 'unbash';
import { textOf } from '../model/value.ts';
import { skip } from './coverage.ts';
import { join } from './joining.ts';
import { runStatements } from './lists.ts';
import { matches } from './pattern.ts';
import { keepPlaces } from './places.ts';
import { noteUnknown } from './record.ts';
import { descriptor } from './redirections.ts';
import type { Run } from './run.ts';
import { alternate, markSink, rewind } from './sinks.ts';
import { fork, type State } from './state.ts';
import { expandPattern, expandText } from './words.ts';

/** One arm of a branch: what it runs, or nothing. */
type Arm = (path: State) => void;

/** Runs arms of which exactly one will run, each on its own path and with its own output, and joins them. */
function runArms(s: State, arms: readonly Arm[]): void {
  const out = descriptor(s, 1).sink;
  const start = markSink(out);
  const paths = arms.map((arm, i) => {
    const path = fork(s);
    const before = i === 0 ? null : rewind(out, start);
    arm(path);
    if (i > 0) alternate(out, before);
    return path;
  });
  join(s, paths);
}

export function runIf(run: Run, s: State, node: If): void {
  fromArm(run, s, [node, ...node.elif], node.else, 0);
}

function fromArm(
  run: Run,
  s: State,
  arms: readonly { readonly clause: CompoundList; readonly then: CompoundList }[],
  last: CompoundList | undefined,
  at: number,
): void {
  const arm = arms[at];
  if (!arm) {
    if (last) runStatements(run, s, last.commands);
    else s.status = 'ok';
    return;
  }
  const errexit = s.options;
  if (errexit.has('errexit')) s.options = without(errexit, 'errexit');
  runStatements(run, s, arm.clause.commands);
  if (errexit !== s.options && errexit.has('errexit')) s.options = errexit;
  if (s.ended !== '') return skipRest(run, arms, last, at);
  const { status } = s;
  const yes: Arm = (path) => {
    keepPlaces(path, 'ok');
    runStatements(run, path, arm.then.commands);
  };
  const no: Arm = (path) => {
    keepPlaces(path, 'fail');
    fromArm(run, path, arms, last, at + 1);
  };
  if (status === 'ok') {
    yes(s);
    skipRest(run, arms, last, at + 1);
  } else if (status === 'fail') {
    skip(run, arm.then);
    no(s);
  } else runArms(s, [yes, no]);
}

function skipRest(
  run: Run,
  arms: readonly { readonly clause: CompoundList; readonly then: CompoundList }[],
  last: CompoundList | undefined,
  from: number,
): void {
  for (const arm of arms.slice(from)) {
    skip(run, arm.clause);
    skip(run, arm.then);
  }
  if (last) skip(run, last);
}

function without(set: ReadonlySet<string>, name: string): ReadonlySet<string> {
  const copy = new Set(set);
  copy.delete(name);
  return copy;
}

/** `case`: arms that surely don't match are left out; the first that surely matches ends the search. */
export function runCase(run: Run, s: State, node: Case): void {
  const subject = textOf(expandText(run, s, node.word));
  const arms: Arm[] = [];
  let sure = false;
  node.items.forEach((item, i) => {
    const hit = sure ? false : matchItem(run, s, subject, item);
    if (hit === false) {
      if (!fallsInto(node.items, i)) skip(run, item.body);
      return;
    }
    arms.push((path) => runItems(run, path, node.items, i));
    if (hit === true && item.terminator !== ';;&') sure = true;
  });
  if (sure && arms.length === 1) return (arms[0] as Arm)(s);
  if (!sure)
    arms.push((path) => {
      path.status = 'ok';
    });
  if (arms.length > MAX_ARMS) noteUnknown(run.record, 'a case with many arms', String(arms.length), null);
  runArms(s, arms);
}

const MAX_ARMS = 10_000;

/** True if an item before this one falls through to it (`;&`). */
function fallsInto(items: readonly CaseItem[], at: number): boolean {
  return at > 0 && items[at - 1]?.terminator === ';&';
}

function runItems(run: Run, s: State, items: readonly CaseItem[], from: number): void {
  for (let i = from; i < items.length; i++) {
    const item = items[i] as CaseItem;
    runStatements(run, s, item.body.commands);
    if (item.terminator !== ';&') return;
  }
}

/** Null: can't be known. */
function matchItem(run: Run, s: State, subject: string | null, item: CaseItem): boolean | null {
  let unsure = false;
  for (const word of item.pattern) {
    const pattern = expandPattern(run, s, word);
    if (pattern?.length === 1 && pattern[0]?.kind === 'star') return true;
    if (subject === null || pattern === null || s.options.has('nocasematch')) unsure = true;
    else if (matches(pattern, subject)) return true;
  }
  return unsure ? null : false;
}
