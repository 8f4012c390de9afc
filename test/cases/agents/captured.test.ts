import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { agentNamed } from '../../../src/agents/index.ts';

const HERE = import.meta.dirname;

/** Claude Code has a test of its own. */
const AGENTS = ['codex', 'gemini-cli'] as const;

describe.each(AGENTS)('payloads of the real %s become the calls written beside them', (name) => {
  const agent = agentNamed(name);
  const files = readdirSync(join(HERE, name, 'payloads'));
  test('there are some', () => {
    expect(files.length).toBeGreaterThan(15);
    expect(readdirSync(join(HERE, name, 'calls')).sort()).toEqual([...files].sort());
  });
  test.each(files)('%s', (file) => {
    const read = (dir: string): unknown => JSON.parse(readFileSync(join(HERE, name, dir, file), 'utf8'));
    expect(JSON.parse(JSON.stringify(agent?.decode(read('payloads'), {})))).toEqual(read('calls'));
  });
});
