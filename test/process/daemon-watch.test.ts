import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { hook, makeWarmPlace, removeWarmPlace, served, startedDaemon, until, type WarmPlace } from './daemon-place.ts';
import { type HookRun, payload, records } from './place.ts';
import { endWatcher, startWatcher, type Watcher } from './watcher.ts';

let place: WarmPlace;
let watcher: Watcher | null = null;

beforeEach(() => {
  place = makeWarmPlace();
  mkdirSync(join(place.govHome, 'config', 'rules'), { recursive: true });
});
afterEach(async () => {
  if (watcher !== null) await endWatcher(watcher);
  watcher = null;
  await removeWarmPlace(place);
});

/** A pack that denies these programs, and another that no version of it lets pass. */
function save(...programs: readonly string[]): void {
  const rules = ['always', ...programs].map(
    (program) =>
      `  - id: own.${program}\n    title: No ${program}\n    severity: high\n    each: command\n    when: command.name == "${program}"\n    effect: deny\n    tests: { match: [${program} now], no_match: [ls] }\n`,
  );
  const head = 'apiVersion: gov/v1\nkind: Rules\nmetadata: { name: own, owners: [me] }\nrules:\n';
  writeFileSync(join(place.govHome, 'config', 'rules', 'own.yaml'), head + rules.join(''));
}

let sessions = 0;

/** Each call in a session of its own: many refusals in one would pause it. */
function call(program: string): Promise<HookRun> {
  return hook(place, payload(place, { session_id: `s${sessions++}`, tool_input: { command: `${program} now` } }));
}

function built(): number {
  return watcher?.lines.filter(({ text }) => text.startsWith('built: ')).length ?? 0;
}

test('a daemon takes each new bundle between two calls, and no call is dropped', { timeout: 60_000 }, async () => {
  save('alpha');
  watcher = startWatcher(place.workspace, place.cold, '--build');
  await until(() => built() === 1);
  await startedDaemon(place);

  let going = true;
  const ends: (number | null)[] = [];
  const caller = async (): Promise<void> => {
    while (going) ends.push((await call('always')).exitCode);
  };
  const callers = [caller(), caller(), caller()];
  const answers: (number | null)[][] = [];
  for (const [i, programs] of [['beta'], ['alpha', 'beta'], ['gamma'], ['alpha']].entries()) {
    save(...programs);
    await until(() => built() === i + 2);
    const runs = await Promise.all(['alpha', 'beta', 'gamma'].map(call));
    answers.push(runs.map((run) => run.exitCode));
  }
  going = false;
  await Promise.all(callers);
  expect(answers).toEqual([
    [0, 2, 0],
    [2, 2, 0],
    [0, 0, 2],
    [2, 0, 0],
  ]);
  expect(new Set(ends)).toEqual(new Set([2]));
  expect(records(place)).toHaveLength(ends.length + 12);
  // All of them by the daemon: none was turned away while a bundle changed.
  expect(await served(place)).toBeGreaterThanOrEqual(ends.length + 12);
});
