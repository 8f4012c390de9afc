import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';

const REPO = join(import.meta.dirname, '..', '..');
const GOV = join(REPO, 'bin', 'run.js');
let root: string;
let answers: Map<string, string>;

/** gov by its own file, wherever it is installed, is gov. */
const ROWS: readonly (readonly [words: string, want: string])[] = [
  ['elevate approve K7QF', 'deny'],
  ['elevate --json deny K7QF', 'deny'],
  ['resume', 'deny'],
  ['policy mode monitor', 'deny'],
  ['policy mode off --rule fs.write-outside', 'deny'],
  ['waiver add fs.write-outside --exception by_dir', 'deny'],
  ['waiver expire x', 'deny'],
  ['daemon stop', 'deny'],
  ['audit prune --keep 1 --yes', 'deny'],
  ['audit list --decision deny', 'allow'],
  ['policy list', 'allow'],
  ['elevate list', 'allow'],
  ['stop', 'allow'],
  ['policy mode --help', 'allow'],
];

beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'gov-own-'));
  const project = join(root, 'home', 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  const input = ROWS.map(([words]) =>
    JSON.stringify({ id: words, tool: 'Bash', input: { command: `node ${GOV} ${words}` }, cwd: project }),
  ).join('\n');
  const env = { PATH: process.env['PATH'] ?? '', HOME: join(root, 'home'), GOV_HOME: join(root, 'gov') };
  const run = spawnSync(process.execPath, [GOV, 'check', '--batch', '-'], {
    cwd: project,
    env,
    input,
    encoding: 'utf8',
  });
  const lines = run.stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as { id: string; decision: string });
  answers = new Map(lines.map(({ id, decision }) => [id, decision]));
});
afterAll(() => rmSync(root, { recursive: true, force: true }));

describe('commands of gov that are for a person, by its own file', () => {
  it.each(ROWS)('%s', (words, want) => {
    expect(answers.get(words)).toBe(want);
  });
});
