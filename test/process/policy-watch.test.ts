import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bash, makePlace, type Place, ROOT, records, removePlace, runHook } from './place.ts';
import { endWatcher, startWatcher, type Watcher } from './watcher.ts';

const HEAD = 'apiVersion: gov/v1\nkind: Rules\nmetadata: { name: own, owners: [me] }\nrules:\n';
const rule = (program: string, more = ''): string =>
  `  - id: own.${program}\n    title: No ${program}\n    severity: high\n    each: command\n    when: command.name == "${program}"\n    effect: deny\n    tests: { match: [${program} now], no_match: [ls] }\n${more}`;

let place: Place;
let watcher: Watcher | null = null;

beforeEach(() => {
  place = makePlace();
  mkdirSync(join(place.govHome, 'config', 'rules'), { recursive: true });
});
afterEach(async () => {
  if (watcher !== null) await endWatcher(watcher);
  watcher = null;
  removePlace(place);
});

const file = (): string => join(place.govHome, 'config', 'rules', 'own.yaml');

function start(...args: string[]): void {
  watcher = startWatcher(place.workspace, place.env, ...args);
}

/** The first line since `from` that matches, and what was printed up to it. */
async function line(pattern: RegExp, from: number): Promise<{ text: string; at: number; next: number }> {
  const lines = watcher?.lines ?? [];
  for (let waited = 0; waited < 30_000; waited += 5) {
    const index = lines.findIndex((l, i) => i >= from && pattern.test(l.text));
    const found = lines[index];
    if (found) return { ...found, next: index + 1 };
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`no line matches ${String(pattern)} in:\n${lines.map((l) => l.text).join('\n')}`);
}

function answer(command: string): string {
  runHook(place, bash(place, command));
  return records(place).at(-1)?.answer ?? '';
}

test('a good save is built, a broken one and one whose tests fail keep the last good one and say so', async () => {
  writeFileSync(file(), HEAD + rule('alpha'));
  start('--build');
  let { next } = await line(/^built: /, 0);
  expect(watcher?.lines[0]?.text).toMatch(/^\d\d:\d\d:\d\d all right: 1 rule, 2 tests, \d+ ms$/);
  expect([answer('alpha now'), answer('beta now')]).toEqual(['deny', 'allow']);

  // In place, as a shell writes.
  writeFileSync(file(), HEAD + rule('alpha') + rule('beta'));
  ({ next } = await line(/^built: /, next));
  expect([answer('alpha now'), answer('beta now')]).toEqual(['deny', 'deny']);

  writeFileSync(file(), (HEAD + rule('alpha')).replace('command.name', 'command.nam'));
  const broken = await line(
    /1 error: 0 rules, 0 tests, \d+ ms; the last good version is that of \d\d:\d\d:\d\d$/,
    next,
  );
  expect(watcher?.lines[next]?.text).toBe('error[cel-field]: a command has no `nam`');
  ({ next } = await line(/^not built: the bundles in force stay$/, broken.next));
  expect([answer('alpha now'), answer('beta now')]).toEqual(['deny', 'deny']);

  writeFileSync(file(), (HEAD + rule('alpha')).replace('[ls]', '[alpha]'));
  await line(/^FAIL own\.alpha no_match: alpha$/, next);
  await line(/1 test failed: 1 rule, 2 tests, \d+ ms; the last good version is that of /, next);
  ({ next } = await line(/^not built: the bundles in force stay$/, next));
  expect(answer('beta now')).toBe('deny');

  // Another file put in its place, as many editors write.
  writeFileSync(`${file()}.tmp`, HEAD + rule('gamma'));
  renameSync(`${file()}.tmp`, file());
  ({ next } = await line(/^built: /, next));
  expect([answer('gamma now'), answer('beta now')]).toEqual(['deny', 'allow']);

  // A new file below, and one that is no policy.
  writeFileSync(join(place.govHome, 'config', 'rules', 'notes.txt'), 'not a rule');
  mkdirSync(join(place.govHome, 'config', 'rules', 'more'));
  writeFileSync(
    join(place.govHome, 'config', 'rules', 'more', 'x.yaml'),
    (HEAD + rule('delta')).replace('name: own', 'name: more').replace('own.', 'more.'),
  );
  await line(/^built: /, next);
  expect(answer('delta now')).toBe('deny');
});

test('a directory that is taken away and comes back is watched again', async () => {
  const rules = join(place.govHome, 'config', 'rules');
  writeFileSync(file(), HEAD + rule('alpha'));
  start();
  let { next } = await line(/all right: 1 rule, 2 tests/, 0);
  renameSync(rules, `${rules}.away`);
  ({ next } = await line(/there is no file .*; the last good version is that of /, next));
  renameSync(`${rules}.away`, rules);
  ({ next } = await line(/all right: 1 rule, 2 tests/, next));
  writeFileSync(file(), HEAD + rule('alpha') + rule('beta'));
  await line(/all right: 2 rules, 4 tests/, next);
});

/** Milliseconds of the fastest start of `node`: what this machine can do just now. */
function base(): number {
  const started = performance.now();
  spawnSync(process.execPath, ['-e', '0']);
  return performance.now() - started;
}

test('a save is checked and tested within the time of a few starts of node (200 ms on a machine at rest)', async () => {
  const builtin = readFileSync(join(ROOT, 'rules/git.yaml'), 'utf8')
    .replaceAll('git.', 'own.')
    .replace('version-control', 'own');
  writeFileSync(file(), builtin);
  start();
  let { next } = await line(/all right: \d+ rules, \d+ tests/, 0);
  const took: number[] = [];
  const bases: number[] = [];
  for (let i = 0; i < 12; i++) {
    bases.push(base());
    const saved = performance.now();
    writeFileSync(file(), `${builtin}# save ${i}\n`);
    const told = await line(/all right: \d+ rules, \d+ tests/, next);
    next = told.next;
    took.push(told.at - saved);
  }
  // A start of node takes about 40 ms at rest.
  expect(Math.min(...took) / Math.min(...bases)).toBeLessThan(5);
});

test('what can not be watched is said', () => {
  const env = { ...place.env, NO_COLOR: '1' };
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(ROOT, 'bin/run.js'), 'policy', 'watch', ...args], { env, encoding: 'utf8' });
  expect(run('nothing-here')).toMatchObject({ status: 3, stdout: '' });
});
