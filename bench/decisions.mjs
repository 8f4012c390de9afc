// How long one decision takes in process: call in, facts, decision out, with the built-in policy and nothing recorded.
//   node bench/decisions.mjs [--slow] [--as-v8-does] [FILE.jsonl…]   lines {command, cwd?, workspace?} or {tool, input, cwd, world}
// Prints the first pass (code is compiled while it runs, which a process pays once) and later ones, of which each
// decision gives its median. Without files: those that lie beside the checkout, else a few commands.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { optimiseLater } from '../dist/base/late-optimising.js';
import { toolCallOf } from '../dist/cli/check-call.js';
import { factsOf } from '../dist/facts/facts.js';
import { decide } from '../dist/policy/decide.js';
import { loadPolicy } from '../dist/policy/load.js';
import { fixtureWorld } from '../dist/world/fixture.js';

// As the daemon and `gov check --batch` do.
if (!process.argv.includes('--as-v8-does')) optimiseLater();

const PASSES = 7;
const root = fileURLToPath(new URL('..', import.meta.url));
const policy = loadPolicy(join(root, 'dist', 'policy', 'recommended.json'));
const named = process.argv.slice(2).filter((argument) => !argument.startsWith('-'));
const beside = ['cases.jsonl', 'real-commands.jsonl'].map((file) => join(root, '..', 'shared', 'corpus', file));
const files = named.length > 0 ? named : beside.filter((file) => existsSync(file));
const cases = files.length > 0 ? files.flatMap(casesOf) : someCases();

const first = cases.map(judge);
const later = cases.map(() => []);
for (let pass = 1; pass < PASSES; pass++)
  cases.forEach((c, i) => {
    later[i].push(judge(c));
  });
const settled = later.map(median);
print('first pass', first);
print('later passes', settled);
if (process.argv.includes('--slow'))
  for (const i of [...cases.keys()].sort((a, b) => settled[b] - settled[a]).slice(0, 30))
    console.log(`${settled[i].toFixed(3)}  ${JSON.stringify(cases[i].asked.input).slice(0, 160)}`);

function judge({ asked, world }) {
  const started = performance.now();
  decide(policy, factsOf(toolCallOf(asked), fixtureWorld(world)), { now: Date.now() });
  return performance.now() - started;
}

function casesOf(file) {
  const lines = readFileSync(file, 'utf8').split('\n').filter(Boolean);
  return lines.map((line) => caseOf(JSON.parse(line)));
}

function someCases() {
  const commands = [
    'git status --short && npm test',
    'rm -rf ~/work',
    'ls -la src | head',
    'for f in *.ts; do wc "$f"; done',
  ];
  return commands.map((command) => caseOf({ command }));
}

function caseOf({ tool = 'Bash', command, input = { command }, cwd, workspace, world }) {
  const place = workspace ?? cwd ?? '/home/dev/project';
  return {
    asked: { tool, input, cwd: cwd ?? place, agent: 'claude-code' },
    world: world ?? { home: '/home/dev', workspace: place, files: {}, symlinks: {}, git: { branch: 'topic' } },
  };
}

function print(name, list) {
  const sorted = [...list].sort((a, b) => a - b);
  const at = (q) => (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0).toFixed(3);
  console.log(`${name.padEnd(13)} ${sorted.length} decisions, ms: p50 ${at(0.5)}  p99 ${at(0.99)}  max ${at(1)}`);
}

function median(values) {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0;
}
