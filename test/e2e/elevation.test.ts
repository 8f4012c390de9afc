import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { hasTerminals, openTerminal } from '../support/terminal.ts';
import { findClient, gov, makeScene, playSession, ROOT, removeScene, type Scene } from './client.ts';
import type { Turn } from './fake-model.ts';

const client = findClient() ?? '';
let scene: Scene;
beforeEach(() => {
  scene = makeScene();
});
afterEach(() => {
  removeScene(scene);
});

const bash = (command: string): Turn => ({
  text: 'next',
  tools: [{ name: 'Bash', input: { command, description: 'run' } }],
});
const RM_OTHER = bash('rm -rf ../other');

/** The code of the newest call that waits for a person. */
async function codeWaiting(): Promise<string> {
  for (let i = 0; i < 300; i++) {
    const run = gov(scene, ['elevate', 'list', '--json']);
    const { requests } = (run.status === 0 ? JSON.parse(run.stdout) : { requests: [] }) as {
      requests: { code: string }[];
    };
    if (requests[0]) return requests[0].code;
    await wait(200);
  }
  throw new Error('nothing waits for a person');
}

describe.skipIf(client === '' || !hasTerminals)('a session of Claude Code and a person in another terminal', () => {
  test('denied; approved with the code; the retry passes; the third try is denied', async () => {
    const run = gov(scene, ['init', '--agent', 'claude-code', '--yes']);
    expect({ status: run.status, stderr: run.stderr }).toEqual({ status: 0, stderr: '' });
    const person = openTerminal(scene.root, 'person', scene.project, scene.env);
    const go = join(scene.project, 'go');
    try {
      const session = playSession(client, scene, [
        RM_OTHER,
        bash('until [ -e go ]; do sleep 0.2; done'),
        RM_OTHER,
        RM_OTHER,
        { text: 'All finished.' },
      ]);
      const code = await codeWaiting();
      expect(existsSync(join(scene.other, 'precious.txt'))).toBe(true);
      const screen = await person.run(
        `${process.execPath} ${join(ROOT, 'bin', 'run.js')} elevate approve ${code}`,
        [/Reason:/, 'a leftover directory'],
        [/Allow this\?/, 'yes'],
      );
      expect(screen).toMatch(/Allowed\. The agent can try again\.\nended 0$/);
      writeFileSync(go, '');
      const { answers, exitCode } = await session;
      expect(exitCode).toBe(0);
      expect(answers.map((answer) => answer.isError)).toEqual([true, false, false, true]);
      expect(answers[0]?.text).toContain(`gov elevate approve ${code}`);
      expect(answers[3]?.text).toMatch(/a person can allow it: gov elevate approve [0-9A-Z]{4}/);
      expect(existsSync(scene.other)).toBe(false);
      const { grants } = JSON.parse(gov(scene, ['elevate', 'list', '--json']).stdout) as {
        grants: { state: string }[];
      };
      expect(grants.map((grant) => grant.state)).toEqual(['used']);
    } finally {
      person.close();
    }
  });
});
