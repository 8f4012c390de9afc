// T-09: the store can't be written, so a decision would be lost.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { govPaths } from '../../src/base/gov-paths.ts';
import { bash, makePlace, type Place, removePlace, runHook } from '../process/place.ts';

let place: Place;
beforeEach(() => {
  place = makePlace();
});
afterEach(() => removePlace(place));

test('neither database nor spool can be written: blocked', () => {
  const { state } = govPaths(place.env);
  mkdirSync(dirname(state), { recursive: true });
  writeFileSync(state, 'a file where the directory should be');
  const run = runHook(place, bash(place, 'ls'));
  expect(run).toMatchObject({ exitCode: 2, stdout: '' });
  expect(run.stderr).toMatch(/^gov: .*blocked|denied/m);
});

test('a database that is none: the record waits in the spool and nothing is lost', () => {
  const paths = govPaths(place.env);
  mkdirSync(paths.state, { recursive: true, mode: 0o700 });
  writeFileSync(paths.database, 'no database'.repeat(500), { mode: 0o600 });
  runHook(place, bash(place, 'ls'));
  const kept = readdirSync(paths.spool).map((name) => join(paths.spool, name));
  expect(kept).toHaveLength(1);
});
