// How the time of one decision grows: with the command, with the rules, with what the call changed, with the repository.
// Each row has the smallest size as its base; CPU time of this process, least of several runs, so that a busy machine
// shows less. Never a reason to fail.
//   node bench/growth.mjs [--all]   --all: every shape of command, else those that are told apart in the docs
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toolCallOf } from '../dist/cli/check-call.js';
import { factsOf } from '../dist/facts/facts.js';
import { decide } from '../dist/policy/decide.js';
import { loadPolicy } from '../dist/policy/load.js';
import { compilePolicy } from '../dist/rulebook/compile.js';
import { fixtureWorld } from '../dist/world/fixture.js';
import { machineWorld } from '../dist/world/machine.js';
import { SHAPES } from './shapes.mjs';

const TOLD = [
  'words of one command',
  'segments ;',
  'segments &&',
  'pipeline',
  'lines',
  'doubling',
  'defaults',
  'brace ranges',
  'globs',
  'case arms',
  'functions',
  'array appends',
  'redirections',
  'heredoc into a shell',
  'nested $(',
  'nested {',
  'nested if',
  'nested ${x:-',
  'base64 word',
  'open "',
];
const builtin = loadPolicy(join(fileURLToPath(new URL('..', import.meta.url)), 'dist', 'policy', 'recommended.json'));
const workspace = '/home/dev/project';
const fixture = () => fixtureWorld({ home: '/home/dev', workspace, files: { 'a.ts': 'a' }, git: { branch: 'topic' } });

const factsFor = (command, world = fixture(), cwd = workspace) =>
  factsOf(toolCallOf({ tool: 'Bash', input: { command }, cwd, agent: 'claude-code' }), world);
const judge = (command, policy = builtin) => decide(policy, factsFor(command), { now: 0 });

table('command (characters)', [1_000, 10_000, 100_000, 1_000_000], (n) => `${n / 1000} k`);
for (const name of process.argv.includes('--all') ? Object.keys(SHAPES) : TOLD)
  row(name, [1_000, 10_000, 100_000, 1_000_000], (n) => {
    const text = SHAPES[name](n, 'rm -rf /home/dev/work');
    return () => judge(text);
  });

table('rules', [10, 100, 1_000, 5_000], String);
const few = factsFor('git status --short && rm -rf build');
row('500 decisions', [10, 100, 1_000, 5_000], (n) => {
  const { policy, findings } = compilePolicy([{ path: 'rules.yaml', text: rulesAbout(n) }]);
  if (findings.length > 0 || policy.rules.length !== n)
    throw new Error(`the rules are not what they should be: ${findings[0]?.message}`);
  return () => {
    for (let i = 0; i < 500; i++) decide(policy, few, { now: 0 });
  };
});
row('building them', [10, 100, 1_000, 5_000], (n) => {
  const text = rulesAbout(n);
  return () => compilePolicy([{ path: 'rules.yaml', text }]);
});

table('files that the call makes first', [10, 100, 1_000, 10_000], String);
row('touch, then rm -rf build', [10, 100, 1_000, 10_000], (n) => {
  const text = `touch ${Array.from({ length: n }, (_, i) => `src/f${i}.ts`).join(' ')}; rm -rf build`;
  return () => judge(text);
});

const scratch = mkdtempSync(join(tmpdir(), 'gov-growth-'));
table('files in the repository', [100, 10_000, 100_000, 1_000_000], String);
for (const command of ['git status && npm test', 'rm src/f1.ts'])
  row(command, [100, 10_000, 100_000, 1_000_000], (n) => {
    const root = join(scratch, `repository-${n}`);
    mkdirSync(join(root, '.git'), { recursive: true });
    mkdirSync(join(root, 'src'), { recursive: true });
    writeFileSync(join(root, 'src', 'f1.ts'), 'text');
    writeFileSync(join(root, '.git', 'HEAD'), 'ref: refs/heads/main\n');
    writeFileSync(join(root, '.git', 'index'), indexOf(n));
    return () => {
      const world = machineWorld({ cwd: root, env: { HOME: scratch } });
      decide(builtin, factsFor(command, world, root), { now: 0 });
    };
  });
rmSync(scratch, { recursive: true, force: true });

function table(name, sizes, shown) {
  console.log(`\n${name.padEnd(32)}${sizes.map((n) => shown(n).padStart(18)).join('')}`);
}

function row(name, sizes, prepare) {
  let base = 0;
  const cells = sizes.map((n) => {
    const run = prepare(n);
    const ms = least(run);
    base ||= ms;
    return `${ms.toFixed(1)} ms ${(ms / base).toFixed(1)} x`.padStart(18);
  });
  console.log(name.padEnd(32) + cells.join(''));
}

/** CPU milliseconds of one run: the least of some, fewer the longer they take. */
function least(run) {
  let ms = Number.POSITIVE_INFINITY;
  for (let spent = 0, i = 0; i < 3 || (spent < 100 && i < 50); i++) {
    const before = process.cpuUsage();
    run();
    const { user, system } = process.cpuUsage(before);
    spent += (user + system) / 1000;
    ms = Math.min(ms, (user + system) / 1000);
    if (spent > 3_000) break;
  }
  return ms;
}

/** Rules about many programs, effects and paths, of which the call meets few. */
function rulesAbout(count) {
  const rules = Array.from({ length: count }, (_, i) => {
    const [each, when] = [
      ['command', `command.name == "${i === 0 ? 'rm' : `prog${i}`}" && command.hasFlag("x")`],
      ['command', `command.does("kind-${i}")`],
      ['file', `file.op == "delete" && file.matchesAny(["/srv/x${i}/**"])`],
    ][i % 3];
    return `  - id: p.r${i}\n    title: Rule ${i}\n    severity: medium\n    each: ${each}\n    when: '${when}'\n    effect: deny`;
  });
  return `apiVersion: gov/v1\nkind: Rules\nmetadata: { name: p }\nrules:\n${rules.join('\n')}\n`;
}

/** A git index (gitformat-index(5), version 2) of so many files. */
function indexOf(count) {
  const head = Buffer.alloc(12);
  head.write('DIRC');
  head.writeUInt32BE(2, 4);
  head.writeUInt32BE(count, 8);
  const entries = Array.from({ length: count }, (_, i) => {
    const name = `src/f${i}.ts`;
    const entry = Buffer.alloc(Math.ceil((62 + name.length + 1) / 8) * 8);
    entry.writeUInt32BE(4, 36);
    entry.writeUInt16BE(name.length, 60);
    entry.write(name, 62);
    return entry;
  });
  return Buffer.concat([head, ...entries, Buffer.alloc(20)]);
}
