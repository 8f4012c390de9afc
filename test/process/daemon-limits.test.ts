import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { govPaths } from '../../src/base/gov-paths.ts';
import { makeId } from '../../src/base/ids.ts';
import { questionBytes, readAnswer, viewOf } from '../../src/daemon/protocol.ts';
import { layersOf } from '../../src/rulebook/layers.ts';
import { publishLayers } from '../../src/rulebook/publish.ts';
import { makeWarmPlace, removeWarmPlace, startedDaemon, type WarmPlace } from './daemon-place.ts';
import { payload, ROOT, records } from './place.ts';

const RULES = `apiVersion: gov/v1
kind: Rules
metadata: { name: mine }
rules:
  - id: mine.calls
    title: Too many calls of a session
    severity: low
    on: [PreToolUse]
    each: command
    when: command.name == "cowsay"
    limit: { count: 3, window: 10m, counts: call }
    effect: deny
  - id: mine.together
    title: Too many in all sessions together
    severity: low
    on: [PreToolUse]
    each: command
    when: command.name == "fortune"
    limit: { count: 5, window: 10m, key: event.agent, counts: call }
    effect: deny
`;
const BUILD = readFileSync(join(ROOT, 'dist', 'build-id'), 'utf8').trim();

let place: WarmPlace;
beforeEach(async () => {
  place = makeWarmPlace();
  mkdirSync(join(place.govHome, 'config', 'rules'), { recursive: true });
  writeFileSync(join(place.govHome, 'config', 'rules', 'mine.yaml'), RULES);
  const paths = govPaths(place.env);
  expect(publishLayers(paths, null, layersOf(paths, '/nonexistent'))).toMatchObject({ ok: true });
  await startedDaemon(place);
});
afterEach(() => removeWarmPlace(place));

/** The exit code of a call that is asked about directly, so that many wait at the daemon's door at the same time. */
function asked(session: string, command: string): Promise<number | null> {
  const id = makeId(Date.now());
  const env = { HOME: place.home, GOV_HOME: place.govHome };
  const text = payload(place, { session_id: session, tool_input: { command } });
  const where = { part: 'gate', agent: 'claude-code', cwd: place.workspace, env };
  const bytes = questionBytes({
    verb: 'call',
    build: BUILD,
    id,
    view: viewOf(),
    payload: Buffer.from(text),
    ...where,
  });
  return new Promise((resolve, reject) => {
    const socket = connect(place.socket);
    const chunks: Buffer[] = [];
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => resolve(readAnswer(Buffer.concat(chunks), BUILD, id)?.exitCode ?? null));
    socket.write(bytes);
  });
}

const passed = (codes: readonly (number | null)[]): number => codes.filter((code) => code === 0).length;

// Calls that share a commit don't find each other in the store.
test.each([
  ['calls of one session', 'cowsay', () => 's1', 3],
  ['what rules count across sessions', 'fortune', (i: number) => `s${i}`, 5],
] as const)('a limit holds for calls that come at once: %s', async (_, command, session, limit) => {
  const codes = await Promise.all(Array.from({ length: 40 }, (_, i) => asked(session(i), `${command} ${i}`)));
  expect(codes.filter((code) => code === null)).toEqual([]);
  expect(passed(codes)).toBe(limit);
  expect(records(place).filter((record) => record.answer === 'allow')).toHaveLength(limit);
  expect(records(place)).toHaveLength(40);
});
